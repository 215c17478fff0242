#include "worker/cuda/range_profiler.h"

#include "worker/cuda/shared_library.h"

#if __has_include(<cupti_range_profiler.h>)
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#define TUNE_PROFILER_FUNCTIONS(F)                \
  F(cuptiProfilerInitialize)                      \
  F(cuptiDeviceGetChipName)                       \
  F(cuptiProfilerGetCounterAvailability)          \
  F(cuptiProfilerHostInitialize)                  \
  F(cuptiProfilerHostDeinitialize)                \
  F(cuptiProfilerHostConfigAddMetrics)            \
  F(cuptiProfilerHostGetConfigImageSize)          \
  F(cuptiProfilerHostGetConfigImage)              \
  F(cuptiProfilerHostEvaluateToGpuValues)         \
  F(cuptiRangeProfilerEnable)                     \
  F(cuptiRangeProfilerDisable)                    \
  F(cuptiRangeProfilerGetCounterDataSize)         \
  F(cuptiRangeProfilerCounterDataImageInitialize) \
  F(cuptiRangeProfilerSetConfig)                  \
  F(cuptiRangeProfilerStart)                      \
  F(cuptiRangeProfilerStop)                       \
  F(cuptiRangeProfilerPushRange)                  \
  F(cuptiRangeProfilerPopRange)                   \
  F(cuptiRangeProfilerDecodeData)                 \
  F(cuptiRangeProfilerGetCounterDataInfo)         \
  F(cuptiRangeProfilerCounterDataGetRangeInfo)
#endif

