// Hand-written kernels in CUDA through the real programs, with a simulated GPU in place of the device.
#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <set>

#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::StartsWith;

void StartSimulated(Installation& installation) {
  installation.StartServer();
  setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/tests/simulated", 1);
  installation.StartWorker();
  unsetenv("TUNE_LIBEXEC");
}

// What became of each configuration, by the value of a parameter: "correctness y[3] is ...".
std::map<std::string, std::set<std::string>> OutcomesBy(const Installation& installation,
                                                        const std::string& study, int count,
                                                        const std::string& parameter) {
  std::map<std::string, std::set<std::string>> outcomes;
  for (int index = 0; index < count; ++index) {
    const Json candidate = installation.TunectlJson({"show", absl::StrCat(study, "/", index)});
    const Json& evaluation = candidate["evaluation"];
    outcomes[OptionOf(candidate, parameter)].insert(
        absl::StrCat(evaluation.value("outcome", ""), " ", evaluation.value("message", "")));
  }
  return outcomes;
}

// y = a x + y by rows of a block, and what FAULT makes of it.
constexpr char kFaultyAxpy[] = R"(#include "parts/item.h"

extern "C" __global__ void __launch_bounds__(BLOCK) axpy(int n, float a, const float *x, float *y) {
  __shared__ float part[BLOCK];
  const int first = blockIdx.x * BLOCK * ITEMS + threadIdx.x;
  for (int k = 0; k < ITEMS; k++) {
    const int i = first + k * BLOCK;
    if (i >= n) return;
    part[threadIdx.x] = ITEM(x, i);
#if FAULT == 1
    y[i] += a * part[threadIdx.x] + 1;
#elif FAULT == 2
    y[i + n] = 0;
#elif FAULT == 3
#error this value cannot be built
#elif FAULT == 4
    y[i] += a * part[BLOCK - 1 - threadIdx.x];
#elif FAULT == 5
    for (volatile int again = 1; again;) again = 1;
#else
    y[i] += a * part[threadIdx.x];
#endif
  }
}
)";

constexpr char kAxpyDefinition[] = R"(
file axpy.cu
problem n=500
parameter BLOCK=32,64,2048
parameter ITEMS=1,2
parameter FAULT=0,1,2,3,4
constraint FAULT == 0 or BLOCK == 32 and ITEMS == 1
default BLOCK=32,ITEMS=1,FAULT=0
argument n:int:n
argument a:float:2.5
argument x:float[n]:in:random
argument y:float[n]:inout:random
kernel axpy
block BLOCK
grid (n + BLOCK * ITEMS - 1) // (BLOCK * ITEMS)
)";

std::string WriteAxpy(const Installation& installation, const std::string& more = "") {
  EXPECT_TRUE(MakeFolder(installation.path("parts")).ok());
  installation.Write("parts/item.h", "#define ITEM(array, index) array[index]\n");
  installation.Write("axpy.cu", kFaultyAxpy);
  return installation.Write("axpy.tune", absl::StrCat(kAxpyDefinition, more));
}

TEST(CudaKernels, NoConfigurationEndsTheStudyAndTheBestIsRight) {
  Installation installation;
  const std::string definition = WriteAxpy(installation);
  StartSimulated(installation);
  ASSERT_FALSE(HasFatalFailure());
  const std::vector<std::string> ids =
      installation.Submit({definition, "--strategy", "random", "--evaluations", "20"});
  ASSERT_EQ(ids.size(), 1u);
  const Json study = installation.WaitForEnd(ids[0], 200);
  ASSERT_EQ(study.value("state", ""), "done") << study.dump(1);
  EXPECT_EQ(study.value("target", ""), "cuda");
  EXPECT_EQ(study["device"].value("model", ""), "simulated GPU");
  EXPECT_EQ(study.value("evaluated", 0), 10);
  EXPECT_TRUE(study["warnings"].empty()) << study["warnings"];
  const auto by_fault = OutcomesBy(installation, ids[0], 10, "FAULT");
  ASSERT_EQ(by_fault.size(), 5u) << study.dump(1);
  EXPECT_THAT(by_fault.at("0"), Contains("correct "));
  EXPECT_THAT(by_fault.at("1"), Each(StartsWith("correctness y[")));
  EXPECT_THAT(by_fault.at("2"), Each(HasSubstr("y")));
  EXPECT_THAT(by_fault.at("2"), Each(StartsWith("runtime ")));
  EXPECT_THAT(by_fault.at("3"), Each(HasSubstr("this value cannot be built")));
  EXPECT_THAT(by_fault.at("4"), Each(HasSubstr("at part+")));  // read before it is written, or beside that
  const auto by_block = OutcomesBy(installation, ids[0], 10, "BLOCK");
  EXPECT_THAT(by_block.at("2048"), Each(StartsWith("constraints kernel axpy: block x: ")));
  const Json best =
      installation.TunectlJson({"show", absl::StrCat(ids[0], "/", study.value("best_index", -1))});
  EXPECT_EQ(OptionOf(best, "FAULT"), "0");
  EXPECT_EQ(best["evaluation"]["kernels"][0].value("name", ""), "axpy");
  // The header has its macros, the CUDA file a function that launches the kernel with them.
  const std::string header = installation.path("axpy.tuned.h");
  const SubprocessResult fetched = installation.Tunectl({"fetch", ids[0], "-o", header});
  ASSERT_TRUE(fetched.ok()) << fetched.standard_error;
  EXPECT_THAT(fetched.standard_output,
              HasSubstr("cudaError_t tuned_axpy(cudaStream_t stream, int n, float a, "
                        "const float *x, float *y);"));
  EXPECT_EQ(fetched.standard_error.find("Beware"), std::string::npos) << fetched.standard_error;
  const std::string block = absl::StrCat("#define BLOCK ", OptionOf(best, "BLOCK"), "\n");
  EXPECT_THAT(*ReadFile(header), HasSubstr(block));
  const std::string device = ReadFile(installation.path("axpy.tuned.cu")).value_or("");
  EXPECT_THAT(device, HasSubstr(block));
  EXPECT_THAT(device,
              HasSubstr(absl::StrCat("dim3(", OptionOf(best, "BLOCK"), ", 1, 1), arguments, 0, stream)")));
}

