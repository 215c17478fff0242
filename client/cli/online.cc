// A program that tunes its regions while it runs: generated, compiled and linked with libtune in one step.
#include <filesystem>
#include <memory>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "client/cli/attached_program.h"
#include "client/cli/case_files.h"
#include "client/cli/commands.h"
#include "client/cli/libtune_location.h"
#include "client/cli/sent_tries.h"
#include "client/cli/sent_wisdom.h"
#include "client/submit/shell_words.h"
#include "common/base/cuda_toolkit.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

constexpr size_t kLongestCompilerOutput = 1 << 20;

struct OnlineOptions {
  GenerateOptions generate;
  std::string libtune, nvcc, wisdom;
  bool run = false, check = false, send = false;
  int every = 2;  // seconds

  std::string Wisdom() const {
    return wisdom.empty() ? FileStem(generate.program.file()) + ".wisdom" : wisdom;
  }
  // Of this run alone.
  std::string Tries() const { return Wisdom() + ".tries"; }
};

// What was built and from what.
struct OnlineProgram {
  CaseFiles files;
  std::vector<std::string> commands;
  std::string path;  // of the program; of a file without main, of its object
  LibtuneLocation libtune;

  bool runs() const { return files.tuned.program.has_main(); }
};

absl::StatusOr<std::string> ChosenNvcc(const OnlineOptions& options, const OnlineProgram& made) {
  absl::StatusOr<std::string> nvcc =
      options.nvcc.empty() ? FindNvcc() : absl::StatusOr<std::string>(options.nvcc);
  if (nvcc.ok() && (options.nvcc.empty() || std::filesystem::exists(options.nvcc))) return nvcc;
  const std::string why = nvcc.ok() ? absl::StrCat("--nvcc ", options.nvcc, ": there is no such program")
                                    : std::string(nvcc.status().message());
  return absl::FailedPreconditionError(
      absl::StrCat("nothing is built, as CUDA files need nvcc: ", why, "\nWrote ",
                   NamesOfTunedFiles(made.files.tuned, options.generate.OutputPath()),
                   ". Where there is nvcc, build them with\n  ", absl::StrJoin(made.commands, "\n  ")));
}

// The command lines that build it, nvcc's first.
std::vector<std::string> CommandsOf(const OnlineOptions& options, OnlineProgram& made) {
  for (DeviceFile& file : made.files.tuned.device_files) {
    file.architecture = options.generate.architecture;
    file.flags.push_back("-I" + made.libtune.include);
  }
  std::vector<std::string> commands = DeviceBuildCommands(made.files.tuned);
  ProgramOptions::TunedParts parts;
  parts.openmp = made.files.tuned.openmp;
  parts.device_objects = DeviceObjects(made.files.tuned);
  parts.online = true;
  parts.libtune = made.libtune.library;
  commands.push_back(
      options.generate.program.BuildCommand(made.files.tuned.program, options.generate.OutputPath(), parts));
  return commands;
}

// With nvcc by the path at which it was found.
std::vector<std::string> WithCompiler(std::vector<std::string> commands, const std::string& nvcc) {
  for (std::string& command : commands)
    if (absl::StartsWith(command, "nvcc ")) command.replace(0, 4, JoinShellWords({nvcc}));
  return commands;
}

absl::Status Build(Session& session, const std::vector<std::string>& commands) {
  for (const std::string& command : commands) {
    SubprocessOptions limits;
    limits.output_limit_bytes = kLongestCompilerOutput;
    TUNE_ASSIGN_OR_RETURN(const SubprocessResult result, RunSubprocess({"sh", "-c", command}, limits));
    const std::string said = result.standard_output + result.standard_error;
    if (!result.ok())
      return absl::FailedPreconditionError(absl::StrCat("`", command, "` ", result.Describe(), ":\n", said));
    session.err() << said;  // warnings
  }
  return absl::OkStatus();
}

// How the program is started: words, and what is added to its environment.
absl::StatusOr<AttachedProgram> StartOf(const OnlineOptions& options, const OnlineProgram& made,
                                        bool output_is_taken) {
  TUNE_ASSIGN_OR_RETURN(const FrontEndRequest request, options.generate.program.Request());
  AttachedProgram program;
  program.words = {"./" + made.path};
  program.words.insert(program.words.end(), request.arguments.begin(), request.arguments.end());
  program.environment = {"TUNE_WISDOM_FILE=" + options.Wisdom()};
  if (options.check) program.environment.push_back("TUNE_CHECK=1");
  if (options.send) program.environment.push_back("TUNE_TRIES_FILE=" + options.Tries());
  program.standard_input = request.standard_input;
  program.output_to_errors = output_is_taken;
  return program;
}

std::string CommandText(const AttachedProgram& program) {
  std::string text;
  for (const std::string& variable : program.environment) {
    const size_t value = variable.find('=') + 1;
    absl::StrAppend(&text, variable.substr(0, value), JoinShellWords({variable.substr(value)}), " ");
  }
  absl::StrAppend(&text, JoinShellWords(program.words));
  if (!program.standard_input.empty())
    absl::StrAppend(&text, " < ", JoinShellWords({program.standard_input}));
  return text;
}

