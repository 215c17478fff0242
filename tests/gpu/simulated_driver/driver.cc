// A libcuda.so.1 that runs host code at once instead of kernels, so that all of tune-cuda-runner but the
// driver is tested without a GPU. A "cubin" holds the path of a shared object; kernel K is its function
//   int simulated_K(const unsigned *grid, const unsigned *block, void **arguments)
// of parameters whose sizes are simulated_K_sizes (ending with 0) where its launches are to be recorded. It
// returns what the device thinks of it: 0, an error that spoils the context, kEndless, or kHungry: the
// launch is refused while less than three quarters of the memory are free. Time is counted, not measured: the
// same launches always take the same time, and use three times the power of all else (nvml.cc).
#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr int kEndless = -1, kHungry = -2;
constexpr size_t kMemory = size_t{1} << 30;
constexpr int kSharedOptIn = 232448;
constexpr double kWatts = 100, kWattsOfLaunches = 200;  // the latter beside the former

using Kernel = int (*)(const unsigned* grid, const unsigned* block, void** arguments);
struct Event {
  bool recorded_after_end = false;  // behind a kernel that never ends
  double seconds = 0;
};

CUresult sticky = CUDA_SUCCESS;
bool endless = false;
double now = 0, in_launches = 0;  // seconds
size_t used = 0;
std::map<CUdeviceptr, size_t> allocations;

void WorkOfLaunch(double seconds) {
  now += seconds;
  in_launches += seconds;
}

CUresult Work(double seconds) {
  now += seconds;
  return sticky;
}

// A launch with values of its own.
struct Recorded {
  CUfunction function;
  unsigned grid[3], block[3];
  std::vector<std::string> values;
};

std::map<CUfunction, const size_t*> parameter_sizes;
bool recording = false, recordable = true;
std::vector<Recorded> launches;  // since recording began

