// Inputs that cannot be tuned, given to tunectl as a user would: what is said, and that nothing else suffers.
#include <gmock/gmock.h>

#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// `region` between scop pragmas in the main function of a program that prints an element of A.
std::string ProgramAround(const std::string& region, const std::string& before = "",
                          const std::string& after = "") {
  return absl::StrCat("#include <stdio.h>\n#include <stdlib.h>\ndouble A[100];\nint main(void) {\n", before,
                      "#pragma scop\n", region, "\n#pragma endscop\n", after,
                      "  printf(\"%f\\n\", A[3]);\n  return 0;\n}\n");
}
constexpr char kGoodRegion[] = "  for (int i = 0; i < 100; i++) A[i] = A[i] + i;";

struct Refusal {
  std::string name;
  std::string text;                   // of NAME.c
  std::vector<std::string> expected;  // parts of what standard error says
};

class FrontEndRefusalTest : public ::testing::TestWithParam<Refusal> {};

// Refused where the user sits: no server is asked.
TEST_P(FrontEndRefusalTest, SaysWhereWhyAndWhatToDo) {
  Installation installation;
  const std::string file = installation.Write(GetParam().name + ".c", GetParam().text);
  const SubprocessResult result = installation.Tunectl({"submit", file});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.standard_output, "");
  for (const std::string& part : GetParam().expected) EXPECT_THAT(result.standard_error, HasSubstr(part));
  EXPECT_THAT(result.standard_error, HasSubstr("remedy: "));
}

INSTANTIATE_TEST_SUITE_P(
    Inputs, FrontEndRefusalTest,
    ::testing::Values(
        Refusal{"no_pragma", "int main(void) { return 0; }\n", {"no_pragma.c: error: no `#pragma scop`"}},
        Refusal{"unbalanced",
                "int A[9];\nvoid f(void) {\n#pragma scop\n  for (int i = 0; i < 9; i++) A[i] = i;\n}\n",
                {"unbalanced.c:3:1: error:", "without `#pragma endscop`"}},
        Refusal{"subscript",
                ProgramAround("  for (int i = 0; i < 10; i++) A[i * i] = i;"),
                {"subscript.c:6:34: error:", "not an affine expression", "expression: i * i"}},
        Refusal{"while_loop",
                ProgramAround("  while (i < 9) { A[i] += 1; if (A[i] > 3) i++; }", "  int i = 0;\n"),
                {"while_loop.c:7:3: error:", "the number of its iterations is not known before it runs"}},
        Refusal{
            "side_effect",
            "double next(double x);\ndouble A[9];\nvoid f(void) {\n#pragma scop\n  for (int i = 0; i < 9; "
            "i++) A[i] = next(A[i]);\n#pragma endscop\n}\n",
            {"side_effect.c:5:", "`next`, which is only declared and may have side effects"}},
        Refusal{"missing_include",
                "#include \"nowhere.h\"\nint main(void) { return 0; }\n",
                {"missing_include.c:1:10: error:", "nowhere.h", "-I"}},
        Refusal{
            "syntax", ProgramAround("  for (int i = 0; i < 10; i++ A[i] = i;"), {"syntax.c:6:31: error:"}},
        Refusal{"empty", "", {"empty.c: error: the file is empty"}},
        Refusal{"binary",
                std::string("\x7f"
                            "ELF\0\1\2\3",
                            8),
                {"binary.c: error:", "not source text"}},
        Refusal{"prose", "Dear colleague,\nplease tune my program.\n", {"prose.c:1:1: error:"}}),
    [](const auto& test) { return test.param.name; });

TEST(FrontEndRefusal, AFileThatIsNotThere) {
  Installation installation;
  const SubprocessResult result = installation.Tunectl({"submit", installation.path("nowhere.c")});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.standard_error, HasSubstr("nowhere.c"));
}

// Programs that extract well and cannot be run: their studies fail with the reason, the worker lives on.
TEST(ReferenceRefusal, ProgramsThatCannotBeRun) {
  struct BadProgram {
    std::string name;
    std::string text;
    std::vector<std::string> options;
    std::vector<std::string> expected;  // parts of the study's failure
  };
  const std::string large =
      "#include <stdio.h>\n#include <stdlib.h>\n#define N 16384\nint main(void) {\n  double (*A)[N] = "
      "malloc(sizeof(double[N][N]));\n#pragma scop\n  for (int i = 0; i < N; i++)\n    for (int j = 0; j < "
      "N; "
      "j++) A[i][j] = i + j;\n#pragma endscop\n  printf(\"%f\\n\", A[3][4]);\n  return 0;\n}\n";
  const std::vector<BadProgram> programs = {
      {"crashes", ProgramAround(kGoodRegion, "", "  abort();\n"), {}, {"Aborted", "after the region"}},
      {"never_ends",
       ProgramAround(kGoodRegion, "", "  for (volatile int i = 0;;) i = i;\n"),
       {"--reference-time", "1s"},
       {"had not ended after 1 s", "--reference-time"}},
      {"exits_before_region",
       ProgramAround(kGoodRegion, "  if (getenv(\"HOME_SWEET_HOME\") == NULL) exit(7);\n"),
       {},
       {"7"}},
      {"two_gibibytes",
       large,
       {"--memory", "500M"},
       {"need 2048.0 MiB", "500.0 MiB are allowed", "--memory"}},
  };
  Installation installation;
  installation.Start();
  ASSERT_FALSE(HasFatalFailure());
  for (const BadProgram& program : programs) {
    SCOPED_TRACE(program.name);
    std::vector<std::string> arguments = {installation.Write(program.name + ".c", program.text),
                                          "--evaluations", "1"};
    arguments.insert(arguments.end(), program.options.begin(), program.options.end());
    const Json study = installation.WaitForEnd(installation.Submit(arguments).at(0));
    EXPECT_EQ(study.value("state", ""), "failed");
    for (const std::string& part : program.expected) EXPECT_THAT(study.value("failure", ""), HasSubstr(part));
  }
  EXPECT_TRUE(installation.worker->running());
  // Prints nothing: the arrays can still be compared, and it is said what that means.
  const std::string silent =
      installation.Write("silent.c", absl::StrCat("double A[100];\nint main(void) {\n#pragma scop\n",
                                                  kGoodRegion, "\n#pragma endscop\n  return 0;\n}\n"));
  const std::string id = installation.Submit({silent, "--evaluations", "1"}).at(0);
  EXPECT_EQ(installation.WaitForEnd(id).value("state", ""), "done");
  EXPECT_THAT(installation.Tunectl({"show", id}).standard_output, HasSubstr("prints nothing"));
}

}  // namespace
}  // namespace tune
