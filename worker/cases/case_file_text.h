// The host's part of a CUDA file with cases, as far as it is the same for every region. Words in capitals are
// replaced; names that begin with `tune_` begin as the region's helpers do.
#pragma once

namespace tune {

constexpr char kCaseHostPart[] = R"(#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>
#include <cuda_runtime.h>
INCLUDES

namespace {

// What a block may have, and how many multiprocessors there are.
struct Machine {
  long long threads, registers, shared;
  int processors, device;
MACHINE};

cudaError_t FindMachine(Machine *machine) {
  static std::mutex mutex;
  static std::map<int, Machine> found;  // by device
  static thread_local Machine last;     // of the thread's last call
  static thread_local bool known = false;
  int device = 0, threads = 0, registers = 0, shared = 0, processors = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  if (known && last.device == device) {
    *machine = last;
    return cudaSuccess;
  }
  const std::lock_guard<std::mutex> lock(mutex);
  if (found.count(device) == 0) {
    error = cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, device);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&registers, cudaDevAttrMaxRegistersPerBlock, device);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlock, device);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess) return error;
    found[device] = {threads, registers, shared, processors, device};
NAMED  }
  *machine = last = found[device];
  known = true;
  return cudaSuccess;
}

CAPTURING// With how many threads in a block the kernel can run, as it was compiled; 0 where that cannot be told.
inline int MostThreads(const Machine &machine, const void *kernel) {
  static std::mutex mutex;
  static std::map<std::pair<int, const void *>, int> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = known.find(std::make_pair(machine.device, kernel));
  if (found != known.end()) return found->second;
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) return 0;
  return known[std::make_pair(machine.device, kernel)] = attributes.maxThreadsPerBlock;
}

// With how many threads in a block kernels can run, each asked for once; by case.
template <int cases>
struct ThreadLimits {
  int limits[cases] = {};  // and one; 0: not known

  bool Allow(const Machine &machine, const void *const *kernels, int leaf, long long threads) {
    if (limits[leaf] == 0) limits[leaf] = 1 + MostThreads(machine, kernels[leaf]);
    return threads < limits[leaf];
  }
};

// Threads of a block along each axis, the last one x; points of a thread; iterations of a strip; and the case that
// holds for them.
struct Format {
  long long B0, B1, B2, s, K;
  int leaf;
};

// Blocks along an axis; at least one.
[[maybe_unused]] inline long long Blocks(long long count, long long width) {
  return count <= width ? 1 : (count + width - 1) / width;
}

// Of a launch along y and z.
enum : long long { kMostBlocks = 65535 };

KERNELS
SYMBOLICcudaError_t LaunchAll(void *const *tune_memory, const long long *tune_sizes, cudaStream_t tune_stream) {
  Machine tune_machine;
  cudaError_t tune_error = FindMachine(&tune_machine);
  if (tune_error != cudaSuccess) return tune_error;
CALLSDEFINITIONSHOST  return tune_error;
}

constexpr int kArrays = COUNT;
constexpr int kDimensions = DIMENSIONS;

// Elements of an array from `first` to `last` along each dimension, of `extent` that there are.
struct Box {
  int dimensions;
  long long first[kDimensions], last[kDimensions], extent[kDimensions];
};

// What the region reads or writes, and what it writes.
Box UsedBox(int array, const long long *tune_sizes) {
DEFINITIONS  switch (array) {
USED    default:
      return {};
  }
}
[[maybe_unused]] Box WrittenBox(int array, const long long *tune_sizes) {
DEFINITIONS  switch (array) {
WRITE    default:
      return {};
  }
}

// Of elements; 0 of arrays whose value is passed.
const size_t kElement[] = {ELEMENTS};
const bool kRead[] = {READ};
const bool kWritten[] = {WRITTEN};
// Declared by the region itself.
[[maybe_unused]] const bool kOwn[] = {OWN};

size_t BytesOf(int array, const Box &box) {
  size_t bytes = kElement[array];
  for (int i = 0; i < box.dimensions; ++i) bytes *= box.extent[i] > 0 ? box.extent[i] : 0;
  return bytes;
}

