// Candidates that want a better verdict than they deserve.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_replace.h"
#include "tests/worker/run/runner_fixture.h"
#include "worker/run/exchange_page.h"

namespace tune {
namespace {

using ::testing::Each;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Parts of candidates: their work, which takes its time on a processor, and how they find the page.
constexpr char kParts[] = R"(
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
static int runs;
static void spend(double seconds) {
  struct timespec start, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
  do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  while (now.tv_sec - start.tv_sec + 1e-9 * (now.tv_nsec - start.tv_nsec) < seconds);
}
static void work(const double *A, double *B) {
  for (int i = 0; i < 1000; ++i) B[i] = A[i] + 1;
}
static char *find_page(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  unsigned long from, to;
  char line[300], mode[5];
  while (fgets(line, sizeof line, maps)) {
    if (sscanf(line, "%lx-%lx %4s", &from, &to, mode) != 3 || strcmp(mode, "rw-s") || to - from != 4096) continue;
    if (*(unsigned *)(from + @TURN@) == 1) return (char *)from;
  }
  exit(99);
}
/* Takes the place of the process's own loop: does the work and tells what it likes. */
static void tell(void **arrays, double seconds, double work_seconds) {
  char *page = find_page();
  for (;;) {
    spend(work_seconds);
    work(arrays[0], arrays[1]);
    *(volatile double *)(page + @SECONDS@) = seconds;
    __atomic_store_n((unsigned *)(page + @TURN@), 0, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, page + @TURN@, FUTEX_WAKE, 1, NULL, NULL, 0);
    while (__atomic_load_n((unsigned *)(page + @TURN@), __ATOMIC_SEQ_CST) != 1)
      syscall(SYS_futex, page + @TURN@, FUTEX_WAIT, 0, NULL, NULL, 0);
  }
}
)";

class CheatingCandidateTest : public RunnerTest {
 protected:
  // `before`: declarations; `body`: of the region.
  std::string Cheat(const std::string& body, const std::string& before = "") {
    return Compile(absl::StrReplaceAll(
        absl::StrCat(kParts, before,
                     "void tune_region(void **arrays) {\n  double *A = arrays[0], *B = arrays[1];\n", body,
                     "\n}\n"),
        {{"@TURN@", absl::StrCat(offsetof(ExchangePage, turn))},
         {"@SECONDS@", absl::StrCat(offsetof(ExchangePage, seconds))},
         {"@TROUBLE@", absl::StrCat(offsetof(ExchangePage, trouble))},
         {"@TROUBLE_SIZE@", absl::StrCat(sizeof(ExchangePage::trouble))}}));
  }

