// The host's part of a CUDA file with cases whose region is tuned while the program runs, as far as it is the
// same for every region: calls of libtune (libtune/include/tune.h). Words in capitals are replaced.
#pragma once

namespace tune {

constexpr char kOnlineIncludes[] =
    "#include <chrono>\n#include <cmath>\n#include <cstring>\n#include <memory>\n#include <set>\n#include "
    "<string>\n#include <vector>\n"
    "#include <tune.h>\n";

// After the machine's functions, before those of kernels.
constexpr char kOnlineDeclarations[] = R"(
// What libtune picked for the call of this thread: a block's format, points of a thread, iterations of a strip, and
// whether shared memory may be used. Null: formats by the tables.
struct Picked {
  long long x, y, z, points, strip;
  bool shared;
};
thread_local const Picked *picked;

)";

// Beside FUNCTION_choose of each kernel.
constexpr char kOnlinePick[] = R"(
// The format that libtune picked, or that of the table; without a case where it cannot be run.
Format FUNCTION_pick(const Machine &machine, const long long *count, const long long *parameters) {
  if (picked == 0) return FUNCTION_choose(machine, count, parameters);
  Machine allowed = machine;
LIMITS  Format format = {FORMAT, picked->points, picked->strip, -1};
  format.leaf = FUNCTION_case(allowed, format);
  if (format.leaf >= 0 && MostThreads(machine, FUNCTION_kernels[format.leaf]) < THREADS) format.leaf = -1;
  return format;
}
)";

// What a region that libtune tunes has in every file: METRICS, functions that rules need, and INPUTS, what
// libtune is told of a call.
constexpr char kOnlineRegion[] = R"(
// Thresholds of the rules that reject the device, or its shared memory, before anything is run: those of Pfaffe,
// Grosser and Tillmann, unless the build says others.
#ifndef PREFIX_MIN_COMPUTE
#define PREFIX_MIN_COMPUTE TUNE_DEFAULT_MIN_COMPUTE
#endif
#ifndef PREFIX_COMPUTE_INTENSITY
#define PREFIX_COMPUTE_INTENSITY TUNE_DEFAULT_COMPUTE_INTENSITY
#endif
#ifndef PREFIX_MIN_REUSE
#define PREFIX_MIN_REUSE TUNE_DEFAULT_MIN_REUSE
#endif

namespace {

METRICS
[[maybe_unused]] const char *const kSharedMemory[] = {"no", "yes"};

void Tell(void *, const char *text) { fprintf(stderr, "PREFIX: %s\n", text); }

bool IsSet(const char *variable) {
  const char *const text = getenv(variable);
  return text != 0 && *text != 0 && strcmp(text, "0") != 0;
}

// What decides how long a call takes.
enum { kInputs = INPUT_COUNT };
struct Inputs {
  long values[kInputs + 1];

  explicit Inputs(const long long *sizes) : values{INPUTS} { (void)sizes; }
};

// The region for libtune, on one device, or where there is none.
struct OnlineRegion {
  tune_context *context = 0;
  tune_region *region = 0;     // null where libtune refuses it: the original runs
  int choice = 0;              // the parameter that says what runs
  const char *const *choices;  // names of what it says, the original first
  int x = -1, y = -1, z = -1, points = -1, shared = -1, strip = -1;  // parameters of formats, where there are any
  std::atomic<int> failures{0};   // of settled calls, in a row
  std::atomic<bool> lost{false};  // the device does nothing any more
  const bool checks;              // first results are compared with the original's
  Vetted vetted;

  explicit OnlineRegion(const char *const *choices) : choices(choices), checks(IsSet("TUNE_CHECK")) {}
  ~OnlineRegion() { tune_context_destroy(context); }
  OnlineRegion(const OnlineRegion &) = delete;
  OnlineRegion &operator=(const OnlineRegion &) = delete;

