#include "worker/run/run_arrays.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "common/array/element_type.h"
#include "common/base/file.h"

namespace tune {
namespace {

std::vector<int64_t> Extents(const v1::RunnerArray& array) {
  return {array.extents().begin(), array.extents().end()};
}

// Nothing where there is no file.
absl::StatusOr<std::optional<MappedFile>> OpenSecret(const std::string& path, int64_t bytes) {
  if (path.empty()) return std::optional<MappedFile>();
  TUNE_ASSIGN_OR_RETURN(MappedFile file, MappedFile::Open(path, bytes));
  TUNE_RETURN_IF_ERROR(file.KeepFromChildren());
  return std::optional<MappedFile>(std::move(file));
}

}  // namespace

absl::StatusOr<RunArrays::Entry> RunArrays::LoadEntry(const v1::RunnerArray& array, bool huge_pages) {
  Entry entry;
  entry.array = &array;
  if (array.input_file().empty()) return entry;
  TUNE_ASSIGN_OR_RETURN(const int64_t bytes, ArrayBytes(array.name(), array.element_type(), Extents(array)));
  TUNE_ASSIGN_OR_RETURN(entry.recorded.input, MappedFile::Open(array.input_file(), bytes));
  TUNE_ASSIGN_OR_RETURN(entry.memory, GuardedMemory::Make(bytes, huge_pages));
  TUNE_ASSIGN_OR_RETURN(entry.recorded.expected, OpenSecret(array.expected_file(), bytes));
  for (const v1::FreshInput& fresh : array.fresh()) {
    Values& values = entry.fresh.emplace_back();
    TUNE_ASSIGN_OR_RETURN(values.input, OpenSecret(fresh.input_file(), bytes));
    TUNE_ASSIGN_OR_RETURN(values.expected, OpenSecret(fresh.expected_file(), bytes));
  }
  return entry;
}

absl::StatusOr<RunArrays> RunArrays::Load(const v1::RunnerJob& job) {
  RunArrays arrays;
  int fresh_sets = std::numeric_limits<int>::max();
  for (const v1::RunnerArray& array : job.arrays()) {
    absl::StatusOr<Entry> loaded = LoadEntry(array, job.huge_pages());
    if (!loaded.ok()) return Annotate(loaded.status(), absl::StrCat("array ", array.name()));
    Entry& entry = arrays.entries_.emplace_back(*std::move(loaded));
    arrays.pointers_.push_back(entry.memory.has_value() ? entry.memory->data() : nullptr);
    if (entry.memory.has_value()) fresh_sets = std::min(fresh_sets, array.fresh_size());
  }
  if (fresh_sets < std::numeric_limits<int>::max()) arrays.fresh_sets_ = fresh_sets;
  arrays.RestoreAll();
  return arrays;
}

void RunArrays::Give(int set, bool all) {
  for (Entry& entry : entries_) {
    if (!entry.memory.has_value() || entry.memory->size() == 0) continue;
    if (!all && entry.array->read_only()) continue;
    std::memcpy(entry.memory->data(), entry.Of(set).input->data(), entry.memory->size());
  }
}

void RunArrays::Restore() { Give(kRecorded, /*all=*/false); }
void RunArrays::RestoreAll() { Give(kRecorded, /*all=*/true); }
void RunArrays::GiveFresh(int set) { Give(set, /*all=*/true); }

absl::Status RunArrays::ProtectReadOnly() {
  for (Entry& entry : entries_) {
    if (entry.memory.has_value() && entry.array->read_only()) {
      TUNE_RETURN_IF_ERROR(entry.memory->MakeReadOnly());
    }
  }
  return absl::OkStatus();
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

std::vector<v1::ArrayError> RunArrays::Compare(int set, const OutputTolerance& tolerance) const {
  std::vector<v1::ArrayError> errors;
  for (const Entry& entry : entries_) {
    if (!entry.memory.has_value() || !entry.Of(set).expected.has_value()) continue;
    errors.push_back(CompareArray(entry.array->name(), entry.array->element_type(), Extents(*entry.array),
                                  entry.Of(set).expected->data(), entry.memory->data(), tolerance,
                                  RuleOf(*entry.array)));
  }
  return errors;
}

std::vector<v1::ArrayError> RunArrays::Check(const OutputTolerance& tolerance) const {
  return Compare(kRecorded, tolerance);
}

std::vector<v1::ArrayError> RunArrays::CheckFresh(int set, const OutputTolerance& tolerance) const {
  return Compare(set, tolerance);
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
