#include "worker/codegen/cuda_region.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/array/element_type.h"
#include "worker/codegen/c_text.h"
#include "worker/codegen/launch_plan.h"

namespace tune {
namespace {

constexpr char kRegionBegin[] = R"(#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

)";

// What is in capitals is replaced.
constexpr char kEnd[] = R"(
static void PREFIX_check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "PREFIX: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

BEFORE_LAUNCHstatic void PREFIX_launch(void *, const struct tune_launch *launch) {
  static const void *const kernels[] = {KERNELS};
  static const size_t shared_bytes[] = {SHARED};
  PREFIX_check(LAUNCH(kernels[launch->kernel], dim3(launch->grid[0], launch->grid[1], launch->grid[2]),
               dim3(launch->block[0], launch->block[1], launch->block[2]), launch->arguments,
               shared_bytes[launch->kernel], STREAM), "launch");
}

#ifdef TUNE_TIME
// Each launch by itself: microseconds and launches of each kernel.
static double PREFIX_microseconds[NUMBER];
static long PREFIX_launches[NUMBER];

static void PREFIX_timed_launch(void *events, const struct tune_launch *launch) {
  cudaEvent_t *const event = (cudaEvent_t *)events;
  cudaEventRecord(event[0]);
  PREFIX_launch(0, launch);
  cudaEventRecord(event[1]);
  PREFIX_check(cudaEventSynchronize(event[1]), "run");
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, event[0], event[1]);
  PREFIX_microseconds[launch->kernel] += 1e3 * milliseconds;
  ++PREFIX_launches[launch->kernel];
}
#endif

// Bytes of each array, and whether its values are needed at entry and at exit.
static const size_t PREFIX_bytes[] = {BYTES};
static const bool PREFIX_in[] = {IN};
static const bool PREFIX_out[] = {OUT};

static void PREFIX_copy_in(void *const *memory, void *const *arrays) {
  for (int i = 0; i < COUNT; ++i)
    if (PREFIX_in[i])
      PREFIX_check(cudaMemcpy(memory[i], arrays[i], PREFIX_bytes[i], cudaMemcpyHostToDevice), "copy to the device");
}

DEFINITIONSextern "C" void tune_region_PREFIX(void *const *arrays) {
  void *memory[ENTRIES] = {};
  for (int i = 0; i < COUNT; ++i)
    if (PREFIX_bytes[i] > 0) PREFIX_check(cudaMalloc(&memory[i], PREFIX_bytes[i]), "allocate device memory");
BEGIN  PREFIX_copy_in(memory, arrays);
#ifdef TUNE_TIME
  // A run to warm up, one for the kernels, several for the whole, and the one whose results stay.
  cudaEvent_t events[2];
  cudaEventCreate(&events[0]);
  cudaEventCreate(&events[1]);
  RUN_ALL;
  PREFIX_copy_in(memory, arrays);
  tune_plan(memory, arrays, PREFIX_timed_launch, events);
  for (int i = 0; i < NUMBER; ++i)
    fprintf(stderr, "PREFIX: kernel %d: %.3f us in %ld launches\n", i, PREFIX_microseconds[i], PREFIX_launches[i]);
  for (int i = 0; i < 5; ++i) {
    PREFIX_copy_in(memory, arrays);
    cudaEventRecord(events[0]);
    RUN_ALL;
    cudaEventRecord(events[1]);
    PREFIX_check(cudaEventSynchronize(events[1]), "run");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, events[0], events[1]);
    fprintf(stderr, "PREFIX: %.3f us\n", 1e3 * milliseconds);
  }
  PREFIX_copy_in(memory, arrays);
#endif
  RUN_ALL;
  PREFIX_check(cudaDeviceSynchronize(), "run");
END  for (int i = 0; i < COUNT; ++i) {
    if (PREFIX_out[i])
      PREFIX_check(cudaMemcpy(arrays[i], memory[i], PREFIX_bytes[i], cudaMemcpyDeviceToHost), "copy from the device");
    cudaFree(memory[i]);
  }
}
)";

