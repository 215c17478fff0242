// Programs, good and bad, through the whole reference run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "absl/strings/str_replace.h"
#include "common/base/file.h"
#include "tests/worker/scale_program.h"
#include "worker/build/host_compiler.h"
#include "worker/reference/reference_cache.h"
#include "worker/reference/reference_data.h"
#include "worker/reference/seeded_inputs.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class ReferenceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);
    folder_.emplace(*TemporaryFolder::Make());
    auto compiler = HostCompiler::Make(folder_->path() + "/cache");
    ASSERT_TRUE(compiler.ok()) << compiler.status();
    compiler_ = *std::move(compiler);
    auto runner = ProcessRunner::Make();
    ASSERT_TRUE(runner.ok()) << runner.status();
    runner_ = *std::move(runner);
    UseProgram(kScaleProgram);
  }
  void TearDown() override { unsetenv("TUNE_LIBEXEC"); }

  void UseProgram(const std::string& text) { setup_ = ScaleSetup(text); }
  // The program with `from` replaced by `to`.
  void Change(const std::string& from, const std::string& to) {
    std::string text = kScaleProgram;
    ASSERT_NE(text.find(from), std::string::npos);
    UseProgram(absl::StrReplaceAll(text, {{from, to}}));
  }

  absl::StatusOr<ReferenceData> Run() {
    return RunReference(setup_, {compiler_.get(), runner_.get(), nullptr}, folder_->path() + "/reference",
                        &log_);
  }
  std::string Failure() {
    const auto data = Run();
    EXPECT_FALSE(data.ok());
    const std::string message(data.status().message());
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_EQ(LoadReference(folder_->path() + "/reference").status().code(), absl::StatusCode::kNotFound);
    return message;
  }
  std::vector<double> Doubles(const std::string& file) {
    const auto bytes = ReadFile(folder_->path() + "/reference/" + file);
    EXPECT_TRUE(bytes.ok()) << bytes.status();
    if (!bytes.ok()) return {};
    std::vector<double> values(bytes->size() / sizeof(double));
    std::memcpy(values.data(), bytes->data(), bytes->size());
    return values;
  }

  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<HostCompiler> compiler_;
  std::unique_ptr<ProcessRunner> runner_;
  v1::StudySetup setup_;
  std::string log_;
};

TEST_F(ReferenceTest, RecordsTheFirstExecution) {
  const auto data = Run();
  ASSERT_TRUE(data.ok()) << data.status() << log_;
  const v1::Reference& reference = data->reference;
  ASSERT_EQ(reference.parameters_size(), 1);
  EXPECT_EQ(reference.parameters(0).name(), "n");
  EXPECT_EQ(reference.parameters(0).value(), 100);
  ASSERT_EQ(reference.arrays_size(), 3);
  EXPECT_EQ(reference.arrays(0).extents_size(), 0);
  EXPECT_THAT(reference.arrays(1).extents(), ElementsAre(100));
  EXPECT_THAT(reference.arrays(2).extents(), ElementsAre(100));
  EXPECT_GT(reference.sequential_seconds(), 0);
  EXPECT_LT(reference.sequential_seconds(), 1);
  EXPECT_EQ(reference.executions(), 2);
  EXPECT_EQ(reference.memory_bytes(), 201 * 8);
  EXPECT_FALSE(reference.seeded());
  EXPECT_FALSE(reference.silent());
  EXPECT_EQ(reference.standard_output_tail(), "99\n");
  EXPECT_THAT(Doubles("in/s.bin"), ElementsAre(2.5));
  EXPECT_EQ(Doubles("in/A.bin")[7], 7);
  EXPECT_EQ(Doubles("in/B.bin")[7], -1);
  EXPECT_EQ(Doubles("out/B.bin")[7], 17.5);
  EXPECT_FALSE(std::filesystem::exists(data->folder + "/out/A.bin"));

  const auto loaded = LoadReference(folder_->path() + "/reference");
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->reference.SerializeAsString(), reference.SerializeAsString());
}

// One row of the scop's array in the program's array, which has one dimension.
TEST_F(ReferenceTest, RowsOfFlatArrays) {
  v1::Array* b = setup_.mutable_scop()->mutable_arrays(2);
  b->set_is_flat(true);
  b->clear_extents();
  b->add_extents()->set_accessed("[n] -> { [(1)] }");
  b->add_extents()->set_c_expression("n");
  for (v1::Access& access : *setup_.mutable_scop()->mutable_statements(0)->mutable_accesses()) {
    if (access.array() == b->name()) access.set_relation("[n] -> { S0[i] -> B[0, i] }");
  }
  const auto data = Run();
  ASSERT_TRUE(data.ok()) << data.status() << log_;
  EXPECT_THAT(data->reference.arrays(2).extents(), ElementsAre(1, 100));
  EXPECT_EQ(Doubles("in/B.bin").size(), 100u);
  EXPECT_EQ(Doubles("out/B.bin")[7], 17.5);
}

