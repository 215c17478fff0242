// A region as tuned code without server, worker, study or GPU.
#include <memory>
#include <set>

#include "client/cli/commands.h"
#include "client/cli/generate_options.h"
#include "client/report/json.h"
#include "client/submit/front_end.h"
#include "common/base/file.h"
#include "common/decision/configuration.h"
#include "common/evaluation/compile_flags.h"
#include "common/tuned/guard.h"
#include "tune/v1/archive.pb.h"

namespace tune {
namespace {

// Of a region that CPU and GPU share sizes are arguments, as with --cases.
absl::Status CheckShared(const GenerateOptions& options) {
  const bool decides = options.check || options.decisions || options.level != 1 ||
                       options.multiprocessors > 0 || options.generator != kBuiltinGenerator ||
                       !options.configuration.empty() || !options.settings.empty() || !options.seed.empty() ||
                       !options.stages.empty() || !options.tree.empty();
  if (options.cases) return UsageError("--target cpu+cuda has cases by itself: leave --cases out");
  if (options.online && !options.parts.empty())
    return UsageError("--online picks the parts: leave --parts out");
  if (!options.parameters.empty() || !options.sizes.empty())
    return UsageError("--target cpu+cuda is for all sizes: leave --parameter and --sizes out");
  if (decides)
    return UsageError("--target cpu+cuda takes the default decisions: leave those, and what shows them, out");
  return absl::OkStatus();
}

absl::Status CheckTarget(const GenerateOptions& options) {
  if (options.shares()) return CheckShared(options);
  if (!options.parts.empty()) return UsageError("--parts is of --target cpu+cuda: give both");
  if (options.online && !options.cases)
    return UsageError("--online is of --cases, or of --target cpu+cuda: give one of them");
  if (!options.formats.empty() && !options.cases)
    return UsageError("--formats is of --cases, or of --target cpu+cuda: give one of them");
  if (options.cases) {
    if (options.target != "cpu") return absl::OkStatus();
    return UsageError("--cases is of GPUs: leave --target cpu out");
  }
  if (!options.architecture.empty()) {
    if (options.target != "cpu") return absl::OkStatus();
    return UsageError("--target cpu and --arch exclude each other: --arch is of GPUs");
  }
  if (options.target == "cuda")
    return UsageError("--target cuda: say for which GPUs with --arch, such as --arch sm_90");
  if (options.target.empty())
    return UsageError(
        "say what for: --arch sm_90 (CUDA, for GPUs of this compute capability) or --target cpu (OpenMP C)");
  return absl::OkStatus();
}

// What was made of one region at one size.
struct GeneratedRegion {
  std::string size;  // "n=500"; empty without --sizes
  v1::Program program;
  v1::Scop scop;
  v1::ArchivedStudy made;

