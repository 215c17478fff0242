#include <algorithm>
#include <memory>

#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "client/cli/build_text.h"
#include "client/cli/captured_studies.h"
#include "client/cli/commands.h"
#include "client/cli/follow.h"
#include "client/cli/known_results.h"
#include "client/cli/shared_check.h"
#include "client/cli/submission.h"
#include "client/cli/tuned_output.h"
#include "client/report/json.h"
#include "client/report/summary.h"
#include "client/report/table.h"
#include "client/report/target_comparison.h"
#include "client/report/units.h"
#include "client/report/waiting_reason.h"
#include "client/report/words.h"
#include "client/submit/background_process.h"
#include "common/base/sandbox_support.h"
#include "common/kernel_definition/definition_names.h"
#include "common/rpc/version.h"

namespace tune {
namespace {

// For the private worker to name its devices.
constexpr absl::Duration kWorkerPatience = absl::Seconds(20);
constexpr absl::Duration kLookUpPatience = absl::Seconds(5);
constexpr int kLogLines = 3;  // of its log, when it has found no device

struct TuneOptions {
  ProgramOptions program;
  StudyOptions study;
  KernelOptions kernel;
  CapturedOptions captured;
  std::string output;
  bool fresh = false;
  bool force = false;
};

// One `tunectl tune`.
class Tune {
 public:
  Tune(Session& session, const TuneOptions& options) : session_(session), options_(options) {}

  absl::StatusOr<int> Run() {
    TUNE_ASSIGN_OR_RETURN(specs_, PrepareStudies(session_, options_.program, options_.study, options_.kernel,
                                                 options_.captured));
    TUNE_RETURN_IF_ERROR(CheckShareable(session_, specs_));
    const v1::Target target = specs_[0].has_kernel() ? TargetOf(specs_[0].kernel()) : specs_[0].target();
    TUNE_RETURN_IF_ERROR(CheckTunedOutput(OutputPath(), target, Rules()));
    TUNE_RETURN_IF_ERROR(OpenServer());
    if (options_.study.every_target()) TUNE_RETURN_IF_ERROR(TakeEveryTarget());
    TUNE_RETURN_IF_ERROR(CheckDevice());
    if (!options_.fresh) TUNE_RETURN_IF_ERROR(AwaitDeviceToCompare());
    const InterruptGuard interrupt;
    TUNE_ASSIGN_OR_RETURN(studies_, SubmitWithKnown(session_, *client_, options_.fresh, &specs_));
    int code = kExitOk;
    for (size_t i = 0; i < studies_.size(); ++i) {
      Say(SubmittedLine(studies_[i], specs_[i]));
      FollowOptions follow;
      follow.cancel_on_interrupt = true;
      TUNE_ASSIGN_OR_RETURN(const Followed followed,
                            Follow(session_, *client_, studies_[i].id(), interrupt, follow));
      studies_[i] = followed.study;
      if (followed.interrupted) return Interrupted(i, followed.cancelled);
      code = std::max(code, StudyExitCode(followed));
      if (!session_.options.json) session_.out() << Summary(followed.study, session_.colours());
      TellFailure(followed.study);
    }
    TUNE_RETURN_IF_ERROR(WriteTuned());
    return code;
  }

 private:
  // For people only.
  void Say(const std::string& line) {
    if (!session_.options.json) session_.out() << line << "\n" << std::flush;
  }

  absl::Status OpenServer() {
    TUNE_ASSIGN_OR_RETURN(PrivateServer* const server, session_.UsePrivateServer(Needs::kServerAndWorker));
    TUNE_ASSIGN_OR_RETURN(client_, session_.Client());
    TUNE_ASSIGN_OR_RETURN(const v1::ServerInfo info,
                          session_.Retry([&] { return client_->GetServerInfo(); }));
    if (!CompatibleVersion(info.version())) {
      return absl::FailedPreconditionError(
          absl::StrCat("the private server that another tunectl runs has version ", info.version(),
                       ", this is ", kVersion, "; wait until that tunectl has ended"));
    }
    Say(absl::StrCat(server->started_server() ? "private server in " : "uses the private server in ",
                     server->folder()));
    TellSandbox();
    TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Study> others,
                          session_.Retry([&] { return client_->ListStudies(1000); }));
    for (const v1::Study& study : others) {
      has_results_ = has_results_ || study.best_index() >= 0;
      if (IsFinished(study.state())) continue;
      Say(absl::StrCat("unfinished study ", study.id(), " (", StudyTitle(study), ", ", study.evaluated(), "/",
                       study.budget(), ") goes on beside this one; `", session_.Hint("cancel " + study.id()),
                       "` ends it"));
    }
    return absl::OkStatus();
  }