TEST_F(ReferenceTest, SameRunSameFingerprints) {
  const auto first = Run(), second = Run();
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->reference.input_fingerprint(), second->reference.input_fingerprint());
  EXPECT_EQ(first->reference.output_fingerprint(), second->reference.output_fingerprint());
  setup_.mutable_program()->add_arguments("101");
  const auto other = Run();
  ASSERT_TRUE(other.ok());
  EXPECT_NE(first->reference.input_fingerprint(), other->reference.input_fingerprint());
}

TEST_F(ReferenceTest, ScalarsWrittenByTheRegion) {
  UseProgram(R"(#include <stdio.h>
int main(void) {
  register double s = 1;
  static double A[10], B[10];
  int n = 10;
#pragma scop
  for (int i = 0; i < n; i++) s += 2;
#pragma endscop
  printf("%g\n", s);
  return 0;
}
)");
  setup_.mutable_scop()->mutable_arrays(0)->set_read_only(false);
  for (int i : {1, 2}) {
    v1::Array* array = setup_.mutable_scop()->mutable_arrays(i);
    array->set_is_pointer(false);
    array->mutable_extents(0)->set_c_expression("5 * 2");
    array->mutable_extents(0)->clear_accessed();
  }
  ASSERT_TRUE(Run().ok()) << log_;
  EXPECT_THAT(Doubles("in/s.bin"), ElementsAre(1));
  EXPECT_THAT(Doubles("out/s.bin"), ElementsAre(21));
}

TEST_F(ReferenceTest, StandardInputAndArguments) {
  Change("int n = argc > 1 ? atoi(argv[1]) : 100;", "int n; if (scanf(\"%d\", &n) != 1) return 1;");
  setup_.mutable_program()->set_standard_input("17");
  const auto data = Run();
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ(data->reference.parameters(0).value(), 17);
}

TEST_F(ReferenceTest, StrictUserFlagsStillWork) {
  for (const char* flag : {"-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wnested-externs",
                           "-Wdeclaration-after-statement"}) {
    setup_.mutable_program()->add_compile_flags(flag);
  }
  EXPECT_TRUE(Run().ok()) << log_;
}

TEST_F(ReferenceTest, AssertLinesAreTheUsers) {
  Change("  printf(", "  assert(B[0] == 1);\n  printf(");
  EXPECT_THAT(Failure(), HasSubstr("was killed by signal 6 (Aborted) after the region"));
  EXPECT_THAT(log_, HasSubstr("src/scale.c:15: main: Assertion"));
}

TEST_F(ReferenceTest, SilentProgram) {
  Change("printf(\"%g\\n\", B[n - 1]);", "");
  const auto data = Run();
  ASSERT_TRUE(data.ok());
  EXPECT_TRUE(data->reference.silent());
}

TEST_F(ReferenceTest, DoesNotCompile) {
  Change("int n = argc", "int n = argd");
  EXPECT_THAT(Failure(),
              MatchesRegex("the program does not compile: src/scale.c:10:[0-9]+: error: .*argd.*; check .*"));
}

TEST_F(ReferenceTest, Crashes) {
  Change("  scale(n, 2.5, A, B);", "  *(volatile int *)8 = 1;");
  EXPECT_THAT(Failure(),
              HasSubstr("the program was killed by signal 11 (Segmentation fault) before the region"));
}

TEST_F(ReferenceTest, CrashesInTheRegion) {
  Change("B[i] = s", "B[i * 100000000L] = s");
  EXPECT_THAT(Failure(), HasSubstr("in the region"));
}

// Of memory that the program has allocated; not of what it cannot be seen to have.
TEST_F(ReferenceTest, LeavesAnAllocation) {
  Change("*B = malloc(n * sizeof *B)", "*B = calloc(n - 2, sizeof *B)");
  EXPECT_THAT(Failure(), HasSubstr("the original region leaves an array at these sizes: line 0: B[98] of 98 "
                                   "elements, where i = 98; correct"));
  Change("*B = malloc(n * sizeof *B)", "*B = (double *)malloc((n + 2) * sizeof *B) + 2");
  EXPECT_TRUE(Run().ok()) << log_;
  Change("*B = malloc(n * sizeof *B)", "*B = (double *)malloc((n + 2) * sizeof *B) + 3");
  EXPECT_THAT(Failure(), HasSubstr("B[99] of 99 elements, where i = 99"));
  Change("*B = malloc(n * sizeof *B)",
         "*B = realloc(realloc(malloc(9), n * sizeof *B), (n - 1) * sizeof *B), *C = (free(malloc(9)), B)");
  EXPECT_THAT(Failure(), HasSubstr("B[99] of 99 elements, where i = 99"));
  Change("*B = malloc(n * sizeof *B)", "own[100], *B = own");
  EXPECT_TRUE(Run().ok()) << log_;
}

