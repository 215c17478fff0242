// A tune-cuda-runner without a GPU: its device is the simulator of tests/simt, a "cubin" holds the CUDA text,
// PTX is a stand-in made of it, and a run takes a nanosecond for each access to memory, so that the same
// candidate always takes the same time. Its energy is kWatts while it runs, and kJoulesOfBlock for each
// block, so that the fastest need not be the thriftiest. At a clock other than kGraphicsClocks' first one
// time grows as the clock falls, and power falls with its cube; what sets clocks is written to the file that
// CUDA_SIMULATED_CLOCK_LOG names, and is refused without that. With CUDA_SIMULATED_BROKEN_GPU=N there are two
// devices, and the one with that number fails at every job.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "common/base/file.h"
#include "common/base/frames.h"
#include "common/base/message_process.h"
#include "tests/simt/compiled_stand_in.h"
#include "tests/simt/launch_sequence.h"
#include "tests/simt/preprocessed_text.h"
#include "tune/v1/runner.pb.h"
#include "worker/run/output_check.h"

#if defined(__SANITIZE_ADDRESS__)
// What looks for leaks stops the process from outside, which the sandbox does not permit.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
#endif

namespace tune {
namespace {

constexpr uint64_t kSeed = 1;
constexpr double kWatts = 100, kJoulesOfBlock = 1e-4;
constexpr int kGraphicsClocks[] = {2000, 1500, 1000};

int TellDevices() {
  v1::CudaDevices devices;
  v1::Device* device = devices.add_devices();
  device->set_target(v1::CUDA);
  device->set_model("simulated GPU");
  device->set_cores(4);
  device->set_memory_bytes(int64_t{1} << 30);
  device->set_compiler("none 1.0");
  v1::CudaDevice* cuda = device->mutable_cuda();
  cuda->set_uuid("GPU-simulated");
  cuda->set_compute_capability_major(9);
  cuda->set_max_threads_per_block(1024);
  cuda->set_max_threads_per_multiprocessor(2048);
  cuda->set_max_blocks_per_multiprocessor(32);
  cuda->set_shared_bytes_per_block(48 << 10);
  cuda->set_shared_bytes_per_block_optin(48 << 10);
  cuda->set_l2_bytes(2 << 20);
  cuda->set_cooperative_launch(true);
  if (std::getenv("CUDA_SIMULATED_BROKEN_GPU") != nullptr) {
    *devices.add_devices() = devices.devices(0);
    devices.mutable_devices(1)->mutable_cuda()->set_ordinal(1);
  }
  const std::string bytes = devices.SerializeAsString();
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  return 0;
}

// One run of a candidate with fresh arrays.
class Run {
 public:
  Run(const v1::CudaJob& job, const v1::CudaCandidate& candidate) : job_(job), candidate_(candidate) {}

  v1::RunnerVerdict Evaluate() {
    v1::RunnerVerdict verdict;
    const absl::Status status = Execute();
    if (!status.ok()) {
      verdict.set_outcome(v1::RUNTIME);
      verdict.set_message(std::string(status.message()));
      return verdict;
    }
    verdict.set_outcome(v1::CORRECT);
    JudgeOutputs(Errors(), &verdict);
    const absl::Status recorded = Record();
    if (!recorded.ok()) verdict.set_outcome(v1::RUNTIME);
    if (!recorded.ok()) verdict.set_message(std::string(recorded.message()));
    verdict.set_first_seconds(seconds_);
    if (verdict.outcome() == v1::CORRECT) verdict.mutable_samples()->Resize(3, seconds_);
    if (verdict.outcome() == v1::CORRECT && job_.energy()) verdict.set_joules(joules_);
    for (const v1::CudaKernel& kernel : candidate_.kernels())
      verdict.add_kernels()->set_function(kernel.function());
    return verdict;
  }

