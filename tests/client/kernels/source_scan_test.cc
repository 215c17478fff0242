#include "client/kernels/source_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_join.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Signatures(const SourceScan& scan) {
  std::vector<std::string> signatures;
  for (const SourceFunction& function : scan.functions) signatures.push_back(function.Signature());
  return signatures;
}

std::vector<std::string> Macros(const SourceScan& scan) {
  std::vector<std::string> macros;
  for (const MacroCandidate& macro : scan.macros)
    macros.push_back(
        absl::StrCat(macro.name, "@", macro.line, macro.alternative.empty() ? "" : "=", macro.alternative));
  return macros;
}

constexpr char kSmooth[] = R"(
#include <cuda.h>
#ifndef TILE
#define TILE 4 /* elements of a thread */
#endif
#define AT(x, y) in[(y) * width + (x) + PAD]
#if USE_SHARED == 1
__shared__ float tile[64];
#endif
__constant__ float weights[5 * 5], more;
__device__ int counter;
// __global__ void commented(int a) {}
__device__ float2 operator+=(float2 &a, float2 b) { return a; }
extern "C" __global__ void __launch_bounds__(256)
smooth(float *__restrict__ out, const float4* in, unsigned int width, bool fast = true) {
  int x = blockIdx.x * block_x + threadIdx.x, y = threadIdx.y;
  const char *text = "not(a) * KERNEL";
  float sum = 0;
  #pragma unroll UNROLL
  for (int i = 0; i < TILE; ++i) sum += AT(x, y + i).w * weights[i] * FLT_MAX;
  real more_sum = sum;
  if (x < width) out[x] = more_sum;
}
namespace grid { namespace {
template <int block, typename T = float, class... Rest>
__global__ void sum(T *data, long long n, cudaTextureObject_t picture, real scale) { data[0] = (T)n; }
}
void host_code(int a) { sum<1><<<1, 2>>>(0, a); }
}
__global__ void declared_only(int);
)";

TEST(SourceScanTest, FindsKernelsAndTheirParameters) {
  const SourceScan scan = ScanSource(kSmooth, v1::KERNEL_LANGUAGE_CUDA);
  EXPECT_THAT(Signatures(scan),
              ElementsAre("smooth(float *__restrict__ out, const float4 *in, unsigned int width, bool fast)",
                          "grid::sum(T *data, long long n, cudaTextureObject_t picture, real scale)"));
  const SourceFunction& smooth = scan.functions[0];
  EXPECT_EQ(smooth.line, 15);
  EXPECT_FALSE(smooth.is_template());
  EXPECT_EQ(smooth.parameters[0].name, "out");
  EXPECT_TRUE(smooth.parameters[0].is_pointer);
  EXPECT_FALSE(smooth.parameters[0].is_const);
  EXPECT_TRUE(smooth.parameters[1].is_const);
  EXPECT_EQ(ElementName(smooth.parameters[1].form), "float4");
  EXPECT_EQ(ElementName(smooth.parameters[2].form), "uint32");
  EXPECT_EQ(smooth.parameters[2].name, "width");
  const SourceFunction& sum = scan.functions[1];
  ASSERT_EQ(sum.template_parameters.size(), 3u);
  EXPECT_EQ(sum.template_parameters[0].name, "block");
  EXPECT_FALSE(sum.template_parameters[0].is_optional);
  EXPECT_TRUE(sum.template_parameters[1].is_optional);
  EXPECT_TRUE(sum.template_parameters[2].is_optional);
  EXPECT_EQ(sum.parameters[0].form.type, v1::NUMBER_TYPE_UNSPECIFIED);
  EXPECT_EQ(sum.parameters[1].form.type, v1::NUMBER_INT64);
  EXPECT_TRUE(sum.parameters[2].is_texture);
}

