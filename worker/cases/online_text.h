// The host's part of a CUDA file with cases whose region is tuned while the program runs, as far as it is the
// same for every region: calls of libtune (libtune/include/tune.h). Words in capitals are replaced.
#pragma once

namespace tune {

constexpr char kOnlineIncludes[] =
    "#include <chrono>\n#include <cmath>\n#include <cstring>\n#include <set>\n#include <string>\n#include "
    "<vector>\n"
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

// What a region that libtune tunes has in every file: METRICS, functions that rules need.
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

// The region for libtune.
struct OnlineRegion {
  tune_context *context = 0;
  tune_region *region = 0;
  int x = -1, y = -1, z = -1, points = -1, shared = -1, strip = -1;  // parameters of formats, where there are any
  std::atomic<int> failures{0};   // of settled calls, in a row
  std::atomic<bool> lost{false};  // the device does nothing any more
  const bool checks;              // first results are compared with the original's
  Vetted vetted;

  OnlineRegion() : checks(IsSet("TUNE_CHECK")) {}
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

  Picked FormatOf(const tune_call *call) const {
    return {tune_integer(call, x),      tune_integer(call, y),     tune_integer(call, z),
            tune_integer(call, points), tune_integer(call, strip), tune_integer(call, shared) != 0};
  }
};

// Of a call whose results are compared.
struct Comparison {
  double seconds;  // of what libtune picked
  std::vector<long> key;
  Results results;
};

// The call of a thread that has not ended: tune_original_PREFIX takes the original's time, or compares its results.
// Without a destructor, for which the library would stay loaded until the thread ends.
struct OpenCall {
  tune_call call;
  bool open;
  Comparison *comparison;

  void Close() {
    delete comparison;
    comparison = 0;
    open = false;
  }
};
thread_local OpenCall current;

}  // namespace
)";

// What takes the region's place.
constexpr char kOnlineEntry[] = R"(
namespace {

enum Platform { kOriginal, kTables, kFormats };
const char *const kPlatforms[] = {"original", "tables", "formats"};

// The region for libtune, made with its first call. Without a device, or where libtune refuses, it has none, and the
// original runs.
struct Online : OnlineRegion {
  int device = 0, platform = 0;

  Online() {
    cudaDeviceProp properties;
    cudaError_t error = cudaGetDevice(&device);
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
    if (tune_add_nominal(region, "platform", kPlatforms, PLATFORMS, &platform) != TUNE_OK) return false;
DEFINE    return true;
  }
};

Online &TheRegion() {
  static Online online;
  return online;
}

// Runs what libtune picked, with results beside the program's arrays; the original is to run then.
cudaError_t RunBeside(void *const *arrays, const long long *sizes, Comparison *comparison) {
  if (!comparison->results.Reserve(sizes)) return cudaErrorMemoryAllocation;
  const auto start = std::chrono::steady_clock::now();
  const cudaError_t error = RunRegion(arrays, sizes, comparison->results.arrays);
  comparison->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return error;
}

// The device could not do what libtune picked, which is tried no more; nor is a device that does nothing any more.
void Failed(Online &online, cudaError_t error) {
  const bool settled = current.call.settled != 0;
  tune_reject(&current.call);
  if (settled) ++online.failures;
  if (error == cudaErrorInvalidValue) return;  // the format is none for this machine
  IsAbsent(error);
  if (cudaDeviceSynchronize() != cudaSuccess) online.lost = true;  // faults of kernels stay until the process ends
}

}  // namespace

extern "C" int tune_region_PREFIX(void *const *arrays, const long long *sizes) {
  Online &online = TheRegion();
  if (current.open) tune_abandon(&current.call);
  current.Close();
  int device = 0;
  // Wisdom is of one device: on another one nothing is known.
  if (online.region == 0 || online.lost || online.failures >= 3 || cudaGetDevice(&device) != cudaSuccess ||
      device != online.device)
    return -1;
  const long inputs[] = {INPUTS};
  if (tune_begin(online.region, inputs, COUNT, &current.call) != TUNE_OK) return -1;
  const long platform = tune_integer(&current.call, online.platform);
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
    key.insert(key.end(), inputs, inputs + COUNT);
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
  Failed(online, error);
  return error;
}

// Stands behind the original.
extern "C" void tune_original_PREFIX(void *const *arrays, const long long *sizes) {
  if (!current.open) return;
  Online &online = TheRegion();
  const Comparison *const comparison = current.comparison;
  if (comparison == 0) {
    tune_end(&current.call);
  } else if (comparison->results.Agree(arrays, sizes)) {
    online.vetted.Add(comparison->key);
    tune_report(&current.call, comparison->seconds);
  } else {
    const long platform = tune_integer(&current.call, online.platform);
    fprintf(stderr, "PREFIX: the device's results by %s are not the original's, which stand; they are not run again\n",
            kPlatforms[platform]);
    tune_drop(&current.call, online.platform);
  }
  current.Close();
}
)";

}  // namespace tune
