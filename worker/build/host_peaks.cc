#include "worker/build/host_peaks.h"

#include <google/protobuf/text_format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

constexpr absl::Duration kLimit = absl::Seconds(20);
constexpr int64_t kLeastBytes = int64_t{128} << 20, kMostBytes = int64_t{1} << 30;  // of arrays in memory

// Arguments: bytes of both arrays in memory, and of both in the cache (0: not measured).
constexpr char kProgram[] = R"(#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__AVX512F__)
#define WIDTH 64
#elif defined(__AVX__)
#define WIDTH 32
#else
#define WIDTH 16
#endif
typedef float floats __attribute__((vector_size(WIDTH)));
typedef double doubles __attribute__((vector_size(WIDTH)));
typedef long longs __attribute__((vector_size(WIDTH), aligned(16)));

static volatile double sink;

/* Of the calling thread. */
static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}
/* What the first thread worked in the last run; where others have the processors, the run took much longer. */
static double worked;
#define BEGIN_WORK const double began = processor_time();
#define END_WORK if (omp_get_thread_num() == 0) worked = processor_time() - began;

#define STEP(n) x##n = x##n * factor + term;
#define EACH(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9)
#define START(n) x##n = term + n;
#define TOTAL(n) sum += x##n;
/* Ten chains a thread; the loop's values go to a limit that is a normal number. */
#define CHAINS(TYPE, NAME)                                                           \
  static void NAME(long turns) {                                                     \
    _Pragma("omp parallel") {                                                        \
      BEGIN_WORK                                                                     \
      TYPE factor = {0}, term = {0}, sum = {0}, x0, x1, x2, x3, x4, x5, x6, x7, x8, x9; \
      factor += 0.75f;                                                               \
      term += 0.5f;                                                                  \
      EACH(START)                                                                    \
      for (long t = 0; t < turns; ++t) {                                             \
        EACH(STEP)                                                                   \
      }                                                                              \
      EACH(TOTAL)                                                                    \
      if (sum[0] == -1) sink = sum[0];                                               \
      END_WORK                                                                       \
    }                                                                                \
  }
CHAINS(floats, chains_of_floats)
CHAINS(doubles, chains_of_doubles)

/* The thread's part of so many bytes, in whole pages. */
static void part(size_t bytes, size_t *begin, size_t *size) {
  const size_t pages = bytes / 4096, threads = omp_get_num_threads(), thread = omp_get_thread_num();
  *begin = 4096 * (pages * thread / threads);
  *size = 4096 * (pages * (thread + 1) / threads) - *begin;
}

static char *from, *to;

static void copy(size_t begin, size_t size) { memcpy(to + begin, from + begin, size); }

static void look(size_t begin, size_t size) {
  longs a = {0}, b = {0}, c = {0}, d = {0};
  const longs *v = (const longs *)(from + begin), *end = (const longs *)(from + begin + size);
  for (; v != end; v += 4) {
    a |= v[0];
    b |= v[1];
    c |= v[2];
    d |= v[3];
  }
  a |= b | c | d;
  if (a[0] != 0) sink = a[0];
}

/* Every thread its part, so many times. */
static double passes(void (*pass)(size_t, size_t), size_t bytes, long turns) {
  const double start = omp_get_wtime();
#pragma omp parallel
  {
    size_t begin, size;
    part(bytes, &begin, &size);
    BEGIN_WORK
    for (long t = 0; t < turns; ++t) {
      pass(begin, size);
      __asm__ volatile("" : : : "memory");
    }
    END_WORK
  }
  return omp_get_wtime() - start;
}

static double most(double a, double b) { return a > b ? a : b; }

/* Seconds of work of a run, of which starting and waiting for threads are then a small part. */
#define LEAST 4e-3
#define RUNS 8

/* By the first thread's time: all do the same, and do not wait for each other. */
static double operations(void (*chains)(long), int width) {
  long turns = 1 << 14;
  for (chains(turns); worked < LEAST && turns < 1L << 30; chains(turns)) turns *= 2;
  double best = 0;
  for (int run = 0; run < RUNS; ++run) {
    chains(turns);
    best = most(best, 2.0 * 10 * width * turns * omp_get_max_threads() / worked);
  }
  return best;
}

/* Of one array; copying takes two. */
static double bytes(void (*pass)(size_t, size_t), size_t size, int arrays) {
  long turns = 1;
  for (passes(pass, size, turns); worked < LEAST && turns < 1L << 30; passes(pass, size, turns)) turns *= 2;
  double best = 0;
  for (int run = 0; run < RUNS; ++run)
    best = most(best, (double)arrays * size * turns / passes(pass, size, turns));
  return best;
}