std::string RegionNames(const OnlineProgram& made) {
  std::vector<std::string> names;
  for (const v1::CaseDiscussion& region : made.files.discussions.regions()) names.push_back(region.region());
  return absl::StrJoin(names, ", ");
}

std::string BuiltText(Session& session, const OnlineOptions& options, const OnlineProgram& made,
                      const AttachedProgram& program) {
  std::string text = absl::StrCat("Built ", made.path, ", which tunes ", RegionNames(made),
                                  " while it runs, by\n  ", absl::StrJoin(made.commands, "\n  "), "\n");
  if (!made.runs()) {
    return absl::StrCat(text, "The file has no main: link the objects ", made.path, " and ",
                        absl::StrJoin(DeviceObjects(made.files.tuned), ", "), " with\n  -L",
                        made.libtune.library, " -Wl,-rpath,", made.libtune.library, " -ltune ",
                        absl::StrJoin(DeviceLibraries(), " "), "\n");
  }
  absl::StrAppend(&text, options.run ? "Runs it with\n  " : "Run it with\n  ", CommandText(program), "\n");
  if (options.run) return text;
  return absl::StrCat(text, "Each time it goes on with what it learnt, which `",
                      session.Hint("wisdom " + JoinShellWords({options.Wisdom()})),
                      "` shows and, with --send, sends. "
                      "With TUNE_CHECK=1 first\nresults of the GPU are compared with the original's.\n");
}

// What a run tries and learns to the server, while it runs and at its end. What goes wrong is told: the
// program is not to suffer.
class RunReport {
 public:
  RunReport(Session& session, const OnlineOptions& options)
      : session_(session), wisdom_(options.Wisdom()), tries_(options.Tries()) {}

  void SendTries(bool run_ended) { Tell(tune::SendTries(session_, run_ended, &tries_, &studies_)); }

  // What the file holds beside the results of what was tried; how many results are new to the server.
  int SendRest() {
    absl::StatusOr<std::vector<LearntResult>> results = ReadLearntResults(wisdom_);
    if (absl::IsNotFound(results.status())) return 0;
    if (results.ok())
      std::erase_if(*results, [&](const LearntResult& result) { return tries_.Tells(result); });
    const absl::StatusOr<SentWisdom> sent =
        results.ok() ? SendWisdom(session_, *results, wisdom_) : absl::StatusOr<SentWisdom>(results.status());
    Tell(sent.status());
    return sent.value_or(SentWisdom()).fresh;
  }

  int64_t tries() const { return tries_.tries(); }
  const std::vector<std::string>& studies() const { return studies_; }

 private:
  void Tell(const absl::Status& status) {
    if (!status.ok()) session_.err() << "not sent: " << status.message() << "\n";
  }

  Session& session_;
  const std::string wisdom_;
  ApplicationTries tries_;
  std::vector<std::string> studies_;
};

absl::StatusOr<int> RunProgram(Session& session, const OnlineOptions& options, const AttachedProgram& program,
                               Json* json) {
  session.out().flush();
  std::error_code error;
  std::filesystem::remove(options.Tries(), error);
  RunReport report(session, options);
  TUNE_ASSIGN_OR_RETURN(const int status, RunAttached(program, absl::Seconds(options.every), [&] {
                          if (options.send) report.SendTries(/*run_ended=*/false);
                        }));
  (*json)["exit_status"] = status;
  if (options.send) {
    report.SendTries(/*run_ended=*/true);
    const int fresh = report.SendRest();
    (*json)["studies"] = report.studies();
    (*json)["tries"] = report.tries();
    (*json)["new"] = fresh;
    if (!session.options.json)
      session.err() << "The server got " << report.tries() << " tries of " << report.studies().size()
                    << " searches, and " << fresh << " other results of " << options.Wisdom()
                    << " that it did not know.\n";
  }
  if (status != 0) session.err() << program.words[0] << " ended with status " << status << ".\n";
  return status == 0 ? kExitOk : kExitFailed;
}

