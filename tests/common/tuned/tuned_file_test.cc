#include "common/tuned/tuned_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "absl/strings/str_replace.h"
#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kSource[] = R"(#include <stdio.h>
static double x[100];
int main(int argc, char **argv) {
  int n = argc > 1 ? 50 : 100;
  int i;
  (void)argv;
#pragma scop
  for (i = 0; i < n; i++) x[i] += 1;
#pragma endscop
  {
	#pragma scop
	for (i = 0; i < 100; i++)
		x[i] *= 2;
	#pragma endscop
  }
  double sum = 0;
  for (int k = 0; k < 100; k++) sum += (k + 1) * x[k];
  printf("%g\n", sum);
  return 0;
}
)";
constexpr char kFirst[] = "{\n  for (int c = 0; c <= 99; c += 1) {\n    x[c] += 1;\n  }\n}\n";
constexpr char kSecond[] =
    "{\n#ifdef _OPENMP\n#pragma omp parallel for num_threads(2)\n#endif\n"
    "  for (int c = 0; c <= 99; c += 1) {\n    x[c] *= 2;\n  }\n}\n";

// The k-th region of kSource.
v1::Scop Region(int k) {
  const std::string source = kSource;
  size_t begin = source.find("#pragma scop");
  size_t end = source.find("#pragma endscop");
  if (k == 1)
    begin = source.find("#pragma scop", begin + 1) - 1, end = source.find("#pragma endscop", end + 1);
  v1::Scop scop;
  scop.set_name("main#1");
  scop.mutable_region()->set_file("main.c");
  scop.mutable_region()->set_begin_offset(begin);
  scop.mutable_region()->set_body_begin_offset(source.find('\n', begin) + 1);
  scop.mutable_region()->set_body_end_offset(k == 1 ? end - 1 : end);
  scop.mutable_region()->set_end_offset(source.find('\n', end));
  if (k == 0) {
    scop.add_parameters()->set_name("n");
    scop.mutable_parameters(0)->set_c_type("int");
  }
  return scop;
}

v1::Program MainProgram() {
  v1::Program program;
  program.add_files()->set_path("main.c");
  program.mutable_files(0)->set_content(kSource);
  program.add_sources("main.c");
  return program;
}

v1::Reference HundredReference() {
  v1::Reference reference;
  reference.add_parameters()->set_name("n");
  reference.mutable_parameters(0)->set_value(100);
  return reference;
}

std::string RunC(const std::string& source, const std::string& flags, const std::string& arguments) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string base = folder.path() + "/main";
  EXPECT_TRUE(WriteFile(base + ".c", source).ok());
  const std::string build = absl::StrCat("cc ", flags, " ", base, ".c -o ", base, " > ", base, ".log 2>&1");
  EXPECT_EQ(std::system(build.c_str()), 0) << ReadFile(base + ".log").value_or("") << source;
  EXPECT_EQ(std::system(absl::StrCat(base, " ", arguments, " > ", base, ".out").c_str()), 0);
  return ReadFile(base + ".out").value_or("");
}

TEST(TunedFile, ReplacesTheRegionAndNothingElse) {
  const auto text = PrintTunedFile(MainProgram(), Region(0), HundredReference(), kFirst,
                                   {"s12", "Some CPU", 3.2, 1.5, "-O3 -fopenmp", "", ""});
  ASSERT_TRUE(text.ok()) << text.status();
  const std::string source = kSource;
  const size_t begin = source.find("#pragma scop"), end = source.find("#pragma endscop") + 15;
  EXPECT_EQ(*text,
            source.substr(0, begin) +
                R"(/* Tuned by tunectl, study s12, for Some CPU: )"
                R"(3.20 times as fast as the original region, 1.50 times as fast as the default configuration.
   The code is right for exactly n = 100 and what else the condition asks for; in any other call or build,
   at sizes near this one as well, the original text runs, which stands last.
   Measured with -O3 -fopenmp.
   Without -fopenmp it computes the same on one thread. */
if (n == 100)
{
  for (int c = 0; c <= 99; c += 1) {
    x[c] += 1;
  }
}
else {
  for (i = 0; i < n; i++) x[i] += 1;
})" + source.substr(end));
}

