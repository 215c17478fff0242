#include "tests/simt/launch_sequence.h"

#include <dlfcn.h>

#include <algorithm>

#include "common/base/subprocess.h"
#include "worker/print/launch_sequence.h"

namespace tune::simt {
namespace {

struct Context {
  Simulator* simulator;
  uint64_t seed;
  int64_t launches = 0;
  absl::Status status;
};

void RunLaunch(void* context, const PlannedLaunch* request) {
  auto* sequence = static_cast<Context*>(context);
  if (!sequence->status.ok()) return;
  Simulator::Launch launch;
  launch.kernel = request->kernel;
  std::copy(request->grid, request->grid + 3, launch.grid);
  std::copy(request->block, request->block + 3, launch.block);
  launch.arguments = request->arguments;
  const auto& kernels = sequence->simulator->kernels();
  if (launch.kernel >= 0 && launch.kernel < static_cast<int>(kernels.size())) {
    launch.dynamic_shared_bytes = kernels[launch.kernel].dynamic_shared_bytes;
    launch.cooperative = kernels[launch.kernel].cooperative;
  }
  const uint64_t seed = Random(sequence->seed, static_cast<uint64_t>(sequence->launches)).Next();
  sequence->status = Annotate(sequence->simulator->Run(launch, seed),
                              absl::StrCat("launch ", sequence->launches, " of the sequence"));
  ++sequence->launches;
}

}  // namespace

absl::StatusOr<std::unique_ptr<LaunchSequence>> LaunchSequence::Compile(const std::string& text) {
  TUNE_ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::Make());
  const std::string source = folder.path() + "/sequence.c", object = folder.path() + "/sequence.so";
  TUNE_RETURN_IF_ERROR(WriteFile(source, text));
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult result,
                        RunSubprocess({"cc", "-std=gnu11", "-O1", "-fPIC", "-shared", "-Wl,-Bsymbolic",
                                       source, "-o", object, "-lm"}));
  if (!result.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the sequence does not compile: cc ", result.Describe(), ":\n", result.standard_error));
  }
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<LaunchSequence> sequence, Load(object));
  sequence->folder_ = std::move(folder);
  return sequence;
}

absl::StatusOr<std::unique_ptr<LaunchSequence>> LaunchSequence::Load(const std::string& object) {
  std::unique_ptr<LaunchSequence> sequence(new LaunchSequence);
  sequence->object_ = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (sequence->object_ == nullptr)
    return absl::InvalidArgumentError(absl::StrCat("cannot load the sequence: ", dlerror()));
  sequence->function_ = dlsym(sequence->object_, "tune_launch_sequence");
  if (sequence->function_ == nullptr)
    return absl::InvalidArgumentError("the sequence does not define tune_launch_sequence");
  return sequence;
}

LaunchSequence::~LaunchSequence() {
  if (object_ != nullptr) dlclose(object_);
}

absl::Status LaunchSequence::Run(Simulator& simulator, const std::vector<void*>& memory,
                                 const std::vector<const void*>& host, uint64_t seed) const {
  Context context{&simulator, seed, 0, absl::OkStatus()};
  reinterpret_cast<LaunchSequenceFunction*>(function_)(memory.data(), host.data(), &RunLaunch, &context);
  return context.status;
}

absl::Status RunLaunchSequence(const std::string& text, Simulator& simulator,
                               const std::vector<void*>& memory, const std::vector<const void*>& host,
                               uint64_t seed) {
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<LaunchSequence> sequence, LaunchSequence::Compile(text));
  return sequence->Run(simulator, memory, host, seed);
}

}  // namespace tune::simt
