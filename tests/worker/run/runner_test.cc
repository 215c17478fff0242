// Candidates of every bad kind, each run between two good ones.
#include "worker/run/runner.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <filesystem>
#include <thread>

#include "tests/worker/run/runner_fixture.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST_F(RunnerTest, Good) {
  const v1::RunnerVerdict verdict = Run(good_);
  EXPECT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
  EXPECT_GE(verdict.samples_size(), 6);
  EXPECT_LE(verdict.samples_size(), 10);
  for (double sample : verdict.samples()) EXPECT_GT(sample, 0);
  ASSERT_THAT(verdict.errors(), SizeIs(1));
  EXPECT_EQ(verdict.errors(0).array(), "B");
  EXPECT_EQ(verdict.errors(0).relative_l2(), 0);
}

TEST_F(RunnerTest, EveryRunSeesFreshInputs) {
  // In place: only right when B was restored before each run, the checked last one included.
  EXPECT_EQ(Run(Body("for (int i = 0; i < 1000; ++i) B[i] = B[i] + 1;")).outcome(), v1::CORRECT);
}

TEST_F(RunnerTest, WrongResult) {
  const v1::RunnerVerdict verdict = Between("for (int i = 0; i < 1000; ++i) B[i] = A[i] + (i < 7 ? 1 : 3);");
  EXPECT_EQ(verdict.outcome(), v1::CORRECTNESS);
  EXPECT_THAT(verdict.message(), HasSubstr("B[7] is 10, expected 8"));
  EXPECT_TRUE(verdict.samples().empty());
}

TEST_F(RunnerTest, WrongOnlyLater) {
  const v1::RunnerVerdict verdict =
      Between("static int runs; ++runs; for (int i = 0; i < 1000; ++i) B[i] = A[i] + (runs < 3 ? 1 : 2);");
  EXPECT_EQ(verdict.outcome(), v1::CORRECTNESS);
}

TEST_F(RunnerTest, Nan) {
  EXPECT_EQ(Between("for (int i = 0; i < 1000; ++i) B[i] = NAN;").outcome(), v1::CORRECTNESS);
}

TEST_F(RunnerTest, SegmentationFault) {
  const v1::RunnerVerdict verdict = Between("*(volatile int *)8 = 1;");
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_EQ(verdict.message(), "was killed by signal 11 (Segmentation fault) in its first run");
}

TEST_F(RunnerTest, OverrunBySomePages) {
  const v1::RunnerVerdict verdict = Between("for (int i = 0; i < 5000; ++i) B[i] = i;");
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("access behind the end of array B, at B[1024]"));
}

TEST_F(RunnerTest, OverrunByOneElement) {
  const v1::RunnerVerdict verdict = Between("for (int i = 0; i < 1001; ++i) B[i] = i + 1;");
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_EQ(verdict.message(), "wrote behind the end of array B");
}

TEST_F(RunnerTest, Underrun) {
  const v1::RunnerVerdict verdict = Between("B[-1] = 0;");
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("access 8 bytes before the start of array B"));
}

TEST_F(RunnerTest, WriteToReadOnlyArray) {
  const v1::RunnerVerdict verdict = Between("A[3] = 0;");
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("write to read-only array A, at A[3]"));
}

TEST_F(RunnerTest, FaultInAThread) {
  const v1::RunnerVerdict verdict = Between(R"(
  #pragma omp parallel num_threads(4)
  *(volatile int *)16 = 1;)");
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("Segmentation fault"));
}

TEST_F(RunnerTest, ThreadsOfTheRequest) {
  RunRequest request = Request({Body(R"(
  extern int omp_get_max_threads(void);
  fprintf(stderr, "%d threads;", omp_get_max_threads());
  for (int i = 0; i < 1000; ++i) B[i] = A[i] + 1;)")});
  request.threads = 3;
  EXPECT_EQ(Run(request).outcome(), v1::CORRECT);
  EXPECT_THAT(log_, HasSubstr("3 threads;"));
}

TEST_F(RunnerTest, Abort) {
  const v1::RunnerVerdict verdict = Between("abort();");
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("Aborted"));
}

TEST_F(RunnerTest, DivisionByZero) {
  const v1::RunnerVerdict verdict = Between("volatile int zero = 0; B[0] = 17 / zero;");
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("signal 8"));
}

