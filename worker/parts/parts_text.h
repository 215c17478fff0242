// The host's part of a CUDA file whose region CPU and GPU share, as far as it is the same for every region.
// Words in capitals are replaced; names that begin with `tune_` begin as the region's helpers do.
#pragma once

namespace tune {

// Parts on the device.
constexpr char kPartsOnDevice[] = R"(
namespace {

// Values [first, end) of the outermost loop, on the device or on the host.
struct Part {
  bool device;
  long long first, end;
};
enum { kMostParts = 4 };

// One execution of the region. Iterations depend on none of each other: parts run at any time, in any order.
struct Execution {
  Part parts[kMostParts];
  int count;
  int next;            // of the parts, for the host
  bool running;        // the device's parts, which are not fetched
  cudaError_t failed;  // why the host runs the device's parts, too
  bool may_not_fit;    // kernels have a format that was picked, which the device need not have room for
  Memory memory;
};

// What a call is told, and what copies and kernels of a part are told.
enum { kSizes = COUNT };
struct PartSizes {
  long long values[kSizes + 2];

  PartSizes(const Part &part, const long long *sizes) {
    for (int i = 0; i < kSizes; ++i) values[i] = sizes[i];
    values[kSizes] = part.first;
    values[kSizes + 1] = part.end;
  }
};

// Values of the outermost loop.
long long Lowest(const long long *tune_sizes) {
DEFINITIONS  return LOWEST;
}
long long Highest(const long long *tune_sizes) {
DEFINITIONS  return HIGHEST;
}

// Memory that no execution uses, for the next one.
class MemoryPool {
 public:
  Memory Take(int device) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (size_t i = 0; i < free_.size(); ++i) {
      if (free_[i].device != device) continue;
      const Memory memory = free_[i];
      free_.erase(free_.begin() + i);
      return memory;
    }
    Memory memory = Memory();
    memory.device = device;
    return memory;
  }
  void Give(const Memory &memory) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(memory);
  }

 private:
  std::mutex mutex_;
  std::vector<Memory> free_;
};
MemoryPool pool;

bool IsDevices(const Part &part) { return part.device && part.first < part.end; }

// Whether an earlier part of the device uses the same elements of the array.
bool IsSent(const Execution &execution, int part, int array, const long long *sizes) {
  const Box box = UsedBox(array, PartSizes(execution.parts[part], sizes).values);
  for (int p = 0; p < part; ++p) {
    const Box other = UsedBox(array, PartSizes(execution.parts[p], sizes).values);
    bool same = IsDevices(execution.parts[p]);
    for (int i = 0; i < box.dimensions; ++i)
      same = same && box.first[i] == other.first[i] && box.last[i] == other.last[i];
    if (same) return true;
  }
  return false;
}

// There is no device, which need not be asked for again.
std::atomic<bool> absent{false};

// Begins the device's parts, for which it does not wait. All copies come before all kernels: boxes may have elements that
// another part writes.
cudaError_t Send(Execution *execution, void *const *arrays, const long long *sizes) {
  if (absent) return cudaErrorNoDevice;
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver) absent = true;
  if (error != cudaSuccess) return error;
  Memory &memory = execution->memory;
  memory = pool.Take(device);
  execution->running = true;
  if (memory.stream == 0) error = cudaStreamCreateWithFlags(&memory.stream, cudaStreamNonBlocking);
  void *places[kArrays] = {};
  for (int i = 0; i < kArrays && error == cudaSuccess; ++i) {
    const size_t bytes = BytesOf(i, UsedBox(i, PartSizes(execution->parts[0], sizes).values));  // of the whole array
    if (bytes > 0) error = Reserve(&memory, i, bytes);
    places[i] = bytes > 0 ? memory.arrays[i] : arrays[i];
  }
  for (int p = 0; p < execution->count; ++p) {
    for (int i = 0; i < kArrays && IsDevices(execution->parts[p]) && error == cudaSuccess; ++i) {
      if (!kRead[i] || IsSent(*execution, p, i, sizes)) continue;
      const Box box = UsedBox(i, PartSizes(execution->parts[p], sizes).values);
      error = Copy(places[i], arrays[i], kElement[i], box, cudaMemcpyHostToDevice, memory.stream);
    }
  }
  for (int p = 0; p < execution->count && error == cudaSuccess; ++p) {
    if (IsDevices(execution->parts[p])) error = LaunchAll(places, PartSizes(execution->parts[p], sizes).values, memory.stream);
  }
  return error;
}

// Waits for the device's parts and brings back what they wrote, which no other part writes.
cudaError_t Fetch(Execution *execution, void *const *arrays, const long long *sizes) {
  Memory &memory = execution->memory;
  cudaError_t error = cudaStreamSynchronize(memory.stream);
  if (error != cudaSuccess) return error;
  for (int p = 0; p < execution->count; ++p) {
    const PartSizes part(execution->parts[p], sizes);
    for (int i = 0; i < kSlices && IsDevices(execution->parts[p]) && error == cudaSuccess; ++i) {
      const Slice slice = WrittenSlice(i, part.values);
      error = CopyBack(arrays[slice.array], memory.arrays[slice.array], slice, memory.stream);
    }
  }
  if (error == cudaSuccess) error = cudaStreamSynchronize(memory.stream);
  if (error != cudaSuccess) {
    // Some of the arrays may hold results already: nobody could go on from them.
    fprintf(stderr, "PREFIX: results could not be copied from the device: %s\n", cudaGetErrorString(error));
    abort();
  }
  pool.Give(memory);
  execution->running = false;
  return cudaSuccess;
}