  // What is fast depends on both processors. `gpu`: null where there is none.
  static std::string DeviceName(const char *gpu) {
    tune_context *host = 0;
    if (tune_context_create(0, &host) != TUNE_OK) return gpu == 0 ? "no GPU" : gpu;
    const std::string name = (gpu == 0 ? "" : std::string(gpu) + ", ") + tune_device(host);
    tune_context_destroy(host);
    return name;
  }

  bool Create(const char *gpu, const char *identity) {
    const std::string name = DeviceName(gpu);
    tune_options options;
    tune_options_default(&options, sizeof options);
    options.device = name.c_str();
    options.wisdom_file = getenv("TUNE_WISDOM_FILE");
    options.capture_file = getenv("TUNE_CAPTURE_FILE");
    options.tries_file = getenv("TUNE_TRIES_FILE");
    options.message = Tell;
    return tune_context_create(&options, &context) == TUNE_OK &&
           tune_region_create(context, identity, &region) == TUNE_OK &&
           tune_describe_arguments(region, "ARGUMENTS") == TUNE_OK;
  }

  // A number that exists where `parent` has the choice.
  bool Powers(const char *name, double high, double initial, int parent, int choice, int *parameter) {
    return tune_add_powers(region, name, 1, high, 2, initial, parameter) == TUNE_OK &&
           tune_add_condition(region, *parameter, parent, choice) == TUNE_OK;
  }

  bool Rule(tune_rule_kind kind, int parameter, int choice, double threshold,
            double (*first)(void *, const double *, const long *),
            double (*second)(void *, const double *, const long *) = 0) {
    tune_rule rule = {};
    rule.struct_size = sizeof rule;
    rule.kind = kind;
    rule.parameter = parameter;
    rule.choice = choice;
    rule.threshold = threshold;
    rule.first.function = first;
    rule.second.function = second;
    return tune_add_rule(region, &rule) == TUNE_OK;
  }

  // False where the original is to run.
  bool Begin(const Inputs &inputs, tune_call *call) {
    return region != 0 && !lost && failures < 3 && tune_begin(region, inputs.values, kInputs, call) == TUNE_OK;
  }

  // The device could not do what libtune picked, which is tried no more; nor is a device that does nothing any more.
  void Failed(tune_call *call, cudaError_t error) {
    if (call->settled != 0) ++failures;
    tune_reject(call);
    // Another error than that the format is none for this machine; faults of kernels stay until the process ends.
    if (error != cudaErrorInvalidValue && cudaDeviceSynchronize() != cudaSuccess) lost = true;
  }

  Picked FormatOf(const tune_call *call) const {
    return {tune_integer(call, x),      tune_integer(call, y),     tune_integer(call, z),
            tune_integer(call, points), tune_integer(call, strip), tune_integer(call, shared) != 0};
  }
};

// The current device, or kNoDevice; false where that cannot be told.
enum { kNoDevice = -1 };
bool FindDevice(int *device) {
  static std::atomic<bool> absent;  // which need not be asked for again
  *device = kNoDevice;
  if (absent) return true;
  const cudaError_t error = cudaGetDevice(device);
  if (error == cudaSuccess) return true;
  absent = error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver;
  *device = kNoDevice;
  cudaGetLastError();
  return absent;
}

// The region on one device, made with its first call there.
template <typename Region>
Region &RegionOn(int device) {
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<Region>> regions;
  static thread_local Region *last;  // of the thread's last call
  static thread_local int last_device;
  if (last != 0 && last_device == device) return *last;
  const std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Region> &region = regions[device];
  if (region == 0) region.reset(new Region(device));
  last = region.get();
  last_device = device;
  return *last;
}

// Of a call whose results are compared.
struct Comparison {
  double seconds;  // of what libtune picked
  std::vector<long> key;
  Results results;
};

// The call of a thread that has not ended: tune_original_PREFIX takes the original's time, or compares its results.
// Without a destructor, for which the library would stay loaded until the thread ends.
struct OpenCall {
  OnlineRegion *online;
  tune_call call;
  bool open;
  Comparison *comparison;

  void Close() {
    delete comparison;
    comparison = 0;
    open = false;
  }
  // A call whose original left it, such as by an exception, does not count.
  void Abandon() {
    if (open) tune_abandon(&call);
    Close();
  }
};
thread_local OpenCall current;

}  // namespace
)";