TEST_F(RunnerTest, ExitZero) {
  const v1::RunnerVerdict verdict = Between("exit(0);");
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_EQ(verdict.message(), "ended without a result: exited with status 0 in its first run");
  EXPECT_EQ(Between("_exit(3);").outcome(), v1::RUNTIME);
}

TEST_F(RunnerTest, ExitWhileSampling) {
  const v1::RunnerVerdict verdict =
      Between("static int runs; if (++runs == 4) exit(0); for (int i = 0; i < 1000; ++i) B[i] = A[i] + 1;");
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("in a timed run"));
}

TEST_F(RunnerTest, InfiniteLoop) {
  RunRequest request = Request({Body("for (volatile int x = 0;;) x = 0;")});
  request.wall_seconds = 0.3;
  const v1::RunnerVerdict verdict = Between(request);
  EXPECT_EQ(verdict.outcome(), v1::TIMEOUT);
  EXPECT_THAT(verdict.message(), HasSubstr("in its first run"));
}

TEST_F(RunnerTest, TimeThatIsOverBeforeItIsLoaded) {
  RunRequest request = Request({Body("for (volatile int x = 0;;) x = 0;")});
  request.wall_seconds = 1e-6;
  const v1::RunnerVerdict verdict = Between(request);
  EXPECT_EQ(verdict.outcome(), v1::TIMEOUT) << verdict.message();
  EXPECT_THAT(verdict.message(), HasSubstr("had not ended after"));
}

TEST_F(RunnerTest, CpuLimit) {
  RunRequest request = Request({Body("for (volatile int x = 0;;) x = 0;")});
  request.job.set_cpu_seconds(1);
  const v1::RunnerVerdict verdict = Between(request);
  EXPECT_EQ(verdict.outcome(), v1::TIMEOUT);
  EXPECT_THAT(verdict.message(), HasSubstr("CPU time"));
}

TEST_F(RunnerTest, DeadlockThatIgnoresSignals) {
  RunRequest request =
      Request({Body("sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); "
                    "signal(SIGTERM, SIG_IGN); for (;;) pause();")});
  request.wall_seconds = 0.3;
  EXPECT_EQ(Between(request).outcome(), v1::TIMEOUT);
}

TEST_F(RunnerTest, MemoryExhaustion) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "address space is not limited under sanitizers";
#endif
  const v1::RunnerVerdict verdict =
      Between("for (;;) { char *p = malloc(100 << 20); memset(p, 1, 1000); B[0] += p[5]; }");
  EXPECT_EQ(verdict.outcome(), v1::OOM) << verdict.message();
  EXPECT_THAT(verdict.message(), HasSubstr("1024 MiB are allowed"));
  EXPECT_EQ(Between("char *p = malloc(2L << 30); if (!p) abort(); B[0] = p[1];").outcome(), v1::OOM);
}

TEST_F(RunnerTest, StackOverflow) {
  const std::string library = Compile(R"(
static int deep(int n) { volatile char pad[1000]; pad[n % 1000] = n; return n < 0 ? 0 : deep(n + 1) + pad[7]; }
void tune_region(void **arrays) { ((double *)arrays[1])[0] = deep(1); })");
  const v1::RunnerVerdict verdict = Between(Request({library}));
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("the stack overflowed"));
}

TEST_F(RunnerTest, LocalArraysOfSomeMegabytesAreFine) {
  EXPECT_EQ(Run(Body("volatile char local[30 << 20]; local[5] = 1; local[(30 << 20) - 1] = 2; "
                     "for (int i = 0; i < 1000; ++i) B[i] = A[i] + local[5];"))
                .outcome(),
            v1::CORRECT);
}

TEST_F(RunnerTest, OutputIsKeptAsLog) {
  const v1::RunnerVerdict verdict =
      Between("puts(\"hello\"); fflush(stdout); fputs(\"trouble\\n\", stderr); exit(1);");
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(log_, HasSubstr("hello"));
  EXPECT_THAT(log_, HasSubstr("trouble"));
}