 private:
  absl::Status Execute() {
    TUNE_ASSIGN_OR_RETURN(const std::string cubin, ReadFile(candidate_.cubin()));
    const std::string text = simt::TextInCubin(cubin);
    std::vector<simt::Kernel> kernels;
    for (const v1::CudaKernel& kernel : candidate_.kernels()) {
      kernels.push_back({kernel.function(), kernel.dynamic_shared_bytes(), kernel.cooperative()});
    }
    TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<simt::Simulator> simulator,
                          simt::Simulator::Compile(text, kernels));
    TUNE_RETURN_IF_ERROR(MakeMemory(*simulator));
    TUNE_RETURN_IF_ERROR(CopySymbols(*simulator, /*back=*/false));
    TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<simt::LaunchSequence> sequence,
                          simt::LaunchSequence::Load(candidate_.launch_sequence()));
    TUNE_RETURN_IF_ERROR(sequence->Run(*simulator, pointers_, host_, kSeed));
    TUNE_RETURN_IF_ERROR(CopySymbols(*simulator, /*back=*/true));
    seconds_ = 1e-9 * static_cast<double>(1 + simulator->counts().accesses);
    if (candidate_.graphics_clock_mhz() > 0) Slow(candidate_.graphics_clock_mhz() / 1.0 / kGraphicsClocks[0]);
    joules_ = watts_ * seconds_ + kJoulesOfBlock * static_cast<double>(simulator->counts().blocks);
    return absl::OkStatus();
  }

  void Slow(double share) {
    seconds_ /= share;
    watts_ *= share * share * share;
  }

  absl::Status MakeMemory(simt::Simulator& simulator) {
    std::map<std::string, const v1::RunnerArray*> given;
    for (const v1::RunnerArray& array : job_.arrays()) given[array.name()] = &array;
    for (const v1::CudaArray& array : candidate_.arrays()) {
      std::string& memory = memory_[array.name()];
      const auto of_job = given.find(array.name());
      if (of_job != given.end() && !of_job->second->input_file().empty()) {
        TUNE_ASSIGN_OR_RETURN(memory, ReadFile(of_job->second->input_file()));
      } else {
        memory.assign(array.bytes(), '\xff');
      }
      host_.push_back(memory.data());
      pointers_.push_back(array.bytes() > 0 ? memory.data() : nullptr);
      if (array.bytes() == 0) continue;
      // Register tiles are filled with what is there, also where it is overwritten before it is used.
      TUNE_RETURN_IF_ERROR(simulator.AddMemory(array.name(), memory.data(), memory.size()));
    }
    // Texture objects.
    const std::vector<void*> arrays = pointers_;
    pointers_.insert(pointers_.end(), arrays.begin(), arrays.end());
    for (const v1::CudaTexture& texture : candidate_.textures()) {
      if (texture.form().extents().empty()) continue;
      textures_.push_back(std::make_unique<simt_texture>(Texture(texture.form(), arrays[texture.array()])));
      pointers_[arrays.size() + texture.array()] = textures_.back().get();
    }
    return absl::OkStatus();
  }

  static simt_texture Texture(const v1::TextureForm& form, const void* data) {
    simt_texture texture = {data,       form.extents_size(), {1, 1, 1},
                            SIMT_CLAMP, form.linear(),       form.normalized()};
    std::copy(form.extents().begin(), form.extents().end(), texture.extents);
    if (form.address() == v1::TEXTURE_BORDER) texture.address = SIMT_BORDER;
    if (form.address() == v1::TEXTURE_WRAP) texture.address = SIMT_WRAP;
    if (form.address() == v1::TEXTURE_MIRROR) texture.address = SIMT_MIRROR;
    return texture;
  }

  absl::Status CopySymbols(const simt::Simulator& simulator, bool back) {
    for (const v1::CudaArray& array : candidate_.arrays()) {
      if (array.symbol().empty() || (back && !array.symbol_is_output())) continue;
      const simt::CompiledText::Variable* const variable = simulator.FindVariable(array.symbol());
      if (variable == nullptr || static_cast<int64_t>(variable->bytes) != array.bytes())
        return absl::FailedPreconditionError(absl::StrCat("no variable ", array.symbol(), " of this size"));
      std::string& memory = memory_[array.name()];
      if (back) {
        std::memcpy(memory.data(), variable->begin, memory.size());
      } else {
        std::memcpy(variable->begin, memory.data(), memory.size());
      }
    }
    return absl::OkStatus();
  }

  absl::Status Record() const {
    for (const v1::RunnerArray& array : job_.arrays()) {
      if (job_.record_folder().empty() || array.read_only() || array.input_file().empty()) continue;
      TUNE_RETURN_IF_ERROR(
          WriteFile(absl::StrCat(job_.record_folder(), "/", array.name(), ".bin"), memory_.at(array.name())));
    }
    return absl::OkStatus();
  }

