#include "client/cli/program_options.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "client/cli/objective_options.h"
#include "client/cli/session.h"
#include "client/project/compilation_database.h"
#include "client/report/units.h"
#include "client/submit/shell_words.h"
#include "common/base/source_language.h"
#include "common/evaluation/compile_flags.h"
#include "common/evaluation/generator.h"
#include "common/isl/analysis_limit.h"

namespace tune {
namespace {

constexpr char kMathLibrary[] = "-lm";

// -I, -D and the like: one value each time, any number of times.
CLI::Option* AddRepeated(CLI::App& verb, const std::string& names, std::vector<std::string>& values,
                         const std::string& help, const std::string& type) {
  return verb.add_option(names, values, help)->type_name(type)->allow_extra_args(false)->group("Program");
}

template <typename Parse>
CLI::Validator Checked(const char* type, Parse parse) {
  return CLI::Validator(
      [parse](std::string& text) {
        const auto parsed = parse(text);
        return parsed.ok() ? std::string() : std::string(parsed.status().message());
      },
      type);
}

// By the environment, of which the programs that this one starts have it.
void AddAnalysisLimit(CLI::App& verb) {
  const auto set = [](int limit) { setenv(kAnalysisLimitVariable, std::to_string(limit).c_str(), 1); };
  verb.add_option_function<int>("--analysis-limit", set,
                                "Analyses of the region may take N times the usual work and time; for large "
                                "regions that are refused by a limit. Default: 1")
      ->check(CLI::Range(1, kMostAnalysisLimit))
      ->type_name("N")
      ->group("Program");
}

// Left as it is when nothing was given: the server knows the defaults.
template <typename Value, typename Parsed>
absl::Status SetIfGiven(const std::string& text, const char* option,
                        absl::StatusOr<Parsed> (*parse)(absl::string_view), Value value) {
  if (text.empty()) return absl::OkStatus();
  const absl::StatusOr<Parsed> parsed = parse(text);
  if (!parsed.ok()) return UsageError(absl::StrCat(option, ": ", parsed.status().message()));
  value(*parsed);
  return absl::OkStatus();
}

}  // namespace

void ProgramOptions::AddTo(CLI::App& verb) {
  verb.add_option(
          "FILE", request_.file,
          "File in C or C++ with `#pragma scop` .. `#pragma endscop` or --function, what `tunectl extract "
          "--output` stored, or a "
          "definition of hand-written kernels, NAME.tune")
      ->required()
      ->group("Program");
  AddRepeated(verb, "-I", request_.include_directories, "Folder to search for headers", "DIR");
  AddRepeated(verb, "-D", request_.defines, "Macro, NAME or NAME=VALUE", "MACRO");
  verb.add_option("-p,--project", project_,
                  "Take -I, -D and flags for the compiler of the file from the compile_commands.json in this "
                  "folder, or from such a file; -I, -D and --cflags are added to them")
      ->type_name("BUILD")
      ->group("Program");
  AddRepeated(verb, "--with", request_.with, "Further source file of the program", "FILE");
  verb.add_option("--function", request_.function,
                  "The regions are the loops of this function, without any pragma; `tunectl regions` shows "
                  "which they are. Of a template the instance, such as 'gemm<float>', marked or not")
      ->type_name("NAME")
      ->group("Program");
  AddRepeated(verb, "--constant", constants_,
              "Parameter of a region that is taken for this integer, such as the step of a loop; tuned code "
              "runs where it has this value",
              "NAME=N");
  AddRepeated(verb, "--arg", request_.arguments, "Argument of the program", "TEXT");
  verb.add_option("--stdin", request_.standard_input, "File that the program reads from its standard input")
      ->type_name("FILE")
      ->group("Program");
  verb.add_option("--cflags", cflags_, "Flags for the C compiler, one string, in place of -O3 -march=native")
      ->type_name("FLAGS")
      ->group("Program");
  verb.add_option("--ldflags", ldflags_, "Flags for the linker, one string, such as -lm")
      ->type_name("FLAGS")
      ->group("Program");
  AddAnalysisLimit(verb);
}

absl::StatusOr<FrontEndRequest> ProgramOptions::Request() const {
  if (project_.empty()) return RequestOf(request_.file, {});
  if (!entry_) {
    TUNE_ASSIGN_OR_RETURN(const CompilationDatabase database, CompilationDatabase::Read(project_));
    TUNE_ASSIGN_OR_RETURN(entry_, database.FlagsOf(request_.file));
  }
  return RequestOf(request_.file, *entry_);
}

absl::StatusOr<FrontEndRequest> ProgramOptions::RequestOf(const std::string& file,
                                                          const EntryFlags& entry) const {
  FrontEndRequest request = request_;
  request.file = file;
  request.include_directories.insert(request.include_directories.end(), entry.include_directories.begin(),
                                     entry.include_directories.end());
  request.defines.insert(request.defines.begin(), entry.defines.begin(), entry.defines.end());
  request.compile_flags = entry.flags;
  auto flags = SplitShellWords(cflags_);
  if (!flags.ok()) return UsageError(absl::StrCat("--cflags ", flags.status().message()));
  request.compile_flags.insert(request.compile_flags.end(), flags->begin(), flags->end());
  flags = SplitShellWords(ldflags_);
  if (!flags.ok()) return UsageError(absl::StrCat("--ldflags ", flags.status().message()));
  request.link_flags = *std::move(flags);
  for (const std::string& constant : constants_)
    TUNE_RETURN_IF_ERROR(AddParameter("--constant", constant, &request.constants));
  return request;
}

std::vector<std::string> ProgramOptions::Inputs() const {
  std::vector<std::string> inputs = {request_.file, request_.standard_input};
  inputs.insert(inputs.end(), request_.with.begin(), request_.with.end());
  if (!project_.empty()) inputs.push_back(DatabaseFile(project_));
  return inputs;
}

std::vector<std::string> ProgramOptions::IncludeFolders() const {
  std::vector<std::string> folders;
  const auto add = [&](const std::string& folder) {
    if (!folder.empty() && !absl::c_linear_search(folders, folder)) folders.push_back(folder);
  };
  // Headers that the file includes with quotes lie beside the original.
  add(std::filesystem::path(request_.file).parent_path().string());
  for (const std::string& folder : request_.include_directories) add(folder);
  if (entry_) {
    for (const std::string& folder : entry_->include_directories) add(folder);
  }
  return folders;
}

std::string ProgramOptions::BuildCommand(const v1::Program& program, const std::string& tuned_file,
                                         const TunedParts& parts) const {
  const bool cpp = IsCpp(request_.file);
  std::vector<std::string> words = {cpp ? "c++" : "cc"};
  const auto add_file = [&](const std::string& path, bool is_cpp) {
    // By its name alone a compiler of C++ would take it for a header, or C for C++.
    const std::string ending = std::filesystem::path(path).extension().string();
    const bool named = !cpp || (is_cpp && !ending.empty() && !absl::StrContains(ending, "h"));
    if (!named) words.insert(words.end(), {"-x", is_cpp ? "c++" : "c"});
    words.push_back(path);
    if (!named) words.insert(words.end(), {"-x", "none"});
  };
  const std::vector<std::string> flags = CompileFlags(program);
  words.insert(words.end(), flags.begin(), flags.end());
  if (parts.openmp) words.push_back("-fopenmp");
  for (const std::string& folder : IncludeFolders()) words.push_back("-I" + folder);
  for (const std::string& define : program.defines()) words.push_back("-D" + define);
  if (!program.has_main()) words.push_back("-c");
  add_file(tuned_file, cpp);
  for (const std::string& file : request_.with) add_file(file, IsCpp(file));
  const bool link_device = program.has_main() && !parts.device_objects.empty();
  if (link_device) words.insert(words.end(), parts.device_objects.begin(), parts.device_objects.end());
  words.insert(words.end(), {"-o", FileStem(request_.file) + (program.has_main() ? ".tuned" : ".tuned.o")});
  words.insert(words.end(), program.link_flags().begin(), program.link_flags().end());
  const bool named = std::count(program.link_flags().begin(), program.link_flags().end(), kMathLibrary) > 0;
  if (program.has_main() && !named) words.push_back(kMathLibrary);
  if (link_device && parts.online && !parts.libtune.empty())
    words.insert(words.end(), {"-L" + parts.libtune, "-Wl,-rpath," + parts.libtune});
  if (link_device && parts.online) words.push_back("-ltune");
  if (link_device) {
    const std::vector<std::string> libraries = DeviceLibraries();
    words.insert(words.end(), libraries.begin(), libraries.end());
  }
  return JoinShellWords(words);
}

std::vector<std::string> DeviceLibraries() { return {"-L/usr/local/cuda/lib64", "-lcudart", "-lstdc++"}; }

absl::Status AddParameter(absl::string_view option, absl::string_view text,
                          std::map<std::string, int64_t>* parameters) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(text, absl::MaxSplits('=', 1));
  int64_t value = 0;
  if (parts.first.empty() || !absl::SimpleAtoi(parts.second, &value)) {
    return UsageError(absl::StrCat(option, " ", text, ": write NAME=INTEGER, such as n=1000"));
  }
  if (!parameters->emplace(parts.first, value).second) {
    return UsageError(absl::StrCat(option, " ", text, ": ", parts.first, " was given before"));
  }
  return absl::OkStatus();
}