TEST_F(RunnerTest, FloodOfOutputIsCutToItsTail) {
  Between("for (int i = 0; i < 300000; ++i) puts(\"0123456789\"); puts(\"last\"); fflush(stdout); exit(1);");
  EXPECT_LE(log_.size(), 64u << 10);
  EXPECT_THAT(log_, HasSubstr("last"));
}

TEST_F(RunnerTest, HugeFile) {
  const v1::RunnerVerdict verdict = Between(
      "FILE *f = fopen(\"big\", \"w\"); static char block[1 << 20]; for (;;) fwrite(block, 1, sizeof block, "
      "f);");
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("wrote a file of more than 1048576 bytes"));
}

TEST_F(RunnerTest, ClosingDescriptorsDoesNotMatter) {
  EXPECT_EQ(Between("for (int i = 0; i < 300; ++i) close(i); for (int i = 0; i < 1000; ++i) B[i] = A[i] + 1;")
                .outcome(),
            v1::CORRECT);
}

TEST_F(RunnerTest, ForkBomb) {
  const v1::RunnerVerdict verdict = Between("for (int i = 0; i < 100; ++i) if (fork() < 0) exit(7);");
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("status 7"));  // the first fork is refused
}

TEST_F(RunnerTest, NoNewProgramsSocketsOrSignals) {
  const v1::RunnerVerdict verdict = Between(
      "int refused = kill(getppid(), 0) < 0; refused += socket(AF_INET, SOCK_STREAM, 0) < 0; "
      "refused += execl(\"/bin/true\", \"true\", (char *)0) < 0; exit(40 + refused);");
  EXPECT_THAT(verdict.message(), HasSubstr("status 43"));
}

TEST_F(RunnerTest, HeapCorruption) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer's allocator keeps nothing beside the blocks that could be corrupted";
#endif
  const v1::RunnerVerdict verdict = Between(
      "char *p = malloc(64), *q = malloc(64); for (volatile long *x = (long *)p - 2; (char *)x < p + 184; "
      "++x) "
      "*x = 0x4141414141414141; free(q); free(p);");
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
}

TEST_F(RunnerTest, NotALibrary) {
  ASSERT_TRUE(WriteFile(Path("junk.so"), "not an ELF file").ok());
  const v1::RunnerVerdict verdict = Between(Request({Path("junk.so")}));
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_THAT(verdict.message(), HasSubstr("cannot load the candidate"));
  EXPECT_EQ(Run(Compile("void other(void) {}")).outcome(), v1::RUNTIME);
}

TEST_F(RunnerTest, Hopeless) {
  RunRequest request = Request({Body("for (int i = 0; i < 1000; ++i) B[i] = A[i] + 1; usleep(2000);")});
  request.job.mutable_sampling()->set_best_seconds(1e-5);
  const v1::RunnerVerdict verdict = Between(request);
  EXPECT_EQ(verdict.outcome(), v1::TIMEOUT);
  EXPECT_THAT(verdict.message(), HasSubstr("hopeless: "));
  EXPECT_EQ(verdict.samples_size(), 1);
}

TEST_F(RunnerTest, HopelessIsSecondToWrong) {
  RunRequest request = Request({Body("usleep(2000);")});
  request.job.mutable_sampling()->set_best_seconds(1e-5);
  EXPECT_EQ(Run(request).outcome(), v1::CORRECTNESS);
}

TEST_F(RunnerTest, Cancelled) {
  Cancellation cancellation;
  RunRequest request = Request({Body("for (volatile int x = 0;;) x = 0;")});
  request.cancellation = &cancellation;
  std::thread canceller([&] { cancellation.Cancel(); });
  EXPECT_EQ(Run(request).outcome(), v1::CANCELLED);
  canceller.join();
  EXPECT_EQ(Run(good_).outcome(), v1::CORRECT);
}

