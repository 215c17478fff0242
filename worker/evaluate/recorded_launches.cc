#include "worker/evaluate/recorded_launches.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/base/file.h"
#include "worker/build/launch_sequence_flags.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

constexpr char kSourceFile[] = "launches.c", kProgramFile[] = "launches";
constexpr size_t kMostOutput = 16 << 20;
constexpr int64_t kMostMemory = int64_t{1} << 30;

// Follows the sequence's own text. A line for launches that are alike: how many, the kernel, grid, block, and
// the bits of each parameter's value or ?, where that is an array or a scalar of the region.
constexpr char kRecorder[] = R"(
#include <stdio.h>
#include <string.h>

static char tune_line[1 << 16], tune_last[1 << 16];
static long long tune_count;

static void tune_print(void) {
  if (tune_count > 0) printf("%lld%s\n", tune_count, tune_last);
}

static int tune_is_within(const char *value, const void *begin, size_t size) {
  return value >= (const char *)begin && value < (const char *)begin + size;
}

static void tune_record(void *context, const struct tune_launch *one) {
  int i, length;
  (void)context;
  length = sprintf(tune_line, " %d %u %u %u %u %u %u", one->kernel, one->grid[0], one->grid[1], one->grid[2],
                   one->block[0], one->block[1], one->block[2]);
  for (i = 0; i < tune_parameters[one->kernel]; ++i) {
    const char *value = (const char *)one->arguments[i];
    long long bits = 0;
    if (tune_is_within(value, tune_memory, sizeof tune_memory) ||
        tune_is_within(value, tune_scalars, sizeof tune_scalars)) {
      length += sprintf(tune_line + length, " ?");
    } else {
      memcpy(&bits, value, sizeof bits);
      length += sprintf(tune_line + length, " %lld", bits);
    }
  }
  if (tune_count == 0 || strcmp(tune_line, tune_last) != 0) {
    tune_print();
    strcpy(tune_last, tune_line);
    tune_count = 0;
  }
  ++tune_count;
}

int main(void) {
  int i;
  for (i = 0; i < tune_arrays; ++i) tune_host[i] = tune_scalars[i];
  printf("begin\n");
  tune_launch_sequence(tune_memory, tune_host, tune_record, 0);
  tune_print();
  printf("end\n");
  return 0;
}
)";

// Of the parameters whose values are a line's words; 32 bits and fewer are numbers with a sign.
std::optional<int64_t> ParameterOf(absl::string_view word, int bytes) {
  int64_t bits = 0;
  if (bytes < 1 || bytes > 8 || !absl::SimpleAtoi(word, &bits)) return std::nullopt;
  const int unused = 64 - 8 * bytes;
  return static_cast<int64_t>(static_cast<uint64_t>(bits) << unused) >> unused;
}

class Recording {
 public:
  Recording(const CudaProgram& program, std::vector<const PtxFunction*> functions)
      : program_(program), functions_(std::move(functions)) {}

  std::string Source() const {
    std::vector<size_t> parameters;
    for (const PtxFunction* function : functions_) parameters.push_back(function->parameters.size());
    const size_t arrays = program_.arrays.size();
    return absl::StrCat(program_.launches, "\nenum { tune_arrays = ", arrays,
                        " };\nstatic const int tune_parameters[] = {", absl::StrJoin(parameters, ", "),
                        "};\nstatic void *tune_memory[", 2 * arrays + 1, "];\nstatic long long tune_scalars[",
                        arrays + 1, "][2];\nstatic const void *tune_host[", arrays + 1, "];\n", kRecorder);
  }