TEST(SourceScanTest, FindsSymbolsOfTheDevice) {
  const SourceScan scan = ScanSource(kSmooth, v1::KERNEL_LANGUAGE_CUDA);
  ASSERT_EQ(scan.symbols.size(), 2u);
  EXPECT_EQ(scan.symbols[0].variable.name, "weights");
  EXPECT_EQ(scan.symbols[0].count, "(5 * 5)");
  EXPECT_EQ(scan.symbols[1].variable.name, "counter");
  EXPECT_EQ(scan.symbols[1].count, "");
}

TEST(SourceScanTest, FindsNamesThatNothingDefines) {
  EXPECT_THAT(Macros(ScanSource(kSmooth, v1::KERNEL_LANGUAGE_CUDA)),
              ElementsAre("TILE@3=4", "PAD@6", "USE_SHARED@7", "block_x@16", "UNROLL@19", "real@21"));
}

TEST(SourceScanTest, OfCFindsFunctionsThatReturnNothing) {
  const SourceScan scan = ScanSource(R"(
#include <stdio.h>
typedef struct { int a; } pair;
static int helper(int n) { return n + OFFSET; }
void add(int n, const double a[], double *restrict b, pair p)
{
  for (int i = 0; i < n; i += STEP) b[i] += a[i];
}
void nothing(void) {}
int main(void) { return 0; }
)",
                                     v1::KERNEL_LANGUAGE_C);
  EXPECT_THAT(Signatures(scan),
              ElementsAre("add(int n, const double a[], double *restrict b, pair p)", "nothing()"));
  EXPECT_TRUE(scan.functions[0].parameters[1].is_pointer);
  EXPECT_EQ(scan.functions[0].parameters[1].name, "a");
  EXPECT_THAT(Macros(scan), ElementsAre("OFFSET@4", "STEP@7"));
}

TEST(SourceScanTest, BranchesMayEachOpenWhatIsClosedBehindThem) {
  const SourceScan scan = ScanSource(R"(
__device__ void helper() {
#if MODE == 1
  for (int i = 0; i < N; ++i) {
#elif MODE == 2
  if (a > LIMIT) {
#else
  {
#endif
  }
}
#ifdef PLAIN
__global__ void smooth(int n) {}
#else
__global__ void smooth(int n, float *out) {}
#endif
#define WIDTH (block_x * PAD)
#define AT(row, column) (row * WIDTH + column)
__global__ void sum(real *in) { std::vector<real> values; values[0] = in[0]; }
)",
                                     v1::KERNEL_LANGUAGE_CUDA);
  EXPECT_THAT(Signatures(scan), ElementsAre("smooth(int n)", "smooth(int n, float *out)", "sum(real *in)"));
  EXPECT_THAT(Macros(scan),
              ElementsAre("MODE@3", "N@4", "a@6", "LIMIT@6", "PLAIN@12", "block_x@17", "PAD@17", "real@19"));
}

TEST(SourceScanTest, AlternativesOfWhatIsNotDefined) {
  EXPECT_THAT(Macros(ScanSource(R"(
#ifndef GUARD_OF_THE_FILE
#define GUARD_OF_THE_FILE
#define FIXED 3
#ifndef tuner
#define block_x 16
#define LDG(a) (a)
#else
#define unroll_x 2
#endif
__device__ float4 operator+=(float4 &a, float4 b) { a.x += b.x; return a; }
__global__ void sum(float *in) { in[block_x * FIXED] = LDG(unroll_x); }
#endif
)",
                                v1::KERNEL_LANGUAGE_CUDA)),
              ElementsAre("tuner@5", "block_x@12=16"));
}

TEST(SourceScanTest, TextsThatAreNoCEndTheScan) {
  for (const char* text :
       {"", "{", "((((", "template <", "__global__ void f(", "namespace", "\"abc", "/* ", "} } }",
        "# \n#define\n#ifndef\n", "__constant__ float a[", "= = =", "template<int a"}) {
    EXPECT_THAT(ScanSource(text, v1::KERNEL_LANGUAGE_CUDA).functions, ::testing::IsEmpty()) << text;
  }
}

}  // namespace
}  // namespace tune