// Rows of the last dimension, a plane of them in one copy; what other threads do with the rest stays.
cudaError_t Copy(void *to, const void *from, size_t element, Box box, cudaMemcpyKind kind, cudaStream_t stream) {
  if (box.dimensions == 0) return cudaMemcpyAsync(to, from, element, kind, stream);
  for (int i = 0; i < box.dimensions; ++i) {
    if (box.first[i] < 0) box.first[i] = 0;
    if (box.last[i] >= box.extent[i]) box.last[i] = box.extent[i] - 1;
    if (box.first[i] > box.last[i]) return cudaSuccess;
  }
  const int row = box.dimensions - 1, plane = box.dimensions - 2;
  const size_t pitch = box.extent[row] * element, width = (box.last[row] - box.first[row] + 1) * element;
  const size_t rows = plane < 0 ? 1 : box.last[plane] - box.first[plane] + 1;
  long long place[kDimensions] = {};
  for (int i = 0; i < box.dimensions; ++i) place[i] = box.first[i];
  for (;;) {
    size_t offset = 0;
    for (int i = 0; i < box.dimensions; ++i) offset = offset * box.extent[i] + place[i];
    offset *= element;
    const cudaError_t error =
        cudaMemcpy2DAsync((char *)to + offset, pitch, (const char *)from + offset, pitch, width, rows, kind, stream);
    if (error != cudaSuccess) return error;
    int next = plane - 1;
    while (next >= 0 && place[next] == box.last[next]) {
      place[next] = box.first[next];
      --next;
    }
    if (next < 0) return cudaSuccess;
    ++place[next];
  }
}

// Memory of one device for all arrays, kept from call to call.
struct Memory {
  int device;
  cudaStream_t stream;
  void *arrays[kArrays];
  size_t bytes[kArrays];
};

void Release(Memory *memory) {
  for (int i = 0; i < kArrays; ++i) cudaFree(memory->arrays[i]);
  if (memory->stream != 0) cudaStreamDestroy(memory->stream);
  *memory = Memory();
}

cudaError_t Reserve(Memory *memory, int array, size_t bytes) {
  if (bytes <= memory->bytes[array]) return cudaSuccess;
  cudaFree(memory->arrays[array]);
  memory->arrays[array] = 0;
  memory->bytes[array] = 0;
  const cudaError_t error = cudaMalloc(&memory->arrays[array], bytes);
  if (error == cudaSuccess) memory->bytes[array] = bytes;
  return error;
}

}  // namespace
)";

// The region on memory of the host.
constexpr char kCaseRun[] = R"(
namespace {

// From the host's arrays until all launches are done.
cudaError_t Run(Memory *memory, void *const *arrays, const long long *sizes) {
  cudaError_t error = cudaSuccess;
  if (memory->stream == 0) error = cudaStreamCreateWithFlags(&memory->stream, cudaStreamNonBlocking);
  void *places[kArrays];
  for (int i = 0; i < kArrays && error == cudaSuccess; ++i) {
    const Box box = UsedBox(i, sizes);
    const size_t bytes = BytesOf(i, box);
    if (bytes > 0) error = Reserve(memory, i, bytes);
    if (bytes > 0 && error == cudaSuccess && kRead[i])
      error = Copy(memory->arrays[i], arrays[i], kElement[i], box, cudaMemcpyHostToDevice, memory->stream);
    places[i] = bytes > 0 ? memory->arrays[i] : arrays[i];
  }
  if (error == cudaSuccess) error = LaunchAll(places, sizes, memory->stream);
  return error == cudaSuccess ? cudaStreamSynchronize(memory->stream) : error;
}

}  // namespace

ON_DEVICE
namespace {

// The region on the host's arrays. What it writes goes to `results`, which may be the arrays; after an error those are
// as they were.
cudaError_t RunRegion(void *const *arrays, const long long *sizes, void *const *results) {
  static std::mutex mutex;
  static std::map<int, Memory> memories;  // by device
  const std::lock_guard<std::mutex> lock(mutex);
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  Memory &memory = memories[device];
  if (error == cudaSuccess) error = Run(&memory, arrays, sizes);
  if (error != cudaSuccess) {
    Release(&memory);
    cudaGetLastError();
    return error;
  }
  for (int i = 0; i < kArrays && error == cudaSuccess; ++i) {
    if (kWritten[i])
      error = Copy(results[i], memory.arrays[i], kElement[i], WrittenBox(i, sizes), cudaMemcpyDeviceToHost, memory.stream);
  }
  if (error == cudaSuccess) error = cudaStreamSynchronize(memory.stream);
  if (error != cudaSuccess && results != arrays) {
    Release(&memory);
    cudaGetLastError();
    return error;
  }
  if (error != cudaSuccess) {
    // Some of the arrays may hold results already: nobody could go on from them.
    fprintf(stderr, "PREFIX: results could not be copied from the device: %s\n", cudaGetErrorString(error));
    abort();
  }
  return cudaSuccess;
}

// Says once why the original runs; true where there is no device at all.
bool IsAbsent(cudaError_t error) {
  static std::atomic<bool> said;
  if (!said.exchange(true))
    fprintf(stderr, "PREFIX: its original code runs instead of the tuned one: %s\n", cudaGetErrorString(error));
  return error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver;
}

}  // namespace
)";