TEST(TunedFile, TheOriginalRunsWhereTheTunedCodeFails) {
  for (const std::string done : {"0", "1"}) {
    const std::string code =
        absl::StrCat("{ if (", done, ") { for (i = 0; i < 100; i++) x[i] += 1; tune_done = 1; } }");
    const auto text = PrintTunedFile(MainProgram(), Region(0), HundredReference(), code, {});
    ASSERT_TRUE(text.ok()) << text.status();
    EXPECT_EQ(RunC(*text, "-Wall -Wextra -Werror -Wno-unknown-pragmas", ""), RunC(kSource, "-O0", ""))
        << done;
    EXPECT_EQ(RunC(*text, "-Wall -Wextra -Werror -Wno-unknown-pragmas", "half"),
              RunC(kSource, "-O0", "half"));
  }
}

TEST(TunedFile, OnCudaNamesItsCudaFileAndNoOpenMp) {
  TunedFileHeader header{"s12", "Some GPU", 3.2, 0, "", "main.tuned.cu", "sm_90"};
  auto text = PrintTunedFile(MainProgram(), Region(0), HundredReference(), kFirst, header);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr(R"(/* Tuned by tunectl, study s12, for Some GPU: )"
                               R"(3.20 times as fast as the original region.
   The code is right for exactly n = 100 and what else the condition asks for; in any other call or build,
   at sizes near this one as well, the original text runs, which stands last.
   Belongs to main.tuned.cu: build that with `nvcc -O3 -arch=sm_90 -c` and link it with -lcudart -lstdc++.
   Times are those of the device, without copies between it and the host. */
)"));
  EXPECT_THAT(*text, Not(HasSubstr("openmp")));
  header.architecture.clear();
  text = PrintTunedFile(MainProgram(), Region(0), HundredReference(), kFirst, header);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("-arch=native"));
  header.rounding = v1::ROUNDING_EXACT;
  text = PrintTunedFile(MainProgram(), Region(0), HundredReference(), kFirst, header);
  EXPECT_THAT(*text, HasSubstr("`nvcc -O3 -arch=native -fmad=false -c`"));
  EXPECT_THAT(*text, HasSubstr("   Rounding is exact: sums keep their order, products are rounded.\n"));
  header.rounding = v1::ROUNDING_TF32X3;
  text = PrintTunedFile(MainProgram(), Region(0), HundredReference(), kFirst, header);
  EXPECT_THAT(*text, HasSubstr("`nvcc -O3 -arch=native -c`"));
  EXPECT_THAT(*text, HasSubstr("   Rounding is tf32x3: tensor cores compute products of floats, "));
}

// The call as the generator prints it, linked with a C++ file in the place of the CUDA file.
TEST(TunedFile, OnCudaIsCThatLinksWithAnExternCFunction) {
  const std::string call =
      "{\n  extern void tune_region_main_1(void *const *arrays);\n"
      "  void *const tune_arrays[] = {(void *)x};\n  tune_region_main_1(tune_arrays);\n}\n";
  const auto text = PrintTunedFile(MainProgram(), Region(0), HundredReference(), call,
                                   {"s12", "Some GPU", 0, 0, "", "main.tuned.cu", "sm_90"});
  ASSERT_TRUE(text.ok()) << text.status();
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string other = folder.path() + "/region.cc";
  ASSERT_TRUE(WriteFile(other,
                        "extern \"C\" void tune_region_main_1(void *const *arrays) {\n"
                        "  double *x = static_cast<double *>(arrays[0]);\n"
                        "  for (int i = 0; i < 100; i++) x[i] += 1;\n}\n")
                  .ok());
  const std::string object = folder.path() + "/region.o";
  ASSERT_EQ(std::system(absl::StrCat("c++ -c ", other, " -o ", object).c_str()), 0);
  for (const std::string arguments : {"", "half"}) {
    EXPECT_EQ(RunC(*text, "-std=c99 -Wall -Wextra -Werror -Wno-unknown-pragmas " + object, arguments),
              RunC(kSource, "-O0", arguments))
        << arguments;
  }
}

TEST(TunedFile, CompilesWithTheUsersFlagsAndPrintsTheSame) {
  const v1::Scop first = Region(0), second = Region(1);
  const v1::Reference reference = HundredReference();
  // Regions may come in any order.
  const auto text =
      PrintTunedFile(MainProgram(), {{&second, &reference, kSecond, {}}, {&first, &reference, kFirst, {}}});
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, Not(HasSubstr("scop")));
  EXPECT_THAT(*text, HasSubstr("right for exactly what the condition asks for; in any other"));
  EXPECT_THAT(*text, HasSubstr("\n\tif (1)\n\t{\n#ifdef _OPENMP\n#pragma omp"));
  for (const std::string flags : {"-std=c99 -Wall -Wextra -Werror", "-O2 -Wall -Wextra -Werror -fopenmp"}) {
    for (const std::string arguments : {"", "half"}) {
      EXPECT_EQ(RunC(*text, flags, arguments), RunC(kSource, "-O0", arguments)) << flags << " " << arguments;
    }
  }
}

