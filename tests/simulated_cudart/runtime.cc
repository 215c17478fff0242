#include "tests/simulated_cudart/runtime.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <regex>

#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "tests/simt/simulator.h"
#include "tests/simulated_cudart/cuda_runtime.h"
#include "worker/print/cuda_region_text.h"

struct simulated_stream {
  int device = 0;
  bool blocking = true;
  bool capturing = false;
  simulated_graph* recorded = nullptr;
};
struct simulated_graph {
  std::vector<std::function<cudaError_t()>> launches;
};
struct simulated_event {};
struct simulated_pool {
  int device;
};

namespace tune::simulated {
namespace {

struct Machine {
  int threads = 1024, registers = 65536, shared = 49152, processors = 132;  // of an H200
};

constexpr size_t kMostBytes = size_t{1} << 37;  // of memory at once, as an H200 has

struct Allocation {
  size_t bytes;
  int device;
};

// All of them.
struct Device {
  std::vector<std::unique_ptr<simt::Simulator>> simulators;         // one a file
  std::map<std::string, std::pair<simt::Simulator*, int>> kernels;  // by name
  std::map<char*, Allocation> memory;  // never given back, so that late uses are seen
  std::vector<TemporaryFolder> folders;
  Counts counts;
  int64_t calls = 0, fail_from = 0;
  std::vector<Machine> machines = {Machine()};
  int kernel_threads = 1024;
  bool survives_faults = false, faulted = false;
  int blocking_captures = 0;  // streams that wait for the default stream and record
  uint64_t seed = 1;
};

Device& TheDevice() {
  static auto* const device = new Device;
  return *device;
}

thread_local int current_device = 0;

[[noreturn]] void Stop(const std::string& why) {
  std::fflush(stdout);
  std::fprintf(stderr, "simulated device: %s\n", why.c_str());
  std::_Exit(99);
}

// Every call that may fail begins so.
cudaError_t Begin() {
  Device& device = TheDevice();
  if (device.fail_from < 0) return cudaErrorNoDevice;
  ++device.calls;
  if (device.faulted) return cudaErrorIllegalAddress;
  return device.fail_from > 0 && device.calls >= device.fail_from ? cudaErrorMemoryAllocation : cudaSuccess;
}

// The memory that an address is in; null where it is in none.
const std::pair<char* const, Allocation>* FindAllocation(const void* address) {
  const Device& device = TheDevice();
  auto next = device.memory.upper_bound(static_cast<char*>(const_cast<void*>(address)));
  if (next == device.memory.begin()) return nullptr;
  --next;
  return static_cast<const char*>(address) <= next->first + next->second.bytes ? &*next : nullptr;
}

void CheckOnDevice(const void* begin, size_t bytes) {
  const auto* const allocation = FindAllocation(begin);
  if (allocation == nullptr) Stop("a copy from or to what is no memory of the device");
  const auto* const first = static_cast<const char*>(begin);
  const auto& [memory, known] = *allocation;
  if (first + bytes > memory + known.bytes)
    Stop(absl::StrCat("a copy of ", bytes, " bytes at byte ", first - memory, " of ", known.bytes));
  if (known.device != current_device)
    Stop(absl::StrCat("a copy with memory of device ", known.device, " on device ", current_device));
}

void CheckStream(cudaStream_t stream) {
  if (stream == nullptr || stream->device == current_device) return;
  Stop(absl::StrCat("a stream of device ", stream->device, " on device ", current_device));
}

// The stream's calls are recorded, or those of some stream that waits for the default stream: a GPU forbids
// some of what is not recorded then, this device all of it.
bool IsRecording(cudaStream_t stream) {
  return TheDevice().blocking_captures > 0 || (stream != nullptr && stream->capturing);
}

// The value of a kernel's argument, of which none is larger.
struct alignas(16) ArgumentValue {
  uint64_t words[2];
};

struct Launch {
  const char* kernel;
  dim3 grid, block;
  std::vector<ArgumentValue> values;
  size_t shared;
  bool cooperative;
};

cudaError_t Run(Launch launch) {
  Device& device = TheDevice();
  const auto kernel = device.kernels.find(launch.kernel);
  if (kernel == device.kernels.end()) Stop(absl::StrCat("no kernel ", launch.kernel));
  ++device.counts.launches;
  device.counts.device_launches.resize(device.machines.size());
  ++device.counts.device_launches[current_device];
  for (const ArgumentValue& value : launch.values) {
    if (device.machines.size() < 2) break;
    const auto* const allocation = FindAllocation(reinterpret_cast<const void*>(value.words[0]));
    if (allocation != nullptr && allocation->second.device != current_device)
      Stop(absl::StrCat(launch.kernel, " on device ", current_device, " with memory of device ",
                        allocation->second.device));
  }
  simt::Simulator::Launch request;
  request.kernel = kernel->second.second;
  const unsigned grid[] = {launch.grid.x, launch.grid.y, launch.grid.z};
  const unsigned block[] = {launch.block.x, launch.block.y, launch.block.z};
  std::copy(grid, grid + 3, request.grid);
  std::copy(block, block + 3, request.block);
  request.dynamic_shared_bytes = static_cast<int64_t>(launch.shared);
  request.cooperative = launch.cooperative;
  std::vector<void*> arguments;
  for (ArgumentValue& value : launch.values) arguments.push_back(&value);
  request.arguments = arguments.data();
  const absl::Status status = kernel->second.first->Run(request, device.seed++);
  if (!status.ok() && !device.survives_faults) Stop(std::string(status.message()));
  device.faulted |= !status.ok();
  return cudaSuccess;  // whoever waits for the kernel is told
}

cudaError_t Enqueue(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                    cudaStream_t stream, bool cooperative) {
  if (const cudaError_t error = Begin(); error != cudaSuccess) return error;
  CheckStream(stream);
  Launch launch = {static_cast<const char*>(kernel), grid, block, {}, shared, cooperative};
  const auto found = TheDevice().kernels.find(launch.kernel);
  if (found == TheDevice().kernels.end()) Stop(absl::StrCat("no kernel ", launch.kernel));
  const unsigned threads = block.x * block.y * block.z;
  if (static_cast<int>(threads) > TheDevice().machines[current_device].threads)
    Stop(absl::StrCat(launch.kernel, ": ", threads, " threads of a block are more than the device has"));
  const int count = found->second.first->parameters(found->second.second);
  for (int i = 0; i < count; ++i) {
    launch.values.emplace_back();
    std::memcpy(&launch.values.back(), arguments[i], sizeof(ArgumentValue));
  }
  if (stream == nullptr || !stream->capturing) return Run(launch);
  stream->recorded->launches.push_back([launch] { return Run(launch); });
  return cudaSuccess;
}

cudaError_t Allocate(void** memory, size_t bytes, int owner) {
  if (const cudaError_t error = Begin(); error != cudaSuccess) return error;
  Device& device = TheDevice();
  ++device.counts.allocations;
  char* const made =
      bytes > kMostBytes ? nullptr : static_cast<char*>(std::aligned_alloc(512, (bytes + 511) / 512 * 512));
  if (made == nullptr) return cudaErrorMemoryAllocation;
  std::memset(made, 0xff, bytes);
  device.memory[made] = {bytes, owner};
  const std::string name = absl::StrCat("allocation ", device.counts.allocations);
  for (const auto& simulator : device.simulators) {
    if (const absl::Status added = simulator->AddMemory(name, made, bytes); !added.ok())
      Stop(std::string(added.message()));
  }
  *memory = made;
  return cudaSuccess;
}

std::vector<std::string> KernelNames(const std::string& text) {
  static const auto* const pattern =
      new std::regex(R"(__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\s*\()");
  std::vector<std::string> names;
  for (std::sregex_iterator match(text.begin(), text.end(), *pattern), end; match != end; ++match)
    names.push_back((*match)[1].str());
  return names;
}

// The host's part, in which a kernel is its name.
absl::Status LoadHostPart(const std::string& text, const std::vector<std::string>& kernels,
                          const std::string& include) {
  TUNE_ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::Make());
  const std::string source = folder.path() + "/host.cc", object = folder.path() + "/host.so";
  std::string names;
  for (const std::string& kernel : kernels)
    absl::StrAppend(&names, "static const char ", kernel, "[] = \"", kernel, "\";\n");
  TUNE_RETURN_IF_ERROR(WriteFile(source, names + text));
  TUNE_ASSIGN_OR_RETURN(
      const SubprocessResult result,
      RunSubprocess({"c++", "-std=c++17", "-O1", "-fPIC", "-Wall", "-Werror", "-Winvalid-pch", "-shared",
                     "-I", include, "-include", TUNE_SIMULATED_HOST_HEADERS, source, "-o", object}));
  if (!result.ok())
    return absl::InvalidArgumentError("the host's part does not compile:\n" + result.standard_error);
  if (dlopen(object.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) return absl::InternalError(dlerror());
  TheDevice().folders.push_back(std::move(folder));
  return absl::OkStatus();
}

std::vector<simt::Kernel> Kernels(const std::vector<std::string>& names) {
  std::vector<simt::Kernel> kernels;
  for (const std::string& name : names) kernels.push_back({name});
  return kernels;
}

void Add(const std::vector<std::string>& names, std::unique_ptr<simt::Simulator> simulator) {
  Device& device = TheDevice();
  for (size_t i = 0; i < names.size(); ++i) device.kernels[names[i]] = {simulator.get(), static_cast<int>(i)};
  device.simulators.push_back(std::move(simulator));
}

}  // namespace

absl::Status LoadKernels(const std::string& text, absl::string_view object) {
  const std::vector<std::string> names = KernelNames(text);
  if (names.empty()) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<simt::Simulator> simulator,
                        simt::Simulator::Load(text, Kernels(names), object));
  Add(names, std::move(simulator));
  return absl::OkStatus();
}