constexpr char kMakeTexture[] = R"(
// Entries of a launch plan's memory hold texture objects as their bits.
static void PREFIX_make_texture(void *memory, size_t bytes, cudaChannelFormatDesc format, void **texture) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = bytes;
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t object = 0;
  PREFIX_check(cudaCreateTextureObject(&object, &resource, &description, 0), "make a texture object");
  *texture = (void *)object;
}

)";

constexpr char kStream[] = R"(
static cudaStream_t PREFIX_stream;

)";

constexpr char kGraph[] = R"(
// All launches of a run, which the device takes in one call; null: there are too many, each is made by itself.
static cudaGraphExec_t PREFIX_graph;

static void PREFIX_count(void *launches, const struct tune_launch *) { ++*(long *)launches; }

static void PREFIX_record(void *const *memory, void *const *arrays) {
  long launches = 0;
  tune_plan(memory, arrays, PREFIX_count, &launches);
  PREFIX_check(cudaStreamCreate(&PREFIX_stream), "make a stream");
  if (launches > MOST_LAUNCHES) return;
  cudaGraph_t graph;
  PREFIX_check(cudaStreamBeginCapture(PREFIX_stream, cudaStreamCaptureModeThreadLocal), "record the launches");
  tune_plan(memory, arrays, PREFIX_launch, 0);
  PREFIX_check(cudaStreamEndCapture(PREFIX_stream, &graph), "record the launches");
  PREFIX_check(cudaGraphInstantiateWithFlags(&PREFIX_graph, graph, 0), "make a graph of the launches");
  cudaGraphDestroy(graph);
}

static void PREFIX_run(void *const *memory, void *const *arrays) {
  if (PREFIX_graph == 0) return tune_plan(memory, arrays, PREFIX_launch, 0);
  PREFIX_check(cudaGraphLaunch(PREFIX_graph, PREFIX_stream), "launch");
}

static void PREFIX_forget() {
  if (PREFIX_graph != 0) cudaGraphExecDestroy(PREFIX_graph);
  PREFIX_graph = 0;
  cudaStreamDestroy(PREFIX_stream);
}

)";

// What textures hold an element as.
std::string TexelType(v1::ElementType type) {
  return ElementSize(type) == 8 ? "int2" : std::string(ElementCType(type));
}

// What goes before and after the launches.
struct Surroundings {
  std::string begin, end;
};

Surroundings PrintSurroundings(const CudaProgram& program) {
  Surroundings lines;
  const size_t count = program.arrays.size();
  for (size_t i = 0; i < count; ++i) {
    if (!program.arrays[i].texture) continue;
    absl::StrAppend(&lines.begin, "  PREFIX_make_texture(memory[", i, "], PREFIX_bytes[", i,
                    "], cudaCreateChannelDesc<", TexelType(program.arrays[i].type), ">(), &memory[",
                    count + i, "]);\n");
    absl::StrAppend(&lines.end, "  cudaDestroyTextureObject((cudaTextureObject_t)memory[", count + i,
                    "]);\n");
  }
  const auto set = [&](const CudaKernelFacts& kernel, const char* attribute, int64_t value,
                       const char* what) {
    absl::StrAppend(&lines.begin, "  PREFIX_check(cudaFuncSetAttribute((const void *)", kernel.function,
                    ", cudaFuncAttribute", attribute, ", ", value, "), \"", what, "\");\n");
  };
  for (const CudaKernelFacts& kernel : program.facts) {
    if (kernel.carveout >= 0)
      set(kernel, "PreferredSharedMemoryCarveout", kernel.carveout, "set the share of shared memory");
  }
  for (const CudaKernelFacts& kernel : program.facts) {
    if (kernel.dynamic_shared_bytes > 0)
      set(kernel, "MaxDynamicSharedMemorySize", kernel.dynamic_shared_bytes, "ask for shared memory");
  }
  // With the kernels as they are to be.
  if (program.graph) {
    lines.begin += "  PREFIX_record(memory, arrays);\n";
    lines.end += "  PREFIX_forget();\n";
  }
  return lines;
}