// The region on memory of the device.
constexpr char kOnDevice[] =
    R"(extern "C" cudaError_t PREFIX_on_device(void *const *arrays, const long long *sizes, cudaStream_t stream) {
  return LaunchAll(arrays, sizes, stream);
}
)";
// The same where the region declares variables or arrays, which have memory of their own until the launches
// are done.
constexpr char kOnDeviceWithOwn[] =
    R"(extern "C" cudaError_t PREFIX_on_device(void *const *arrays, const long long *sizes, cudaStream_t stream) {
  Machine machine;
  void *places[kArrays] = {};
  cudaError_t error = FindMachine(&machine);
  for (int i = 0, given = 0; i < kArrays; ++i) {
    if (!kOwn[i]) {
      places[i] = arrays[given++];
    } else if (const size_t bytes = BytesOf(i, UsedBox(i, sizes)); bytes > 0 && error == cudaSuccess) {
      error = Borrow(machine, bytes, stream, &places[i]);
    }
  }
  if (error == cudaSuccess) error = LaunchAll(places, sizes, stream);
  for (int i = 0; i < kArrays; ++i) {
    if (!kOwn[i] || places[i] == 0) continue;
    const cudaError_t freed = cudaFreeAsync(places[i], stream);
    if (error == cudaSuccess) error = freed;
  }
  return error;
}
)";

// In FindMachine, where formats are of devices.
constexpr char kNameOfMachine[] = R"(    cudaDeviceProp properties;
    error = cudaGetDeviceProperties(&properties, device);
    if (error != cudaSuccess) {
      found.erase(device);
      return error;
    }
    std::memcpy(found[device].name, properties.name, sizeof properties.name);
)";

// What takes the region's place.
constexpr char kCaseEntry[] = R"(
extern "C" int tune_region_PREFIX(void *const *arrays, const long long *sizes) {
  static std::atomic<bool> absent;
  if (absent) return cudaErrorNoDevice;
  const cudaError_t error = IsCapturing() ? cudaErrorStreamCaptureUnsupported : RunRegion(arrays, sizes, arrays);
  if (error != cudaSuccess && IsAbsent(error)) absent = true;
  return error;
}
)";

// One kernel.
constexpr char kCaseKernelPart[] = R"(// The case of FUNCTION that holds, or -1.
int FUNCTION_case(const Machine &machine, const Format &format) {
  [[maybe_unused]] const long long T = machine.threads, R = machine.registers, Z = machine.shared;
  [[maybe_unused]] const long long B0 = format.B0, B1 = format.B1, B2 = format.B2, s = format.s, K = format.K;
TREE}

// The kernel of each case, and whether it gives a thread several points.
const void *const FUNCTION_kernels[] = {FUNCTIONS};
const bool FUNCTION_coarsened[] = {COARSENED};

KNOWNFormat FUNCTION_choose(const Machine &machine, [[maybe_unused]] const long long *count,
                       [[maybe_unused]] const long long *parameters) {
  Format format = {1, 1, 1, 1, 1, -1};
  ThreadLimits<sizeof(FUNCTION_coarsened)> limits;
NEAR  static const long long formats[][3] = {FORMATS};
  for (const long long *const B : formats) {
    for (long long s = 4; s >= 1; s /= STEP) {
      for (long long K = 32; K >= 1; K /= 4) {
        format = {B[0], B[1], B[2], s, K, -1};
        [[maybe_unused]] const long long blocks = BLOCKS;
        if (FEW) continue;
        format.leaf = FUNCTION_case(machine, format);
        if (format.leaf >= 0 && limits.Allow(machine, FUNCTION_kernels, format.leaf, THREADS)) return format;
      }
    }
  }
  format.leaf = -1;
  return format;
}
PICK
cudaError_t FUNCTION_launch(void *const *tune_memory, const long long *tune_sizes, const Machine &tune_machine,
                            cudaStream_t tune_streamPARAMETERS) {
DEFINITIONS  const long long tune_count[] = {COUNTS};
  const Format tune_format = CHOICE(tune_machine, tune_count, tune_sizes + EXTENTS);
  if (tune_format.leaf < 0) return cudaErrorInvalidValue;
SPLITS  [[maybe_unused]] const long long tune_points = FUNCTION_coarsened[tune_format.leaf] ? POINTS : 1;
  const dim3 tune_grid(GRID), tune_block(BLOCK);
  switch (tune_format.leaf) {
LEAVES    default:
      return cudaErrorInvalidValue;
  }
}

)";

}  // namespace tune