TEST_F(ReferenceTest, ExitsWithFailure) {
  Change("return 0;", "fprintf(stderr, \"bad luck\\n\"); return 3;");
  EXPECT_THAT(Failure(), HasSubstr("the program exited with status 3 after the region"));
  EXPECT_THAT(log_, HasSubstr("bad luck"));
}

TEST_F(ReferenceTest, NeverEnds) {
  Change("  scale(n, 2.5, A, B);", "  for (volatile int x = 0;;) x = 1;");
  setup_.mutable_limits()->set_reference_seconds(0.3);
  const std::string failure = Failure();
  EXPECT_THAT(failure, HasSubstr("had not ended after 0.3 s (it was before the region)"));
  EXPECT_THAT(failure, HasSubstr("--reference-time"));
}

TEST_F(ReferenceTest, NeverReachesTheRegion) {
  Change("scale(n, 2.5, A, B);\n  scale(n, 1, A, B);", "B[n - 1] = 1; if (n < 0) scale(n, 1, A, B);");
  EXPECT_THAT(Failure(), HasSubstr("ended without reaching the region"));
}

TEST_F(ReferenceTest, TwoGibibytesOfHeapWithLessAllowed) {
  Change("int n = argc > 1 ? atoi(argv[1]) : 100;", "int n = 1 << 27;");  // 1 GiB each
  const std::string failure = Failure();
  EXPECT_THAT(failure,
              MatchesRegex("the program needs at least 10[0-9][0-9]\\.. MiB of memory \\(an allocation "
                           "failed\\), and 1024.0 MiB are allowed; allow more with --memory"));
}

TEST_F(ReferenceTest, StaticArraysWithLessAllowed) {
  Change("static void scale", "double big[3 << 26];\nstatic void scale");
  const std::string failure = Failure();
  EXPECT_THAT(failure, HasSubstr("the program needs at least 1536."));
  EXPECT_THAT(failure,
              HasSubstr("(its static arrays), and 1024.0 MiB are allowed; allow more with --memory"));
}

TEST_F(ReferenceTest, TwoGibibytesOfStaticArraysDoNotLink) {
  Change("static void scale", "double big[1 << 28];\nstatic void scale");
  const std::string failure = Failure();
  EXPECT_THAT(failure, HasSubstr("static arrays have 2 GiB or more"));
  EXPECT_THAT(failure, HasSubstr("--memory"));
}

TEST_F(ReferenceTest, ArraysLargerThanAllowedInMappedMemory) {
  // Overcommitted memory that no malloc of ours sees.
  Change("double *A = malloc(n * sizeof *A)", "n = 1000000; double *A = malloc(n * sizeof *A)");
  setup_.mutable_limits()->set_memory_bytes(int64_t{1} << 30);
  ASSERT_TRUE(Run().ok());
  setup_.mutable_scop()->mutable_arrays(1)->mutable_extents(0)->set_c_expression("(long)n * 1000");
  EXPECT_THAT(Failure(),
              HasSubstr("the region's arrays need 7629.4 MiB (up to array A), and 1024.0 MiB are allowed"));
}