  // The user's own program may run without one.
  void TellSandbox() {
    const absl::Status support = SandboxSupport();
    if (support.ok()) return;
    Say(absl::StrCat(support.message(),
                     ". The program and its candidates run as you, with limits on time, memory "
                     "and system calls; `tunectl doctor` says what to do"));
  }

  // For --target auto, once the worker has named its devices.
  absl::Status TakeEveryTarget() {
    const absl::Time end = absl::Now() + kWorkerPatience;
    std::vector<v1::WorkerView> workers;
    while (workers.empty() && absl::Now() < end) {
      TUNE_ASSIGN_OR_RETURN(workers, session_.Retry([&] { return client_->ListWorkers(); }));
      TUNE_RETURN_IF_ERROR(session_.private_server()->Maintain());
      if (workers.empty()) absl::SleepFor(absl::Milliseconds(50));
    }
    std::string note;
    const size_t wanted = specs_.size();
    specs_ = ForEveryTarget(specs_, workers, &note);
    two_targets_ = specs_.size() == 2 * wanted;
    if (!note.empty()) session_.err() << note << "\n";
    return absl::OkStatus();
  }

  absl::Status NoPpcg() const {
    return absl::FailedPreconditionError(
        "--generator ppcg: the worker on this machine has found no ppcg. Install PPCG 0.09 "
        "(git://repo.or.cz/ppcg.git) so that `ppcg` is in PATH, or name the program in TUNE_PPCG; or use "
        "--generator builtin");
  }

  absl::Status NoCudaDevice() const {
    const std::string log = session_.private_server()->worker_log();
    return absl::FailedPreconditionError(
        absl::StrCat(specs_[0].has_kernel() ? "kernels in CUDA" : "--target cuda",
                     ": the worker on this machine has found no CUDA device. It needs an NVIDIA GPU, its "
                     "driver (`nvidia-smi` lists the GPU) and tune-cuda-runner beside tune-worker; `tunectl "
                     "doctor` checks the parts",
                     NeedsOf(specs_[0]).gpu_alone ? "" : ", and --target cpu needs none of them",
                     ". The worker's log is ", log, ", which ends:\n", LogTail(log, kLogLines)));
  }

  // Fails at once where the machine lacks the device that was asked for. A worker that has not come yet is
  // waited for; one that never comes is told by Follow.
  absl::Status CheckDevice() {
    const auto wants_cuda = [](const v1::StudySpec& spec) { return spec.target() == v1::CUDA; };
    if (std::none_of(specs_.begin(), specs_.end(), wants_cuda)) return absl::OkStatus();
    const absl::Time end = absl::Now() + kWorkerPatience;
    while (absl::Now() < end) {
      TUNE_ASSIGN_OR_RETURN(const std::vector<v1::WorkerView> workers,
                            session_.Retry([&] { return client_->ListWorkers(); }));
      const bool has_device = HasDevice(workers, v1::CUDA);
      if (has_device && (!NeedsOf(specs_[0]).ppcg || HasPpcg(workers))) return absl::OkStatus();
      if (!workers.empty()) return has_device ? NoPpcg() : NoCudaDevice();
      TUNE_RETURN_IF_ERROR(session_.private_server()->Maintain());
      absl::SleepFor(absl::Milliseconds(50));
    }
    return absl::OkStatus();
  }

