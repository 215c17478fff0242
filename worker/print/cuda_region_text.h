// The host's part of a CUDA file, as far as it is the same for every region. Words in capitals are replaced.
#pragma once

namespace tune {

// The line between the kernels and what runs on the host.
constexpr char kHostBegins[] = "// ---- host ----\n";

// Everything but the entry points. PREFIX names the region.
constexpr char kHostPart[] = R"(#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <cuda_runtime.h>

namespace {

LAUNCH_SEQUENCE
constexpr int kArrays = COUNT;
// Device memory of each array, 0 where the value is passed.
const size_t kBytes[] = {BYTES};

// `planes` times `rows` pieces of `width` bytes, at the same place on host and device.
struct Slice {
  int array;
  size_t offset, width, rows, pitch, planes, plane;
};
const Slice kIn[] = {SLICES_IN};
const Slice kOut[] = {SLICES_OUT};

cudaError_t Copy(const Slice *slices, size_t count, void *const *to, const void *const *from, cudaMemcpyKind kind,
                 cudaStream_t stream) {
  for (size_t i = 0; i < count; ++i) {
    const Slice &slice = slices[i];
    for (size_t plane = 0; plane < slice.planes; ++plane) {
      const size_t offset = slice.offset + plane * slice.plane;
      char *const target = (char *)to[slice.array] + offset;
      const char *const source = (const char *)from[slice.array] + offset;
      const cudaError_t error =
          slice.rows == 1 ? cudaMemcpyAsync(target, source, slice.width, kind, stream)
                          : cudaMemcpy2DAsync(target, slice.pitch, source, slice.pitch, slice.width, slice.rows, kind, stream);
      if (error != cudaSuccess) return error;
    }
  }
  return cudaSuccess;
}

MEMBERS
struct Launches {
  cudaStream_t stream;
  cudaError_t error;
};

void Launch(void *context, const struct tune_launch *launch) {
  static const void *const kernels[] = {KERNELS};
  static const size_t shared_bytes[] = {SHARED};
  Launches *const launches = (Launches *)context;
  if (launches->error != cudaSuccess) return;
  launches->error =
      LAUNCH(kernels[launch->kernel], dim3(launch->grid[0], launch->grid[1], launch->grid[2]),
             dim3(launch->block[0], launch->block[1], launch->block[2]), launch->arguments,
             shared_bytes[launch->kernel], launches->stream);
}

// All launches of the region, one by one.
cudaError_t LaunchAll(void *const *memory, const void *const *values, cudaStream_t stream) {
  Launches launches = {stream, cudaSuccess};
  tune_launch_sequence(memory, values, Launch, &launches);
  return launches.error;
}

// What the kernels need to be told once on each device.
cudaError_t Prepare() {
  static std::mutex mutex;
  static std::map<int, cudaError_t> prepared;  // by device
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  const std::lock_guard<std::mutex> lock(mutex);
  if (prepared.count(device) != 0) return prepared[device];
ATTRIBUTES  return prepared[device] = error;
}
TEXTURES)";

// Where arrays have members of the same structures.
constexpr char kMembers[] =
    R"(// Members of structures, of the slice's array: at the same place of another one's memory.
struct Move {
  int to;
  Slice slice;
};
const Move kSpread[] = {SPREAD_MOVES};
const Move kGathered[] = {GATHERED_MOVES};

cudaError_t MoveAll(const Move *moves, size_t count, void *const *memory, cudaStream_t stream) {
  for (size_t i = 0; i < count; ++i) {
    Slice slice = moves[i].slice;
    void *const to[] = {memory[moves[i].to]};
    const void *const from[] = {memory[slice.array]};
    slice.array = 0;
    const cudaError_t error = Copy(&slice, 1, to, from, cudaMemcpyDeviceToDevice, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// One array's memory comes from the host, and goes there, for all of an object.
cudaError_t CopyIn(void *const *memory, const void *const *arrays, cudaMemcpyKind kind, cudaStream_t stream) {
  const cudaError_t error = Copy(kIn, IN_COUNT, memory, arrays, kind, stream);
  return error == cudaSuccess ? MoveAll(kSpread, SPREAD_COUNT, memory, stream) : error;
}
cudaError_t CopyOut(void *const *arrays, void *const *memory, cudaMemcpyKind kind, cudaStream_t stream) {
  const cudaError_t error = MoveAll(kGathered, GATHERED_COUNT, memory, stream);
  return error == cudaSuccess ? Copy(kOut, OUT_COUNT, arrays, memory, kind, stream) : error;
}

)";

// Where some kernel reads through a texture. Texture objects stand behind the arrays' addresses, as their
// bits.
constexpr char kTextures[] = R"(
cudaError_t MakeTexture(void *memory, size_t bytes, cudaChannelFormatDesc format, cudaTextureObject_t *object) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = bytes;
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  return cudaCreateTextureObject(object, &resource, &description, 0);
}

// Made once for each address on each device, and kept: a captured launch may use it at any time.
cudaError_t FindTexture(void *memory, size_t bytes, cudaChannelFormatDesc format, void **texture) {
  static std::mutex mutex;
  static std::map<std::pair<int, void *>, cudaTextureObject_t> made;
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  const std::lock_guard<std::mutex> lock(mutex);
  cudaTextureObject_t &object = made[std::make_pair(device, memory)];
  if (object == 0) error = MakeTexture(memory, bytes, format, &object);
  *texture = (void *)object;
  return error;
}
)";

// The handle. RECORD: see below.
constexpr char kHandle[] = R"(
}  // namespace

