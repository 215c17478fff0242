// Writes one of tests/programs with its region as generated CUDA: NAME.c (the program, calling the region)
// and NAME.cu, for measurements on a device and for people to read.
#include <CLI/CLI.hpp>
#include <cctype>
#include <iostream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "common/space/configuration.h"
#include "common/tuned/tuned_file.h"
#include "tests/common/testing/programs.h"
#include "tests/common/testing/random_chooser.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "tests/worker/codegen/setting_chooser.h"
#include "worker/codegen/cuda_generator.h"
#include "worker/codegen/cuda_region.h"
#include "worker/ppcg/ppcg_generator.h"

namespace tune {
namespace {

struct Options {
  std::string file;
  std::vector<std::string> macros, include_directories;
  std::map<std::string, int64_t> values;  // of the scop's parameters
  std::string folder = ".";
  uint64_t seed = 0;
  std::map<std::string, std::string> settings;  // decisions, key to option
  std::string back_end = "builtin";
  std::string ppcg;  // its path, for that back end
  bool exact = false;
  bool check = false;
  std::string trees;                // file of schedule trees, with titles
  std::vector<std::string> stages;  // to print
};

// "n=5", "m=6"
absl::StatusOr<std::map<std::string, int64_t>> ParseValues(const std::vector<std::string>& texts) {
  std::map<std::string, int64_t> values;
  for (const std::string& text : texts) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(text, absl::MaxSplits('=', 1));
    if (!absl::SimpleAtoi(parts.second, &values[parts.first]))
      return absl::InvalidArgumentError(absl::StrCat("--parameter ", text, ": not NAME=VALUE"));
  }
  return values;
}

// Extents as the program declares them, or as it uses them where that is no number or parameter.
v1::Reference MakeReference(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  v1::Reference reference = testing::MakeReference(scop, values);
  for (int a = 0; a < scop.arrays_size(); ++a) {
    for (int i = 0; i < scop.arrays(a).extents_size(); ++i) {
      const std::string& text = scop.arrays(a).extents(i).c_expression();
      int64_t number = 0;
      if (const auto value = values.find(text); value != values.end()) number = value->second;
      if (number > 0 || absl::SimpleAtoi(text, &number)) reference.mutable_arrays(a)->set_extents(i, number);
    }
  }
  return reference;
}

struct Generated {
  CudaProgram program;
  v1::Scop scop;  // whose arrays the program's are
};

absl::StatusOr<TreeTexts> ReadTrees(const std::string& file) {
  if (file.empty()) return TreeTexts();
  TUNE_ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
  absl::StatusOr<TreeTexts> trees = ReadTreeTexts(text);
  if (!trees.ok()) return Annotate(trees.status(), file);
  return trees;
}

// `schedule`: null for a computed one.
absl::StatusOr<CudaPlan> WalkBuiltin(CudaSpace& space, const std::string* schedule, Chooser& chooser) {
  return schedule == nullptr ? space.Walk(chooser) : space.WalkWithSchedule(*schedule, chooser);
}

absl::Status PrintStages(const CudaPlan& plan, const CudaSpaceOptions& space,
                         const std::vector<std::string>& stages, const TreeTexts& trees) {
  v1::Diagnosis diagnosis;
  diagnosis.mutable_stages()->Add(stages.begin(), stages.end());
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Finding> findings, DiagnoseCuda(plan, space, diagnosis, trees));
  for (const v1::Finding& finding : findings) std::cout << PrintTreeText(finding.title(), finding.text());
  return absl::OkStatus();
}

absl::StatusOr<Generated> GenerateBuiltin(const v1::Scop& scop, const v1::Reference& reference,
                                          const std::map<std::string, int64_t>& values,
                                          const Options& options, Chooser& chooser) {
  CudaSpaceOptions space_options;
  space_options.exact = options.exact;
  TUNE_ASSIGN_OR_RETURN(const auto space,
                        CudaSpace::Make(WithParameterFacts(scop, values), values, space_options));
  TUNE_ASSIGN_OR_RETURN(TreeTexts trees, ReadTrees(options.trees));
  const auto schedule = trees.extract("schedule");
  TUNE_ASSIGN_OR_RETURN(const CudaPlan plan,
                        WalkBuiltin(*space, schedule ? &schedule.mapped() : nullptr, chooser));
  if (!options.stages.empty())
    TUNE_RETURN_IF_ERROR(PrintStages(plan, space->options(), options.stages, trees));
  // The others are checked where they are taken.
  if (trees.empty() && (options.check || schedule)) TUNE_RETURN_IF_ERROR(CheckCuda(plan, space->options()));
  TUNE_ASSIGN_OR_RETURN(CudaProgram program, GenerateCuda(plan, space->options(), reference, trees));
  return Generated{std::move(program), plan.schedules->scop().proto};
}

