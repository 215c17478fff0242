#include "worker/cuda/utility_kernels.h"

#include "absl/strings/str_replace.h"
#include "common/array/element_type.h"
#include "worker/cuda/cubin_compiler.h"
#include "worker/run/output_check.h"

namespace tune {
namespace {

// The semantics are those of worker/run/output_check.h: NaN equals NaN, an infinity equals itself, and either
// is infinitely far from all else.
constexpr char kComparisonText[] = R"(
typedef unsigned long long u64;

__device__ double difference(double expected, double found) {
  if (expected == found || (expected != expected && found != found)) return 0;
  const double distance = fabs(found - expected);
  return distance == distance ? distance : __longlong_as_double(0x7ff0000000000000LL);
}
__device__ double difference(float expected, float found) {
  return difference((double)expected, (double)found);
}
// Modulo 2^64, so exact for every integer type.
template <typename T> __device__ double difference(T expected, T found) {
  return expected < found ? (double)((u64)found - (u64)expected) : (double)((u64)expected - (u64)found);
}

// The bits of binary16.
struct half_bits {
  unsigned short bits;
};
__device__ double number(half_bits half) {
  const int exponent = half.bits >> 10 & 31, mantissa = half.bits & 1023;
  double size = mantissa / 16777216.0;
  if (exponent > 0)
    size = (mantissa + 1024) * __longlong_as_double((long long)(exponent - 25 + 1023) << 52);
  if (exponent == 31)
    size = __longlong_as_double(mantissa != 0 ? 0x7ff8000000000000LL : 0x7ff0000000000000LL);
  return half.bits & 0x8000 ? -size : size;
}
template <typename T> __device__ double number(T value) { return (double)value; }
__device__ double difference(half_bits expected, half_bits found) {
  return difference(number(expected), number(found));
}

template <typename T> __device__ void compare(const T *expected, const T *found, u64 count, double *partial) {
  __shared__ double sums[5][256];
  double difference_square = 0, expected_square = 0, difference_sum = 0, largest = 0, largest_relative = 0;
  for (u64 i = blockIdx.x * 256ull + threadIdx.x; i < count; i += gridDim.x * 256ull) {
    const double value = number(expected[i]);
    if (value - value == 0) expected_square += value * value;
    const double distance = difference(expected[i], found[i]);
    difference_square += distance * distance;
    difference_sum += distance;
    if (distance > largest) largest = distance;
    if (distance > LEAST_RELATED) {
      const double relative = distance - distance == 0 ? distance / fabs(value) : distance;
      if (relative > largest_relative) largest_relative = relative;
    }
  }
  const int t = threadIdx.x;
  sums[0][t] = difference_square;
  sums[1][t] = expected_square;
  sums[2][t] = difference_sum;
  sums[3][t] = largest;
  sums[4][t] = largest_relative;
  __syncthreads();
  // Unrolled, it would double the time that it takes to compile all this.
#pragma unroll 1
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) {
      sums[0][t] += sums[0][t + half];
      sums[1][t] += sums[1][t + half];
      sums[2][t] += sums[2][t + half];
      if (sums[3][t + half] > sums[3][t]) sums[3][t] = sums[3][t + half];
      if (sums[4][t + half] > sums[4][t]) sums[4][t] = sums[4][t + half];
    }
    __syncthreads();
  }
  if (t < 5) partial[5 * blockIdx.x + t] = sums[t][0];
}

)";

constexpr char kTimingText[] = R"(
extern "C" __global__ void tune_wait(u64 nanoseconds) {
  u64 start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  // The number of turns is bounded, should the timer stand still.
  for (int turn = 0; turn < (1 << 20); ++turn) {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (now - start >= nanoseconds) return;
  }
}

extern "C" __global__ void tune_spin(long long clocks) {
  const long long start = clock64();
  while (clock64() - start < clocks) {
  }
}
)";

constexpr char kKernelOfType[] = R"(
extern "C" __global__ void __launch_bounds__(256)
NAME(const TYPE *expected, const TYPE *found, u64 count, double *partial) {
  compare(expected, found, count, partial);
}
)";