  // A look-up tells results of this device from those of others once the worker has named it. Where there are
  // none, nobody waits.
  absl::Status AwaitDeviceToCompare() {
    const absl::Time end = absl::Now() + kLookUpPatience;
    while (has_results_ && absl::Now() < end) {
      TUNE_ASSIGN_OR_RETURN(const std::vector<v1::WorkerView> workers,
                            session_.Retry([&] { return client_->ListWorkers(); }));
      if (!workers.empty()) break;
      TUNE_RETURN_IF_ERROR(session_.private_server()->Maintain());
      absl::SleepFor(absl::Milliseconds(50));
    }
    return absl::OkStatus();
  }

  void TellFailure(const v1::Study& study) {
    if (study.state() == v1::FAILED && !study.failure_log().empty()) {
      session_.err() << Printable(study.failure_log()) << (study.failure_log().back() == '\n' ? "" : "\n");
    }
    if (study.state() == v1::DONE && study.best_index() < 0) {
      session_.err() << "No candidate was correct; `" << session_.Hint("show " + study.id() + " --candidates")
                     << "` tells what became of each.\n";
    }
  }

  // `cancelled`: by Ctrl-C; else the studies stay as they are.
  int Interrupted(size_t current, bool cancelled) {
    for (size_t i = current + 1; cancelled && i < studies_.size(); ++i) {
      const auto study = session_.Retry([&] { return client_->Cancel(studies_[i].id()); });
      if (study.ok()) studies_[i] = *study;
    }
    const v1::Study& study = studies_[current];
    if (session_.options.json) {
      PrintResults("", {});
    } else {
      session_.out() << Summary(study, session_.colours());
    }
    session_.err() << (cancelled ? CancelledText(study) : LeftText(study));
    return kExitInterrupted;
  }

  std::string CancelledText(const v1::Study& study) const {
    std::string text =
        absl::StrCat("Interrupted; ", study.id(), " is cancelled, and what it found is kept.\n");
    if (study.best_index() >= 0) {
      absl::StrAppend(&text, "`", session_.Hint(absl::StrCat("fetch ", study.id(), " -o ", OutputPath())),
                      "` writes the best so far.\n");
    }
    return text + "The same `tunectl tune` again starts a new study.\n";
  }

  std::string LeftText(const v1::Study& study) const {
    return absl::StrCat("Ended by a signal; ", study.id(), " goes on whenever the private server runs: `",
                        session_.Hint("watch " + study.id()), "`.\n");
  }

  std::string OutputPath() const {
    return options_.output.empty() ? DefaultOutput(options_.program.file(), specs_[0]) : options_.output;
  }

  OutputRules Rules() const {
    OutputRules rules;
    rules.inputs = options_.program.Inputs();
    rules.program = &specs_[0].program();
    rules.force = options_.force;
    return rules;
  }

  // Every region and size that has something correct, and faster, goes into the file.
  absl::Status WriteTuned() {
    std::vector<std::string> tuned;
    for (const v1::Study& study : studies_) {
      if (study.best_index() >= 0) tuned.push_back(study.id());
    }
    if (tuned.empty()) {
      if (session_.options.json) PrintResults("", {});
      return absl::OkStatus();
    }
    TUNE_ASSIGN_OR_RETURN(const TunedOutput output, session_.Retry([&] {
      return FetchTuned(session_, *client_, tuned, OutputPath(), options_.force);
    }));
    taken_ = output.taken;
    if (two_targets_) TellTargets();
    if (output.text.empty()) {
      if (session_.options.json) PrintResults("", {});
      session_.err() << WithheldText(
          output.not_faster,
          session_.Hint(absl::StrCat("fetch ", absl::StrJoin(tuned, " "), " -o ", OutputPath(), " --force")));
      return absl::OkStatus();
    }
    session_.err() << LeftOutText(output) << DoubtText(output);
    const absl::Status written = WriteTunedFiles(output, OutputPath(), Rules());
    if (!written.ok()) {
      return Annotate(written,
                      absl::StrCat("the result is kept (`", session_.Hint("fetch " + tuned[0] + " -o FILE"),
                                   "`), but not written"));
    }
    if (session_.options.json) {
      PrintResults(OutputPath(), output.device_files);
    } else {
      TUNE_ASSIGN_OR_RETURN(const std::vector<ProgramSize> sizes, options_.study.Sizes());
      session_.out() << BuildText(options_.program, sizes, output, OutputPath()) << "`"
                     << session_.Hint("show " + tuned[0] + " --candidates") << "` tells what was tried.\n";
    }
    return absl::OkStatus();
  }