CLI::Option* AddSizes(CLI::App& verb, std::vector<std::string>& sizes, const std::string& help) {
  return AddRepeated(
      verb, "--sizes", sizes,
      help +
          ". Given again for a further name, the lists go side by side, first value with first; "
          "one of a single value goes with all",
      "NAME=N,N,...");
}

absl::StatusOr<std::vector<ProgramSize>> ParseGivenSizes(const std::vector<std::string>& texts) {
  if (texts.empty()) return std::vector<ProgramSize>();
  const absl::StatusOr<std::vector<ProgramSize>> sizes = ParseSizes(texts);
  if (!sizes.ok()) return UsageError(sizes.status().message());
  return sizes;
}

void StudyOptions::AddTo(CLI::App& verb) {
  const std::string search = "Search", limits = "Limits";
  v1::SearchOptions& options = wishes_.search;
  auto add_int = [&](const char* name, auto set, const char* help, int lowest) {
    verb.add_option_function<int32_t>(name, set, help)
        ->check(CLI::Range(lowest, 1'000'000))
        ->type_name("N")
        ->group(search);
  };
  auto add_real = [&](const char* name, auto set, const char* help, double lowest, double highest) {
    verb.add_option_function<double>(name, set, help)
        ->check(CLI::Range(lowest, highest))
        ->type_name("X")
        ->group(search);
  };
  verb.add_option("--name", wishes_.name, "Name of the study in lists. Default: the file's")->group(search);
  verb.add_option("--region", wishes_.region, "Only the K-th region of the file. Default: one study for each")
      ->check(CLI::PositiveNumber)
      ->type_name("K")
      ->group("Program");
  verb.add_option("--param", parameters_, "Value of a size that a file without main leaves open")
      ->type_name("NAME=N")
      ->allow_extra_args(false)
      ->group("Program");
  AddSizes(
      verb, sizes_,
      "A study of each size. NAME is one that --arg mentions as {NAME}, else a parameter of a file without "
      "main, as for --param, else a macro, as for -D");
  verb.add_option(
          "--target", target_,
          "What the code runs on; auto: a study of both where both are there, and the file takes the "
          "one that is faster in the user's program; cpu+cuda: a GPU and its host at the same time, how the "
          "outermost loop is divided among them is searched, and candidates are timed in the user's "
          "program, with copies. Default: the best that a worker has")
      ->check(CLI::IsMember({"cpu", "cuda", "cpu+cuda", "auto"}))
      ->group(search);
  AddGenerator(verb, wishes_.generator)->group(search);
  verb.add_option_function<std::string>(
          "--strategy", [&options](const std::string& name) { options.set_strategy(name); },
          "ants; tree, sampling that narrows the space with a regression tree; local_search, hill climbing "
          "with restarts; differential_evolution; portfolio, a bandit that picks among these four; random, "
          "drawn decision by decision; uniform, all configurations about equally likely; carving, only what "
          "--carve "
          "leaves, best first. Default: ants")
      ->check(CLI::IsMember({"ants", "tree", "local_search", "differential_evolution", "portfolio", "random",
                             "uniform", "carving"}))
      ->group(search);
  add_int(
      "--evaluations", [&options](int32_t n) { options.set_evaluations(n); },
      "Budget of evaluations. Default: ants x iterations", 1);
  verb.add_option_function<uint64_t>(
          "--seed", [&options](uint64_t seed) { options.set_seed(seed); },
          "Every random draw follows from it. Default: 0")
      ->type_name("N")
      ->group(search);
  add_int(
      "--ants", [&options](int32_t n) { options.set_ants(n); }, "Ants of one iteration. Default: 10", 1);
  add_int(
      "--iterations", [&options](int32_t n) { options.set_iterations(n); }, "Default: 5", 1);
  verb.add_option_function<int32_t>(
          "--level", [&options](int32_t level) { options.set_level(level); },
          "Decisions about the schedule: 1 the scheduler's options, 2 also which statements share loops and "
          "in what order, 3 also their loops' directions. Default: 1")
      ->check(CLI::Range(1, 3))
      ->group(search);
  add_real(
      "--alpha", [&options](double x) { options.set_alpha(x); }, "Weight of the pheromone. Default: 1", 1e-6,
      100);
  add_real(
      "--beta", [&options](double x) { options.set_beta(x); }, "Weight of the desirability. Default: 1", 1e-6,
      100);
  add_real(
      "--rho", [&options](double x) { options.set_rho(x); }, "Evaporation. Default: 0.1", 1e-6, 1);
  add_real(
      "--sigma", [&options](double x) { options.set_sigma(x); },
      "Of strategies tree and portfolio: a round of the tree has sigma x decisions + base offset samples. "
      "Default: 1",
      1e-6, 100);
  add_real(
      "--base-offset", [&options](double x) { options.set_base_offset(x); }, "See --sigma. Default: 5", 1e-6,
      10'000);
  const auto add_switch = [&](const char* name, auto set, const char* help) {
    verb.add_flag_callback(name, set, help)->group(search);
  };
  add_switch(
      "--no-kernel-updates", [&options] { options.set_no_kernel_updates(true); },
      "Ants do not learn from the times of single kernels");
  add_switch(
      "--no-metrics", [&options] { options.set_no_metrics(true); },
      "Ants do not learn from hardware counters");
  add_switch(
      "--no-tree", [&options] { options.set_no_tree(true); }, "Ants do not follow a regression tree");
  add_switch(
      "--count-all", [&options] { options.set_count_all(true); },
      "Read a GPU's hardware counters for every correct candidate, not for new bests alone; slower");
  add_switch(
      "--carve", [this, &options] { carve_ = options.mutable_carve() != nullptr; },
      "Compile configurations and look at their kernels before measuring any, and do not measure those that "
      "others surpass (Ryoo et al., optimization carving); needs a GPU's compiler, so target cuda");
  add_switch(
      "--inspect", [&options] { options.mutable_carve()->set_keep_all(true); },
      "Look at each configuration that is measured, as --carve does, and remove none; `tunectl carving` then "
      "tells what carving would have done");
  add_int(
      "--inspections", [&options](int32_t n) { options.mutable_carve()->set_inspections(n); },
      "Of --carve: most configurations that are looked at, which are no evaluations. First all, where there "
      "are no more, else half as many, drawn uniformly (strategy carving: as many), then what the search "
      "draws; "
      "what it draws after that is measured. Default: 1000",
      1);
  AddCarvingLimits(
      verb, [&options] { return options.mutable_carve(); }, search);
  AddObjectiveOptions(verb, options, metrics_, search);
  add_int(
      "--confirm", [&options](int32_t n) { options.set_confirm(n); },
      "How many of the best are measured again, side by side. Default: 3", 1);
  auto add_limit = [&](const char* name, std::string& text, const CLI::Validator& check, const char* type,
                       const char* help) {
    verb.add_option(name, text, help)->check(check)->type_name(type)->group(limits);
  };
  add_limit("--time-limit", evaluation_time_, Time(), "TIME",
            "For one candidate, all runs together. Default: 60s");
  add_limit("--reference-time", reference_time_, Time(), "TIME", "For the unmodified program. Default: 5m");
  add_limit("--compile-time", compile_time_, Time(), "TIME", "For the compiler. Default: 60s");
  add_limit("--memory", memory_, Size(), "SIZE",
            "Address space of program and candidates, such as 2G. Default: 8G");
  auto add_tolerance = [&](const char* name, auto set, const char* help) {
    verb.add_option_function<double>(name, set, help)
        ->check(CLI::Range(1e-16, 1e3))
        ->type_name("X")
        ->group(limits);
  };
  AddRounding(verb, wishes_.rounding,
              "Sums keep their order, and products are rounded before they are added (-ffp-contract=off): "
              "results are the program's, bit for bit but for math.h. For programs whose results depend on "
              "rounding; slower",
              absl::StrCat(kTf32x3Help, ". GPUs of compute capability 8.0 and later"), limits);
  verb.add_flag(
          "--cases", wishes_.cases,
          "Also make the case discussion, code for all sizes and GPUs (generate --cases): `show` and the "
          "page "
          "have its tree of conditions, and `fetch` writes that code, with what the lab found at near sizes")
      ->group(search);
  v1::Tolerance& tolerance = wishes_.tolerance;
  add_tolerance(
      "--float-tolerance", [&tolerance](double x) { tolerance.set_float_relative(x); },
      "Largest relative L2 error of an output array of floats; of _Float16 at least 2^-9. Default: 1e-3");
  add_tolerance(
      "--double-tolerance", [&tolerance](double x) { tolerance.set_double_relative(x); },
      "The same of doubles. Default: 1e-8");
}

absl::Status StudyOptions::CheckShared(const StudyWishes& wishes) const {
  const auto refuse = [](absl::string_view why) {
    return UsageError(absl::StrCat("--target cpu+cuda ", why));
  };
  if (wishes.generator != kBuiltinGenerator)
    return refuse("has a generator of its own: leave --generator out");
  if (wishes.search.has_carve() || wishes.search.strategy() == "carving")
    return refuse("is not carved: leave --carve, --inspect and --strategy carving out");
  if (wishes.search.level() > 1) return refuse("has no decisions of schedules: leave --level out");
  if (wishes.cases) return refuse("has cases by itself: leave --cases out");
  if (wishes.rounding == v1::ROUNDING_TF32X3)
    return refuse("computes no products on tensor cores: leave --tf32x3 out");
  if (!sizes_.empty()) return refuse("is of one size: submit the sizes one by one");
  return absl::OkStatus();
}

absl::StatusOr<StudyWishes> StudyOptions::Wishes() const {
  StudyWishes wishes = wishes_;
  if (target_ == "cpu") wishes.target = v1::CPU;
  if (target_ == "cuda") wishes.target = v1::CUDA;
  if (target_ == kSharedGenerator) {
    TUNE_RETURN_IF_ERROR(CheckShared(wishes));
    wishes.generator = kSharedGenerator;
    wishes.target = v1::CUDA;
  }
  if (wishes.generator == kPpcgGenerator) {
    if (wishes.target == v1::CPU || every_target())
      return UsageError(
          absl::StrCat("--generator ppcg makes code for GPUs alone: leave --target ", target_, " out"));
    wishes.target = v1::CUDA;
  }
  if (wishes.search.has_carve() || wishes.search.strategy() == "carving") {
    if (wishes.target == v1::CPU || every_target())
      return UsageError(absl::StrCat("carving looks at compiled code for GPUs: leave --target ", target_,
                                     " out, or --carve, --inspect, their options and --strategy carving"));
    wishes.target = v1::CUDA;
  }
  if (wishes.rounding == v1::ROUNDING_TF32X3) {
    if (wishes.target == v1::CPU || every_target() || wishes.generator == kPpcgGenerator || wishes.cases)
      return UsageError(
          "--tf32x3 is of our own code for GPUs and given sizes: leave --target, --generator and --cases "
          "out");
    wishes.target = v1::CUDA;
  }
  if (carve_ && wishes.search.carve().keep_all())
    return UsageError("--carve removes configurations and --inspect removes none: leave one out");
  TUNE_ASSIGN_OR_RETURN(wishes.metrics, ParseMetrics(metrics_));
  v1::Limits& limits = wishes.limits;
  TUNE_RETURN_IF_ERROR(SetIfGiven(evaluation_time_, "--time-limit", ParseSeconds,
                                  [&](double s) { limits.set_evaluation_seconds(s); }));
  TUNE_RETURN_IF_ERROR(SetIfGiven(reference_time_, "--reference-time", ParseSeconds,
                                  [&](double s) { limits.set_reference_seconds(s); }));
  TUNE_RETURN_IF_ERROR(SetIfGiven(compile_time_, "--compile-time", ParseSeconds,
                                  [&](double s) { limits.set_compile_seconds(s); }));
  TUNE_RETURN_IF_ERROR(
      SetIfGiven(memory_, "--memory", ParseBytes, [&](int64_t bytes) { limits.set_memory_bytes(bytes); }));
  for (const std::string& parameter : parameters_) {
    TUNE_RETURN_IF_ERROR(AddParameter("--param", parameter, &wishes.parameters));
  }
  if (wishes.cases) {
    if (wishes.target == v1::CPU || every_target() || wishes.generator == kPpcgGenerator)
      return UsageError("--cases is of our own code for GPUs: leave --target and --generator out");
    wishes.target = v1::CUDA;
  }
  return wishes;
}

absl::StatusOr<std::vector<ProgramSize>> StudyOptions::Sizes() const { return ParseGivenSizes(sizes_); }

absl::StatusOr<CandidateName> ParseCandidateName(absl::string_view text) {
  const size_t slash = text.find('/');
  CandidateName name;
  name.study = std::string(text.substr(0, slash));
  if (name.study.empty())
    return absl::InvalidArgumentError("write a study, such as s3 (`tunectl ls` lists them)");
  if (slash == absl::string_view::npos) return name;
  if (!absl::SimpleAtoi(text.substr(slash + 1), &name.index) || name.index < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", text, "\" is not a candidate: write STUDY/INDEX, such as s3/17"));
  }
  return name;
}