// Of numbers that consist of no others.
std::vector<v1::ElementType> AllTypes() {
  std::vector<v1::ElementType> types;
  for (int type = v1::ElementType_MIN + 1; type <= v1::ElementType_MAX; ++type) {
    const auto each = static_cast<v1::ElementType>(type);
    if (!IsComplex(each)) types.push_back(each);
  }
  return types;
}

}  // namespace

std::string UtilityKernels::ComparisonName(v1::ElementType type) {
  return absl::StrCat("tune_compare_", absl::StrReplaceAll(ElementCType(type), {{" ", "_"}}));
}

std::string UtilityKernels::ComparisonText(const std::vector<v1::ElementType>& types) {
  std::string text =
      absl::StrReplaceAll(kComparisonText, {{"LEAST_RELATED", absl::StrCat(kLeastRelatedDifference)}});
  for (v1::ElementType type : types) {
    const absl::string_view c_type = type == v1::ELEMENT_TYPE_FLOAT16 ? "half_bits" : ElementCType(type);
    text += absl::StrReplaceAll(kKernelOfType, {{"NAME", ComparisonName(type)}, {"TYPE", c_type}});
  }
  return text;
}

std::string UtilityKernels::Text() { return ComparisonText(AllTypes()) + kTimingText; }

absl::StatusOr<CUfunction> UtilityKernels::Function(const std::string& name) const {
  CUfunction function = nullptr;
  TUNE_RETURN_IF_ERROR(
      session_.Check(session_.driver().cuModuleGetFunction(&function, module_, name.c_str()), name));
  return function;
}

absl::StatusOr<std::unique_ptr<UtilityKernels>> UtilityKernels::Make(const DeviceSession& session) {
  TUNE_ASSIGN_OR_RETURN(const CubinResult compiled,
                        CompileCubin(Text(), "utility_kernels.cu", session.architecture()));
  if (!compiled.ok) {
    return absl::InternalError(absl::StrCat("NVRTC refuses the runner's own kernels: ", compiled.log));
  }
  std::unique_ptr<UtilityKernels> kernels(new UtilityKernels(session));
  TUNE_RETURN_IF_ERROR(session.Check(
      session.driver().cuModuleLoadData(&kernels->module_, compiled.cubin.data()), "cuModuleLoadData"));
  for (v1::ElementType type : AllTypes()) {
    TUNE_ASSIGN_OR_RETURN(kernels->compare_[type], kernels->Function(ComparisonName(type)));
  }
  TUNE_ASSIGN_OR_RETURN(kernels->wait_, kernels->Function("tune_wait"));
  TUNE_ASSIGN_OR_RETURN(kernels->spin_, kernels->Function("tune_spin"));
  return kernels;
}

absl::Status UtilityKernels::Compare(v1::ElementType type, CUdeviceptr expected, CUdeviceptr found,
                                     int64_t count, CUdeviceptr partial, int blocks) const {
  unsigned long long elements = count;
  void* arguments[] = {&expected, &found, &elements, &partial};
  return session_.Check(session_.driver().cuLaunchKernel(compare_.at(type), blocks, 1, 1, kCompareThreads, 1,
                                                         1, 0, session_.stream(), arguments, nullptr),
                        "launch of the comparison");
}

absl::Status UtilityKernels::Wait(double seconds) const {
  unsigned long long nanoseconds = static_cast<unsigned long long>(1e9 * seconds);
  void* arguments[] = {&nanoseconds};
  return session_.Check(
      session_.driver().cuLaunchKernel(wait_, 1, 1, 1, 1, 1, 1, 0, session_.stream(), arguments, nullptr),
      "launch of the waiting kernel");
}

absl::Status UtilityKernels::SpinClocks(int64_t clocks) const {
  long long count = clocks;
  void* arguments[] = {&count};
  return session_.Check(session_.driver().cuLaunchKernel(spin_, session_.multiprocessors(), 1, 1, 128, 1, 1,
                                                         0, session_.stream(), arguments, nullptr),
                        "launch of the spinning kernel");
}

}  // namespace tune