TEST_F(RunnerTest, RecordsOutputs) {
  RunRequest request = Request({good_});
  request.job.set_record_folder(Path("recorded"));
  ASSERT_TRUE(MakeFolder(Path("recorded")).ok());
  request.job.mutable_arrays(1)->clear_expected_file();
  EXPECT_EQ(Run(request).outcome(), v1::CORRECT);
  EXPECT_EQ(*ReadFile(Path("recorded/B.bin")), *ReadFile(Path("B.out")));
  EXPECT_FALSE(std::filesystem::exists(Path("recorded/A.bin")));
}

TEST_F(RunnerTest, MissingInputIsTheWorkersFault) {
  RunRequest request = Request({good_});
  request.job.mutable_arrays(0)->set_input_file(Path("nothing.bin"));
  const auto outcome = runner_->Run(request);
  ASSERT_FALSE(outcome.ok());
  EXPECT_THAT(std::string(outcome.status().message()), HasSubstr("nothing.bin"));
}

// More files than most systems allow a process at first.
TEST_F(RunnerTest, ManyArrays) {
  rlimit files;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
  if (files.rlim_max < 4096)
    GTEST_SKIP() << "no more than " << files.rlim_max << " open files are allowed here";
  const rlimit few = {256, files.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  runner_ = *ProcessRunner::Make();
  RunRequest request = Request({good_});
  for (int i = 0; i < 300; ++i) {
    v1::RunnerArray* const array = request.job.add_arrays();
    *array = request.job.arrays(0);
    array->set_name(absl::StrCat("A", i));
  }
  const v1::RunnerVerdict verdict = Run(request);
  EXPECT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
}

TEST_F(RunnerTest, InTurns) {
  const auto outcome =
      runner_->Run(Request({good_, Body("for (int i = 0; i < 1000; ++i) B[i] = A[i] + 1;")}));
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  ASSERT_EQ(outcome->verdicts.size(), 2u);
  for (const v1::RunnerVerdict& verdict : outcome->verdicts) {
    EXPECT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
    EXPECT_EQ(verdict.samples_size(), outcome->verdicts[0].samples_size());
    EXPECT_GE(verdict.samples_size(), 6);
  }
}

TEST_F(RunnerTest, InTurnsTheOthersGoOnWithoutABadOne) {
  const auto outcome = runner_->Run(Request(
      {good_, Body("abort();"), Body("B[0] = 17;"),
       Body("static int runs; if (++runs == 4) exit(0); for (int i = 0; i < 1000; ++i) B[i] = A[i] + 1;"),
       good_}));
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  ASSERT_EQ(outcome->verdicts.size(), 5u);
  EXPECT_EQ(outcome->verdicts[0].outcome(), v1::CORRECT);
  EXPECT_EQ(outcome->verdicts[1].outcome(), v1::RUNTIME);
  EXPECT_EQ(outcome->verdicts[2].outcome(), v1::CORRECTNESS);
  EXPECT_EQ(outcome->verdicts[3].outcome(), v1::RUNTIME);
  EXPECT_EQ(outcome->verdicts[4].outcome(), v1::CORRECT);
  EXPECT_EQ(outcome->verdicts[0].samples_size(), outcome->verdicts[4].samples_size());
  EXPECT_GE(outcome->verdicts[0].samples_size(), 6);
}

// Also when the first candidate, which has no samples then, is a bad one.
TEST_F(RunnerTest, InTurnsEndsBeforeTheWorkerEndsIt) {
  RunRequest request = Request({Body("B[0] = 17;"), Body(R"(for (int i = 0; i < 1000; ++i) B[i] = A[i] + 1;
  usleep(300000);)")});
  request.wall_seconds = 2.2;
  request.job.mutable_sampling()->set_max_seconds(100);
  const auto outcome = runner_->Run(request);
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  ASSERT_EQ(outcome->verdicts.size(), 2u);
  EXPECT_EQ(outcome->verdicts[0].outcome(), v1::CORRECTNESS);
  EXPECT_EQ(outcome->verdicts[1].outcome(), v1::CORRECT) << outcome->verdicts[1].message();
  EXPECT_GE(outcome->verdicts[1].samples_size(), 1);
}

}  // namespace
}  // namespace tune
