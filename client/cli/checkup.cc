#include "client/cli/checkup.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "common/base/c_compiler.h"
#include "common/base/cuda_toolkit.h"
#include "common/base/file.h"
#include "common/base/sandbox_support.h"
#include "common/base/subprocess.h"
#include "common/isl/isl.h"

namespace tune {
namespace {

constexpr absl::Duration kProbeLimit = absl::Seconds(20);

constexpr char kOpenMpProgram[] = R"(#include <omp.h>
#include <stdio.h>
int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i;
  printf("%d %d\n", sum, omp_get_max_threads());
  return sum != 499500;
}
)";

absl::StatusOr<SubprocessResult> Probe(const std::vector<std::string>& argv) {
  SubprocessOptions options;
  options.wall_limit = kProbeLimit;
  return RunSubprocess(argv, options);
}

// The compiler that workers started from here use.
std::string CompilerText() { return absl::StrJoin(CCompilerCommand(), " "); }

absl::StatusOr<SubprocessResult> ProbeCompiler(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = CCompilerCommand();
  command.insert(command.end(), arguments.begin(), arguments.end());
  return Probe(command);
}

// Why a probe that did not succeed failed, in one line.
std::string Trouble(const absl::StatusOr<SubprocessResult>& run) {
  if (!run.ok()) return OneLine(run.status().message());
  const std::string said = FirstLine(run->standard_error);
  return absl::StrCat(run->Describe(), said.empty() ? "" : ": ", said);
}

bool Succeeded(const absl::StatusOr<SubprocessResult>& run) { return run.ok() && run->ok(); }

// With the line of nvcc's output that holds "release".
Check CheckNvcc() {
  const absl::StatusOr<std::string> nvcc = FindNvcc();
  if (!nvcc.ok()) return {"CUDA toolkit", Check::kOk, "none found (nvcc); the cpu target needs none", ""};
  const auto run = Probe({*nvcc, "--version"});
  if (!Succeeded(run)) {
    return {"CUDA toolkit", Check::kWarning, absl::StrCat(*nvcc, " --version ", Trouble(run)),
            "Repair the CUDA toolkit; the cpu target works without."};
  }
  std::string version = FirstLine(run->standard_output);
  for (absl::string_view line : absl::StrSplit(run->standard_output, '\n')) {
    if (absl::StrContains(line, "release")) version = std::string(line);
  }
  return {"CUDA toolkit", Check::kOk, absl::StrCat(*nvcc, ": ", version), ""};
}

Check CheckDriver() {
  void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return {"CUDA driver", Check::kOk, "none found (libcuda.so.1)", ""};
  dlclose(library);
  return {"CUDA driver", Check::kOk, "libcuda.so.1 loads", ""};
}

Check CheckGpu() {
  const auto run =
      Probe({"nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"});
  if (!run.ok()) return {"GPU", Check::kOk, "none found (nvidia-smi)", ""};
  if (!run->ok() || run->standard_output.empty()) {
    return {"GPU", Check::kWarning, "nvidia-smi " + Trouble(run),
            "Check the driver; the cpu target works without."};
  }
  return {"GPU", Check::kOk, FirstLine(run->standard_output), ""};
}

Check CheckPpcg() {
  const auto run = Probe({"ppcg", "--version"});
  if (!run.ok()) return {"ppcg", Check::kOk, "not installed; only the optional ppcg back end needs it", ""};
  return {"ppcg", Check::kOk, FirstLine(run->standard_output), ""};
}

Check CheckWorkers(StudyClient& client) {
  const auto workers = client.ListWorkers();
  if (!workers.ok()) return {"workers", Check::kFailure, OneLine(workers.status().message()), ""};
  const int ready = std::count_if(workers->begin(), workers->end(), [](const v1::WorkerView& worker) {
    return worker.state() == v1::WorkerView::IDLE || worker.state() == v1::WorkerView::BUSY;
  });
  if (ready > 0) return {"workers", Check::kOk, FormatCount(ready, "worker") + " ready", ""};
  return {"workers", Check::kWarning, absl::StrCat("none ready of ", workers->size()),
          absl::StrCat("Start `tune-worker --server ", client.address(), "`, or see `tunectl workers`.")};
}

}  // namespace

std::vector<Check> CheckServer(Session& session) {
  const auto client = session.Client();
  if (!client.ok()) {
    return {
        {"server", Check::kFailure, OneLine(client.status().message()), "Correct --server or its files."}};
  }
  const auto info = (*client)->GetServerInfo();
  if (info.ok()) {
    return {
        {"server", Check::kOk,
         absl::StrCat(
             (*client)->address(), ", version ", info->version(), ", ",
             info->studies() == 1 ? "1 study" : absl::StrCat(info->studies(), " studies"),
             info->database().empty() ? "" : ", ", info->database(),
             info->database_bytes() > 0 ? absl::StrCat(" (", FormatBytes(info->database_bytes()), ")") : ""),
         ""},
        CheckWorkers(**client)};
  }
  const bool named = !session.options.server.empty() || std::getenv("TUNE_SERVER") != nullptr;
  const std::string text = IsUnreachable(info.status())
                               ? absl::StrCat("none answers at ", (*client)->address())
                               : OneLine(info.status().message());
  return {{"server", named ? Check::kFailure : Check::kWarning, text,
           "Start `tuned-server`, or use `tunectl tune`, which brings its own."}};
}

