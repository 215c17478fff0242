#include "worker/run/run_arrays.h"

#include <cstring>

#include "common/base/file.h"
#include "common/array/element_type.h"

namespace tune {
namespace {

std::vector<int64_t> Extents(const v1::RunnerArray& array) {
  return {array.extents().begin(), array.extents().end()};
}

}  // namespace

absl::StatusOr<RunArrays> RunArrays::Load(const v1::RunnerJob& job) {
  RunArrays arrays;
  for (const v1::RunnerArray& array : job.arrays()) {
    Entry entry{&array, {}, {}, {}};
    if (!array.input_file().empty()) {
      TUNE_ASSIGN_OR_RETURN(const int64_t bytes,
                            ArrayBytes(array.name(), array.element_type(), Extents(array)));
      TUNE_ASSIGN_OR_RETURN(entry.input, MappedFile::Open(array.input_file(), bytes));
      TUNE_ASSIGN_OR_RETURN(entry.memory, GuardedMemory::Make(bytes));
      if (bytes > 0) std::memcpy(entry.memory->data(), entry.input->data(), bytes);
      if (array.read_only()) TUNE_RETURN_IF_ERROR(entry.memory->MakeReadOnly());
      if (!array.expected_file().empty()) {
        TUNE_ASSIGN_OR_RETURN(entry.expected, MappedFile::Open(array.expected_file(), bytes));
      }
    }
    arrays.pointers_.push_back(entry.memory.has_value() ? entry.memory->data() : nullptr);
    arrays.entries_.push_back(std::move(entry));
  }
  return arrays;
}

void RunArrays::Restore() {
  for (Entry& entry : entries_) {
    if (!entry.memory.has_value() || entry.array->read_only() || entry.memory->size() == 0) continue;
    std::memcpy(entry.memory->data(), entry.input->data(), entry.memory->size());
  }
}

std::vector<ArrayRange> RunArrays::Ranges() const {
  std::vector<ArrayRange> ranges;
  for (const Entry& entry : entries_) {
    ArrayRange range;
    if (entry.memory.has_value()) {
      range.data = reinterpret_cast<uint64_t>(entry.memory->data());
      range.begin = range.data - entry.memory->guard_size();
      range.end = range.data + entry.memory->size() + entry.memory->guard_size();
    }
    ranges.push_back(range);
  }
  return ranges;
}

std::vector<v1::ArrayError> RunArrays::Check(const OutputTolerance& tolerance) const {
  std::vector<v1::ArrayError> errors;
  for (const Entry& entry : entries_) {
    if (!entry.expected.has_value()) continue;
    errors.push_back(CompareArray(entry.array->name(), entry.array->element_type(), Extents(*entry.array),
                                  entry.expected->data(), entry.memory->data(), tolerance));
  }
  return errors;
}

std::string RunArrays::OverrunArray() const {
  for (const Entry& entry : entries_) {
    if (entry.memory.has_value() && !entry.memory->PatternIntact()) return entry.array->name();
  }
  return "";
}

absl::Status RunArrays::Record(const std::string& folder) const {
  for (const Entry& entry : entries_) {
    if (!entry.memory.has_value() || entry.array->read_only()) continue;
    const absl::string_view bytes(static_cast<const char*>(entry.memory->data()), entry.memory->size());
    TUNE_RETURN_IF_ERROR(WriteFile(absl::StrCat(folder, "/", entry.array->name(), ".bin"), bytes));
  }
  return absl::OkStatus();
}

}  // namespace tune