CLI::Option* AddGenerator(CLI::App& verb, std::string& generator) {
  return verb
      .add_option("--generator", generator,
                  "What makes the code: builtin, or an installed PPCG 0.09 (only for GPUs)")
      ->check(CLI::IsMember({kBuiltinGenerator, kPpcgGenerator}))
      ->capture_default_str();
}

void AddRounding(CLI::App& verb, v1::Rounding& rounding, const std::string& exact, const std::string& tf32x3,
                 const std::string& group) {
  const auto add = [&](const char* name, v1::Rounding meant, const std::string& help) {
    return verb
        .add_flag_callback(
            name, [&rounding, meant] { rounding = meant; }, help)
        ->group(group);
  };
  CLI::Option* const keeps_order = add("--exact", v1::ROUNDING_EXACT, exact);
  add("--tf32x3", v1::ROUNDING_TF32X3, tf32x3)->excludes(keeps_order);
}

CLI::Validator StudyName() {
  return Checked("", [](absl::string_view text) -> absl::StatusOr<CandidateName> {
    TUNE_ASSIGN_OR_RETURN(const CandidateName name, ParseCandidateName(text));
    if (name.index < 0) return name;
    return absl::InvalidArgumentError(absl::StrCat("write the study alone, without /", name.index));
  });
}

CLI::Validator CandidateNameWithIndex() {
  return Checked("", [](absl::string_view text) -> absl::StatusOr<CandidateName> {
    TUNE_ASSIGN_OR_RETURN(const CandidateName name, ParseCandidateName(text));
    if (name.index >= 0) return name;
    return absl::InvalidArgumentError(
        absl::StrCat("write STUDY/INDEX, such as ", name.study, "/0 for the default configuration"));
  });
}

CLI::Validator Size() { return Checked("", ParseBytes); }
CLI::Validator Time() { return Checked("", ParseSeconds); }

}  // namespace tune