namespace tune {

#if !__has_include(<cupti_range_profiler.h>)

absl::StatusOr<std::unique_ptr<RangeProfiler>> RangeProfiler::Make(const DeviceSession&,
                                                                   const std::vector<std::string>&) {
  return absl::UnimplementedError("built with a CUDA toolkit older than 12.6, which has no range profiler");
}

#else

namespace {

struct ProfilerApi {
#define TUNE_POINTER(name) decltype(&::name) name = nullptr;
  TUNE_PROFILER_FUNCTIONS(TUNE_POINTER)
#undef TUNE_POINTER
};

absl::StatusOr<ProfilerApi> LoadProfilerApi(const CuptiApi& cupti) {
  ProfilerApi api;
#define TUNE_LOAD(name)                                                                               \
  if (!FindSymbol(cupti.library, #name, &api.name)) {                                                 \
    return absl::UnimplementedError("CUPTI lacks " #name ": install the CUDA toolkit 12.6 or newer"); \
  }
  TUNE_PROFILER_FUNCTIONS(TUNE_LOAD)
#undef TUNE_LOAD
  return api;
}

// A parameter structure with its size filled in and all else zero.
#define TUNE_PARAMETERS(type, name) \
  type name = {};                   \
  name.structSize = type##_STRUCT_SIZE

class CuptiRangeProfiler : public RangeProfiler {
 public:
  CuptiRangeProfiler(const DeviceSession& session, const CuptiApi& cupti, const ProfilerApi& api,
                     const std::vector<std::string>& counters)
      : session_(session), cupti_(cupti), api_(api), counters_(counters) {
    for (const std::string& counter : counters_) names_.push_back(counter.c_str());
  }

  ~CuptiRangeProfiler() override {
    if (profiler_ != nullptr) End().IgnoreError();
    if (host_ == nullptr) return;
    TUNE_PARAMETERS(CUpti_Profiler_Host_Deinitialize_Params, end);
    end.pHostObject = host_;
    api_.cuptiProfilerHostDeinitialize(&end);
  }

  absl::Status Begin() override {
    TUNE_PARAMETERS(CUpti_Profiler_Initialize_Params, initialise);
    TUNE_RETURN_IF_ERROR(Check(api_.cuptiProfilerInitialize(&initialise), "cuptiProfilerInitialize"));
    TUNE_PARAMETERS(CUpti_RangeProfiler_Enable_Params, enable);
    enable.ctx = session_.context();
    TUNE_RETURN_IF_ERROR(Check(api_.cuptiRangeProfilerEnable(&enable), "cuptiRangeProfilerEnable"));
    profiler_ = enable.pRangeProfilerObject;
    // What to collect, and how, is the same for every session.
    if (host_ == nullptr) TUNE_RETURN_IF_ERROR(OpenHost());
    if (config_.empty()) TUNE_RETURN_IF_ERROR(MakeConfig());
    TUNE_RETURN_IF_ERROR(MakeCounterData());
    TUNE_PARAMETERS(CUpti_RangeProfiler_SetConfig_Params, set);
    set.pRangeProfilerObject = profiler_;
    set.configSize = config_.size();
    set.pConfig = config_.data();
    set.counterDataImageSize = counter_data_.size();
    set.pCounterDataImage = counter_data_.data();
    set.range = CUPTI_UserRange;
    set.replayMode = CUPTI_UserReplay;
    set.maxRangesPerPass = kMostRanges;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    set.targetNestingLevel = 1;
    return Check(api_.cuptiRangeProfilerSetConfig(&set), "cuptiRangeProfilerSetConfig");
  }

  absl::Status End() override {
    TUNE_PARAMETERS(CUpti_RangeProfiler_Disable_Params, disable);
    disable.pRangeProfilerObject = profiler_;
    profiler_ = nullptr;
    return Check(api_.cuptiRangeProfilerDisable(&disable), "cuptiRangeProfilerDisable");
  }

  absl::Status Start() override {
    TUNE_PARAMETERS(CUpti_RangeProfiler_Start_Params, start);
    start.pRangeProfilerObject = profiler_;
    return Check(api_.cuptiRangeProfilerStart(&start), "cuptiRangeProfilerStart");
  }

  absl::Status Push(const std::string& name) override {
    TUNE_PARAMETERS(CUpti_RangeProfiler_PushRange_Params, push);
    push.pRangeProfilerObject = profiler_;
    push.pRangeName = name.c_str();
    return Check(api_.cuptiRangeProfilerPushRange(&push), "cuptiRangeProfilerPushRange");
  }

  absl::Status Pop() override {
    TUNE_PARAMETERS(CUpti_RangeProfiler_PopRange_Params, pop);
    pop.pRangeProfilerObject = profiler_;
    return Check(api_.cuptiRangeProfilerPopRange(&pop), "cuptiRangeProfilerPopRange");
  }

  absl::Status Stop(bool* done) override {
    TUNE_PARAMETERS(CUpti_RangeProfiler_Stop_Params, stop);
    stop.pRangeProfilerObject = profiler_;
    TUNE_RETURN_IF_ERROR(Check(api_.cuptiRangeProfilerStop(&stop), "cuptiRangeProfilerStop"));
    *done = stop.isAllPassSubmitted != 0;
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<Range>> Values() override {
    TUNE_PARAMETERS(CUpti_RangeProfiler_DecodeData_Params, decode);
    decode.pRangeProfilerObject = profiler_;
    TUNE_RETURN_IF_ERROR(Check(api_.cuptiRangeProfilerDecodeData(&decode), "cuptiRangeProfilerDecodeData"));
    TUNE_PARAMETERS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info);
    info.pCounterDataImage = counter_data_.data();
    info.counterDataImageSize = counter_data_.size();
    TUNE_RETURN_IF_ERROR(
        Check(api_.cuptiRangeProfilerGetCounterDataInfo(&info), "cuptiRangeProfilerGetCounterDataInfo"));
    std::vector<Range> ranges;
    for (size_t i = 0; i < info.numTotalRanges; ++i) {
      TUNE_ASSIGN_OR_RETURN(Range range, ReadRange(i));
      ranges.push_back(std::move(range));
    }
    return ranges;
  }

 private:
  absl::Status Check(CUptiResult result, absl::string_view what) const {
    const absl::Status status = cupti_.Check(result, what);
    return absl::IsInternal(status) ? absl::UnimplementedError(status.message()) : status;
  }

  absl::Status OpenHost() {
    TUNE_PARAMETERS(CUpti_Device_GetChipName_Params, chip);
    chip.deviceIndex = session_.ordinal();
    TUNE_RETURN_IF_ERROR(Check(api_.cuptiDeviceGetChipName(&chip), "cuptiDeviceGetChipName"));
    TUNE_PARAMETERS(CUpti_Profiler_GetCounterAvailability_Params, available);
    available.ctx = session_.context();
    TUNE_RETURN_IF_ERROR(
        Check(api_.cuptiProfilerGetCounterAvailability(&available), "cuptiProfilerGetCounterAvailability"));
    availability_.resize(available.counterAvailabilityImageSize);
    available.pCounterAvailabilityImage = availability_.data();
    TUNE_RETURN_IF_ERROR(
        Check(api_.cuptiProfilerGetCounterAvailability(&available), "cuptiProfilerGetCounterAvailability"));
    TUNE_PARAMETERS(CUpti_Profiler_Host_Initialize_Params, open);
    open.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    open.pChipName = chip.pChipName;
    open.pCounterAvailabilityImage = availability_.data();
    TUNE_RETURN_IF_ERROR(Check(api_.cuptiProfilerHostInitialize(&open), "cuptiProfilerHostInitialize"));
    host_ = open.pHostObject;
    return absl::OkStatus();
  }

  absl::Status MakeConfig() {
    TUNE_PARAMETERS(CUpti_Profiler_Host_ConfigAddMetrics_Params, add);
    add.pHostObject = host_;
    add.ppMetricNames = names_.data();
    add.numMetrics = names_.size();
    TUNE_RETURN_IF_ERROR(
        Check(api_.cuptiProfilerHostConfigAddMetrics(&add), "cuptiProfilerHostConfigAddMetrics"));
    TUNE_PARAMETERS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
    size.pHostObject = host_;
    TUNE_RETURN_IF_ERROR(
        Check(api_.cuptiProfilerHostGetConfigImageSize(&size), "cuptiProfilerHostGetConfigImageSize"));
    config_.resize(size.configImageSize);
    TUNE_PARAMETERS(CUpti_Profiler_Host_GetConfigImage_Params, get);
    get.pHostObject = host_;
    get.configImageSize = config_.size();
    get.pConfigImage = config_.data();
    return Check(api_.cuptiProfilerHostGetConfigImage(&get), "cuptiProfilerHostGetConfigImage");
  }

  absl::Status MakeCounterData() {
    TUNE_PARAMETERS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
    size.pRangeProfilerObject = profiler_;
    size.pMetricNames = names_.data();
    size.numMetrics = names_.size();
    size.maxNumOfRanges = kMostRanges;
    size.maxNumRangeTreeNodes = kMostRanges;
    TUNE_RETURN_IF_ERROR(
        Check(api_.cuptiRangeProfilerGetCounterDataSize(&size), "cuptiRangeProfilerGetCounterDataSize"));
    counter_data_.assign(size.counterDataSize, 0);
    TUNE_PARAMETERS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, initialise);
    initialise.pRangeProfilerObject = profiler_;
    initialise.counterDataSize = counter_data_.size();
    initialise.pCounterData = counter_data_.data();
    return Check(api_.cuptiRangeProfilerCounterDataImageInitialize(&initialise),
                 "cuptiRangeProfilerCounterDataImageInitialize");
  }

  absl::StatusOr<Range> ReadRange(size_t index) {
    TUNE_PARAMETERS(CUpti_RangeProfiler_CounterData_GetRangeInfo_Params, info);
    info.pCounterDataImage = counter_data_.data();
    info.counterDataImageSize = counter_data_.size();
    info.rangeIndex = index;
    info.rangeDelimiter = "/";
    TUNE_RETURN_IF_ERROR(Check(api_.cuptiRangeProfilerCounterDataGetRangeInfo(&info),
                               "cuptiRangeProfilerCounterDataGetRangeInfo"));
    Range range;
    range.name = info.rangeName;
    range.values.resize(names_.size());
    TUNE_PARAMETERS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, evaluate);
    evaluate.pHostObject = host_;
    evaluate.pCounterDataImage = counter_data_.data();
    evaluate.counterDataImageSize = counter_data_.size();
    evaluate.rangeIndex = index;
    evaluate.ppMetricNames = names_.data();
    evaluate.numMetrics = names_.size();
    evaluate.pMetricValues = range.values.data();
    TUNE_RETURN_IF_ERROR(
        Check(api_.cuptiProfilerHostEvaluateToGpuValues(&evaluate), "cuptiProfilerHostEvaluateToGpuValues"));
    return range;
  }

  const DeviceSession& session_;
  const CuptiApi& cupti_;
  const ProfilerApi api_;
  const std::vector<std::string> counters_;
  std::vector<const char*> names_;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  CUpti_Profiler_Host_Object* host_ = nullptr;
  std::vector<uint8_t> availability_;  // must live as long as host_
  std::vector<uint8_t> config_, counter_data_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<RangeProfiler>> RangeProfiler::Make(const DeviceSession& session,
                                                                   const std::vector<std::string>& counters) {
  TUNE_ASSIGN_OR_RETURN(const CuptiApi* cupti, CuptiApi::Get());
  TUNE_ASSIGN_OR_RETURN(const ProfilerApi api, LoadProfilerApi(*cupti));
  return std::make_unique<CuptiRangeProfiler>(session, *cupti, api, counters);
}

#endif

}  // namespace tune
