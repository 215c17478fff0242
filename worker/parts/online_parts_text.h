// The host's part of a CUDA file whose region CPU and GPU share by parts that libtune picks. Words in
// capitals are replaced.
#pragma once

namespace tune {

// What takes the region's place.
constexpr char kOnlinePartsEntry[] = R"(
namespace {

// The original; then parts in the order of iterations. Of two neighbours on one platform nothing would be gained.
const char *const kDivisions[] = {"original",    "cpu",         "gpu",             "cpu+gpu",        "gpu+cpu",
                                  "cpu+gpu+cpu", "gpu+cpu+gpu", "cpu+gpu+cpu+gpu", "gpu+cpu+gpu+cpu"};
enum { kOriginal = 0, kWithoutDevice = 2, kAllDivisions = 9 };
const char *const kShares[] = {"share1", "share2", "share3"};
[[maybe_unused]] const char *const kFormatChoices[] = {"tables", "formats"};

int PartsOf(int division) { return (division + 1) / 2; }
bool IsOnDevice(int division, int part) { return (division + part) % 2 == 0; }
bool Uses(int division, bool device) {
  return division != kOriginal && (PartsOf(division) > 1 || IsOnDevice(division, 0) == device);
}

// Without a device there are no parts on one.
struct Online : OnlineRegion {
  int threads = -1, formats = -1, shares[3] = {-1, -1, -1};

  explicit Online(int device) : OnlineRegion(kDivisions) {
    cudaDeviceProp properties;
    const bool found = device != kNoDevice && cudaGetDeviceProperties(&properties, device) == cudaSuccess;
    if (!found) {
      cudaGetLastError();
      Tell(0, "there is no GPU that can be used: its parts are not tried");
    }
    if (Define(found ? properties.name : 0)) return;
    Tell(0, tune_last_error());
    region = 0;
  }

  // The parameter exists where the division has that.
  template <typename Has>
  bool Where(int parameter, int divisions, const Has &has) {
    for (int i = 0; i < divisions; ++i)
      if (has(i) && tune_add_condition(region, parameter, choice, i) != TUNE_OK) return false;
    return true;
  }

