#include "worker/reference/differing_inputs.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/array/element_type.h"
#include "worker/reference/uninitialised_memory.h"
#include "worker/run/guarded_memory.h"
#include "worker/run/output_check.h"

namespace tune {
namespace {

std::set<std::string> ArraysRead(const v1::Scop& scop) {
  std::set<std::string> read;
  for (const v1::Statement& statement : scop.statements()) {
    for (const v1::Access& access : statement.accesses()) {
      if (access.kind() != v1::Access::WRITE) read.insert(access.array());
    }
  }
  return read;
}

std::string ElementText(const v1::ArrayError& error) {
  std::string text = error.array();
  for (const int64_t index : error.first_differing_index()) absl::StrAppend(&text, "[", index, "]");
  return text;
}

// The element's place among the array's, which are stored row by row.
int64_t PlaceOf(const v1::ArrayError& error, const std::vector<int64_t>& extents) {
  int64_t place = 0;
  for (size_t i = 0; i < extents.size(); ++i) place = place * extents[i] + error.first_differing_index(i);
  return place;
}

std::string Clause(const v1::ArrayError& error, bool uninitialised) {
  const std::string element = ElementText(error);
  if (uninitialised) {
    return absl::StrFormat(
        "the region reads %s, to which the program has given no value before: it finds what lay in memory, "
        "%.9g in one run and %.9g in another; initialise it",
        element, error.expected(), error.found());
  }
  return absl::StrFormat(
      "the runs of the program come to the region with different values: %s is %.9g in one and %.9g in "
      "another; let the program do the same in each run (no time, no seeds of chance)",
      element, error.expected(), error.found());
}

}  // namespace

absl::StatusOr<std::string> DifferingInput(const v1::StudySetup& setup, const ReferenceTools& tools,
                                           const ReferenceData& reference, const std::string& folder) {
  const std::set<std::string> read = ArraysRead(setup.scop());
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::RunnerArray> arrays,
                        RunnerArrays(setup.scop().arrays(), reference, /*compare_outputs=*/false));
  for (const v1::RunnerArray& array : arrays) {
    if (read.count(array.name()) == 0 || array.input_file().empty()) continue;
    const std::vector<int64_t> extents(array.extents().begin(), array.extents().end());
    TUNE_ASSIGN_OR_RETURN(const int64_t bytes, ArrayBytes(array.name(), array.element_type(), extents));
    TUNE_ASSIGN_OR_RETURN(const MappedFile before, MappedFile::Open(array.input_file(), bytes));
    TUNE_ASSIGN_OR_RETURN(const MappedFile now,
                          MappedFile::Open(absl::StrCat(folder, "/in/", array.name(), ".bin"), bytes));
    const v1::ArrayError error = CompareArray(array.name(), array.element_type(), extents, before.data(),
                                              now.data(), {0, 0}, RuleOf(array));
    if (!error.exceeded()) continue;
    const ArrayElement element = {array.name(), PlaceOf(error, extents), ElementSize(array.element_type())};
    TUNE_ASSIGN_OR_RETURN(const bool uninitialised, IsUninitialised(setup, tools, element));
    return Clause(error, uninitialised);
  }
  return "";
}

}  // namespace tune