  std::vector<v1::ArrayError> Errors() const {
    std::vector<v1::ArrayError> errors;
    OutputTolerance tolerance;
    tolerance.float_relative = job_.float_relative();
    tolerance.double_relative = job_.double_relative();
    for (const v1::RunnerArray& array : job_.arrays()) {
      if (array.expected_file().empty()) continue;
      const std::string expected = ReadFile(array.expected_file()).value_or("");
      errors.push_back(CompareArray(array.name(), array.element_type(),
                                    {array.extents().begin(), array.extents().end()}, expected.data(),
                                    memory_.at(array.name()).data(), tolerance, RuleOf(array)));
    }
    return errors;
  }

  const v1::CudaJob& job_;
  const v1::CudaCandidate& candidate_;
  std::map<std::string, std::string> memory_;  // by array
  std::vector<std::unique_ptr<simt_texture>> textures_;
  std::vector<void*> pointers_;
  std::vector<const void*> host_;
  double seconds_ = 0, joules_ = 0, watts_ = kWatts;
};

int Serve(absl::string_view ordinal) {
  const char* const broken = std::getenv("CUDA_SIMULATED_BROKEN_GPU");
  v1::CudaJob job;
  while (true) {
    const absl::StatusOr<bool> more = ReadMessage(STDIN_FILENO, MessageProcess::kMaxMessage, &job);
    if (!more.ok()) return 2;
    if (!*more) return 0;
    v1::CudaResult result;
    if (broken != nullptr && ordinal == broken) {
      result.set_failure("the device has fallen off the bus");
      job.clear_candidates();
    }
    for (const v1::CudaCandidate& candidate : job.candidates())
      *result.add_verdicts() = Run(job, candidate).Evaluate();
    if (!WriteMessage(STDOUT_FILENO, result).ok()) return 2;
  }
}

// As the driver does to a user who may not set clocks, unless there is a log.
int ServeClocks() {
  const char* const path = std::getenv("CUDA_SIMULATED_CLOCK_LOG");
  std::FILE* const log = path == nullptr ? nullptr : std::fopen(path, "a");
  char line[64];
  while (std::fgets(line, sizeof(line), stdin) != nullptr) {
    if (absl::StartsWith(line, "list")) {
      std::printf("ok %s\n", absl::StrJoin(kGraphicsClocks, " ").c_str());
    } else {
      std::printf(log != nullptr ? "ok\n"
                                 : "refused the driver does not let this user set the device's clocks\n");
    }
    if (log != nullptr) std::fputs(line, log);
    std::fflush(nullptr);
  }
  if (log != nullptr) std::fputs("end\n", log);
  return log == nullptr || std::fclose(log) == 0 ? 0 : 2;
}

// --compile SOURCE --arch NAME --output FILE, and for hand-written kernels --names FILE --kernel=NAME... --
// FLAG...
class Compilation {
 public:
  explicit Compilation(const std::vector<std::string>& words)
      : source_(words.at(1)), output_(words.at(5)), to_ptx_(absl::StartsWith(words.at(3), "compute_")) {
    for (size_t i = 6; i < words.size(); ++i) {
      absl::string_view kernel = words[i];
      if (words[i] == "--names") {
        names_ = words.at(++i);
      } else if (absl::ConsumePrefix(&kernel, "--kernel=")) {
        kernels_.emplace_back(kernel);
      } else {
        flags_.push_back(words[i]);
      }
    }
  }

  absl::Status Run() const {
    if (names_.empty()) {
      TUNE_ASSIGN_OR_RETURN(const std::string text, ReadFile(source_));
      return Write(text);
    }
    TUNE_ASSIGN_OR_RETURN(const std::string text, simt::PreprocessText(source_, flags_));
    // A text with errors is refused here.
    TUNE_RETURN_IF_ERROR(simt::CompiledText::Compile(text, kernels_).status());
    TUNE_RETURN_IF_ERROR(WriteFile(names_, absl::StrJoin(kernels_, "\n")));
    return Write(text);
  }

 private:
  absl::Status Write(const std::string& text) const {
    return WriteFile(output_, to_ptx_ ? simt::PtxStandIn(text) : simt::CubinStandIn(text));
  }

  const std::string source_, output_;
  const bool to_ptx_;
  std::string names_;
  std::vector<std::string> kernels_, flags_;
};

int Compile(const std::vector<std::string>& words) {
  const absl::Status status = Compilation(words).Run();
  if (!status.ok()) std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return status.ok() ? 0 : 1;
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  if (verb == "--devices") return tune::TellDevices();
  if (verb == "--compile" && argc >= 7) return tune::Compile({argv + 1, argv + argc});
  if (verb == "--clocks") return tune::ServeClocks();
  if (verb == "--serve") return tune::Serve(argc > 2 ? argv[2] : "");
  return 2;
}