Check CheckCompiler() {
  const auto run = ProbeCompiler({"--version"});
  if (Succeeded(run)) return {"C compiler", Check::kOk, FirstLine(run->standard_output), ""};
  return {"C compiler", Check::kFailure, absl::StrCat(CompilerText(), " ", Trouble(run)),
          "Install Debian's gcc and libc6-dev, or set CC to the compiler's command."};
}

Check CheckOpenMp() {
  const auto folder = TemporaryFolder::Make();
  if (!folder.ok()) return {"OpenMP", Check::kFailure, OneLine(folder.status().message()), "Set TMPDIR."};
  const std::string source = folder->path() + "/probe.c", program = folder->path() + "/probe";
  const char* remedy =
      "Install Debian's gcc (or libomp-dev for clang); without OpenMP no candidate compiles.";
  if (const absl::Status written = WriteFile(source, kOpenMpProgram); !written.ok()) {
    return {"OpenMP", Check::kFailure, OneLine(written.message()), "Set TMPDIR."};
  }
  const auto compiled = ProbeCompiler({"-O1", "-fopenmp", source, "-o", program});
  const std::string command = CompilerText() + " -fopenmp ";
  if (!Succeeded(compiled)) return {"OpenMP", Check::kFailure, command + Trouble(compiled), remedy};
  const auto run = Probe({program});
  if (!Succeeded(run)) return {"OpenMP", Check::kFailure, "a parallel loop " + Trouble(run), remedy};
  const std::vector<std::string> words = absl::StrSplit(FirstLine(run->standard_output), ' ');
  return {"OpenMP", Check::kOk, absl::StrCat(command, "works, ", words.back(), " threads"), ""};
}

Check CheckFrontEnd() {
  const char* remedy =
      "Install Debian's libclang-cpp16 and build tune-extract beside tunectl; until then submit .scop files "
      "made by "
      "`tunectl extract --output` elsewhere.";
  const auto path = FindSiblingProgram("tune-extract");
  if (!path.ok()) return {"front end", Check::kWarning, OneLine(path.status().message()), remedy};
  const auto run = Probe({*path, "--help"});
  if (Succeeded(run)) return {"front end", Check::kOk, *path + " starts", ""};
  return {"front end", Check::kWarning, absl::StrCat(*path, " ", Trouble(run)), remedy};
}

Check CheckGenerator() {
  const auto path = FindSiblingProgram("tune-generate");
  if (path.ok()) return {"generator", Check::kOk, *path, ""};
  return {"generator", Check::kWarning, "not installed beside tunectl", "`tunectl generate` needs it."};
}

std::vector<Check> CheckDaemons() {
  std::vector<Check> checks;
  for (const char* name : {"tuned-server", "tune-analyser", "tune-worker", "tune-runner", "tune-sandbox"}) {
    const auto path = FindSiblingProgram(name);
    checks.push_back(path.ok()
                         ? Check{name, Check::kOk, *path, ""}
                         : Check{name, Check::kWarning, "not installed beside tunectl",
                                 "`tunectl tune` needs it on this machine; submit to a server does not."});
  }
  return checks;
}

Check CheckSandbox() {
  const absl::Status support = SandboxSupport();
  if (support.ok())
    return {"sandbox", Check::kOk, "compilers, programs and candidates see nothing of this machine", ""};
  if (absl::IsNotFound(support)) {
    return {"sandbox", Check::kWarning, "cannot be tried without tune-sandbox",
            "Build tune-sandbox beside tunectl."};
  }
  return {
      "sandbox", Check::kWarning, OneLine(support.message()),
      absl::StrCat(
          "`tune-worker` refuses to start without --unsafe-no-sandbox; `tunectl tune` works. To have one, ",
          kSandboxRemedy, ".")};
}

Check CheckIsl() {
  IslContext context;
  const auto minimum = context.Run("check", [&]() -> absl::StatusOr<std::string> {
    std::ostringstream text;
    text << isl::set(context.ctx(), "[n] -> { S[i] : 0 <= i < n }").lexmin();
    return text.str();
  });
  if (minimum.ok()) return {"isl", Check::kOk, "computes " + *minimum, ""};
  return {"isl", Check::kFailure, OneLine(minimum.status().message()), "Install Debian's libisl23."};
}

std::vector<Check> CheckCuda() { return {CheckNvcc(), CheckDriver(), CheckGpu(), CheckPpcg()}; }

std::string PrintCheck(const Check& check) {
  constexpr const char* kLevels[] = {"ok", "warn", "fail"};
  std::string text = absl::StrFormat("%-4s  %-12s  %s\n", kLevels[check.level], check.name, check.text);
  if (!check.remedy.empty()) absl::StrAppendFormat(&text, "%20s%s\n", "", check.remedy);
  return text;
}

}  // namespace tune
