#include <filesystem>
#include <memory>
#include <sstream>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/cli/commands.h"
#include "client/cli/kernel_options.h"
#include "client/cli/safe_output.h"
#include "client/exchange/bounded_json.h"
#include "client/kernels/definition_paths.h"
#include "client/kernels/description.h"
#include "client/kernels/source_check.h"
#include "client/kernels/t1_reader.h"
#include "client/submit/shell_words.h"
#include "common/base/file.h"
#include "common/kernel_definition/definition_check.h"
#include "common/kernel_definition/definition_space.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

struct DescribeOptions {
  std::string file, t1, definition, output;
  bool force = false;
  KernelOptions kernel;
};

// What is printed, and what is said of it.
struct Described {
  std::string text;
  std::vector<std::string> notes;
  bool is_complete = false;  // nothing is to be filled in
  std::string space;         // "24 of 27 configurations are valid", where it is complete
};

v1::KernelLanguage LanguageOf(const v1::KernelDefinition& definition, const std::string& file) {
  return definition.language() != v1::KERNEL_LANGUAGE_UNSPECIFIED ? definition.language()
                                                                  : LanguageOfFile(file);
}

// Data that the definition names lies relative to the file that it is written in.
std::string FolderOf(const std::string& path) { return fs::path(path).parent_path().string(); }

absl::StatusOr<std::string> SpaceText(const v1::KernelDefinition& definition) {
  TUNE_ASSIGN_OR_RETURN(const ParameterSpace space, ParameterSpaceOf(definition));
  TUNE_ASSIGN_OR_RETURN(const ParameterChoice choice, DefaultConfiguration(definition));
  std::ostringstream count;
  count << space.count();
  return absl::StrCat(count.str(), " of ", space.product(), " configurations are valid; the first is ",
                      PrintValues(definition, ValuesOf(definition, choice)));
}

class Describer {
 public:
  explicit Describer(const DescribeOptions& options) : options_(options) {}

  absl::StatusOr<Described> Describe() {
    TUNE_ASSIGN_OR_RETURN(source_, ReadFile(options_.file));
    if (!options_.t1.empty() && !options_.definition.empty())
      return UsageError("--t1 and --definition exclude each other: each is a definition");
    if (!options_.t1.empty()) return DescribeT1();
    if (!options_.definition.empty() || HasMoreThanKernels()) return DescribeGiven();
    return DescribeWhatTheSourceSays();
  }

 private:
  // Names of kernels alone choose what to describe.
  bool HasMoreThanKernels() const {
    for (const ShortFormWord& word : ShortFormWords()) {
      if (std::string(word.word) == "kernel" || std::string(word.word) == "language") continue;
      if (options_.kernel.Has(word.word)) return true;
    }
    return false;
  }

  absl::StatusOr<Described> DescribeWhatTheSourceSays() {
    ShortFormReader reader;
    TUNE_RETURN_IF_ERROR(options_.kernel.Read(&reader));
    TUNE_ASSIGN_OR_RETURN(const v1::KernelDefinition given, reader.Finish());
    const v1::KernelLanguage language = LanguageOf(given, options_.file);
    if (language == v1::KERNEL_LANGUAGE_UNSPECIFIED) return UnknownLanguage();
    Described described;
    TUNE_ASSIGN_OR_RETURN(described.text, DescribeSource(ScanSource(source_, language), options_.file,
                                                         language, options_.kernel.kernels()));
    return described;
  }

  absl::StatusOr<Described> DescribeT1() {
    if (options_.kernel.any())
      return UsageError("--t1 stands alone: options of kernels cannot be added to it");
    TUNE_ASSIGN_OR_RETURN(const std::string content, ReadFile(options_.t1));
    const absl::StatusOr<Json> json = ParseBoundedJson(content);
    if (!json.ok()) return Annotate(json.status(), options_.t1);
    absl::StatusOr<T1Reading> reading = ReadT1(*json);
    if (!reading.ok()) return EachLine(reading.status(), options_.t1);
    Described described;
    for (const std::string& note : reading->notes)
      described.notes.push_back(absl::StrCat(options_.t1, ": ", note));
    if (fs::path(reading->definition.file()).filename() != fs::path(options_.file).filename()) {
      described.notes.push_back(absl::StrCat(options_.t1,
                                             ": KernelSpecification.KernelFile: ", reading->definition.file(),
                                             " is not taken, but ", options_.file));
    }
    reading->definition.set_file(options_.file);
    TUNE_RETURN_IF_ERROR(Check(reading->definition, FolderOf(options_.t1)));
    return Complete(reading->definition, FolderOf(options_.t1), std::move(described));
  }

  absl::StatusOr<Described> DescribeGiven() {
    std::string folder;
    ShortFormReader reader;
    if (!options_.definition.empty()) {
      TUNE_ASSIGN_OR_RETURN(const std::string content, ReadFile(options_.definition));
      TUNE_RETURN_IF_ERROR(reader.AddLines(content, options_.definition));
      folder = FolderOf(options_.definition);
    }
    TUNE_RETURN_IF_ERROR(options_.kernel.Read(&reader));
    reader.SetFile(options_.file);
    const absl::StatusOr<v1::KernelDefinition> finished = reader.Finish();
    if (!finished.ok()) return UsageError(finished.status().message());
    TUNE_RETURN_IF_ERROR(EachLine(CheckDefinition(*finished), options_.definition));
    TUNE_RETURN_IF_ERROR(Check(*finished, folder));
    return Complete(*finished, folder, {});
  }