// A scalar that is set in one loop and used in another, as tiled code does it: gcc at -O2 takes it for unset.
TEST(TunedFile, KeepsCompilersQuietAboutWrittenScalars) {
  const std::string source =
      "#include <stdio.h>\ndouble x[9];\nint main(void) {\n  double s;\n  x[3] = 2;\n#pragma scop\n"
      "  for (int i = 0; i < 9; i++) { s = x[i]; x[i] = s + s; }\n#pragma endscop\n"
      "  printf(\"%g\\n\", x[3]);\n  return 0;\n}\n";
  const std::string code =
      "{\n  for (int c = 0; c <= 17; c += 1) {\n    if (c % 2 == 0) {\n      s = x[c / 2];\n    }\n"
      "    if ((c - 1) % 2 == 0) {\n      x[c / 2] = s + s;\n    }\n  }\n}\n";
  v1::Program program;
  program.add_files()->set_path("main.c");
  program.mutable_files(0)->set_content(source);
  v1::Scop scop;
  scop.add_arrays()->set_name("s");
  scop.mutable_region()->set_file("main.c");
  scop.mutable_region()->set_begin_offset(source.find("#pragma scop"));
  scop.mutable_region()->set_body_begin_offset(source.find("  for"));
  scop.mutable_region()->set_body_end_offset(source.find("#pragma endscop"));
  scop.mutable_region()->set_end_offset(source.find("#pragma endscop") + 15);
  const auto text = PrintTunedFile(program, scop, v1::Reference(), code, {});
  ASSERT_TRUE(text.ok()) << text.status();
  for (const std::string compiler : {"-O2", "-O3 -fopenmp"}) {
    EXPECT_EQ(RunC(*text, compiler + " -Wall -Wextra -Werror", ""), "4\n");
  }
}

TEST(TunedFile, KeepsCommentsClosed) {
  const auto text = PrintTunedFile(MainProgram(), Region(0), HundredReference(), kFirst,
                                   {"a */ exit(1); /* \n b", "", 0, 0, "", "", ""});
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(RunC(*text, "-Wall", ""), RunC(kSource, "-O0", ""));
}

v1::Reference ReferenceOf(int64_t n) {
  v1::Reference reference = HundredReference();
  reference.mutable_parameters(0)->set_value(n);
  return reference;
}

// A size runs its own code, any other, one in between as well, the original's. Each code adds another number.
TEST(TunedFile, SaysThatItsCodeWasNotCompared) {
  TunedFileHeader header{"s12", "Some CPU", 3.2, 0, "-O3", "", ""};
  header.doubt = "its code is as worker w*/ sent it";
  const auto text = PrintTunedFile(MainProgram(), Region(0), HundredReference(), kFirst, header);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(
      *text,
      HasSubstr("stands last.\n   Beware: its code is as worker w* / sent it.\n   Measured with -O3.\n"));
}

TEST(TunedFile, SeveralSizesOfOneRegion) {
  const v1::Scop scop = Region(0);
  const v1::Reference small = ReferenceOf(50), large = ReferenceOf(100);
  const std::string of_small = "{\n  for (i = 0; i < 50; i++) x[i] += 2;\n}\n";
  std::string of_large = "{\n  for (i = 0; i < 100; i++) x[i] += 3;\n}\n";
  for (const bool may_fail : {false, true}) {
    SCOPED_TRACE(may_fail);
    if (may_fail) of_large = "{\n  for (i = 0; i < 100; i++) x[i] += 3;\n  tune_done = 1;\n}\n";
    TunedFileHeader header;
    header.study = "s2";
    const auto text =
        PrintTunedFile(MainProgram(), {{&scop, &small, of_small, {}}, {&scop, &large, of_large, header}});
    ASSERT_TRUE(text.ok()) << text.status();
    EXPECT_THAT(*text, HasSubstr("   n = 50: never measured.\n   n = 100: study s2.\n"));
    EXPECT_THAT(*text, HasSubstr("at any other,\n   between two of these as well, the original text runs"));
    const std::string flags = "-std=c99 -Wall -Wextra -Werror -Wno-unknown-pragmas";
    const auto sum = [](int n, int add) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += 2.0 * add * (k + 1);
      return absl::StrCat(sum, "\n");
    };
    EXPECT_EQ(RunC(*text, flags, ""), sum(100, 3));
    EXPECT_EQ(RunC(*text, flags, "half"), sum(50, 2));
    const std::string between = absl::StrReplaceAll(*text, {{"argc > 1 ? 50 : 100", "argc > 1 ? 75 : 51"}});
    EXPECT_EQ(RunC(between, flags, ""), sum(51, 1));
    EXPECT_EQ(RunC(between, flags, "half"), sum(75, 1));
  }
}

