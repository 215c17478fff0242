#include "worker/evaluate/device_program.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "common/base/file.h"
#include "common/base/untrusted_file.h"
#include "common/evaluation/architecture.h"
#include "worker/build/compiler_process.h"
#include "worker/evaluate/cuda_compilation.h"

namespace tune {
namespace {

// The candidate's CUDA file, made by nvcc, among the user's files.
constexpr char kObjectFile[] = "tune_device_region.o";
constexpr int64_t kLargestObject = 256 << 20;

std::vector<std::string> DeviceLinkFlags(const std::string& nvcc) {
  const std::string toolkit = std::filesystem::path(nvcc).parent_path().parent_path().string();
  return {kObjectFile, "-L" + toolkit + "/lib64", "-lcudart_static", "-lstdc++", "-ldl", "-lrt", "-lpthread"};
}

}  // namespace

absl::StatusOr<CompileResult> CompileDeviceFile(const std::string& nvcc, const std::string& text,
                                                const v1::StudySetup& setup, const std::string& folder,
                                                const CompileLimits& limits) {
  TUNE_RETURN_IF_ERROR(WriteFile(folder + "/region.cu", text));
  std::vector<std::string> command = {
      nvcc, "-O3", "-arch=" + ArchitectureOf(setup.device()), "-c", "region.cu", "-o", "region.o"};
  for (const std::string& flag : DeviceCompilerFlags(setup)) command.push_back(flag);
  TUNE_ASSIGN_OR_RETURN(CompileResult result, RunCompiler(command, folder, limits));
  result.binary = folder + "/region.o";
  return result;
}

absl::StatusOr<TunedProgram> ProgramWithDevice(const std::string& nvcc, const std::string& code,
                                               const std::string& object) {
  TunedProgram tuned;
  tuned.code = code;
  TUNE_ASSIGN_OR_RETURN(const std::string bytes, ReadUntrustedFile(object, kLargestObject));
  tuned.files = {{kObjectFile, bytes}};
  tuned.link_flags = DeviceLinkFlags(nvcc);
  tuned.device = true;
  tuned.limit_memory = false;
  return tuned;
}

std::string StartDevice(int ordinal) {
  return absl::StrCat(
      "{ extern int tune_set_device(int) __asm__(\"cudaSetDevice\"); extern int tune_free(void *) "
      "__asm__(\"cudaFree\"); tune_set_device(",
      ordinal, "); tune_free(0); } ");
}

v1::ProgramCheck CheckOnDevice(const v1::StudySetup& setup, const CudaTools& tools,
                               const ReferenceData& reference, TunedProgram tuned,
                               Cancellation* cancellation) {
  v1::ProgramCheck check = NotRun(v1::CANCELLED, "cancelled");
  // Again on another device where this one is used no more meanwhile. One of them always is.
  for (bool retired = true; retired;) {
    int ordinal = 0;
    if (!tools.devices->WithDevice(cancellation, [&](int free) { ordinal = free; })) break;
    retired = false;
    tuned.prepare = StartDevice(ordinal);
    // The original program, which may take many minutes, keeps nobody from the device.
    tuned.device_turn = [&](const std::function<void()>& run) {
      const bool ran = tools.devices->WithDevice(ordinal, cancellation, run);
      retired = !ran && (cancellation == nullptr || !cancellation->cancelled());
    };
    check = CheckTunedProgram(setup, {tools.host, nullptr, cancellation}, reference, tuned);
  }
  return check;
}

v1::ProgramCheck NotRun(v1::Outcome outcome, absl::string_view why) {
  v1::ProgramCheck check;
  check.set_outcome(outcome);
  check.set_message(std::string(why));
  return check;
}

}  // namespace tune
