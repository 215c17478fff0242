#include "tests/simt/plan.h"

#include <dlfcn.h>

#include <algorithm>

#include "common/base/subprocess.h"
#include "worker/print/launch_plan.h"

namespace tune::simt {
namespace {

struct Context {
  Simulator* simulator;
  uint64_t seed;
  int64_t launches = 0;
  absl::Status status;
};

void RunLaunch(void* context, const PlannedLaunch* request) {
  auto* plan = static_cast<Context*>(context);
  if (!plan->status.ok()) return;
  Simulator::Launch launch;
  launch.kernel = request->kernel;
  std::copy(request->grid, request->grid + 3, launch.grid);
  std::copy(request->block, request->block + 3, launch.block);
  launch.arguments = request->arguments;
  const auto& kernels = plan->simulator->kernels();
  if (launch.kernel >= 0 && launch.kernel < static_cast<int>(kernels.size())) {
    launch.dynamic_shared_bytes = kernels[launch.kernel].dynamic_shared_bytes;
    launch.cooperative = kernels[launch.kernel].cooperative;
  }
  const uint64_t seed = Random(plan->seed, static_cast<uint64_t>(plan->launches)).Next();
  plan->status =
      Annotate(plan->simulator->Run(launch, seed), absl::StrCat("launch ", plan->launches, " of the plan"));
  ++plan->launches;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Plan>> Plan::Compile(const std::string& plan_text) {
  TUNE_ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::Make());
  const std::string source = folder.path() + "/plan.c", object = folder.path() + "/plan.so";
  TUNE_RETURN_IF_ERROR(WriteFile(source, plan_text));
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult result,
                        RunSubprocess({"cc", "-std=gnu11", "-O1", "-fPIC", "-shared", "-Wl,-Bsymbolic",
                                       source, "-o", object, "-lm"}));
  if (!result.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the plan does not compile: cc ", result.Describe(), ":\n", result.standard_error));
  }
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<Plan> plan, Load(object));
  plan->folder_ = std::move(folder);
  return plan;
}

absl::StatusOr<std::unique_ptr<Plan>> Plan::Load(const std::string& object) {
  std::unique_ptr<Plan> plan(new Plan);
  plan->object_ = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (plan->object_ == nullptr)
    return absl::InvalidArgumentError(absl::StrCat("cannot load the plan: ", dlerror()));
  plan->function_ = dlsym(plan->object_, "tune_plan");
  if (plan->function_ == nullptr) return absl::InvalidArgumentError("the plan does not define tune_plan");
  return plan;
}

Plan::~Plan() {
  if (object_ != nullptr) dlclose(object_);
}

absl::Status Plan::Run(Simulator& simulator, const std::vector<void*>& memory,
                       const std::vector<const void*>& host, uint64_t seed) const {
  Context context{&simulator, seed, 0, absl::OkStatus()};
  reinterpret_cast<LaunchPlanFunction*>(function_)(memory.data(), host.data(), &RunLaunch, &context);
  return context.status;
}

absl::Status RunPlan(const std::string& plan_text, Simulator& simulator, const std::vector<void*>& memory,
                     const std::vector<const void*>& host, uint64_t seed) {
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<Plan> plan, Plan::Compile(plan_text));
  return plan->Run(simulator, memory, host, seed);
}

}  // namespace tune::simt