// The host runs the device's parts, which have changed nothing; says so once.
void TakeBack(Execution *execution, cudaError_t error) {
  static std::atomic<bool> said;
  const bool expected = execution->may_not_fit && error == cudaErrorInvalidValue;
  if (!expected && !said.exchange(true))
    fprintf(stderr, "PREFIXON_HOST%s\n", cudaGetErrorString(error));
  if (execution->running) Release(&execution->memory);
  execution->running = false;
  execution->failed = error;
  if (!absent) cudaGetLastError();
  for (Part &part : execution->parts) part.device = false;
  execution->next = 0;
}

// Where the shares of parts end; all values of the loop belong to some part.
void Divide(const bool *device, const double *shares, int count, const long long *sizes, Execution *execution) {
  const long long lowest = Lowest(sizes), end = Highest(sizes) + 1;
  const double values = end > lowest ? double(end - lowest) : 0;
  double sum = 0, before = 0;
  for (int i = 0; i < count; ++i) sum += shares[i];
  execution->count = count;
  long long first = lowest;
  for (int i = 0; i < count; ++i) {
    before += shares[i];
    long long next = i + 1 == count || !(sum > 0) ? end : lowest + (long long)(values * (before / sum));
    if (next > end) next = end;
    if (next < first) next = first;
    execution->parts[i] = {device[i], first, next};
    first = next;
  }
}

// The next part for the host; false when there is none any more.
bool NextOfHost(Execution *execution, long long *range) {
  while (execution->next < execution->count) {
    Part &part = execution->parts[execution->next++];
    if (part.device || part.first >= part.end) continue;
    range[0] = part.first;
    range[1] = part.end;
    range[2] = 0;
    part.end = part.first;  // done
    return true;
  }
  return false;
}

// Begins what is divided; without a device the host runs all of it.
void Start(Execution *execution, void *const *arrays, const long long *sizes) {
  bool any = false;
  for (int p = 0; p < execution->count; ++p) any = any || IsDevices(execution->parts[p]);
  if (!any) return;
  const cudaError_t error =
      IsCapturing() ? cudaErrorStreamCaptureUnsupported : Send(execution, arrays, sizes);
  if (error != cudaSuccess) TakeBack(execution, error);
}

// As the entry point: 1 while there is a part for the host, else 0.
int Continue(Execution *execution, void *const *arrays, const long long *sizes, long long *range) {
  if (NextOfHost(execution, range)) return 1;
  if (!execution->running) return 0;
  const cudaError_t error = Fetch(execution, arrays, sizes);
  if (error == cudaSuccess) return 0;
  TakeBack(execution, error);
  return NextOfHost(execution, range) ? 1 : 0;
}

}  // namespace
)";

// What takes the region's place, with parts that are given.
constexpr char kPartsEntry[] = R"(
// How the outermost loop is divided unless the build says otherwise, or TUNE_PARTS in the environment.
#ifndef PREFIX_PARTS
#define PREFIX_PARTS "PARTS"
#endif

// The CPU's parts run on as many threads as OpenMP has, over this.
#ifndef PREFIX_FEWER_THREADS
#define PREFIX_FEWER_THREADS DIVISOR
#endif

namespace {

// Parts in the order of iterations; none: the original is to run.
struct Division {
  int count;
  bool device[kMostParts];
  double shares[kMostParts];
};

// "original", or platforms with shares, 1 where none is said: "cpu:1,gpu:3".
bool ReadDivision(const char *text, Division *division) {
  *division = Division();
  if (strcmp(text, "original") == 0) return true;
  double sum = 0;
  while (division->count < kMostParts) {
    const bool device = strncmp(text, "gpu", 3) == 0;
    if (!device && strncmp(text, "cpu", 3) != 0) return false;
    text += 3;
    double share = 1;
    if (*text == ':') {
      char *end = 0;
      share = strtod(text + 1, &end);
      if (end == text + 1 || !(share >= 0 && share <= 1e9)) return false;
      text = end;
    }
    division->device[division->count] = device;
    division->shares[division->count++] = share;
    sum += share;
    if (*text == 0) return sum > 0;
    if (*text++ != ',') return false;
  }
  return false;
}

Division GivenDivision() {
  const char *text = getenv("TUNE_PARTS");
  if (text == 0 || *text == 0) text = PREFIX_PARTS;
  Division division;
  if (ReadDivision(text, &division)) return division;
  static std::atomic<bool> said;
  if (said.exchange(true)) return Division();
  fprintf(stderr,
          "PREFIX: its original code runs instead of the tuned one: the parts \"%s\" are not 1 to 4 platforms with shares, "
          "such as cpu:1,gpu:3\n",
          text);
  return Division();
}

}  // namespace

extern "C" int tune_part_PREFIX(void *const *arrays, const long long *sizes, void **call, long long *range) {
  Execution *execution = (Execution *)*call;
  if (execution == 0) {
    const Division division = GivenDivision();
    if (division.count > 0) execution = new (std::nothrow) Execution();
    if (execution == 0) return -1;
    *call = execution;
    Divide(division.device, division.shares, division.count, sizes, execution);
    Start(execution, arrays, sizes);
  }
  if (Continue(execution, arrays, sizes, range) == 1) {
    if (PREFIX_FEWER_THREADS > 1) range[2] = -(PREFIX_FEWER_THREADS);
    return 1;
  }
  delete execution;
  *call = 0;
  return 0;
}
)";

}  // namespace tune