  RunRequest WithSamples(const std::string& library, int samples) {
    RunRequest request = Request({library});
    request.job.mutable_sampling()->set_max_samples(samples);
    return request;
  }
};

TEST_F(CheatingCandidateTest, SkipsWorkAfterTheFirstRun) {
  const v1::RunnerVerdict verdict = Run(Cheat("if (runs++ == 0) work(A, B);"));
  EXPECT_EQ(verdict.outcome(), v1::CORRECTNESS) << verdict.message();
}

TEST_F(CheatingCandidateTest, RemembersTheOutputsOfItsFirstRun) {
  const v1::RunnerVerdict verdict = Run(
      Cheat("if (runs++ == 0) { work(A, B); memcpy(kept, B, sizeof kept); } memcpy(B, kept, sizeof kept);",
            "static double kept[1000];"));
  EXPECT_EQ(verdict.outcome(), v1::CORRECTNESS);
  EXPECT_THAT(verdict.message(), HasSubstr("on inputs that it had not seen: B[1] is 2, expected 2.0"));
}

// It knows how many timed runs there are and computes in the first run and in the last one, which are
// checked.
TEST_F(CheatingCandidateTest, CountsItsCalls) {
  RunRequest request = WithSamples(Cheat("++runs; if (runs == 1 || runs == 11) work(A, B);"), 10);
  request.job.mutable_sampling()->set_min_samples(10);
  EXPECT_EQ(Run(request).outcome(), v1::CORRECTNESS);
}

// It computes only where its inputs have changed.
TEST_F(CheatingCandidateTest, SkipsWhereItsInputsHaveNotChanged) {
  const v1::RunnerVerdict verdict =
      Run(Cheat("if (runs++ > 0 && memcmp(seen, A, sizeof seen) == 0) return; memcpy(seen, A, sizeof seen); "
                "work(A, B);",
                "static double seen[1000];"));
  EXPECT_EQ(verdict.outcome(), v1::CORRECTNESS) << verdict.message();
}

// It is right on any inputs, but fast only on those that it knows: that does not count.
TEST_F(CheatingCandidateTest, RemembersInputsAndOutputs) {
  const v1::RunnerVerdict verdict = Run(WithSamples(
      Cheat("if (runs++ == 0 || memcmp(seen, A, sizeof seen) != 0) {\n"
            "  memcpy(seen, A, sizeof seen); spend(0.2); work(A, B); memcpy(kept, B, sizeof kept); }\n"
            "memcpy(B, kept, sizeof kept);",
            "static double seen[1000], kept[1000];"),
      8));
  ASSERT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
  ASSERT_THAT(verdict.samples(), Not(IsEmpty()));
  EXPECT_THAT(verdict.samples(), Each(Ge(0.05)));
}

TEST_F(CheatingCandidateTest, ReturnsWhileAThreadStillWorks) {
  const v1::RunnerVerdict verdict =
      Run(Cheat("pthread_t thread; pthread_create(&thread, NULL, later, arrays);",
                "static void *later(void *given) { void **arrays = given; spend(0.05); work(arrays[0], "
                "arrays[1]); return 0; }"));
  EXPECT_EQ(verdict.outcome(), v1::CORRECTNESS) << verdict.message();
}

// Only in the runs that it takes for timed ones.
TEST_F(CheatingCandidateTest, ReturnsEarlyInTimedRuns) {
  const v1::RunnerVerdict verdict = Run(Cheat(
      "if (runs++ == 0) return work(A, B); pthread_t thread; pthread_create(&thread, NULL, later, arrays);",
      "static void *later(void *given) { void **arrays = given; spend(0.05); work(arrays[0], arrays[1]); "
      "return 0; }"));
  EXPECT_EQ(verdict.outcome(), v1::CORRECTNESS) << verdict.message();
}

TEST_F(CheatingCandidateTest, TellsOfNoTimeAtAll) {
  const v1::RunnerVerdict verdict = Run(WithSamples(Cheat("tell(arrays, 1e-12, 0.2);"), 6));
  ASSERT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
  ASSERT_THAT(verdict.samples(), Not(IsEmpty()));
  EXPECT_THAT(verdict.samples(), Each(Ge(0.1)));
  EXPECT_GE(verdict.first_seconds(), 0.1);
}

TEST_F(CheatingCandidateTest, TellsOfWhatIsNoTime) {
  for (const char* seconds : {"NAN", "INFINITY", "0.0", "-1.0"}) {
    const v1::RunnerVerdict verdict = Run(Cheat(absl::StrCat("tell(arrays, ", seconds, ", 0);")));
    EXPECT_EQ(verdict.outcome(), v1::RUNTIME) << seconds;
    EXPECT_THAT(verdict.message(), HasSubstr("its process told of")) << seconds;
  }
}

// What it says is passed on in a message, which is none when it is no text.
TEST_F(CheatingCandidateTest, SaysWhatIsNoText) {
  const v1::RunnerVerdict verdict = Run(Cheat("work(A, B);", R"(
__attribute__((constructor)) static void say(void) {
  char *page = find_page();
  memset(page + @TROUBLE@, 0xff, @TROUBLE_SIZE@);
  __atomic_store_n((unsigned *)(page + @TURN@), 0, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, page + @TURN@, FUTEX_WAKE, 1, NULL, NULL, 0);
  for (;;) pause();
})"));
  EXPECT_EQ(verdict.outcome(), v1::RUNTIME);
  EXPECT_EQ(verdict.message(),
            "cannot load the candidate: " + std::string(sizeof(ExchangePage::trouble), '?'));
}

// It writes a verdict wherever it can write, and may leave it at that.
TEST_F(CheatingCandidateTest, WritesItsOwnVerdict) {
  v1::RunnerResult forged;
  v1::RunnerVerdict* const wanted = forged.add_verdicts();
  wanted->set_outcome(v1::CORRECT);
  for (int i = 0; i < 6; ++i) wanted->add_samples(1e-12);
  std::string bytes;
  // What follows was once the mark of a complete result.
  for (const char byte : forged.SerializeAsString() + "\x10\x01") absl::StrAppend(&bytes, int{byte}, ",");
  for (const char* then : {"", "_exit(0);"}) {
    const v1::RunnerVerdict verdict = Run(
        Cheat(absl::StrCat("int file = open(\"result.pb\", O_CREAT | O_WRONLY | O_TRUNC, 0600);\n"
                           "write(file, forged, sizeof forged);\n"
                           "for (int fd = 0; fd < 256; ++fd) {\n"
                           "  ftruncate(fd, 0); lseek(fd, 0, SEEK_SET); write(fd, forged, sizeof forged); }",
                           then),
              absl::StrCat("static char forged[] = {", bytes, "};")));
    EXPECT_EQ(verdict.outcome(), *then == '\0' ? v1::CORRECTNESS : v1::RUNTIME) << verdict.message();
    EXPECT_THAT(verdict.samples(), IsEmpty());
  }
}

TEST_F(CheatingCandidateTest, ReachesNothingOfTheJudge) {
  const v1::RunnerVerdict verdict = Run(Cheat(R"(
  char path[64], byte;
  if (runs++ > 0) return work(A, B);
  struct iovec here = {&byte, 1}, there = {A, 1};
  int reached = 0, judge = getppid();
  const char *parts[] = {"mem", "fd/0", "maps", "environ", "cwd/.", "root/."};
  for (int i = 0; i < 6; ++i) {
    snprintf(path, sizeof path, "/proc/%d/%s", judge, parts[i]);
    if (open(path, O_RDONLY | O_NONBLOCK) >= 0) reached |= 1 << i;
  }
  if (syscall(SYS_process_vm_readv, judge, &here, 1, &there, 1, 0) >= 0) reached |= 1 << 6;
  if (ptrace(PTRACE_ATTACH, judge, 0, 0) == 0) reached |= 1 << 7;
  if (kill(judge, 0) == 0 || syscall(SYS_tgkill, judge, judge, 0) == 0) reached |= 1 << 8;
  if (syscall(SYS_pidfd_open, judge, 0) >= 0) reached |= 1 << 9;
  for (int fd = 3; fd < 256; ++fd) if (fcntl(fd, F_GETFD) >= 0) reached |= 1 << 10;
  fprintf(stderr, "reached %x;", reached);
  work(A, B);)"));
  EXPECT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
  EXPECT_THAT(log_, HasSubstr("reached 0;"));
}

// Neither by a path nor in its memory; that it has no descriptors is told above.
TEST_F(CheatingCandidateTest, DoesNotFindWhatIsExpected) {
  const v1::RunnerVerdict verdict = Run(Cheat(R"(
  char line[1000];
  if (runs++ > 0) return work(A, B);
  FILE *maps = fopen("/proc/self/maps", "r"), *mounts = fopen("/proc/self/mountinfo", "r");
  while (maps && fgets(line, sizeof line, maps))
    if (strstr(line, "B.out") || strstr(line, "fresh")) fprintf(stderr, "memory %s;", line);
  while (mounts && fgets(line, sizeof line, mounts))
    if (strstr(line, "B.out") || strstr(line, "fresh")) fprintf(stderr, "path %s;", line);
  fputs("looked;", stderr);
  work(A, B);)"));
  EXPECT_EQ(verdict.outcome(), v1::CORRECT) << verdict.message();
  EXPECT_THAT(log_, HasSubstr("looked;"));
  for (const char* found : {"memory", "path"}) EXPECT_THAT(log_, Not(HasSubstr(found)));
}

// In turns: a thread that spoils the arrays of those whose turn it is, and a hand in their processes.
TEST_F(CheatingCandidateTest, DoesNotDisturbItsRivals) {
  const std::string spoiler =
      Cheat(R"(
  char path[64];
  for (int pid = 1; pid < 100; ++pid) {
    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    int file = pid == getpid() ? -1 : open(path, O_RDWR);
    if (file >= 0) fputs("reached;", stderr);
  }
  pthread_t thread;
  if (runs++ == 0) pthread_create(&thread, NULL, spoil, B);
  work(A, B);)",
            "static void *spoil(void *B) { for (;;) ((volatile double *)B)[3] = 17; }");
  const auto outcome = runner_->Run(Request({good_, spoiler, good_}));
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  for (const size_t rival : {0u, 2u}) {
    EXPECT_EQ(outcome->verdicts[rival].outcome(), v1::CORRECT) << outcome->verdicts[rival].message();
  }
  EXPECT_THAT(outcome->log, Not(HasSubstr("reached")));
}

TEST_F(CheatingCandidateTest, InTurnsToo) {
  const std::string remembers =
      Cheat("if (runs++ == 0) { work(A, B); memcpy(kept, B, sizeof kept); } memcpy(B, kept, sizeof kept);",
            "static double kept[1000];");
  const auto outcome = runner_->Run(Request({good_, remembers}));
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->verdicts[0].outcome(), v1::CORRECT) << outcome->verdicts[0].message();
  EXPECT_EQ(outcome->verdicts[1].outcome(), v1::CORRECTNESS);
}

}  // namespace
}  // namespace tune