struct PREFIX_handle {
  cudaStream_t stream;
  void *memory[ENTRIES];
  char values[VALUE_BYTES];  // with which the graph was recorded
  cudaGraphExec_t graph;
};

namespace {

cudaError_t Forget(PREFIX_handle *handle) {
  const cudaError_t error = handle->graph == 0 ? cudaSuccess : cudaGraphExecDestroy(handle->graph);
  handle->graph = 0;
  return error;
}

RECORDcudaError_t Run(PREFIX_handle *handle, const void *const *values, cudaStream_t stream) {
  RUN
}

}  // namespace

extern "C" cudaError_t PREFIX_destroy(PREFIX_handle *handle) {
  if (handle == 0) return cudaSuccess;
  cudaError_t first = Forget(handle);
DESTROY_OBJECTS  for (int i = 0; i < kArrays; ++i) {
    const cudaError_t error = cudaFree(handle->memory[i]);
    if (first == cudaSuccess) first = error;
  }
  const cudaError_t error = handle->stream == 0 ? cudaSuccess : cudaStreamDestroy(handle->stream);
  delete handle;
  return first == cudaSuccess ? error : first;
}

extern "C" cudaError_t PREFIX_create(PREFIX_handle **handle) {
  if (handle == 0) return cudaErrorInvalidValue;
  *handle = new (std::nothrow) PREFIX_handle();
  if (*handle == 0) return cudaErrorMemoryAllocation;
  cudaError_t error = Prepare();
  if (error == cudaSuccess) error = cudaStreamCreateWithFlags(&(*handle)->stream, cudaStreamNonBlocking);
  for (int i = 0; i < kArrays && error == cudaSuccess; ++i)
    if (kBytes[i] > 0) error = cudaMalloc(&(*handle)->memory[i], kBytes[i]);
CREATE_OBJECTS  if (error != cudaSuccess) {
    PREFIX_destroy(*handle);
    *handle = 0;
  }
  return error;
}

extern "C" cudaError_t PREFIX_upload(PREFIX_handle *handle, MEMORY_PARAMETERScudaStream_t stream) {
  const void *const arrays[] = {MEMORY_ARRAYS};
  return Copy(kIn, IN_COUNT, handle->memory, arrays, cudaMemcpyHostToDevice, stream);
}

extern "C" cudaError_t PREFIX_run(PREFIX_handle *handle, VALUE_PARAMETERScudaStream_t stream) {
  if (!(SIZES)) return cudaErrorInvalidValue;
  const void *const values[] = {VALUE_ARRAYS};
  return Run(handle, values, stream);
}

extern "C" cudaError_t PREFIX_download(PREFIX_handle *handle, MEMORY_PARAMETERScudaStream_t stream) {
  void *const arrays[] = {MEMORY_TARGETS};
  return Copy(kOut, OUT_COUNT, arrays, handle->memory, cudaMemcpyDeviceToHost, stream);
}

extern "C" void *PREFIX_memory(PREFIX_handle *handle, int array) {
  static const int arrays[] = {MEMORY_INDICES};
  return array >= 0 && array < MEMORY_COUNT ? handle->memory[arrays[array]] : 0;
}

extern "C" size_t PREFIX_workspace_bytes(void) { return WORKSPACE; }

extern "C" cudaError_t PREFIX_device(ALL_PARAMETERSvoid *workspace, cudaStream_t stream) {
  if (!(SIZES) || (WORKSPACE > 0 && workspace == 0)) return cudaErrorInvalidValue;
CHECK_ADDRESSES  cudaError_t error = Prepare();
  if (error != cudaSuccess) return error;
  void *memory[ENTRIES] = {DEVICE_ARRAYS};
FIND_OBJECTS  const void *const values[] = {VALUE_ARRAYS};
  return LaunchAll(memory, values, stream);
}

TIMEDnamespace {

CAPTURING}  // namespace