absl::StatusOr<Generated> GenerateByPpcg(const std::string& path, const v1::Scop& scop,
                                         const v1::Reference& reference, Chooser& chooser) {
  TUNE_ASSIGN_OR_RETURN(const PpcgProgram ppcg, PpcgProgram::Find(path));
  TUNE_ASSIGN_OR_RETURN(const auto generator, PpcgGenerator::Make(ppcg, scop, reference, {}));
  TUNE_ASSIGN_OR_RETURN(const PpcgPlan plan, generator->Walk(chooser));
  TUNE_ASSIGN_OR_RETURN(CudaProgram program, generator->Generate(plan));
  return Generated{std::move(program), scop};
}

absl::Status Generate(const Options& options) {
  std::vector<std::string> flags;
  for (const std::string& macro : options.macros) flags.insert(flags.end(), {"-D", macro});
  for (const std::string& folder : options.include_directories) flags.insert(flags.end(), {"-I", folder});
  TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction, testing::ExtractFile(options.file, flags));
  const v1::Scop& scop = extraction.scops(0);
  std::map<std::string, int64_t> values;
  for (const v1::Parameter& parameter : scop.parameters()) {
    const auto value = options.values.find(parameter.name());
    if (value == options.values.end())
      return absl::InvalidArgumentError(absl::StrCat("give --parameter ", parameter.name(), "=VALUE"));
    values.insert(*value);
  }
  testing::SettingChooser standard(options.settings);
  testing::RandomChooser random(options.seed);
  RecordingChooser recording(options.seed == 0 ? static_cast<Chooser*>(&standard) : &random);
  const v1::Reference reference = MakeReference(scop, values);
  TUNE_ASSIGN_OR_RETURN(const Generated generated,
                        options.back_end == "ppcg"
                            ? GenerateByPpcg(options.ppcg, scop, reference, recording)
                            : GenerateBuiltin(scop, reference, values, options, recording));
  const CudaRegion region = PrintCudaRegion(generated.program, generated.scop);
  TUNE_ASSIGN_OR_RETURN(const std::string file,
                        PrintTunedFile(extraction.program(), scop, reference, region.call, {}));
  const std::string path =
      absl::StrCat(options.folder, "/", std::filesystem::path(options.file).stem().string());
  TUNE_RETURN_IF_ERROR(WriteFile(path + ".c", file));
  return WriteFile(path + ".cu",
                   absl::StrCat("/*\n", PrintConfiguration(recording.configuration()), "*/\n", region.file));
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  tune::Options options;
  std::vector<std::string> parameters;
  CLI::App app("writes a C program with its region as generated CUDA");
  app.add_option("file", options.file, "C file with one region")->required();
  app.add_option("-D", options.macros, "NAME=VALUE")->allow_extra_args(false);
  app.add_option("-I", options.include_directories, "folder of headers")->allow_extra_args(false);
  app.add_option("--parameter", parameters, "NAME=VALUE, of the scop")->allow_extra_args(false);
  app.add_option("--folder", options.folder, "where NAME.c and NAME.cu go")->capture_default_str();
  app.add_option("--seed", options.seed, "of a random configuration; 0: the default one");
  app.add_option("--back-end", options.back_end)->check(CLI::IsMember({"builtin", "ppcg"}));
  app.add_option("--ppcg", options.ppcg, "path of ppcg; default: the one in PATH");
  app.add_flag("--exact", options.exact, "sums keep their order");
  app.add_flag("--check", options.check,
               "prove that the builtin back end's mapping is right, or say why not");
  app.add_option("-d", options.stages,
                 "print the schedule trees after a stage of the builtin back end: schedule, host, block, "
                 "threads, tiles, copies")
      ->allow_extra_args(false)
      ->type_name("STAGE");
  app.add_option(
         "--tree", options.trees,
         "file of schedule trees, as -d prints them for any stages and kernels, to go on with in place of "
         "those that are made; what comes of them is checked")
      ->type_name("FILE");
  std::vector<std::string> settings;
  app.add_option("--set", settings, "KEY=OPTION, instead of the default one")->allow_extra_args(false);
  CLI11_PARSE(app, argc, argv);
  for (const std::string& setting : settings) {
    const size_t equals = setting.rfind('=');
    if (equals != std::string::npos) options.settings[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  const auto values = tune::ParseValues(parameters);
  if (values.ok()) options.values = *values;
  const absl::Status status = values.ok() ? tune::Generate(options) : values.status();
  if (!status.ok()) std::cerr << options.file << ": " << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