// struct item { double in, out; }: arrays of the same memory, each of which has its members alone.
TEST_F(ReferenceTest, MembersOfOneObjectAreRecordedApart) {
  UseProgram(absl::StrReplaceAll(
      kScaleProgram,
      {{"static void scale(int n, double s, const double A[n], double *B)",
        "struct item { double in, out; };\nstatic void scale(int n, double s, struct item *A)"},
       {"B[i] = s * A[i]", "A[i].out = s * A[i].in"},
       {"double *A = malloc(n * sizeof *A), *B = malloc(n * sizeof *B)",
        "struct item *A = malloc(n * sizeof *A)"},
       {"A[i] = i, B[i] = -1", "A[i].in = i, A[i].out = -1"},
       {"A, B)", "A)"},
       {"B[n - 1]", "A[n - 1].out"}}));
  v1::Scop& scop = *setup_.mutable_scop();
  for (int place = 0; place < 2; ++place) {
    v1::Array& array = *scop.mutable_arrays(1 + place);
    array.add_extents()->set_c_expression("2");
    array.set_object("A");
    array.mutable_structure()->set_c_type("struct item");
    v1::Places& others = *array.mutable_structure()->add_others();
    others.set_first(1 - place);
    others.set_count(1);
  }
  v1::Statement& statement = *scop.mutable_statements(0);
  statement.mutable_accesses(1)->set_relation("[n] -> { S0[i] -> A[i, 0] }");
  statement.mutable_accesses(2)->set_relation("[n] -> { S0[i] -> B[i, 1] }");
  const auto data = Run();
  ASSERT_TRUE(data.ok()) << data.status() << log_;
  const auto element = [&](const std::string& file) {
    const std::vector<double> values = Doubles(file);
    return std::vector<double>{values.at(14), values.at(15)};
  };
  EXPECT_THAT(element("in/A.bin"), ElementsAre(7, 0));
  EXPECT_THAT(element("in/B.bin"), ElementsAre(0, -1));
  EXPECT_THAT(element("out/B.bin"), ElementsAre(0, 17.5));
}

TEST_F(ReferenceTest, ExtentsBeyondTheProgramsMemory) {
  setup_.mutable_scop()->mutable_arrays(2)->mutable_extents(0)->set_accessed("[n] -> { [(1000000n)] }");
  EXPECT_THAT(Failure(), HasSubstr("array B: only "));
}

TEST_F(ReferenceTest, NegativeExtent) {
  setup_.mutable_scop()->mutable_arrays(1)->mutable_extents(0)->set_c_expression("n - 200");
  EXPECT_EQ(Failure(), "array A: extent 0 is negative (-100)");
}

TEST_F(ReferenceTest, SizeOverflow) {
  v1::Array* array = setup_.mutable_scop()->mutable_arrays(1);
  array->mutable_extents(0)->set_c_expression("n * 1000000000000000000L");
  EXPECT_THAT(Failure(), HasSubstr("array A: "));
}

TEST_F(ReferenceTest, OverlappingArrays) {
  Change("scale(n, 2.5, A, B);", "scale(n, 2.5, A, A + 1 - (n > 0));");
  EXPECT_THAT(Failure(), HasSubstr("arrays A and B overlap in memory"));
}

TEST_F(ReferenceTest, NullPointer) {
  Change("scale(n, 2.5, A, B);", "scale(n, 2.5, A, NULL);");
  EXPECT_THAT(Failure(), HasSubstr("array B is a null pointer"));
}

TEST_F(ReferenceTest, WrongElementType) {
  setup_.mutable_scop()->mutable_arrays(1)->set_element_type(v1::ELEMENT_TYPE_FLOAT);
  EXPECT_THAT(Failure(), HasSubstr("array A: its elements have 8 bytes, the extracted region says 4"));
}

TEST_F(ReferenceTest, PathOutsideTheBundle) {
  setup_.mutable_program()->mutable_files(0)->set_path("../scale.c");
  EXPECT_THAT(Failure(), HasSubstr("does not lie below"));
}

TEST_F(ReferenceTest, Cancelled) {
  Change("  scale(n, 2.5, A, B);", "  for (volatile int x = 0;;) x = 1;");
  Cancellation cancellation;
  cancellation.Cancel();
  const auto data = RunReference(setup_, {compiler_.get(), runner_.get(), &cancellation},
                                 folder_->path() + "/reference", &log_);
  EXPECT_EQ(data.status().code(), absl::StatusCode::kCancelled);
}

TEST_F(ReferenceTest, WithoutMainInputsAreSeeded) {
  const std::string text = kScaleProgram;
  UseProgram(text.substr(0, text.find("int main")));
  setup_.mutable_program()->set_has_main(false);
  EXPECT_THAT(Failure(), HasSubstr("--param n=1000"));
  (*setup_.mutable_program()->mutable_parameter_values())["n"] = 50;
  setup_.set_seed(3);
  const auto data = Run();
  ASSERT_TRUE(data.ok()) << data.status() << log_;
  EXPECT_TRUE(data->reference.seeded());
  EXPECT_EQ(data->reference.executions(), 1);
  EXPECT_GT(data->reference.sequential_seconds(), 0);
  EXPECT_THAT(data->reference.arrays(1).extents(), ElementsAre(50));
  EXPECT_THAT(data->reference.arrays(2).extents(), ElementsAre(50));
  const std::vector<double> s = Doubles("in/s.bin"), a = Doubles("in/A.bin"), b = Doubles("out/B.bin");
  ASSERT_EQ(b.size(), 50u);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(b[i], s[0] * a[i]);
  setup_.set_seed(4);
  EXPECT_NE(Run()->reference.input_fingerprint(), data->reference.input_fingerprint());
}