  absl::Status Check(const v1::KernelDefinition& definition, const std::string& folder) const {
    FaultList faults;
    CheckAgainstSource(definition, ScanSource(source_, definition.language()), &faults);
    CheckFilesOf(definition, folder, &faults);
    if (faults.empty()) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrJoin(faults.lines(), "\n"));
  }

  // `folder`: that the definition's files are relative to.
  absl::StatusOr<Described> Complete(v1::KernelDefinition definition, const std::string& folder,
                                     Described described) const {
    RebaseFiles(folder, FolderOf(options_.output), &definition);
    definition.set_file(SourceFromOutput());
    described.text = WriteShortForm(definition);
    described.is_complete = true;
    TUNE_ASSIGN_OR_RETURN(described.space, SpaceText(definition));
    return described;
  }

  std::string SourceFromOutput() const { return RebasePath(options_.file, "", FolderOf(options_.output)); }

  absl::Status UnknownLanguage() const {
    return UsageError(absl::StrCat(options_.file, ": its suffix says no language; add --language cuda or c"));
  }

  // The same with the file's name before each line.
  static absl::Status EachLine(const absl::Status& status, const std::string& name) {
    if (status.ok() || name.empty()) return status;
    std::vector<std::string> lines = absl::StrSplit(status.message(), '\n');
    for (std::string& line : lines) line = absl::StrCat(name, ": ", line);
    return absl::Status(status.code(), absl::StrJoin(lines, "\n"));
  }

  const DescribeOptions& options_;
  std::string source_;
};

absl::StatusOr<int> RunDescribe(Session& session, const DescribeOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const Described described, Describer(options).Describe());
  for (const std::string& note : described.notes) session.err() << Printable(note) << "\n";
  if (!options.output.empty()) {
    OutputRules rules;
    rules.inputs = {options.file, options.t1, options.definition};
    rules.force = options.force;
    TUNE_RETURN_IF_ERROR(WriteOutputs({{options.output, described.text}}, rules));
  }
  if (session.options.json) {
    session.out() << PrintJson({{"definition", described.text},
                                {"complete", described.is_complete},
                                {"space", described.is_complete ? Json(described.space) : Json()},
                                {"notes", described.notes},
                                {"file", options.output.empty() ? Json() : Json(options.output)}});
  } else if (options.output.empty()) {
    session.out() << described.text;
    if (described.is_complete) session.err() << described.space << ".\n";
  } else if (described.is_complete) {
    session.out() << options.output << ": " << described.space << ".\n";
  } else {
    session.out() << options.output << " is to be filled in; then `"
                  << session.Hint("describe " +
                                  JoinShellWords({options.file, "--definition", options.output}))
                  << "` checks it.\n";
  }
  return kExitOk;
}

}  // namespace

void AddDescribe(CLI::App& app, Session& session) {
  auto options = std::make_shared<DescribeOptions>();
  CLI::App* verb = AddVerb(
      app, session, "describe",
      "Describe a hand-written kernel with tuning parameters: what its source says, to be filled in; or "
      "check what "
      "is given, and write it as a file. Needs no server",
      "  tunectl describe convolution.cu -o convolution.tune        kernels, arguments, macros, to be filled "
      "in\n"
      "  tunectl describe convolution.cu --definition convolution.tune      is it complete and right?\n"
      "  tunectl describe convolution.cu --t1 convolution.json -o convolution.tune\n"
      "  tunectl describe add.cu --kernel add --block block_x --parameter block_x=64,128,256 --problem "
      "n=1000000 \\\n"
      "      --argument 'out:float[n]:out' --argument 'in:float[n]:in:random' --argument n:int:n\n\n"
      "The source is read, never preprocessed, compiled or run. A file has the options' names as words, one "
      "on each "
      "line;\nwhat follows a # is a comment. Expressions are Python's. A T1 file may be in the dialect of "
      "KTT or of "
      "Kernel Tuner; what\nof it is not taken is said on standard error.\n",
      "definition (its text), complete, space, notes, file");
  verb->add_option("FILE", options->file, "Source with the kernels: .cu or .c")->required();
  verb->add_option("--t1", options->t1, "Definition in the format T1 (JSON)")->type_name("FILE");
  verb->add_option("--definition", options->definition,
                   "Definition in the form that describe writes; options add to it")
      ->type_name("FILE");
  verb->add_option("-o,--output", options->output, "File to write; default: standard output")
      ->type_name("FILE");
  verb->add_flag("--force", options->force,
                 "Also replace an existing file that is not empty; never one that is read");
  options->kernel.AddTo(*verb);
  verb->callback([&session, options] {
    session.command = [&session, options] { return RunDescribe(session, *options); };
  });
}

}  // namespace tune