// What the compiler decides of each size stands under a name of its own.
TEST(TunedFile, SizesThatMacrosDecide) {
  v1::Scop small = Region(0), large = Region(0);
  const auto mean = [](v1::Scop& scop, const std::string& text, v1::Meaning::Kind kind,
                       const std::string& value) {
    v1::Meaning* meaning = scop.add_meanings();
    meaning->set_text(text);
    meaning->set_kind(kind);
    meaning->set_value(value);
  };
  mean(small, "SIZE", v1::Meaning::EXPANSION, "50");
  mean(small, "SMALL", v1::Meaning::DEFINED, "");
  mean(large, "SIZE", v1::Meaning::EXPANSION, "100");
  mean(large, "SMALL", v1::Meaning::UNDEFINED, "");
  const v1::Reference reference = HundredReference();
  const auto text = PrintTunedFile(MainProgram(), {{&small, &reference, "{ x[0] += 5; }", {}},
                                                   {&large, &reference, "{ x[0] += 7; }", {}}});
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("   SIZE = 50: never measured.\n   SIZE = 100: "));
  EXPECT_EQ(RunC(*text, "-Wall -Wextra -Werror -Wno-unknown-pragmas -DSIZE=50 -DSMALL", ""), "10\n");
  EXPECT_EQ(RunC(*text, "-Wall -Wextra -Werror -Wno-unknown-pragmas -DSIZE=100", ""), "14\n");
  EXPECT_EQ(RunC(*text, "-Wall -Wextra -Werror -Wno-unknown-pragmas -DSIZE=50", ""),
            RunC(kSource, "-O0", ""));
  EXPECT_EQ(RunC(*text, "-Wall -Wextra -Werror -Wno-unknown-pragmas -DSIZE=75", ""),
            RunC(kSource, "-O0", ""));
}

TEST(TunedFile, RefusesWhatDoesNotFit) {
  const v1::Reference reference = HundredReference();
  v1::Scop scop = Region(0);
  EXPECT_EQ(PrintTunedFile(MainProgram(), {}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(PrintTunedFile(MainProgram(), scop, v1::Reference(), kFirst, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(PrintTunedFile(MainProgram(), {{&scop, &reference, kFirst, {}}, {&scop, &reference, kFirst, {}}})
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
  scop.mutable_region()->set_end_offset(100000);
  EXPECT_EQ(PrintTunedFile(MainProgram(), scop, reference, kFirst, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
  scop.mutable_region()->set_file("other.c");
  EXPECT_EQ(PrintTunedFile(MainProgram(), scop, reference, kFirst, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(TunedHeader, SaysWhereItComesFromAndHoldsTheMacros) {
  TunedFileHeader header;
  header.study = "s3";
  header.device = "Some CPU";
  header.gain_over_sequential = 9;  // of no region
  header.gain_over_default = 1.5;
  header.compile_flags = "-O2 -fopenmp";
  EXPECT_EQ(PrintTunedHeader("a*/b.c", "#define TILE 8\n", header),
            "/* Tuned by tunectl, study s3, for Some CPU: 1.50 times as fast as the default configuration.\n"
            "   Include it before a* /b.c, or compile that with -include and this file.\n"
            "   Measured with -O2 -fopenmp. */\n"
            "#define TILE 8\n");
}

TEST(TunedHeaderTest, GainsAreByTheObjective) {
  v1::Study study;
  study.set_best_index(1);
  study.mutable_search()->set_objective("energy");
  study.mutable_best()->set_median(1);
  study.mutable_best()->set_joules(2);
  study.mutable_default_measurement()->set_median(1);
  study.mutable_default_measurement()->set_joules(3);
  study.set_gain_over_default(1);
  TunedFileHeader header;
  SetGains(study, &header);
  EXPECT_THAT(PrintTunedHeader("k.cu", "", header),
              ::testing::HasSubstr("1.50 times as good, by energy, as the default configuration.\n"));
  study.clear_search();
  header = {};
  SetGains(study, &header);
  EXPECT_THAT(PrintTunedHeader("k.cu", "", header),
              ::testing::HasSubstr("1.00 times as fast as the default configuration.\n"));
}

}  // namespace
}  // namespace tune
