#include "worker/cuda/cubin_compiler.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "worker/cuda/nvrtc_api.h"

namespace tune {
namespace {

// Folder of the toolkit's headers, or empty. Generated text needs none; a user's statement may.
std::string ToolkitHeaders() {
  std::vector<std::string> homes = {"/usr/local/cuda"};
  if (const char* home = std::getenv("CUDA_HOME"); home != nullptr && *home != '\0')
    homes.insert(homes.begin(), home);
  for (const std::string& home : homes) {
    struct stat info;
    std::string folder = home + "/include";
    if (stat((folder + "/cuda_runtime.h").c_str(), &info) == 0) return folder;
  }
  return "";
}

// Destroys the program at the end of its scope.
class Program {
 public:
  explicit Program(const NvrtcApi* api) : api_(api) {}
  ~Program() {
    if (program_ != nullptr) api_->nvrtcDestroyProgram(&program_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  nvrtcProgram* address() { return &program_; }
  nvrtcProgram get() const { return program_; }

 private:
  const NvrtcApi* api_;
  nvrtcProgram program_ = nullptr;
};

absl::Status Check(const NvrtcApi& api, nvrtcResult result, const char* what) {
  if (result == NVRTC_SUCCESS) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(what, ": ", api.nvrtcGetErrorString(result)));
}

absl::StatusOr<std::string> Log(const NvrtcApi& api, nvrtcProgram program) {
  size_t size = 0;
  TUNE_RETURN_IF_ERROR(Check(api, api.nvrtcGetProgramLogSize(program, &size), "nvrtcGetProgramLogSize"));
  std::string log(size, '\0');
  TUNE_RETURN_IF_ERROR(Check(api, api.nvrtcGetProgramLog(program, log.data()), "nvrtcGetProgramLog"));
  while (!log.empty() && log.back() == '\0') log.pop_back();  // the size counts the terminator
  return log;
}

absl::StatusOr<std::string> Output(nvrtcProgram program, nvrtcResult (*get_size)(nvrtcProgram, size_t*),
                                   nvrtcResult (*get)(nvrtcProgram, char*), const NvrtcApi& api) {
  size_t size = 0;
  TUNE_RETURN_IF_ERROR(Check(api, get_size(program, &size), "the size of NVRTC's output"));
  std::string output(size, '\0');
  TUNE_RETURN_IF_ERROR(Check(api, get(program, output.data()), "NVRTC's output"));
  return output;
}

bool NamesStandard(const std::vector<std::string>& flags) {
  return std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return absl::StartsWith(flag, "-std=") || absl::StartsWith(flag, "--std=");
  });
}

}  // namespace

std::vector<std::string> WithoutDriverCache() {
  const absl::StatusOr<const NvrtcApi*> api = NvrtcApi::Get();
  int major = 0, minor = 0;
  if (!api.ok() || (*api)->nvrtcVersion(&major, &minor) != NVRTC_SUCCESS || major < 13) return {};
  return {"--no-cache"};
}

absl::StatusOr<CubinResult> CompileCubin(const std::string& text, const std::string& name,
                                         const std::string& arch, const CubinOptions& given) {
  TUNE_ASSIGN_OR_RETURN(const NvrtcApi* api, NvrtcApi::Get());
  Program program(api);
  TUNE_RETURN_IF_ERROR(
      Check(*api, api->nvrtcCreateProgram(program.address(), text.c_str(), name.c_str(), 0, nullptr, nullptr),
            "nvrtcCreateProgram"));
  for (const std::string& kernel : given.kernels) {
    TUNE_RETURN_IF_ERROR(
        Check(*api, api->nvrtcAddNameExpression(program.get(), kernel.c_str()), "nvrtcAddNameExpression"));
  }
  std::vector<std::string> options = {"--gpu-architecture=" + arch};
  if (!NamesStandard(given.flags)) options.push_back("--std=c++17");
  if (const std::string headers = ToolkitHeaders(); !headers.empty()) {
    options.push_back("--include-path=" + headers);
  }
  options.insert(options.end(), given.flags.begin(), given.flags.end());
  std::vector<const char*> pointers;
  for (const std::string& option : options) pointers.push_back(option.c_str());

  const nvrtcResult compiled =
      api->nvrtcCompileProgram(program.get(), static_cast<int>(pointers.size()), pointers.data());
  CubinResult result;
  TUNE_ASSIGN_OR_RETURN(result.log, Log(*api, program.get()));
  if (compiled == NVRTC_ERROR_COMPILATION) return result;
  if (compiled != NVRTC_SUCCESS) {
    return Annotate(Check(*api, compiled, "nvrtcCompileProgram"),
                    result.log.empty() ? name : absl::StripAsciiWhitespace(result.log));
  }
  if (absl::StartsWith(arch, "compute_")) {
    TUNE_ASSIGN_OR_RETURN(result.cubin, Output(program.get(), api->nvrtcGetPTXSize, api->nvrtcGetPTX, *api));
    // PTX is a text with the zero that ends it.
    if (!result.cubin.empty() && result.cubin.back() == '\0') result.cubin.pop_back();
  } else {
    TUNE_ASSIGN_OR_RETURN(result.cubin,
                          Output(program.get(), api->nvrtcGetCUBINSize, api->nvrtcGetCUBIN, *api));
  }
  for (const std::string& kernel : given.kernels) {
    const char* lowered = nullptr;
    TUNE_RETURN_IF_ERROR(Check(*api, api->nvrtcGetLoweredName(program.get(), kernel.c_str(), &lowered),
                               "nvrtcGetLoweredName"));
    result.names.push_back(lowered);
  }
  result.ok = true;
  return result;
}

}  // namespace tune