int main(int argc, char **argv) {
  const size_t memory = argc > 1 ? atol(argv[1]) / 2 : 0, cache = argc > 2 ? atol(argv[2]) / 2 : 0;
  printf("float_operations: %.6g\n", operations(chains_of_floats, WIDTH / 4));
  printf("double_operations: %.6g\n", operations(chains_of_doubles, WIDTH / 8));
  const size_t most_bytes = memory > cache ? memory : cache;
  if (posix_memalign((void **)&from, 4096, most_bytes) != 0 || posix_memalign((void **)&to, 4096, most_bytes) != 0)
    return 0;
  /* Each thread touches its part first, so that it lies near. */
#pragma omp parallel
  {
    size_t begin, size;
    part(most_bytes, &begin, &size);
    memset(from + begin, 0, size);
    memset(to + begin, 0, size);
  }
  printf("memory_bytes: %.6g\n", most(bytes(copy, memory, 2), bytes(look, memory, 1)));
  if (cache > 0) printf("cache_bytes: %.6g\n", most(bytes(copy, cache, 2), bytes(look, cache, 1)));
  return 0;
}
)";

// "32768K", in bytes.
int64_t CacheSize(const std::string& text) {
  int64_t kilobytes = 0;
  return absl::EndsWith(text, "K") && absl::SimpleAtoi(text.substr(0, text.size() - 1), &kilobytes)
             ? kilobytes << 10
             : 0;
}

std::string Line(const fs::path& path) {
  const absl::StatusOr<std::string> text = ReadFile(path.string());
  return text.ok() ? std::string(absl::StripAsciiWhitespace(*text)) : "";
}

}  // namespace

int64_t LargestCacheBytes(const std::string& root) {
  int deepest = 0;
  int64_t bytes = 0;
  std::set<std::string> sharers;  // of the instances of the deepest level
  std::error_code error;
  for (const fs::directory_entry& processor : fs::directory_iterator(root, error)) {
    std::error_code none;
    for (const fs::directory_entry& cache : fs::directory_iterator(processor.path() / "cache", none)) {
      int level = 0;
      if (!absl::SimpleAtoi(Line(cache.path() / "level"), &level) || level < deepest) continue;
      if (Line(cache.path() / "type") == "Instruction") continue;
      if (level > deepest) {
        deepest = level;
        bytes = 0;
        sharers.clear();
      }
      if (sharers.insert(Line(cache.path() / "shared_cpu_list")).second)
        bytes += CacheSize(Line(cache.path() / "size"));
    }
  }
  return bytes;
}

absl::StatusOr<v1::PeakRates> MeasureHostPeaks(Compiler* compiler, int threads) {
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  TUNE_RETURN_IF_ERROR(WriteFile(folder.path() + "/peaks.c", kProgram));
  v1::Program program;
  for (const char* flag : {"-O3", "-march=native", "-fopenmp", "-w"}) program.add_compile_flags(flag);
  CompileLimits limits;
  limits.wall = kLimit;
  TUNE_ASSIGN_OR_RETURN(const CompileResult built,
                        compiler->CompileProgram(folder.path(), {"peaks.c"}, program, "peaks", {}, limits));
  if (!built.ok)
    return absl::InternalError(absl::StrCat("the C compiler refuses the program: ", built.message));
  // Several times the cache, but no more than a quarter of what is free.
  const int64_t cache = LargestCacheBytes("/sys/devices/system/cpu");
  const int64_t available = static_cast<int64_t>(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  const int64_t memory = std::min({std::max(kLeastBytes, 4 * cache), kMostBytes, available / 4});
  SubprocessOptions options;
  options.wall_limit = kLimit;
  options.environment = {absl::StrCat("OMP_NUM_THREADS=", threads), "OMP_DYNAMIC=false"};
  const bool fits = cache > 0 && cache <= memory / 2;
  TUNE_ASSIGN_OR_RETURN(
      const SubprocessResult run,
      RunSubprocess({built.binary, absl::StrCat(memory), absl::StrCat(fits ? cache / 2 : 0)}, options));
  v1::PeakRates peaks;
  if (!run.ok() || !google::protobuf::TextFormat::ParseFromString(run.standard_output, &peaks))
    return absl::InternalError(absl::StrCat("the program ", run.Describe(), ": ", run.standard_error));
  if (peaks.cache_bytes() > 0) peaks.set_cache_size(cache);
  return peaks;
}

}  // namespace tune