  // Of each region and size that was tried on two targets: both, and which one the file has. ForEveryTarget
  // puts them side by side.
  void TellTargets() {
    for (size_t i = 0; i + 1 < studies_.size(); i += 2)
      Say(CompareTargets(studies_[i], studies_[i + 1], taken_));
  }

  // `file`: empty when none was written.
  void PrintResults(const std::string& file, const std::vector<DeviceFile>& device_files) {
    Json list = Json::array(), device = Json::array();
    for (const DeviceFile& device_file : device_files) device.push_back(device_file.path);
    for (const v1::Study& study : studies_) list.push_back(ToJson(study));
    session_.out() << PrintJson({{"studies", list},
                                 {"taken", taken_},
                                 {"file", file.empty() ? Json() : Json(file)},
                                 {"device_files", device}});
  }

  Session& session_;
  const TuneOptions& options_;
  StudyClient* client_ = nullptr;
  std::vector<v1::StudySpec> specs_;
  bool two_targets_ = false;        // specs_ are pairs of a study for the host and one for a GPU
  bool has_results_ = false;        // of earlier studies, on the private server
  std::vector<v1::Study> studies_;  // parallel to specs_
  std::vector<std::string> taken_;  // ids of those whose code is in the file
};

absl::StatusOr<int> RunTune(Session& session, const TuneOptions& options) {
  if (!session.options.server.empty()) {
    return UsageError("tune uses a private server of its own; for --server use `tunectl submit --watch`");
  }
  TUNE_RETURN_IF_ERROR(CheckOutputName(options.output));
  return Tune(session, options).Run();
}

}  // namespace

void AddTune(CLI::App& app, Session& session) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App* verb = AddVerb(
      app, session, "tune",
      "Tune a file in C or C++ on this machine with a private server and worker; writes the tuned file",
      std::string("  tunectl tune gemm.c\n"
                  "  tunectl tune gemm.c --evaluations 200 --seed 7 -o fast.c\n"
                  "  tunectl tune main.c -DN=2000 --with util.c --cflags \"-O2 -ffast-math\" --ldflags -lm\n"
                  "  tunectl tune kernel.c --param n=1000        a file without main\n"
                  "  tunectl tune kernel.c --sizes n=500,1000    one file for both sizes\n"
                  "  tunectl tune main.c --sizes N=500,1000      a macro, as with -D\n"
                  "  tunectl tune main.c --arg {n} --sizes n=500,1000\n"
                  "  tunectl tune kernel.c --captured app.captured    sizes that a program met\n"
                  "  tunectl tune gemm.c --fresh                 as if nothing were known\n"
                  "  tunectl tune matmul.tune                  hand-written kernels; writes a header\n\n"
                  "Ctrl-C cancels the study and tells how to get the best so far; a second one ends at once. "
                  "After a crash the\n"
                  "study goes on whenever the private server runs: `tunectl --private watch STUDY`.\n\n") +
          kLookUpHelp + "\n" + kSizesRule + kSlowSizesRule + "\n" + kCapturedHelp,
      "studies, a list as `show` prints them, taken, the ids of those that are in the file, file, and "
      "device_files");
  options->program.AddTo(*verb);
  options->study.AddTo(*verb);
  options->kernel.AddTo(*verb);
  options->captured.AddTo(*verb);
  AddFresh(*verb, &options->fresh);
  verb->add_option("-o,--output", options->output,
                   "File to write, in the language of the original; on cuda files of the same name with the "
                   "suffixes .cu and .h belong to "
                   "it. Default: "
                   "NAME.tuned.c in the current folder")
      ->type_name("FILE");
  verb->add_flag("--force", options->force, kForceTunedHelp);
  verb->callback(
      [&session, options] { session.command = [&session, options] { return RunTune(session, *options); }; });
}

}  // namespace tune