TEST(CudaKernels, TemplatesSymbolsAndSharedMemory) {
  Installation installation;
  installation.Write("smooth.cu", R"(__constant__ float weights[3];
__device__ int calls;
namespace filter {
template <int kBlock, typename T>
__global__ void smooth(const T *in, T *out, int n) {
  extern __shared__ float row[];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  for (int k = threadIdx.x; k < kBlock + 2; k += kBlock) {
    const int j = blockIdx.x * kBlock + k - 1;
    row[k] = j >= 0 && j < n ? in[j] : 0;
  }
  __syncthreads();
  if (i < n)
    out[i] = weights[0] * row[threadIdx.x] + weights[1] * row[threadIdx.x + 1] + weights[2] * row[threadIdx.x + 2];
  if (i == 0) calls = kBlock > 0;
}
}
)");
  const std::string definition = installation.Write("smooth.tune", R"(
file smooth.cu
problem n=300
parameter kBlock=32,64,128
parameter PAD=0,1
argument in:float[n]:in:random=-1..1
argument out:float[n]:out
argument n:int:n
argument weights:float[3]:symbol:in:generator=(i + 1) / 4
argument calls:int[1]:symbol:out
kernel filter::smooth
template kBlock, 'float'
block kBlock
threads n
shared 4 * (kBlock + 2 + PAD)
takes in,out,n
reference function plain:file=plain.c:takes=in,out,n,weights,calls
check out:each=1e-5
)");
  installation.Write("plain.c",
                     R"(void plain(const float *in, float *out, int n, const float *w, int *calls) {
  for (int i = 0; i < n; i++)
    out[i] = w[0] * (i > 0 ? in[i - 1] : 0) + w[1] * in[i] + w[2] * (i + 1 < n ? in[i + 1] : 0);
  *calls = 1;
}
)");
  StartSimulated(installation);
  ASSERT_FALSE(HasFatalFailure());
  const std::vector<std::string> ids = installation.Submit({definition, "--evaluations", "6"});
  ASSERT_EQ(ids.size(), 1u);
  const Json study = installation.WaitForEnd(ids[0], 200);
  ASSERT_EQ(study.value("state", ""), "done") << study.dump(1);
  EXPECT_EQ(study.value("evaluated", 0), 6);
  EXPECT_EQ(study["outcomes"].value("correct", 0), 6) << study.dump(1);
}

TEST(CudaKernels, TexturesInterpolate) {
  Installation installation;
  installation.Write("blur.cu",
                     R"(extern "C" __global__ void blur(cudaTextureObject_t picture, float *out, int width,
                                            int height) {
  const int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y;
  if (x < width) out[y * width + x] = tex2D<float>(picture, x + 1.0f, y + 0.5f);
}
)");
  installation.Write("plain.c", R"(void plain(const float *picture, float *out, int width, int height) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      out[y * width + x] =
          (picture[y * width + x] + picture[y * width + (x + 1 < width ? x + 1 : width - 1)]) / 2;
}
)");
  const std::string definition = installation.Write("blur.tune", R"(
file blur.cu
problem width=50, height=7
parameter BLOCK=32,64
argument picture:float[width * height]:texture:random:extents=width,height:linear
argument out:float[width * height]:out
argument width:int:width
argument height:int:height
kernel blur
block BLOCK
grid (width + BLOCK - 1) // BLOCK, height
reference function plain:file=plain.c
)");
  StartSimulated(installation);
  ASSERT_FALSE(HasFatalFailure());
  const std::vector<std::string> ids = installation.Submit({definition, "--evaluations", "2"});
  const Json study = installation.WaitForEnd(ids.at(0), 200);
  ASSERT_EQ(study.value("state", ""), "done") << study.dump(1);
  EXPECT_EQ(study["outcomes"].value("correct", 0), 2) << study.dump(1);
}