TEST_F(ReferenceTest, WithoutMainSizesComeFromTheUsersFile) {
  UseProgram("enum { kExtra = 3 };\nint elsewhere(int);\nint f(void) { return elsewhere(1); }\n");
  setup_.mutable_program()->set_has_main(false);
  setup_.mutable_scop()->mutable_arrays(1)->mutable_extents(0)->set_c_expression(
      "(int)sizeof(double) * n + kExtra");
  (*setup_.mutable_program()->mutable_parameter_values())["n"] = 5;
  const auto data = Run();
  ASSERT_TRUE(data.ok()) << data.status() << log_;
  EXPECT_THAT(data->reference.arrays(1).extents(), ElementsAre(43));
}

TEST_F(ReferenceTest, WithoutMainTooLarge) {
  UseProgram("int unused;\n");
  setup_.mutable_program()->set_has_main(false);
  (*setup_.mutable_program()->mutable_parameter_values())["n"] = 200 << 20;
  EXPECT_THAT(Failure(), HasSubstr("need more than the 1024.0 MiB allowed"));
}

TEST_F(ReferenceTest, RunnerArraysTakeInputsAndOutputs) {
  const auto data = Run();
  ASSERT_TRUE(data.ok());
  const auto arrays = RunnerArrays(setup_.scop().arrays(), *data, true);
  ASSERT_TRUE(arrays.ok());
  ASSERT_EQ(arrays->size(), 3u);
  EXPECT_EQ((*arrays)[1].expected_file(), "");
  EXPECT_TRUE((*arrays)[1].read_only());
  EXPECT_EQ((*arrays)[2].input_file(), data->folder + "/in/B.bin");
  EXPECT_EQ((*arrays)[2].expected_file(), data->folder + "/out/B.bin");
  ASSERT_EQ((*arrays)[1].fresh_size(), data->fresh_sets);
  EXPECT_EQ((*arrays)[1].fresh(0).input_file(), data->folder + "/fresh/0/in/A.bin");
  EXPECT_EQ((*arrays)[1].fresh(0).expected_file(), "");
  EXPECT_EQ((*arrays)[2].fresh(0).expected_file(), data->folder + "/fresh/0/out/B.bin");
}

TEST_F(ReferenceTest, CacheKeepsAndForgets) {
  const ReferenceTools tools{compiler_.get(), runner_.get(), nullptr};
  ReferenceCache cache(folder_->path() + "/references", 2500);
  EXPECT_EQ(cache.Load(setup_, *compiler_).status().code(), absl::StatusCode::kNotFound);
  const auto first = cache.Run(setup_, tools, &log_);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(cache.Load(setup_, *compiler_)->folder, first->folder);
  EXPECT_TRUE(cache.Run(setup_, tools, &log_).ok());  // takes the older one's place
  v1::StudySetup other = setup_;
  other.mutable_program()->add_arguments("99");
  EXPECT_EQ(cache.Load(other, *compiler_).status().code(), absl::StatusCode::kNotFound);
  ASSERT_TRUE(cache.Run(other, tools, &log_).ok());
  EXPECT_TRUE(cache.Load(other, *compiler_).ok());
  EXPECT_FALSE(cache.Load(setup_, *compiler_).ok());  // both need more than 2500 bytes
}

TEST(SeededValuesTest, SaneForFactorisations) {
  const std::string bytes = SeededValues(v1::ELEMENT_TYPE_DOUBLE, {20, 20}, 1, 2);
  ASSERT_EQ(bytes.size(), 400 * sizeof(double));
  double matrix[20][20];
  std::memcpy(matrix, bytes.data(), sizeof(matrix));
  for (int i = 0; i < 20; ++i) {
    double others = 0;
    for (int j = 0; j < 20; ++j) {
      EXPECT_GE(matrix[i][j], 0.1);
      if (i != j) others += matrix[i][j];
    }
    EXPECT_GT(matrix[i][i], others);
  }
  EXPECT_EQ(SeededValues(v1::ELEMENT_TYPE_DOUBLE, {20, 20}, 1, 2), bytes);
  EXPECT_NE(SeededValues(v1::ELEMENT_TYPE_DOUBLE, {20, 20}, 1, 3), bytes);
  EXPECT_EQ(SeededValues(v1::ELEMENT_TYPE_CHAR, {7}, 1, 2).size(), 7u);
  EXPECT_EQ(SeededValues(v1::ELEMENT_TYPE_SHORT, {}, 1, 2).size(), 2u);
}

}  // namespace
}  // namespace tune