  const v1::Candidate& candidate() const { return made.candidates(0).candidate(); }
  // "gemm n=500".
  std::string Name() const { return absl::StrCat(scop.name(), size.empty() ? "" : " ", size); }
};

// Names of parameters that are given a value.
std::set<std::string> GivenParameters(const GenerateOptions& options) {
  std::set<std::string> given;
  for (const std::string& parameter : options.parameters)
    given.insert(parameter.substr(0, parameter.find('=')));
  return given;
}

// Names of those that are not.
std::vector<std::string> ParametersWithoutValue(const v1::Extraction& extraction,
                                                const GenerateOptions& options) {
  std::set<std::string> missing;
  for (const v1::Scop& scop : extraction.scops()) {
    for (const v1::Parameter& parameter : scop.parameters())
      if (parameter.factors().empty()) missing.insert(parameter.name());
  }
  for (const std::string& given : GivenParameters(options)) missing.erase(given);
  return {missing.begin(), missing.end()};
}

// Of the program, in which parameters without a value have the one to which the file sets them, if so.
absl::StatusOr<v1::Extraction> ReadWithValues(FrontEndRequest request, const GenerateOptions& options) {
  TUNE_ASSIGN_OR_RETURN(v1::Extraction extraction, ReadProgram(request));
  request.fixed = ParametersWithoutValue(extraction, options);
  if (request.fixed.empty()) return extraction;
  TUNE_ASSIGN_OR_RETURN(const std::string content, ReadFile(request.file));
  if (IsStoredExtraction(request.file, content)) return extraction;
  return ReadProgram(request);
}

// The file as it stands, or at each size.
absl::StatusOr<std::vector<SizedProgram>> ReadPrograms(const GenerateOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const FrontEndRequest request, options.program.Request());
  TUNE_ASSIGN_OR_RETURN(const std::vector<ProgramSize> sizes, ParseGivenSizes(options.sizes));
  std::vector<SizedProgram> programs;
  if (sizes.empty()) {
    TUNE_ASSIGN_OR_RETURN(programs.emplace_back().extraction, ReadWithValues(request, options));
  } else {
    const auto read = [](const FrontEndRequest& sized) { return ReadProgram(sized); };
    TUNE_ASSIGN_OR_RETURN(programs,
                          ReadSizedPrograms(request, sizes, GivenParameters(options), SizesFor::kCode, read));
  }
  for (SizedProgram& program : programs) {
    if (options.rounding == v1::ROUNDING_EXACT)
      AddCompileFlags({"-ffp-contract=off"}, program.extraction.mutable_program());
  }
  return programs;
}

// Adds the region unless it is there already: one that the size does not touch is the same at each.
absl::Status AddRegion(GeneratedRegion region, std::vector<GeneratedRegion>* regions) {
  for (const GeneratedRegion& other : *regions) {
    TUNE_ASSIGN_OR_RETURN(const bool same, SameRegionAndSize(other.scop, other.made.study().reference(),
                                                             region.scop, region.made.study().reference()));
    if (same) return absl::OkStatus();
  }
  regions->push_back(std::move(region));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<GeneratedRegion>> GenerateRegions(Session& session,
                                                             const std::vector<SizedProgram>& programs,
                                                             const GenerateOptions& options) {
  std::vector<GeneratedRegion> regions;
  for (const SizedProgram& program : programs) {
    const v1::Extraction& extraction = program.extraction;
    TUNE_ASSIGN_OR_RETURN(const v1::Archive archive,
                          GeneratedMessage<v1::Archive>(session, extraction, options.At(program)));
    for (int i = 0; i < archive.studies_size(); ++i) {
      const v1::Scop& scop = extraction.scops(options.region > 0 ? options.region - 1 : i);
      TUNE_RETURN_IF_ERROR(
          AddRegion({SizeText(program.size), extraction.program(), scop, archive.studies(i)}, &regions));
    }
  }
  return regions;
}

// The decisions as a comment.
std::string DecisionsComment(const v1::Configuration& configuration) {
  std::string text = "/* Decisions, as `tunectl generate --config` reads them:\n";
  return absl::StrCat(text, PrintConfiguration(configuration), "*/\n");
}

absl::StatusOr<TunedOutput> PrintGenerated(const std::vector<GeneratedRegion>& regions,
                                           const GenerateOptions& options) {
  std::vector<TunedStudy> studies;
  for (const GeneratedRegion& region : regions) {
    TunedStudy& study = studies.emplace_back();
    study.spec = region.made.spec();
    *study.spec.mutable_scop() = region.scop;
    *study.spec.mutable_program() = region.program;
    study.study = region.made.study();
    const v1::Evaluation& evaluation = region.candidate().evaluation();
    study.code = evaluation.code();
    study.device_file = evaluation.device_file();
    if (study.on_gpu()) study.device_file.insert(0, DecisionsComment(region.candidate().configuration()));
  }
  return PrintTuned(studies, options.OutputPath());
}

Json AsJson(const std::vector<GeneratedRegion>& regions, const TunedOutput& tuned,
            const GenerateOptions& options) {
  Json json = {{"file", options.OutputPath()}, {"device_files", Json::array()}, {"regions", Json::array()}};
  for (const DeviceFile& file : tuned.device_files) json["device_files"].push_back(file.path);
  for (const GeneratedRegion& made : regions) {
    Json region = {{"name", made.scop.name()},
                   {"size", made.size.empty() ? Json() : Json(made.size)},
                   {"configuration", Json::array()},
                   {"findings", Json::array()}};
    for (const v1::Decision& decision : made.candidate().configuration().decisions())
      region["configuration"].push_back({{"key", decision.key()}, {"option", decision.option()}});
    for (const v1::Finding& finding : made.candidate().evaluation().findings())
      region["findings"].push_back({{"title", finding.title()}, {"text", finding.text()}});
    json["regions"].push_back(region);
  }
  return json;
}

// For everything beside decisions and trees, which can be read back, and so stand alone on standard output.
std::ostream& Talk(Session& session, const GenerateOptions& options) {
  return options.decisions || !options.stages.empty() ? session.err() : session.out();
}

// What was asked about how the code is made; with several regions or sizes each under its name.
void PrintFindings(Session& session, const std::vector<GeneratedRegion>& regions,
                   const GenerateOptions& options) {
  for (const GeneratedRegion& region : regions) {
    const v1::Candidate& candidate = region.candidate();
    const bool any = options.decisions || candidate.evaluation().findings_size() > 0;
    if (any && regions.size() > 1) session.out() << region.Name() << ":\n";
    if (options.decisions) session.out() << PrintConfiguration(candidate.configuration());
    for (int f = 0; f < candidate.evaluation().findings_size(); ++f) {
      const v1::Finding& finding = candidate.evaluation().findings(f);
      const bool tree =
          !options.check || f + 1 < candidate.evaluation().findings_size();  // the check stands last
      (tree ? session.out() : Talk(session, options)) << "# " << finding.title() << "\n" << finding.text();
    }
  }
}

absl::StatusOr<int> RunGenerate(Session& session, const GenerateOptions& options) {
  TUNE_RETURN_IF_ERROR(CheckTarget(options));
  TUNE_RETURN_IF_ERROR(CheckOutputName(options.output));
  if (options.cases || options.shares()) return RunCases(session, options);
  TUNE_ASSIGN_OR_RETURN(const std::vector<SizedProgram> programs, ReadPrograms(options));
  OutputRules rules = {options.program.Inputs(), &programs[0].extraction.program(), options.force};
  rules.inputs.insert(rules.inputs.end(), {options.configuration, options.tree});
  TUNE_RETURN_IF_ERROR(CheckTunedOutput(options.OutputPath(), options.Target(), rules));
  const absl::StatusOr<std::vector<GeneratedRegion>> regions = GenerateRegions(session, programs, options);
  if (absl::IsCancelled(regions.status())) return Interrupted(session);
  TUNE_RETURN_IF_ERROR(regions.status());
  TUNE_ASSIGN_OR_RETURN(const TunedOutput tuned, PrintGenerated(*regions, options));
  TUNE_RETURN_IF_ERROR(WriteTunedFiles(tuned, options.OutputPath(), rules));
  if (session.options.json) {
    session.out() << PrintJson(AsJson(*regions, tuned, options));
    return kExitOk;
  }
  PrintFindings(session, *regions, options);
  TUNE_ASSIGN_OR_RETURN(const std::string how, HowToBuild(session, tuned, options));
  Talk(session, options) << how;
  return kExitOk;
}

void AddTargetOptions(CLI::App& verb, GenerateOptions& options) {
  const std::string group = "Target";
  verb.add_option("--arch", options.architecture,
                  "CUDA for GPUs of this compute capability, sm_60 to sm_121; none needs to be at hand")
      ->type_name("sm_NN")
      ->group(group);
  verb.add_option("--target", options.target,
                  "cpu: OpenMP C. cuda needs --arch. cpu+cuda: parts of the outermost loop, which is to be "
                  "parallel, run at the same time, some on the CPU and some on the GPU, at all sizes")
      ->check(CLI::IsMember({"cpu", "cuda", "cpu+cuda"}))
      ->group(group);
  verb.add_option("--parts", options.parts,
                  "With --target cpu+cuda: 1 to 4 parts, each a platform and its share, or `original`; "
                  "TUNE_PARTS in the program's environment says others. Default: cpu:1,gpu:1")
      ->type_name("PARTS")
      ->group(group);
  verb.add_option("--multiprocessors", options.multiprocessors,
                  "Of the GPU. Default: those of a common one of its compute capability")
      ->check(CLI::Range(1, 100'000))
      ->type_name("N")
      ->group(group);
  verb.add_option("--parameter,--param", options.parameters,
                  "Value of a size that the text leaves open; the code is for these sizes. Default: the one "
                  "constant that the file sets it to, if so")
      ->type_name("NAME=N")
      ->allow_extra_args(false)
      ->group("Program");
  AddSizes(verb, options.sizes,
           "One file with code for each size. NAME is a size that the text leaves open, as for --parameter, "
           "else a "
           "macro, as for -D");
  verb.add_option("--region", options.region, "Only the K-th region of the file. Default: all of them")
      ->check(CLI::PositiveNumber)
      ->type_name("K")
      ->group("Program");
}

void AddDecisionOptions(CLI::App& verb, GenerateOptions& options) {
  const std::string group = "Decisions";
  CLI::Option* config =
      verb.add_option(
              "--config", options.configuration,
              "Decisions, lines of `key = option` as `tunectl best` and `show --configuration` print them")
          ->type_name("FILE")
          ->group(group);
  CLI::Option* set = verb.add_option("--set", options.settings,
                                     "This option in place of the default one; --decisions prints the keys")
                         ->type_name("KEY=OPTION")
                         ->allow_extra_args(false)
                         ->group(group);
  CLI::Option* seed =
      verb.add_option("--seed", options.seed, "Random decisions, which follow from this number")
          ->check(CLI::NonNegativeNumber)
          ->type_name("N")
          ->group(group);
  CLI::Option* level =
      verb.add_option(
              "--level", options.level,
              "Decisions about the schedule: 1 the scheduler's options, 2 also which statements share "
              "loops, 3 also their loops' directions. Default: 1")
          ->check(CLI::Range(1, 3))
          ->type_name("N")
          ->group(group);
  config->excludes(set)->excludes(seed)->excludes(level);
  set->excludes(seed);
  AddRounding(verb, options.rounding, "Sums keep their order, products are rounded before they are added",
              absl::StrCat(kTf32x3Help, " (--arch sm_80 and later)"), group);
  AddGenerator(verb, options.generator)->group(group);
  verb.add_option("--ppcg", options.ppcg, "PPCG's program. Default: TUNE_PPCG, or ppcg in PATH")
      ->type_name("PROGRAM")
      ->group(group);
}

void AddDiagnosisOptions(CLI::App& verb, GenerateOptions& options) {
  const std::string group = "How it is made";
  verb.add_flag("--check", options.check,
                "Prove that mapping and program for a GPU are right, or write nothing and say why not")
      ->group(group);
  CLI::Option* dump = verb.add_option("-d,--dump", options.stages,
                                      "Print the schedule trees after this stage: schedule, mapped (cpu); "
                                      "schedule, host, block, threads, tiles, copies (--arch); or the "
                                      "program that is made of the last one, of which the code is another "
                                      "form: program")
                          ->type_name("STAGE")
                          ->allow_extra_args(false)
                          ->group(group);
  verb.add_option(
          "--tree", options.tree,
          "Schedule trees and program, as -d prints them of any stages and kernels of one region, "
          "edited or not, to go on with in place of those that are made; what comes of them is checked "
          "(--arch)")
      ->type_name("FILE")
      ->group(group)
      ->excludes(verb.get_option("--sizes"));
  verb.add_flag("--decisions", options.decisions, "Print the decisions, as --config reads them")
      ->excludes(dump)
      ->group(group);
}

}  // namespace

void AddGenerate(CLI::App& app, Session& session) {
  auto options = std::make_shared<GenerateOptions>();
  CLI::App* verb = AddVerb(
      app, session, "generate",
      "Write tuned code for a file in C or C++ off line: no server, no search, no GPU",
      "  tunectl generate gemm.c --arch sm_90 --parameter n=1000    gemm.tuned.c, .cu and .h\n"
      "  tunectl generate gemm.c --target cpu -DN=1000              OpenMP C\n"
      "  tunectl generate gemm.c --target cpu --sizes N=500,1000    one file for both sizes\n"
      "  tunectl generate gemm.c --arch sm_90 --decisions > mine.txt\n"
      "  tunectl generate gemm.c --arch sm_90 --config mine.txt     or of `tunectl best s1`\n"
      "  tunectl generate gemm.c --arch sm_90 --check -d tiles > trees.txt\n"
      "  tunectl generate gemm.c --arch sm_90 --tree trees.txt -o other.c\n"
      "  tunectl generate gemm.c --cases                            one file for all sizes and GPUs\n"
      "  tunectl generate gemm.c --cases --online                   ... that tunes itself while it runs\n"
      "  tunectl generate gemm.c --target cpu+cuda --parts cpu:1,gpu:3    CPU and GPU share the loop\n"
      "  tunectl generate gemm.c --target cpu+cuda --online         ... by parts that it finds while it "
      "runs\n\n"
      "By the default decisions, or given ones. The code was never run and is not known to be fast: `tunectl "
      "tune`\n"
      "searches, measures and compares results. Sizes that the text leaves open are given with --parameter; "
      "for other\n"
      "sizes the file runs the original text. With -d or --decisions only these go to standard output.\n\n" +
          std::string(kSizesRule),
      "file, device_files and regions: name, size, configuration and findings of each; with --cases name, "
      "requirement and kernels: name, function, symbols, cases and tree");
  options->program.AddTo(*verb);
  AddTargetOptions(*verb, *options);
  AddDecisionOptions(*verb, *options);
  AddDiagnosisOptions(*verb, *options);
  CLI::Option* cases = verb->add_flag(
      "--cases", options->cases,
      "One CUDA file for all sizes and GPUs: sizes are arguments, block format, coarsening and "
      "shared memory are chosen in each call by a tree of conditions, which is printed. With --arch "
      "registers are those that nvcc counts for that architecture, else estimates, and large sizes "
      "have kernels of their own");
  verb->add_flag(
      "--online", options->online,
      "With --cases or --target cpu+cuda: the program tunes the region while it runs, by libtune, "
      "with which it is linked: the original, formats by the tree, or formats that libtune "
      "searches; and parts with their platforms and shares. Rules of sizes say when the GPU is not "
      "tried. Results are kept in the file that TUNE_WISDOM_FILE names");
  verb->add_option("--formats", options->formats,
                   "With --cases or --target cpu+cuda: formats that were the fastest in studies, as `tunectl "
                   "export --format cases` writes "
                   "them, which calls at near sizes on the same device take")
      ->type_name("FILE");
  for (const char* option :
       {"--multiprocessors", "--parameter", "--sizes", "--config", "--set", "--seed", "--level", "--tf32x3",
        "--generator", "--ppcg", "--check", "--dump", "--tree", "--decisions"})
    cases->excludes(verb->get_option(option));
  verb->add_option("-o,--output", options->output,
                   "File to write, in the language of the original; a CUDA file that belongs to it and the "
                   "header of its entry points lie "
                   "beside it, with the suffixes .cu and .h. Default: "
                   "NAME.tuned.c in the current folder")
      ->type_name("FILE");
  verb->add_flag("--force", options->force, kForceHelp);
  verb->callback([&session, options] {
    session.command = [&session, options] { return RunGenerate(session, *options); };
  });
}

}  // namespace tune