absl::Status WriteKernels(const std::string& text, const std::string& path) {
  const std::vector<std::string> names = KernelNames(text);
  return names.empty() ? WriteFile(path, "") : simt::WriteObject(text, names, path);
}

absl::Status LoadDeviceFile(const std::string& path, const std::string& include) {
  TUNE_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  const size_t host = text.find(kHostBegins);
  if (host == std::string::npos)
    return absl::InvalidArgumentError(path + ": no line that begins the host's part");
  const std::string kernels = text.substr(0, host);
  const std::vector<std::string> names = KernelNames(kernels);
  if (!names.empty()) {
    TUNE_ASSIGN_OR_RETURN(std::unique_ptr<simt::Simulator> simulator,
                          simt::Simulator::Compile(kernels, Kernels(names)));
    Add(names, std::move(simulator));
  }
  return LoadHostPart(text.substr(host), names, include);
}

const Counts& GetCounts() { return TheDevice().counts; }

void FailFrom(int64_t call) { TheDevice().fail_from = call; }

bool SetMachines(const std::string& numbers) {
  std::vector<Machine> machines;
  for (const std::string& one : std::vector<std::string>(absl::StrSplit(numbers, '/'))) {
    Machine& machine = machines.emplace_back();
    char rest = '\0';
    if (std::sscanf(one.c_str(), "%d,%d,%d,%d%c", &machine.threads, &machine.registers, &machine.shared,
                    &machine.processors, &rest) != 4)
      return false;
  }
  TheDevice().machines = std::move(machines);
  return true;
}