absl::StatusOr<int> RunOnline(Session& session, OnlineOptions options) {
  if (options.send && !options.run)
    return UsageError("--send is of --run: give both, or send later with `tunectl wisdom`");
  options.generate.online = true;
  options.generate.cases = !options.generate.shares();
  TUNE_RETURN_IF_ERROR(CheckOutputName(options.generate.output));
  OnlineProgram made;
  TUNE_ASSIGN_OR_RETURN(made.libtune, FindLibtune(options.libtune));
  absl::StatusOr<CaseFiles> files = WriteCaseFiles(session, options.generate);
  if (absl::IsCancelled(files.status())) return Interrupted(session);
  TUNE_RETURN_IF_ERROR(files.status());
  made.files = *std::move(files);
  made.commands = CommandsOf(options, made);
  made.path = FileStem(options.generate.program.file()) + (made.runs() ? ".tuned" : ".tuned.o");
  TUNE_ASSIGN_OR_RETURN(const std::string nvcc, ChosenNvcc(options, made));
  if (options.run && !made.runs())
    return UsageError(options.generate.program.file() +
                      " has no main: leave --run out, and link what is built");
  made.commands = WithCompiler(made.commands, nvcc);
  TUNE_RETURN_IF_ERROR(Build(session, made.commands));
  TUNE_ASSIGN_OR_RETURN(const AttachedProgram program, StartOf(options, made, session.options.json));
  Json json = CaseFilesJson(made.files, options.generate);
  json["program"] = made.path;
  json["commands"] = made.commands;
  json["wisdom"] = options.Wisdom();
  if (!session.options.json) session.out() << BuiltText(session, options, made, program);
  int status = kExitOk;
  if (options.run) {
    TUNE_ASSIGN_OR_RETURN(status, RunProgram(session, options, program, &json));
  }
  if (session.options.json) session.out() << PrintJson(json);
  return status;
}

}  // namespace

void AddOnline(CLI::App& app, Session& session) {
  auto options = std::make_shared<OnlineOptions>();
  CLI::App* verb =
      AddVerb(app, session, "online", "Build a program that tunes its regions while it runs",
              "  tunectl online gemm.c                     builds gemm.tuned, and says how it is run\n"
              "  tunectl online gemm.c --arch sm_90        for these GPUs; default: that of this machine\n"
              "  tunectl online gemm.c --target cpu+cuda   ... whose parts run on the CPU and on the GPU\n"
              "  tunectl online gemm.c --run --arg 2000    ... and runs it\n"
              "  tunectl online gemm.c --run --send        ... and sends what it learns to the server\n\n"
              "What `tunectl generate --cases --online` writes is compiled by nvcc and cc and linked with "
              "libtune: in each "
              "call of a\nregion libtune picks the original, the GPU with formats by the tree of cases, or "
              "with formats that "
              "it searches, and\nsettles on what is fastest for these sizes here. Without a GPU the program "
              "runs the original, with "
              "--target cpu+cuda the CPU's parts, too. Results go to a wisdom\nfile, with which later runs "
              "begin; on the server they are results of "
              "origin online.\n",
              "file, device_files, regions, as of generate --cases; program, commands, wisdom; with --run "
              "exit_status, with "
              "--send studies, tries, new");
  GenerateOptions& generate = options->generate;
  generate.program.AddTo(*verb);
  verb->add_option("--region", generate.region, "Only the K-th region of the file. Default: all of them")
      ->check(CLI::PositiveNumber)
      ->type_name("K")
      ->group("Program");
  verb->add_option("--arch", generate.architecture,
                   "For GPUs of this compute capability, sm_60 to sm_121. Default: this machine's")
      ->type_name("sm_NN");
  verb->add_option(
          "--target", generate.target,
          "cpu+cuda: libtune also cuts the outermost loop, which is to be parallel, into parts for CPU "
          "and GPU. Default: cuda, the region as a whole")
      ->check(CLI::IsMember({"cuda", "cpu+cuda"}));
  verb->add_flag_callback(
      "--exact", [&generate] { generate.rounding = v1::ROUNDING_EXACT; },
      "Sums keep their order, products are rounded before they are added");
  verb->add_option("-o,--output", generate.output,
                   "File to write, in the language of the original; the CUDA file lies beside it. Default: "
                   "NAME.tuned.c in the current folder")
      ->type_name("FILE");
  verb->add_option(
          "--formats", generate.formats,
          "Formats that were the fastest in studies, to begin with (`tunectl export --format cases`)")
      ->type_name("FILE");
  verb->add_flag("--force", generate.force, kForceHelp);
  verb->add_option(
          "--libtune", options->libtune,
          "Folder in which libtune is installed or was built. Default: that of tunectl, /usr/local, /usr")
      ->type_name("DIR");
  verb->add_option("--nvcc", options->nvcc,
                   "CUDA compiler. Default: the one in PATH, or of CUDA_HOME or /usr/local/cuda")
      ->type_name("PROGRAM");
  verb->add_option("--wisdom", options->wisdom, "File of what the program learns. Default: NAME.wisdom")
      ->type_name("FILE");
  verb->add_flag(
      "--check", options->check,
      "Compare first results of the GPU with the original's, which then stand where they differ; the "
      "wrong code is not run again (TUNE_CHECK)");
  CLI::Option* run = verb->add_flag("--run", options->run, "Also run the program, with --arg and --stdin");
  CLI::Option* send =
      verb->add_flag("--send", options->send,
                     "While it runs, and at its end, send what it tries and learns to the server, "
                     "where `watch` and the page show it live");
  verb->add_option("--every", options->every, "Seconds between two times that --send sends. Default: 2")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("SECONDS")
      ->needs(send)
      ->needs(run);
  verb->callback([&session, options] {
    session.command = [&session, options] { return RunOnline(session, *options); };
  });
}

}  // namespace tune
