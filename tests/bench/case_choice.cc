// How long a file with cases takes to choose a format for a launch. case_choice.py compiles it, with
// CHOICE_FILE, what chooses in such a file, and CHOICES, CHOICE(FUNCTION) for each kernel. Without COUNTED it
// prints for each kernel the nanoseconds of a choice, on average and on the machine on which it takes
// longest; with COUNTED, where numbers of the file are of a type that counts what is done with them, the most
// operations and the most questions for a kernel's threads.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

namespace {

// A number that counts comparisons, products, quotients and all else that is done with such numbers.
class Counted {
 public:
  Counted() = default;
  Counted(long long value) : value_(value) {}
  explicit operator bool() const { return value_ != 0; }
  long long value() const { return value_; }

  static long long operations;

 private:
  long long value_ = 0;
};
long long Counted::operations = 0;

#define TUNE_OPERATOR(RESULT, OPERATOR)                          \
  RESULT operator OPERATOR(const Counted &a, const Counted &b) { \
    ++Counted::operations;                                       \
    return a.value() OPERATOR b.value();                         \
  }
TUNE_OPERATOR(Counted, +)
TUNE_OPERATOR(Counted, -)
TUNE_OPERATOR(Counted, *)
TUNE_OPERATOR(Counted, /)
TUNE_OPERATOR(bool, <)
TUNE_OPERATOR(bool, <=)
TUNE_OPERATOR(bool, >)
TUNE_OPERATOR(bool, >=)
TUNE_OPERATOR(bool, ==)
#undef TUNE_OPERATOR
[[maybe_unused]] Counted &operator/=(Counted &a, const Counted &b) { return a = a / b; }

#ifdef COUNTED
using Number = Counted;
#else
using Number = long long;
#endif

// Of the runtime, what a choice asks: here each kernel leaves so many threads of a block.
enum cudaError_t { cudaSuccess };
struct cudaFuncAttributes {
  int maxThreadsPerBlock;
};
int kernel_threads = 1024;
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *) {
  attributes->maxThreadsPerBlock = kernel_threads;
  return cudaSuccess;
}

#include CHOICE_FILE

enum { kMachines = 6, kLimits = 3, kCases = 2000 };
const int kThreads[kLimits] = {1024, 64, 0};  // that kernels leave of a block

struct Case {
  Machine machine;
  Number count[3], parameters[8];
};

// Sizes evenly in their logarithms; machines that exist and such that hardly anything fits, by number.
std::vector<Case> Draw(int machine, int cases) {
  const long long limits[][4] = {{1024, 65536, 49152, 132}, {1024, 65536, 49152, 8}, {1024, 32768, 16384, 20},
                                 {512, 8192, 16384, 2},     {64, 900, 400, 0},       {32, 512, 0, 1000}};
  std::mt19937 random(24 + machine);
  const long long *const limit = limits[machine % kMachines];
  std::uniform_real_distribution<double> exponent(0, 14);
  std::vector<Case> drawn(cases);
  for (Case &one : drawn) {
    one.machine = {limit[0], limit[1], limit[2], int(limit[3]), machine};
    for (Number &count : one.count) count = (long long)(__builtin_exp2(exponent(random)));
    for (Number &parameter : one.parameters) parameter = (long long)(__builtin_exp2(exponent(random)));
  }
  return drawn;
}

volatile int taken;

template <typename Choose>
double Nanoseconds(const Choose &choose, const std::vector<Case> &cases) {
  const auto begin = std::chrono::steady_clock::now();
  for (const Case &one : cases) taken = choose(one.machine, one.count, one.parameters).leaf;
  return 1e9 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() /
         double(cases.size());
}

template <typename Choose>
void Time(const char *name, const Choose &choose) {
  double sum = 0, most = 0;
  for (int machine = 0; machine < kMachines * kLimits; ++machine) {
    kernel_threads = kThreads[machine / kMachines];
    const std::vector<Case> cases = Draw(machine, kCases);
    double least = Nanoseconds(choose, cases);
    for (int round = 0; round < 20; ++round) least = std::min(least, Nanoseconds(choose, cases));
    sum += least;
    most = std::max(most, least);
  }
  std::printf("%s %.1f %.1f\n", name, sum / (kMachines * kLimits), most);
}

template <typename Choose>
void Count(const char *name, const Choose &choose) {
  long long operations = 0, questions = 0;
  for (int machine = 0; machine < kMachines * kLimits; ++machine) {
    kernel_threads = kThreads[machine / kMachines];
    for (const Case &one : Draw(machine, kCases)) {
      Counted::operations = questions_asked = 0;
      taken = choose(one.machine, one.count, one.parameters).leaf;
      operations = std::max(operations, Counted::operations);
      questions = std::max(questions, (long long)questions_asked);
    }
  }
  std::printf("%s %lld %lld\n", name, operations, questions);
}

}  // namespace

int main() {
#ifdef COUNTED
#define CHOICE(FUNCTION) Count(#FUNCTION, FUNCTION##_choose);
#else
#define CHOICE(FUNCTION) Time(#FUNCTION, FUNCTION##_choose);
#endif
  CHOICES
  return 0;
}