std::string PrintEnd(const CudaProgram& program, const std::string& prefix) {
  std::vector<std::string> kernels, shared, bytes, in, out;
  // A program with a kernel whose blocks wait for each other has no other kernel.
  const bool cooperative = !program.facts.empty() && program.facts[0].cooperative;
  for (const CudaKernelFacts& kernel : program.facts) {
    kernels.push_back(absl::StrCat("(const void *)", kernel.function));
    shared.push_back(absl::StrCat(kernel.dynamic_shared_bytes));
  }
  for (const DeviceArray& array : program.arrays) {
    bytes.push_back(absl::StrCat(DeviceBytes(array)));
    in.push_back(!array.local && !array.by_value ? "true" : "false");
    out.push_back(!array.local && array.written ? "true" : "false");
  }
  if (kernels.empty()) kernels = shared = {"0"};
  const bool textures = std::any_of(program.arrays.begin(), program.arrays.end(),
                                    [](const DeviceArray& array) { return array.texture; });
  const Surroundings lines = PrintSurroundings(program);
  const std::string definitions =
      absl::StrCat(textures ? kMakeTexture + 1 : "", program.graph ? kGraph + 1 : "");
  const std::string text =
      absl::StrReplaceAll(kEnd, {{"BEFORE_LAUNCH", program.graph ? kStream + 1 : ""},
                                 {"STREAM", program.graph ? "PREFIX_stream" : "0"},
                                 {"DEFINITIONS", definitions},
                                 {"RUN_ALL", program.graph ? "PREFIX_run(memory, arrays)"
                                                           : "tune_plan(memory, arrays, PREFIX_launch, 0)"},
                                 {"BEGIN", lines.begin},
                                 {"END", lines.end}});
  return absl::StrReplaceAll(text,
                             {{"PREFIX", prefix},
                              {"ENTRIES", absl::StrCat(program.arrays.size() * (textures ? 2 : 1))},
                              {"COUNT", absl::StrCat(program.arrays.size())},
                              {"NUMBER", absl::StrCat(kernels.size())},
                              {"MOST_LAUNCHES", absl::StrCat(kMostRecordedLaunches)},
                              {"LAUNCH", cooperative ? "cudaLaunchCooperativeKernel" : "cudaLaunchKernel"},
                              {"KERNELS", absl::StrJoin(kernels, ", ")},
                              {"SHARED", absl::StrJoin(shared, ", ")},
                              {"BYTES", absl::StrJoin(bytes, ", ")},
                              {"IN", absl::StrJoin(in, ", ")},
                              {"OUT", absl::StrJoin(out, ", ")}});
}

std::string PrintCall(const v1::Scop& scop, const std::string& prefix) {
  std::vector<std::string> arrays;
  for (const v1::Array& array : scop.arrays()) {
    if (array.declared_inside()) {
      arrays.push_back("0");
    } else {
      arrays.push_back(absl::StrCat("(void *)", array.extents_size() == 0 ? "&" : "", array.name()));
    }
  }
  return absl::StrCat("{\n  extern void tune_region_", prefix,
                      "(void *const *arrays);\n  void *const tune_arrays[] = {", absl::StrJoin(arrays, ", "),
                      "};\n  tune_region_", prefix, "(tune_arrays);\n}\n");
}

}  // namespace

CudaRegion PrintCudaRegion(const CudaProgram& program, const v1::Scop& scop) {
  const std::string prefix = CIdentifier(scop.name());
  return {absl::StrCat(kRegionBegin, program.kernels, "\nnamespace {\n\n", program.plan,
                       "\n}  // namespace\n", PrintEnd(program, prefix)),
          PrintCall(scop, prefix)};
}

}  // namespace tune