TEST(CudaKernels, ADefaultThatDoesNotCompileEndsWithTheFirstError) {
  Installation installation;
  const std::string definition = WriteAxpy(installation, "default FAULT=3\n");
  StartSimulated(installation);
  ASSERT_FALSE(HasFatalFailure());
  const Json study = installation.WaitForEnd(installation.Submit({definition}).at(0), 200);
  EXPECT_EQ(study.value("state", ""), "failed");
  EXPECT_THAT(study.value("failure", ""), StartsWith("the default configuration does not compile: "));
  EXPECT_THAT(study.value("failure", ""), HasSubstr("this value cannot be built"));
}

TEST(CudaKernels, ADefaultThatWritesElsewhereEndsWithTheFault) {
  Installation installation;
  const std::string definition = WriteAxpy(installation, "default FAULT=2\n");
  StartSimulated(installation);
  ASSERT_FALSE(HasFatalFailure());
  const Json study = installation.WaitForEnd(installation.Submit({definition}).at(0), 200);
  EXPECT_EQ(study.value("state", ""), "failed");
  EXPECT_THAT(study.value("failure", ""), StartsWith("the default configuration failed: "));
  EXPECT_THAT(study.value("failure", ""), HasSubstr("kernel axpy"));
}

TEST(CudaKernels, ArgumentsOfAnotherKernelAreToldByTheCompiler) {
  Installation installation;
  // The client's reader of sources does not see what a macro makes.
  installation.Write("scale.cu",
                     "#define PARAMETERS double a, float *x, int n\n"
                     "__global__ void scale(PARAMETERS) {\n"
                     "  if (threadIdx.x < n) x[threadIdx.x] *= a;\n"
                     "}\n");
  const std::string definition = installation.Write("scale.tune",
                                                    "file scale.cu\nproblem n=64\nparameter BLOCK=64\n"
                                                    "argument a:float:2\nargument x:float[n]:inout:random\n"
                                                    "argument n:int:n\nkernel scale\nblock BLOCK\n");
  StartSimulated(installation);
  ASSERT_FALSE(HasFatalFailure());
  const SubprocessResult submitted = installation.Tunectl({"submit", definition});
  if (!submitted.ok()) return;  // it does see it
  const Json study = installation.WaitForEnd("s1", 200);
  EXPECT_EQ(study.value("state", ""), "failed");
  EXPECT_THAT(study.value("failure", ""),
              HasSubstr("kernel scale takes something else as argument 1 than a, a number of 4 bytes"));
}

TEST(CudaKernels, TheExamplesAreTuned) {
  const std::map<std::string, std::vector<std::string>> sizes = {{"matrix_product", {"n=70"}},
                                                                 {"convolution", {"width=50", "height=35"}},
                                                                 {"transposition", {"rows=40", "columns=70"}},
                                                                 {"reduction", {"n=4096"}},
                                                                 {"nbody", {"n=150"}},
                                                                 {"stencil", {"nx=20", "ny=17", "nz=7"}}};
  Installation installation;
  StartSimulated(installation);
  ASSERT_FALSE(HasFatalFailure());
  std::map<std::string, std::string> studies;
  for (const auto& [name, values] : sizes) {
    std::vector<std::string> command = {TUNE_SOURCE_DIR "/client/examples/kernels/" + name + ".tune",
                                        "--strategy", "random", "--evaluations", "4"};
    for (const std::string& value : values) command.insert(command.end(), {"--param", value});
    studies[name] = installation.Submit(command).at(0);
  }
  for (const auto& [name, id] : studies) {
    SCOPED_TRACE(name);
    const Json study = installation.WaitForEnd(id, 300);
    ASSERT_EQ(study.value("state", ""), "done") << study.dump(1);
    EXPECT_EQ(study.value("evaluated", 0), 4);
    for (const auto& [outcome, count] : study["outcomes"].items())
      EXPECT_EQ(outcome, "correct") << count << ": " << study.dump(1);
  }
}

}  // namespace
}  // namespace tune