// Behind what takes the region's place. RESULT_SIZES: for what the whole region writes.
constexpr char kOnlineOriginal[] = R"(
// Stands behind the original.
extern "C" void tune_original_PREFIX(void *const *arrays, const long long *sizes) {
  if (!current.open) return;
  OnlineRegion &online = *current.online;
  const Comparison *const comparison = current.comparison;
  if (comparison == 0) {
    tune_end(&current.call);
  } else if (comparison->results.Agree(arrays, RESULT_SIZES)) {
    online.vetted.Add(comparison->key);
    tune_report(&current.call, comparison->seconds);
  } else {
    fprintf(stderr, "PREFIX: results by %s are not the original's, which stand; they are not run again\n",
            online.choices[tune_integer(&current.call, online.choice)]);
    tune_drop(&current.call, online.choice);
  }
  current.Close();
}
)";

// What takes the region's place.
constexpr char kOnlineEntry[] = R"(
namespace {

enum Platform { kOriginal, kTables, kFormats };
const char *const kPlatforms[] = {"original", "tables", "formats"};

struct Online : OnlineRegion {
  explicit Online(int device) : OnlineRegion(kPlatforms) {
    cudaDeviceProp properties;
    int current_device = 0;
    cudaError_t error = device == kNoDevice ? cudaGetDevice(&current_device) : cudaSuccess;
    if (error == cudaSuccess) error = cudaGetDeviceProperties(&properties, device);
    if (error != cudaSuccess) {
      IsAbsent(error);
    } else if (!Define(properties.name)) {
      Tell(0, tune_last_error());
      region = 0;
    }
  }

  bool Define(const char *gpu) {
    if (!Create(gpu, "IDENTITY")) return false;
    if (tune_add_nominal(region, "platform", kPlatforms, PLATFORMS, &choice) != TUNE_OK) return false;
DEFINE    return true;
  }
};

// Runs what libtune picked, with results beside the program's arrays; the original is to run then.
cudaError_t RunBeside(void *const *arrays, const long long *sizes, Comparison *comparison) {
  if (!comparison->results.Reserve(sizes)) return cudaErrorMemoryAllocation;
  const auto start = std::chrono::steady_clock::now();
  const cudaError_t error = RunRegion(arrays, sizes, comparison->results.arrays);
  comparison->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return error;
}

}  // namespace

extern "C" int tune_region_PREFIX(void *const *arrays, const long long *sizes) {
  current.Abandon();
  int device = 0;
  if (!FindDevice(&device)) return -1;
  Online &online = RegionOn<Online>(device);
  const Inputs inputs(sizes);
  current.online = &online;
  if (!online.Begin(inputs, &current.call)) return -1;
  const long platform = tune_integer(&current.call, online.choice);
  if (platform == kOriginal) {
    current.open = true;
    return -1;
  }
  if (IsCapturing()) {
    tune_abandon(&current.call);
    return -1;
  }
  const Picked values = online.FormatOf(&current.call);
  if (online.checks) {
    std::vector<long> key = {platform,           long(values.x),     long(values.y),     long(values.z),
                             long(values.points), long(values.strip), long(values.shared)};
    key.insert(key.end(), inputs.values, inputs.values + kInputs);
    if (!online.vetted.Has(key)) current.comparison = new Comparison{0, std::move(key), {}};
  }
  Comparison *const comparison = current.comparison;
  picked = platform == kFormats ? &values : 0;
  const cudaError_t error =
      comparison != 0 ? RunBeside(arrays, sizes, comparison) : RunRegion(arrays, sizes, arrays);
  picked = 0;
  if (error == cudaSuccess) {
    online.failures = 0;
    current.open = comparison != 0;
    if (current.open) return -1;
    tune_end(&current.call);
    return 0;
  }
  current.Close();
  online.Failed(&current.call, error);
  if (error != cudaErrorInvalidValue) IsAbsent(error);
  return error;
}
)";

}  // namespace tune
