// CUPTI itself is asked about the names of counters: it knows them without a device.
#include <gtest/gtest.h>

#include "tests/common/testing/sanitized.h"
#include "worker/cuda/cupti_api.h"
#include "worker/cuda/metrics.h"
#include "worker/cuda/shared_library.h"

#if __has_include(<cupti_range_profiler.h>)
#include <cupti_profiler_host.h>

namespace tune {
namespace {

class CounterNamesTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (testing::kSanitized)
      GTEST_SKIP() << "CUPTI loads its library with RTLD_DEEPBIND, which sanitizers refuse";
    const absl::StatusOr<const CuptiApi*> cupti = CuptiApi::Get();
    if (!cupti.ok()) GTEST_SKIP() << cupti.status();
    library_ = (*cupti)->library;
  }

  template <typename Function>
  Function* Symbol(const char* name) {
    Function* function = nullptr;
    EXPECT_TRUE(FindSymbol(library_, name, &function)) << name;
    return function;
  }
#define TUNE_SYMBOL(name) Symbol<decltype(::name)>(#name)

  void* library_ = nullptr;
};

TEST_P(CounterNamesTest, AreKnownAndReadInFewPasses) {
  CUpti_Profiler_Host_Initialize_Params open = {};
  open.structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE;
  open.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  open.pChipName = GetParam();
  ASSERT_EQ(TUNE_SYMBOL(cuptiProfilerHostInitialize)(&open), CUPTI_SUCCESS);

  std::vector<const char*> names;
  for (const std::string& name : CounterNames()) names.push_back(name.c_str());
  CUpti_Profiler_Host_ConfigAddMetrics_Params add = {};
  add.structSize = CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE;
  add.pHostObject = open.pHostObject;
  add.ppMetricNames = names.data();
  add.numMetrics = names.size();
  ASSERT_EQ(TUNE_SYMBOL(cuptiProfilerHostConfigAddMetrics)(&add), CUPTI_SUCCESS);

  CUpti_Profiler_Host_GetConfigImageSize_Params size = {};
  size.structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE;
  size.pHostObject = open.pHostObject;
  ASSERT_EQ(TUNE_SYMBOL(cuptiProfilerHostGetConfigImageSize)(&size), CUPTI_SUCCESS);
  std::vector<uint8_t> image(size.configImageSize);
  CUpti_Profiler_Host_GetConfigImage_Params get = {};
  get.structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE;
  get.pHostObject = open.pHostObject;
  get.configImageSize = image.size();
  get.pConfigImage = image.data();
  ASSERT_EQ(TUNE_SYMBOL(cuptiProfilerHostGetConfigImage)(&get), CUPTI_SUCCESS);
  CUpti_Profiler_Host_GetNumOfPasses_Params passes = {};
  passes.structSize = CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE;
  passes.configImageSize = image.size();
  passes.pConfigImage = image.data();
  ASSERT_EQ(TUNE_SYMBOL(cuptiProfilerHostGetNumOfPasses)(&passes), CUPTI_SUCCESS);
  EXPECT_GE(passes.numOfPasses, 1u);
  EXPECT_LE(passes.numOfPasses, 5u);  // each is a run of the whole region

  CUpti_Profiler_Host_Deinitialize_Params close = {};
  close.structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE;
  close.pHostObject = open.pHostObject;
  EXPECT_EQ(TUNE_SYMBOL(cuptiProfilerHostDeinitialize)(&close), CUPTI_SUCCESS);
}

// Turing, Ampere, Ada, Hopper.
INSTANTIATE_TEST_SUITE_P(Chips, CounterNamesTest, ::testing::Values("TU102", "GA100", "AD102", "GH100"),
                         [](const auto& chip) { return std::string(chip.param); });

}  // namespace
}  // namespace tune

#endif
