// Processor time of a candidate from configuration to C or CUDA text, for each of tests/programs, once its
// schedule is known: the median and the slowest of the default configuration and seeded random ones, and of
// `cuda` how it is shared out among the stages.
#include <time.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "common/decision/configuration.h"
#include "common/space/cpu_space.h"
#include "common/space/cuda_space.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"
#include "tests/common/testing/random_chooser.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "worker/codegen/code_generator.h"
#include "worker/codegen/cuda_generator.h"
#include "worker/lower/block_ast.h"
#include "worker/mapping/at_values.h"
#include "worker/mapping/cuda_mapper.h"
#include "worker/print/cuda_region.h"

namespace tune {
namespace {

constexpr int kThreads = 16;

struct Arguments {
  std::vector<std::string> programs;
  std::string target = "cuda";
  uint64_t configurations = 10;
  int repeat = 3;
  std::string texts;
};

// Where a candidate's time goes: replaying its decisions; setting the parameters; what a block runs; its
// threads' loops, padded or not; the tiles of the others; promotion, full blocks apart, and copies; what is
// left of mapping; isl's AST; what is left: text and launch sequence.
constexpr const char* kStages[] = {"walk",   "values", "block", "threads", "tiles",
                                   "copies", "host",   "ast",   "text"};
constexpr size_t kStageCount = std::size(kStages);

struct Times {
  double total = std::numeric_limits<double>::infinity();  // milliseconds
  std::array<double, kStageCount> stages{};
};

double ThreadMilliseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

// Decisions of the default configuration and of the first seeds whose walks end well.
template <typename Space>
std::vector<v1::Configuration> Configurations(Space& space, uint64_t count) {
  std::vector<v1::Configuration> configurations;
  for (uint64_t seed = 0; seed <= count; ++seed) {
    DefaultChooser standard;
    testing::RandomChooser random(seed);
    RecordingChooser recording(seed == 0 ? static_cast<Chooser*>(&standard) : &random);
    if (space.Walk(recording).ok()) configurations.push_back(recording.configuration());
  }
  return configurations;
}

// The times of mapping, by its hook, and of isl's AST.
absl::Status TimeStages(const CudaPlan& symbolic, const CudaSpaceOptions& options, Times* times) {
  IslContext& context = symbolic.schedules->context();
  double last = ThreadMilliseconds();
  const auto note = [&](absl::string_view stage) {
    const double now = ThreadMilliseconds();
    times->stages[std::find(std::begin(kStages), std::end(kStages), stage) - std::begin(kStages)] +=
        now - last;
    last = now;
  };
  const auto hook = [&](absl::string_view stage, absl::string_view, const isl::schedule& tree) {
    note(stage);
    return tree;
  };
  CudaPlan plan;
  std::shared_ptr<const ParsedScop> scop;
  TUNE_RETURN_IF_ERROR(context.Run("setting the parameters", [&]() -> absl::Status {
    plan = AtValues(symbolic);
    scop = StatementsAtValues(plan.schedules->scop(), plan.schedules->parameter_values());
    return absl::OkStatus();
  }));
  note("values");
  TUNE_ASSIGN_OR_RETURN(const MappedProgram mapped,
                        MapCudaPlan(context, plan, *scop, options, {}, CudaIds(), hook));
  const absl::Status status = context.Run("the AST", [&]() -> absl::Status {
    for (const MappedKernel& kernel : mapped.kernels) {
      static_cast<void>(
          BuildBlockAst(context, kernel.thread, *scop, kernel.context, kernel.memory, "tune_c"));
    }
    return absl::OkStatus();
  });
  note("ast");
  return status;
}

// One candidate; its text goes to `text`.
absl::StatusOr<Times> TimeCuda(CudaSpace& space, const v1::Reference& reference,
                               const v1::Configuration& configuration, std::string* text) {
  Times times;
  const double start = ThreadMilliseconds();
  ReplayChooser chooser(configuration);
  TUNE_ASSIGN_OR_RETURN(const CudaPlan plan, space.Walk(chooser));
  times.stages[0] = ThreadMilliseconds() - start;
  TUNE_ASSIGN_OR_RETURN(const CudaProgram program, GenerateCuda(plan, space.options(), reference));
  const CudaRegion region = PrintCudaRegion(program, plan.schedules->scop().proto);
  times.total = ThreadMilliseconds() - start;
  *text = absl::StrCat(region.file, region.call);
  TUNE_RETURN_IF_ERROR(TimeStages(plan, space.options(), &times));
  double known = 0;
  for (size_t i = 0; i + 1 < kStageCount; ++i) known += times.stages[i];
  times.stages[kStageCount - 1] = std::max(0.0, times.total - known);
  return times;
}

absl::StatusOr<Times> TimeCpu(CodeGenerator& generator, const v1::Configuration& configuration,
                              std::string* text) {
  Times times;
  const double start = ThreadMilliseconds();
  TUNE_ASSIGN_OR_RETURN(const GeneratedProgram program, generator.Generate(configuration));
  times.total = ThreadMilliseconds() - start;
  *text = program.code;
  return times;
}

void PrintHead(const Arguments& arguments) {
  std::printf("%-15s %4s %8s %8s", "ms", "n", "median", "slowest");
  for (const char* stage : kStages) {
    if (arguments.target == "cuda") std::printf(" %7s", stage);
  }
  std::printf("\n");
}

void PrintLine(const Arguments& arguments, const std::string& name, const std::vector<Times>& all) {
  std::vector<double> totals;
  for (const Times& times : all) totals.push_back(times.total);
  std::printf("%-15s %4zu %8.1f %8.1f", name.c_str(), all.size(), Median(totals),
              totals.empty() ? 0 : *std::max_element(totals.begin(), totals.end()));
  for (size_t stage = 0; stage < kStageCount && arguments.target == "cuda"; ++stage) {
    std::vector<double> values;
    for (const Times& times : all) values.push_back(times.stages[stage]);
    std::printf(" %7.1f", Median(values));
  }
  std::printf("\n");
  std::fflush(stdout);
}

// The least of the repeated times of each candidate. `time`: of one, errors as CodeGenerator::Generate.
template <typename Time>
absl::StatusOr<std::vector<Times>> TimeAll(const Arguments& arguments, const std::string& name,
                                           const std::vector<v1::Configuration>& configurations, Time time) {
  std::vector<Times> all;
  for (size_t i = 0; i < configurations.size(); ++i) {
    std::string text;
    Times least;
    // The first time computes the schedule.
    absl::Status status = time(configurations[i], &text).status();
    for (int run = 0; run < arguments.repeat && status.ok(); ++run) {
      TUNE_ASSIGN_OR_RETURN(const Times times, time(configurations[i], &text));
      if (times.total < least.total) least = times;
    }
    if (!status.ok() && !absl::IsInvalidArgument(status) && !absl::IsResourceExhausted(status)) return status;
    if (!status.ok()) text = absl::StrCat(status.ToString(), "\n");
    if (status.ok() && arguments.repeat > 0) all.push_back(least);
    if (arguments.texts.empty()) continue;
    TUNE_RETURN_IF_ERROR(WriteFile(absl::StrCat(arguments.texts, "/", name, "_", i, ".txt"),
                                   absl::StrCat(PrintConfiguration(configurations[i]), "\n", text)));
  }
  return all;
}

absl::Status Measure(const Arguments& arguments, const std::string& name) {
  TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction, testing::ExtractProgram(name));
  const v1::Scop& scop = extraction.scops(0);
  const std::map<std::string, int64_t> values = testing::LargeValues(name, scop);
  const v1::Scop facts = WithParameterFacts(scop, values);
  const v1::Reference reference = testing::MakeReference(scop, values);
  std::vector<Times> all;
  if (arguments.target == "cuda") {
    CudaSpaceOptions options = testing::H200Options();
    // Random draws stay those that texts were compared with before there was this choice.
    options.device.shared_bytes_per_block_optin = options.device.shared_bytes_per_block;
    TUNE_ASSIGN_OR_RETURN(const auto space, CudaSpace::Make(facts, values, options));
    TUNE_ASSIGN_OR_RETURN(all, TimeAll(arguments, name, Configurations(*space, arguments.configurations),
                                       [&](const v1::Configuration& configuration, std::string* text) {
                                         return TimeCuda(*space, reference, configuration, text);
                                       }));
  } else {
    TUNE_ASSIGN_OR_RETURN(const auto space, CpuSpace::Make(facts, values, {kThreads}));
    TUNE_ASSIGN_OR_RETURN(const auto generator, MakeOpenMpGenerator(scop, reference, kThreads));
    TUNE_ASSIGN_OR_RETURN(all, TimeAll(arguments, name, Configurations(*space, arguments.configurations),
                                       [&](const v1::Configuration& configuration, std::string* text) {
                                         return TimeCpu(*generator, configuration, text);
                                       }));
  }
  PrintLine(arguments, name, all);
  return absl::OkStatus();
}

void AddOptions(CLI::App& app, Arguments* arguments) {
  app.add_option("programs", arguments->programs, "Names of tests/programs; default: all");
  app.add_option("--target", arguments->target, "What is generated")
      ->check(CLI::IsMember({"cuda", "cpu"}))
      ->capture_default_str();
  app.add_option("--configurations", arguments->configurations, "Random ones beside the default one")
      ->capture_default_str();
  app.add_option("--repeat", arguments->repeat, "Times of which each candidate's least counts; 0: texts only")
      ->capture_default_str();
  app.add_option("--texts", arguments->texts,
                 "Folder that gets each candidate's text, to compare two versions of the generator");
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  tune::Arguments arguments;
  CLI::App app("times the generation of candidates, in processor time");
  tune::AddOptions(app, &arguments);
  CLI11_PARSE(app, argc, argv);
  if (arguments.programs.empty()) arguments.programs = tune::testing::ProgramNames();
  if (!arguments.texts.empty()) std::filesystem::create_directories(arguments.texts);
  tune::PrintHead(arguments);
  bool failed = false;
  for (const std::string& name : arguments.programs) {
    const absl::Status status = tune::Measure(arguments, name);
    if (!status.ok()) std::fprintf(stderr, "%s: %s\n", name.c_str(), status.ToString().c_str());
    failed = failed || !status.ok();
  }
  return failed ? 1 : 0;
}