  absl::StatusOr<KernelLaunches> ReadLine(absl::string_view line) const {
    const std::vector<absl::string_view> words = absl::StrSplit(line, ' ');
    std::vector<int64_t> numbers(8);
    bool good = words.size() >= numbers.size();
    for (size_t i = 0; good && i < numbers.size(); ++i) good = absl::SimpleAtoi(words[i], &numbers[i]);
    good = good && numbers[0] > 0 && numbers[1] >= 0 &&
           numbers[1] < static_cast<int64_t>(functions_.size()) &&
           words.size() == numbers.size() + functions_[numbers[1]]->parameters.size();
    if (!good) return absl::InternalError("the launch sequence was recorded with a line that is none");
    const PtxFunction& function = *functions_[numbers[1]];
    KernelLaunches launches;
    launches.kernel = function.name;
    launches.count = static_cast<double>(numbers[0]);
    launches.dynamic_shared_bytes = program_.facts[numbers[1]].dynamic_shared_bytes;
    std::copy_n(numbers.begin() + 2, 3, launches.launch.grid);
    std::copy_n(numbers.begin() + 5, 3, launches.launch.block);
    for (size_t i = 0; i < function.parameters.size(); ++i)
      launches.launch.parameters.push_back(
          ParameterOf(words[numbers.size() + i], function.parameter_bytes[i]));
    return launches;
  }

 private:
  const CudaProgram& program_;
  const std::vector<const PtxFunction*> functions_;  // of its kernels, in their order
};

absl::StatusOr<std::string> RunRecorder(const std::string& program, const std::string& folder,
                                        const CompileLimits& limits) {
  SubprocessOptions options;
  options.folder = folder;
  options.wall_limit = limits.wall;
  options.memory_limit_bytes = kMostMemory;
  options.output_limit_bytes = kMostOutput;
  if (limits.cancellation != nullptr) {
    options.cancelled = &Cancellation::Poll;
    options.cancelled_argument = limits.cancellation;
  }
  SandboxSettings settings;
  settings.writable = {folder};
  TUNE_ASSIGN_OR_RETURN(SubprocessResult process, RunSandboxed({program}, settings, options));
  if (process.cancelled) return absl::CancelledError("cancelled");
  if (!process.ok()) return absl::InternalError(absl::StrCat("the launch sequence ", process.Describe()));
  return std::move(process.standard_output);
}

}  // namespace

absl::StatusOr<std::vector<KernelLaunches>> RecordLaunches(const CudaProgram& program,
                                                           const PtxModule& module, Compiler* host,
                                                           const CompileLimits& limits) {
  std::vector<const PtxFunction*> functions;
  for (const CudaKernelFacts& facts : program.facts) {
    functions.push_back(module.Find(facts.function));
    if (functions.back() == nullptr)
      return absl::InvalidArgumentError(absl::StrCat("PTX: it has no function ", facts.function));
  }
  const Recording recording(program, std::move(functions));
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  TUNE_RETURN_IF_ERROR(WriteFile(absl::StrCat(folder.path(), "/", kSourceFile), recording.Source()));
  // GCC takes a write through null for one that has no effect, and leaves out the call of a sequence that has
  // no other.
  v1::Program flags = LaunchSequenceFlags();
  flags.add_compile_flags("-fno-delete-null-pointer-checks");
  TUNE_ASSIGN_OR_RETURN(const CompileResult compiled,
                        host->CompileProgram(folder.path(), {kSourceFile}, flags, kProgramFile, {}, limits));
  if (compiled.cancelled) return absl::CancelledError("cancelled");
  if (!compiled.ok) return absl::InternalError(absl::StrCat("the launch sequence: ", compiled.message));
  TUNE_ASSIGN_OR_RETURN(const std::string output, RunRecorder(compiled.binary, folder.path(), limits));
  absl::string_view lines = output;
  if (!absl::ConsumePrefix(&lines, "begin\n"))
    return absl::ResourceExhaustedError("it launches kernels with too many sizes to look at");
  if (!absl::ConsumeSuffix(&lines, "end\n"))
    return absl::InternalError("the launch sequence did not come to its end");
  std::vector<KernelLaunches> launches;
  for (const absl::string_view line : absl::StrSplit(lines, '\n', absl::SkipEmpty())) {
    TUNE_ASSIGN_OR_RETURN(KernelLaunches one, recording.ReadLine(line));
    launches.push_back(std::move(one));
  }
  return launches;
}

}  // namespace tune
