// Kernels that were never a tree, and what is decided of them.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "common/decision/configuration.h"
#include "common/space/cuda_device_options.h"
#include "common/transform/transformations.h"
#include "tests/common/testing/device_models.h"
#include "tests/worker/codegen/setting_chooser.h"

namespace tune::testing {

// "k", of one innermost band.
inline Kernel MakeKernel(const std::vector<bool>& coincident, const std::vector<int64_t>& trip_counts,
                         bool permutable = true) {
  KernelBand band;
  band.permutable = permutable;
  band.coincident = coincident;
  band.trip_counts = trip_counts;
  band.innermost = true;
  Kernel kernel;
  kernel.name = "k";
  kernel.bands = {band};
  return kernel;
}

// What is decided on an H200 where not told otherwise.
inline KernelPlan Default(const Kernel& kernel, const DeviceFacts& device = H200Options().device,
                          bool exact = false) {
  DefaultChooser chooser;
  return DecideKernel(kernel, device, exact, chooser).value();
}

// With these settings, else defaults.
inline KernelPlan Plan(const Kernel& kernel, const std::map<std::string, std::string>& settings) {
  SettingChooser chooser(settings);
  return DecideKernel(kernel, H200Options().device, /*exact=*/false, chooser).value();
}

// Keys that are asked.
inline std::vector<std::string> Keys(const Kernel& kernel) {
  DefaultChooser standard;
  RecordingChooser recording(&standard);
  DecideKernel(kernel, H200Options().device, /*exact=*/false, recording).value();
  std::vector<std::string> keys;
  for (const v1::Decision& decision : recording.configuration().decisions()) keys.push_back(decision.key());
  return keys;
}

// What is offered of a decision on a device; nothing when it is not asked.
inline std::vector<std::string> Offered(const Kernel& kernel, const DeviceFacts& device,
                                        const std::string& key,
                                        const std::map<std::string, std::string>& settings = {}) {
  struct Offers : SettingChooser {
    using SettingChooser::SettingChooser;
    absl::StatusOr<int> Choose(const DecisionPoint& point) override {
      for (size_t i = 0; i < point.options.size(); ++i) {
        if (point.allowed[i]) options[point.key].push_back(point.options[i]);
      }
      return SettingChooser::Choose(point);
    }
    std::map<std::string, std::vector<std::string>> options;
  } offers(settings);
  EXPECT_TRUE(DecideKernel(kernel, device, /*exact=*/false, offers).ok());
  return offers.options[key];
}

}  // namespace tune::testing