extern "C" int tune_region_PREFIX(void *const *arrays) {
  static std::mutex mutex;
  static std::map<int, PREFIX_handle *> handles;  // by device
  static bool said, absent;
  const std::lock_guard<std::mutex> lock(mutex);
  if (absent) return cudaErrorNoDevice;
  if (IsCapturing()) {
    if (!said) fprintf(stderr, "PREFIX: its original code runs instead of the tuned one: the program records a CUDA graph\n");
    said = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  PREFIX_handle *&handle = handles[device];
  if (error == cudaSuccess && handle == 0) error = PREFIX_create(&handle);
TIME  if (error == cudaSuccess)
    error = Copy(kIn, IN_COUNT, handle->memory, (const void *const *)arrays, cudaMemcpyHostToDevice, handle->stream);
  if (error == cudaSuccess) error = Run(handle, (const void *const *)arrays, handle->stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(handle->stream);
  if (error != cudaSuccess) {
    if (!said) fprintf(stderr, "PREFIX: its original code runs instead of the tuned one: %s\n", cudaGetErrorString(error));
    said = true;
    absent = error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver;
    PREFIX_destroy(handle);
    handle = 0;
    cudaGetLastError();
    return error;
  }
  error = Copy(kOut, OUT_COUNT, arrays, handle->memory, cudaMemcpyDeviceToHost, handle->stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(handle->stream);
  if (error != cudaSuccess) {
    // Some of the arrays may hold results already: nobody could go on from them.
    fprintf(stderr, "PREFIX: results could not be copied from the device: %s\n", cudaGetErrorString(error));
    abort();
  }
  return 0;
}
)";

// Launches that are recorded.
constexpr char kRecord[] = R"(// Bytes of each array whose value is passed, else 0.
const size_t kValueBytes[] = {VALUES};

void Count(void *launches, const struct tune_launch *) { ++*(long *)launches; }

// True when the graph is that of these values.
bool IsRecorded(const PREFIX_handle *handle, const void *const *values) {
  size_t at = 0;
  for (int i = 0; i < kArrays; at += kValueBytes[i++])
    if (kValueBytes[i] > 0 && memcmp(handle->values + at, values[i], kValueBytes[i]) != 0) return false;
  return handle->graph != 0;
}

cudaError_t Record(PREFIX_handle *handle, const void *const *values) {
  cudaError_t error = Forget(handle);
  if (error == cudaSuccess) error = cudaStreamBeginCapture(handle->stream, cudaStreamCaptureModeThreadLocal);
  if (error != cudaSuccess) return error;
  error = LaunchAll(handle->memory, values, handle->stream);
  cudaGraph_t graph = 0;
  const cudaError_t ended = cudaStreamEndCapture(handle->stream, &graph);
  if (error == cudaSuccess) error = ended;
  if (error == cudaSuccess) error = cudaGraphInstantiateWithFlags(&handle->graph, graph, 0);
  if (graph != 0) cudaGraphDestroy(graph);
  size_t at = 0;
  for (int i = 0; i < kArrays; at += kValueBytes[i++])
    if (kValueBytes[i] > 0) memcpy(handle->values + at, values[i], kValueBytes[i]);
  return error;
}

// How many launches there are; more than MOST_LAUNCHES are made one by one.
long CountLaunches(void *const *memory, const void *const *values) {
  long launches = 0;
  tune_launch_sequence(memory, values, Count, &launches);
  return launches;
}

)";

constexpr char kRunGraph[] = R"(static const long launches = CountLaunches(handle->memory, values);
  if (launches > MOST_LAUNCHES) return LaunchAll(handle->memory, values, stream);
  const cudaError_t error = IsRecorded(handle, values) ? cudaSuccess : Record(handle, values);
  return error == cudaSuccess ? cudaGraphLaunch(handle->graph, stream) : error;)";

// Microseconds and launches of each kernel, each launch by itself, and of the whole.
constexpr char kTimed[] = R"(#ifdef TUNE_TIME
namespace {

struct Timer {
  cudaStream_t stream;
  cudaEvent_t begin, end;
  double microseconds[NUMBER];
  long launches[NUMBER];
};

double Microseconds(Timer *timer) {
  float milliseconds = 0;
  cudaEventSynchronize(timer->end);
  cudaEventElapsedTime(&milliseconds, timer->begin, timer->end);
  return 1e3 * milliseconds;
}

void TimeLaunch(void *context, const struct tune_launch *launch) {
  Timer *const timer = (Timer *)context;
  Launches launches = {timer->stream, cudaSuccess};
  cudaEventRecord(timer->begin, timer->stream);
  Launch(&launches, launch);
  cudaEventRecord(timer->end, timer->stream);
  timer->microseconds[launch->kernel] += Microseconds(timer);
  ++timer->launches[launch->kernel];
}

cudaError_t Time(PREFIX_handle *handle, void *const *arrays) {
  Timer timer = {handle->stream};
  cudaEventCreate(&timer.begin);
  cudaEventCreate(&timer.end);
  for (int run = 0; run < 6; ++run) {
    cudaError_t error =
        Copy(kIn, IN_COUNT, handle->memory, (const void *const *)arrays, cudaMemcpyHostToDevice, handle->stream);
    cudaEventRecord(timer.begin, handle->stream);
    if (error == cudaSuccess) error = Run(handle, (const void *const *)arrays, handle->stream);
    cudaEventRecord(timer.end, handle->stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(handle->stream);
    if (error != cudaSuccess) return error;
    if (run > 0) fprintf(stderr, "PREFIX: %.3f us\n", Microseconds(&timer));
  }
  tune_launch_sequence(handle->memory, arrays, TimeLaunch, &timer);
  for (int i = 0; i < NUMBER; ++i)
    fprintf(stderr, "PREFIX: kernel %d: %.3f us in %ld launches\n", i, timer.microseconds[i], timer.launches[i]);
  return cudaGetLastError();
}

}  // namespace
#endif

)";

}  // namespace tune