  bool Define(const char *gpu) {
    if (!Create(gpu, "IDENTITY")) return false;
    const int divisions = gpu == 0 ? kWithoutDevice : kAllDivisions;
    if (tune_add_nominal(region, "division", kDivisions, divisions, &choice) != TUNE_OK) return false;
    const unsigned cores = std::thread::hardware_concurrency();
    if (cores > 1) {
      if (tune_add_steps(region, "threads", 1, cores, 1, cores, &threads) != TUNE_OK) return false;
      if (!Where(threads, divisions, [](int i) { return Uses(i, false); })) return false;
    }
    if (gpu == 0) return true;
    for (int part = 0; part < 3; ++part) {
      if (tune_add_real(region, kShares[part], 0, 1, 0.5, &shares[part]) != TUNE_OK) return false;
      if (!Where(shares[part], divisions, [part](int i) { return PartsOf(i) > part + 1; })) return false;
    }
    for (int i = 0; i < divisions; ++i) {
      if (!Uses(i, true)) continue;
RULES    }
DEFINE    return true;
  }
};

// An execution by parts that libtune picked.
struct Trial : Execution {
  Online *online;
  tune_call call;
  long long threads = 0;
  Results before;                // what the region found, where results are to be compared
  Comparison *comparison = 0;  // then
  std::chrono::steady_clock::time_point start;
};

PartSizes WholeSizes(const long long *sizes) {
  return PartSizes({false, Lowest(sizes), Highest(sizes) + 1}, sizes);
}

// Copies what the region writes; false where there is no memory.
bool Take(Results *results, void *const *arrays, const long long *sizes) {
  const PartSizes whole = WholeSizes(sizes);
  if (!results->Reserve(whole.values)) return false;
  for (int i = 0; i < kArrays; ++i) {
    if (results->arrays[i] == 0) continue;
    ForEachRow(WrittenBox(i, whole.values), kElement[i], [&](size_t offset, size_t count) {
      memcpy((char *)results->arrays[i] + offset, (const char *)arrays[i] + offset, count * kElement[i]);
      return true;
    });
  }
  return true;
}

void PutBack(const Results &results, void *const *arrays, const long long *sizes) {
  const PartSizes whole = WholeSizes(sizes);
  for (int i = 0; i < kArrays; ++i) {
    if (results.arrays[i] == 0) continue;
    ForEachRow(WrittenBox(i, whole.values), kElement[i], [&](size_t offset, size_t count) {
      memcpy((char *)arrays[i] + offset, (const char *)results.arrays[i] + offset, count * kElement[i]);
      return true;
    });
  }
}

// Null: the original is to run.
Trial *Begin(void *const *arrays, const long long *sizes) {
  current.Abandon();
  int device = 0;
  if (!FindDevice(&device)) return 0;
  Online &online = RegionOn<Online>(device);
  const Inputs inputs(sizes);
  tune_call call;
  if (!online.Begin(inputs, &call)) return 0;
  const int division = int(tune_integer(&call, online.choice));
  if (division == kOriginal) {
    current.online = &online;
    current.call = call;
    current.open = true;
    return 0;
  }
  if (Uses(division, true) && IsCapturing()) {
    tune_abandon(&call);
    return 0;
  }
  Trial *const trial = new (std::nothrow) Trial();
  if (trial == 0) {
    tune_abandon(&call);
    return 0;
  }
  trial->online = &online;
  trial->call = call;
  if (online.threads >= 0) trial->threads = tune_integer(&call, online.threads);
  bool devices[kMostParts];
  double shares[kMostParts], left = 1;
  const int parts = PartsOf(division);
  for (int i = 0; i < parts; ++i) {
    devices[i] = IsOnDevice(division, i);
    shares[i] = i + 1 == parts ? left : left * tune_value(&call, online.shares[i]);
    left -= shares[i];
  }
  Divide(devices, shares, parts, sizes, trial);
  if (online.checks) {
    std::vector<long> key(inputs.values, inputs.values + kInputs);
    for (int i = 0; i < call.count; ++i) key.push_back(long(1e6 * call.values[i]));
    if (!online.vetted.Has(key) && Take(&trial->before, arrays, sizes))
      trial->comparison = new Comparison{0, std::move(key), {}};
  }
  const Picked values = online.FormatOf(&call);
  trial->start = std::chrono::steady_clock::now();
  trial->may_not_fit = tune_integer(&call, online.formats) != 0;
  picked = trial->may_not_fit ? &values : 0;
  Start(trial, arrays, sizes);
  picked = 0;
  return trial;
}

// All parts are done. Whether the original is to run, as results are compared.
bool End(Trial *trial, void *const *arrays, const long long *sizes) {
  Online &online = *trial->online;
  Comparison *const comparison = trial->comparison;
  if (trial->failed != cudaSuccess) {
    online.Failed(&trial->call, trial->failed);  // results are right: the host computed them
  } else if (comparison == 0) {
    online.failures = 0;
    tune_end(&trial->call);
  } else {
    comparison->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - trial->start).count();
    if (Take(&comparison->results, arrays, sizes)) {
      PutBack(trial->before, arrays, sizes);
      current.online = &online;
      current.call = trial->call;
      current.comparison = comparison;
      current.open = true;
      delete trial;
      return true;
    }
    tune_abandon(&trial->call);
  }
  delete comparison;
  delete trial;
  return false;
}

}  // namespace

extern "C" int tune_part_PREFIX(void *const *arrays, const long long *sizes, void **call, long long *range) {
  Trial *trial = (Trial *)*call;
  if (trial == 0) {
    trial = Begin(arrays, sizes);
    if (trial == 0) return -1;
    *call = trial;
  }
  if (Continue(trial, arrays, sizes, range) == 1) {
    range[2] = trial->threads;
    return 1;
  }
  *call = 0;
  return End(trial, arrays, sizes) ? -1 : 0;
}
)";

}  // namespace tune