CUresult Record(CUfunction function, const unsigned* grid, const unsigned* block, void** arguments) {
  Recorded launch = {function, {grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, {}};
  const size_t* size = parameter_sizes[function];
  if (size == nullptr) recordable = false;
  for (int i = 0; size != nullptr && size[i] != 0; ++i)
    launch.values.emplace_back(static_cast<const char*>(arguments[i]), size[i]);
  launches.push_back(std::move(launch));
  return CUDA_SUCCESS;
}

CUresult Launch(CUfunction function, const unsigned* grid, const unsigned* block, void** arguments) {
  if (sticky != CUDA_SUCCESS) return sticky;
  const unsigned threads = block[0] * block[1] * block[2];
  if (threads == 0 || threads > 1024 || grid[0] * grid[1] * grid[2] == 0) return CUDA_ERROR_INVALID_VALUE;
  if (recording) return Record(function, grid, block, arguments);
  if (endless) return CUDA_SUCCESS;
  const int result = reinterpret_cast<Kernel>(function)(grid, block, arguments);
  if (result == kEndless) endless = true;
  if (result == kHungry && kMemory - used < kMemory / 4 * 3) return CUDA_ERROR_OUT_OF_MEMORY;
  if (result > 0) sticky = static_cast<CUresult>(result);
  WorkOfLaunch(1e-5 + 1e-9 * threads * grid[0]);
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

double simulated_seconds() { return now; }
double simulated_joules() { return kWatts * now + kWattsOfLaunches * in_launches; }

// NVRTC and CUPTI ask for tables that are nobody's interface.
CUresult cuGetExportTable(const void**, const CUuuid*) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int* version) {
  *version = 13000;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char** name) {
  *name = error == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : error == CUDA_ERROR_INVALID_VALUE ? "CUDA_ERROR_INVALID_VALUE"
          : error == CUDA_ERROR_INVALID_IMAGE ? "CUDA_ERROR_INVALID_IMAGE"
          : error == CUDA_ERROR_NOT_FOUND     ? "CUDA_ERROR_NOT_FOUND"
                                              : "CUDA_ERROR_OTHER";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char** text) {
  *text = "simulated";
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int size, CUdevice) {
  std::strncpy(name, "Simulated device", size);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice) {
  for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<char>(0x10 * i + i);
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice) {
  *bytes = kMemory;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
  switch (which) {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      *value = 132;
      break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      *value = 9;
      break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      *value = 0;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
      *value = 32;
      break;
    case CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK:
      *value = 1024;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      *value = kSharedOptIn;
      break;
    default:
      *value = 1024;
  }
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = reinterpret_cast<CUcontext>(&now);
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxSynchronize() { return sticky; }
CUresult cuMemGetInfo(size_t* available, size_t* total) {
  *available = kMemory - used;
  *total = kMemory;
  return sticky;
}
CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  if (sticky != CUDA_SUCCESS) return sticky;
  if (used + bytes > kMemory) return CUDA_ERROR_OUT_OF_MEMORY;
  *address = reinterpret_cast<CUdeviceptr>(std::malloc(bytes));
  allocations[*address] = bytes;
  used += bytes;
  return CUDA_SUCCESS;
}
CUresult cuMemFree(CUdeviceptr address) {
  used -= allocations[address];
  allocations.erase(address);
  std::free(reinterpret_cast<void*>(address));
  return sticky;
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr target, const void* source, size_t bytes, CUstream) {
  std::memcpy(reinterpret_cast<void*>(target), source, bytes);
  return Work(1e-5);
}
CUresult cuMemcpyDtoHAsync(void* target, CUdeviceptr source, size_t bytes, CUstream) {
  std::memcpy(target, reinterpret_cast<void*>(source), bytes);
  return Work(1e-5);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream) {
  std::memcpy(reinterpret_cast<void*>(target), reinterpret_cast<void*>(source), bytes);
  return Work(1e-5);
}
CUresult cuMemsetD8Async(CUdeviceptr target, unsigned char byte, size_t bytes, CUstream) {
  std::memset(reinterpret_cast<void*>(target), byte, bytes);
  return Work(1e-5);
}
// The memory of a texture; whoever reads it knows its shape.
CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* shape) {
  const size_t rows = std::max<size_t>(1, shape->Height) * std::max<size_t>(1, shape->Depth);
  constexpr size_t kLargestElement = 16;
  *array = reinterpret_cast<CUarray>(std::malloc(shape->Width * rows * kLargestElement));
  return sticky;
}
CUresult cuArrayDestroy(CUarray array) {
  std::free(array);
  return sticky;
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream) {
  std::memcpy(copy->dstArray, reinterpret_cast<const void*>(copy->srcDevice),
              copy->WidthInBytes * copy->Height * copy->Depth);
  return Work(1e-5);
}
CUresult cuStreamCreate(CUstream* stream, unsigned) {
  *stream = reinterpret_cast<CUstream>(&used);
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream) { return sticky; }
CUresult cuStreamBeginCapture(CUstream, CUstreamCaptureMode) {
  recording = recordable = true;
  launches.clear();
  return sticky;
}
CUresult cuStreamEndCapture(CUstream, CUgraph* graph) {
  recording = false;
  *graph = nullptr;
  if (!recordable) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  *graph = reinterpret_cast<CUgraph>(new std::vector<Recorded>(std::move(launches)));
  return sticky;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph, unsigned long long) {
  *executable = reinterpret_cast<CUgraphExec>(
      new std::vector<Recorded>(*reinterpret_cast<std::vector<Recorded>*>(graph)));
  return sticky;
}
CUresult cuGraphUpload(CUgraphExec, CUstream) { return sticky; }
CUresult cuGraphLaunch(CUgraphExec executable, CUstream) {
  for (Recorded& launch : *reinterpret_cast<std::vector<Recorded>*>(executable)) {
    std::vector<void*> arguments;
    for (std::string& value : launch.values) arguments.push_back(value.data());
    const CUresult result = Launch(launch.function, launch.grid, launch.block, arguments.data());
    if (result != CUDA_SUCCESS) return result;
    WorkOfLaunch(-0.9e-5);  // a launch by the device itself is quicker
  }
  return sticky;
}
CUresult cuGraphExecDestroy(CUgraphExec executable) {
  delete reinterpret_cast<std::vector<Recorded>*>(executable);
  return sticky;
}
CUresult cuGraphDestroy(CUgraph graph) {
  delete reinterpret_cast<std::vector<Recorded>*>(graph);
  return sticky;
}
CUresult cuEventCreate(CUevent* event, unsigned) {
  *event = reinterpret_cast<CUevent>(new Event);
  return sticky;
}
CUresult cuEventDestroy(CUevent event) {
  delete reinterpret_cast<Event*>(event);
  return sticky;
}
CUresult cuEventRecord(CUevent event, CUstream) {
  *reinterpret_cast<Event*>(event) = {endless, now};
  return sticky;
}
CUresult cuEventQuery(CUevent event) {
  if (sticky != CUDA_SUCCESS) return sticky;
  return reinterpret_cast<Event*>(event)->recorded_after_end ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
  const double seconds = reinterpret_cast<Event*>(end)->seconds - reinterpret_cast<Event*>(begin)->seconds;
  *milliseconds = static_cast<float>(1e3 * seconds);
  return sticky;
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  if (std::memcmp(image, "/", 1) != 0) return CUDA_ERROR_INVALID_IMAGE;
  void* library = dlopen(static_cast<const char*>(image), RTLD_NOW | RTLD_LOCAL);
  *module = reinterpret_cast<CUmodule>(library);
  return library == nullptr ? CUDA_ERROR_INVALID_IMAGE : CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) {
  dlclose(module);
  return sticky;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  *function = reinterpret_cast<CUfunction>(dlsym(module, (std::string("simulated_") + name).c_str()));
  const std::string sizes = std::string("simulated_") + name + "_sizes";
  parameter_sizes[*function] = static_cast<const size_t*>(dlsym(module, sizes.c_str()));
  return *function == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}
// A variable V, and simulated_V_bytes, its size.
CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  *address = reinterpret_cast<CUdeviceptr>(dlsym(module, name));
  const void* const size = dlsym(module, (std::string("simulated_") + name + "_bytes").c_str());
  if (*address == 0 || size == nullptr) return CUDA_ERROR_NOT_FOUND;
  *bytes = *static_cast<const size_t*>(size);
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction) {
  *value = which == CU_FUNC_ATTRIBUTE_NUM_REGS                ? 10
           : which == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024
                                                              : 0;
  return sticky;
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute attribute, int value) {
  const int most = attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT ? 100 : kSharedOptIn;
  return value > most ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource, const CUDA_TEXTURE_DESC*,
                           const CUDA_RESOURCE_VIEW_DESC*) {
  *texture = resource->resType == CU_RESOURCE_TYPE_ARRAY
                 ? reinterpret_cast<CUtexObject>(resource->res.array.hArray)
                 : resource->res.linear.devPtr;
  return CUDA_SUCCESS;
}
CUresult cuTexObjectDestroy(CUtexObject) { return CUDA_SUCCESS; }
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int threads, size_t) {
  *blocks = 2048 / threads;
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned, CUstream,
                        void** arguments, void**) {
  const unsigned grid[] = {grid_x, grid_y, grid_z}, block[] = {block_x, block_y, block_z};
  return Launch(function, grid, block, arguments);
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned, CUstream,
                                   void** arguments) {
  const unsigned grid[] = {grid_x, grid_y, grid_z}, block[] = {block_x, block_y, block_z};
  return Launch(function, grid, block, arguments);
}

}  // extern "C"
