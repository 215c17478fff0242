#include "worker/reference/data_accesses.h"

#include <algorithm>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/scop/parameter_values.h"
#include "worker/lower/openmp_lowering.h"
#include "worker/print/checked_printer.h"
#include "worker/print/region_function.h"
#include "worker/reference/recorded_run.h"

namespace tune {
namespace {

std::vector<CheckedArray> ArraysToCheck(const v1::Scop& scop, const std::vector<DoubtfulArray>& doubtful) {
  std::vector<CheckedArray> arrays;
  for (const DoubtfulArray& array : doubtful) {
    const auto found = std::find_if(scop.arrays().begin(), scop.arrays().end(),
                                    [&](const v1::Array& each) { return each.name() == array.name; });
    arrays.push_back({array.name, found->element_type(), array.extents, array.elements, array.by_subscript});
  }
  return arrays;
}

absl::StatusOr<std::string> CheckedSource(const v1::Scop& scop, const v1::Reference& reference,
                                          const std::vector<CheckedArray>& arrays) {
  IslContext context;
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, scop));
  const HelperNames names = ChooseHelperNames(scop);
  TUNE_ASSIGN_OR_RETURN(OpenMpProgram program,
                        context.Run("code generation", [&]() -> absl::StatusOr<OpenMpProgram> {
                          return LowerOpenMp(context, parsed->schedule, *parsed, ParameterValueMap(reference),
                                             names, /*origins=*/true);
                        }));
  const CheckedText text = PrintChecked(std::move(program), scop, names, arrays);
  TUNE_ASSIGN_OR_RETURN(const std::string function, PrintRegionFunction(scop, reference, text.block));
  return absl::StrCat(text.definitions, function);
}

// What the line of an access outside says, in words; empty where `log` has none.
std::string OutsideAccess(const v1::Scop& scop, const std::vector<DoubtfulArray>& arrays,
                          absl::string_view log) {
  const size_t mark = log.find(kOutsideMark);
  if (mark == absl::string_view::npos) return "";
  const absl::string_view line = log.substr(mark, log.find('\n', mark) - mark);
  std::vector<int64_t> numbers;
  for (const absl::string_view word :
       absl::StrSplit(line.substr(sizeof(kOutsideMark)), ' ', absl::SkipEmpty())) {
    if (!absl::SimpleAtoi(word, &numbers.emplace_back())) return "";
  }
  const bool has_head = numbers.size() > 2 && numbers[0] >= 0 && numbers[0] < scop.statements_size() &&
                        numbers[1] >= 0 && numbers[1] < static_cast<int64_t>(arrays.size());
  if (!has_head) return "";
  const v1::Statement& statement = scop.statements(static_cast<int>(numbers[0]));
  const DoubtfulArray& array = arrays[numbers[1]];
  const size_t subscripts = array.extents.size(), iterators = statement.iterators_size();
  if (numbers.size() != 2 + subscripts + kMostIterators || iterators > kMostIterators) return "";
  const auto first = numbers.begin() + 2, behind = first + static_cast<int64_t>(subscripts);
  return DescribeOutside(statement, {behind, behind + static_cast<int64_t>(iterators)}, array,
                         {first, behind});
}

class DataAccesses {
 public:
  DataAccesses(const v1::StudySetup& setup, const ReferenceTools& tools, const ReferenceData& data)
      : setup_(setup), tools_(tools), data_(data) {}

  // Why they were not checked, or empty; FAILED_PRECONDITION where one is outside.
  absl::StatusOr<std::string> Check(const std::vector<DoubtfulArray>& doubtful) const {
    const v1::Scop& scop = setup_.scop();
    const absl::StatusOr<std::string> source =
        CheckedSource(scop, data_.reference, ArraysToCheck(scop, doubtful));
    if (!source.ok()) return std::string(source.status().message());
    const CompileLimits limits = CompileLimitsOf(setup_.limits(), tools_.cancellation);
    TUNE_ASSIGN_OR_RETURN(const CompileResult compiled,
                          tools_.compiler->CompileCandidate(*source, setup_.program(), limits));
    if (compiled.cancelled) return absl::CancelledError("cancelled");
    if (!compiled.ok) return absl::StrCat("the region with checks does not compile: ", compiled.message);
    const absl::StatusOr<RunOutcome> outcome = RunChecked(compiled.binary);
    if (!outcome.ok()) return std::string(outcome.status().message());
    const v1::RunnerVerdict& verdict = outcome->verdicts.at(0);
    if (verdict.outcome() == v1::CANCELLED) return absl::CancelledError("cancelled");
    if (verdict.outcome() == v1::CORRECT) return std::string();
    const std::string outside = OutsideAccess(scop, doubtful, outcome->log);
    if (!outside.empty()) return LeavesArray(outside, "the values that lead there");
    return absl::StrCat("the region with checks failed: ", verdict.message());
  }

 private:
  absl::StatusOr<RunOutcome> RunChecked(const std::string& library) const {
    TUNE_ASSIGN_OR_RETURN(const TemporaryFolder outputs, TemporaryFolder::Make());
    RecordedRun run;
    TUNE_ASSIGN_OR_RETURN(run.arrays, RunnerArrays(setup_.scop().arrays(), data_, /*compare_outputs=*/false));
    run.folder = outputs.path();
    run.only_record = true;
    return OnHost(library, setup_.limits(), tools_, /*threads=*/1)(run);
  }

  const v1::StudySetup& setup_;
  const ReferenceTools& tools_;
  const ReferenceData& data_;
};

}  // namespace

absl::Status CheckDataAccesses(const v1::StudySetup& setup, const ReferenceTools& tools,
                               const ReferenceData& data, const KnownMemory& memory, std::string* log) {
  if (tools.runner == nullptr) return absl::OkStatus();
  const absl::StatusOr<std::vector<DoubtfulArray>> doubtful =
      FindDoubtfulArrays(setup.scop(), data.reference, memory);
  if (doubtful.ok() && doubtful->empty()) return absl::OkStatus();
  std::string obstacle(doubtful.status().message());
  if (doubtful.ok()) {
    TUNE_ASSIGN_OR_RETURN(obstacle, DataAccesses(setup, tools, data).Check(*doubtful));
  }
  if (!obstacle.empty())
    absl::StrAppend(log, "accesses that data decide about were not checked: ", obstacle, "\n");
  return absl::OkStatus();
}

}  // namespace tune