void SurviveFaults() { TheDevice().survives_faults = true; }

void SetKernelThreads(int threads) { TheDevice().kernel_threads = threads; }

}  // namespace tune::simulated

using tune::simulated::Allocate;
using tune::simulated::Begin;
using tune::simulated::CheckOnDevice;
using tune::simulated::CheckStream;
using tune::simulated::current_device;
using tune::simulated::Enqueue;
using tune::simulated::IsRecording;
using tune::simulated::Stop;
using tune::simulated::TheDevice;

extern "C" {

const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorNoDevice ? "no CUDA-capable device is detected" : "simulated failure";
}
cudaError_t cudaGetLastError(void) { return cudaSuccess; }
cudaError_t cudaGetDevice(int* device) {
  *device = current_device;
  return Begin();
}
cudaError_t cudaSetDevice(int device) {
  if (const cudaError_t error = Begin(); error != cudaSuccess) return error;
  if (device < 0 || device >= static_cast<int>(TheDevice().machines.size())) return cudaErrorInvalidDevice;
  current_device = device;
  return cudaSuccess;
}
// The name is "simulated GPU", or TUNE_SIMULATED_NAME; behind it the number of any device but the first.
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  const char* const given = std::getenv("TUNE_SIMULATED_NAME");
  const std::string number = device == 0 ? "" : absl::StrCat(" ", device);
  std::snprintf(properties->name, sizeof properties->name, "%s%s", given != nullptr ? given : "simulated GPU",
                number.c_str());
  return Begin();
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
  const auto& device = TheDevice().machines.at(number);
  *value = attribute == cudaDevAttrMaxThreadsPerBlock        ? device.threads
           : attribute == cudaDevAttrMaxRegistersPerBlock    ? device.registers
           : attribute == cudaDevAttrMaxSharedMemoryPerBlock ? device.shared
                                                             : device.processors;
  return Begin();
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  attributes->maxThreadsPerBlock = TheDevice().kernel_threads;
  return Begin();
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return Begin(); }

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  if (IsRecording(nullptr)) Stop("memory is allocated while launches are recorded");
  return Allocate(memory, bytes, current_device);
}
cudaError_t cudaFree(void* memory) {
  if (memory != nullptr) ++TheDevice().counts.frees;
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  *pool = new simulated_pool{properties->location.id};
  return Begin();
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  delete pool;
  return Begin();
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return Begin(); }
cudaError_t cudaMallocFromPoolAsync(void** memory, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  CheckStream(stream);
  return Allocate(memory, bytes, pool->device);
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t) { return cudaFree(memory); }

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t rows, cudaMemcpyKind kind, cudaStream_t stream) {
  if (const cudaError_t error = Begin(); error != cudaSuccess) return error;
  if (IsRecording(stream)) Stop("a copy while launches are recorded");
  CheckStream(stream);
  if (width > to_pitch || width > from_pitch) Stop("a copy of rows that are longer than their distance");
  const bool in = kind == cudaMemcpyHostToDevice, stays = kind == cudaMemcpyDeviceToDevice;
  tune::simulated::Counts& counts = TheDevice().counts;
  if (!stays) {
    ++(in ? counts.copies_in : counts.copies_out);
    (in ? counts.bytes_in : counts.bytes_out) += static_cast<int64_t>(width * rows);
  }
  for (size_t row = 0; row < rows; ++row) {
    char* const target = static_cast<char*>(to) + row * to_pitch;
    const char* const source = static_cast<const char*>(from) + row * from_pitch;
    CheckOnDevice(in ? target : source, width);
    if (stays) CheckOnDevice(target, width);
    std::memcpy(target, source, width);
  }
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  *stream = new simulated_stream{current_device, flags != cudaStreamNonBlocking};
  return Begin();
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, 0); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (IsRecording(stream)) Stop("a synchronisation while launches are recorded");
  ++TheDevice().counts.synchronisations;
  return Begin();
}
cudaError_t cudaDeviceSynchronize(void) { return cudaStreamSynchronize(nullptr); }

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (const cudaError_t error = Begin(); error != cudaSuccess) return error;
  CheckStream(stream);
  stream->capturing = true;
  stream->recorded = new simulated_graph;
  TheDevice().blocking_captures += stream->blocking ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  ++TheDevice().counts.recordings;
  stream->capturing = false;
  TheDevice().blocking_captures -= stream->blocking ? 1 : 0;
  *graph = stream->recorded;
  return Begin();
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (const cudaError_t error = Begin(); error != cudaSuccess) return error;
  if (stream == cudaStreamLegacy) {
    *status = cudaStreamCaptureStatusNone;
    return TheDevice().blocking_captures > 0 ? cudaErrorStreamCaptureImplicit : cudaSuccess;
  }
  *status = stream->capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long) {
  if (const cudaError_t error = Begin(); error != cudaSuccess) return error;
  *executable = new simulated_graph(*graph);
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (const cudaError_t error = Begin(); error != cudaSuccess) return error;
  CheckStream(stream);
  if (stream != nullptr && stream->capturing) {
    for (const auto& launch : executable->launches) stream->recorded->launches.push_back(launch);
    return cudaSuccess;
  }
  ++TheDevice().counts.graph_launches;
  for (const auto& launch : executable->launches) launch();
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) { return cudaGraphDestroy(executable); }

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = nullptr;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 0;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
  return Enqueue(kernel, grid, block, arguments, shared, stream, /*cooperative=*/false);
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared, cudaStream_t stream) {
  return Enqueue(kernel, grid, block, arguments, shared, stream, /*cooperative=*/true);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc*, const void*) {
  if (const cudaError_t error = Begin(); error != cudaSuccess) return error;
  CheckOnDevice(resource->res.linear.devPtr, resource->res.linear.sizeInBytes);
  *object = reinterpret_cast<cudaTextureObject_t>(resource->res.linear.devPtr);
  return cudaSuccess;
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t) { return cudaSuccess; }

}  // extern "C"
