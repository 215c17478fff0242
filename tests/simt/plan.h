// Launch plans: C that says which kernels to launch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/file.h"
#include "common/base/status.h"
#include "tests/simt/simulator.h"

namespace tune::simt {

// A loaded plan (worker/codegen/launch_plan.h), whose memory is the simulator's.
class Plan {
 public:
  // INVALID_ARGUMENT with the compiler's words when the text does not compile or does not define tune_plan.
  static absl::StatusOr<std::unique_ptr<Plan>> Compile(const std::string& plan_text);
  // One that was compiled before.
  static absl::StatusOr<std::unique_ptr<Plan>> Load(const std::string& object);
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  // Runs the plan; its launches run in `simulator` with the dynamic shared memory of their kernels,
  // cooperative where the kernel is. The first error is returned, with the number of the launch; nothing is
  // launched after it.
  absl::Status Run(Simulator& simulator, const std::vector<void*>& memory,
                   const std::vector<const void*>& host, uint64_t seed) const;

 private:
  Plan() = default;

  std::optional<TemporaryFolder> folder_;  // of one that was compiled here
  void* object_ = nullptr;
  void* function_ = nullptr;
};

// Compiles and runs a plan once.
absl::Status RunPlan(const std::string& plan_text, Simulator& simulator, const std::vector<void*>& memory,
                     const std::vector<const void*>& host, uint64_t seed);

}  // namespace tune::simt
