#include "worker/cuda/region_arrays.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

#include "common/array/element_type.h"
#include "common/base/file.h"
#include "worker/run/guarded_memory.h"

namespace tune {

absl::StatusOr<RegionArrays> RegionArrays::Load(const DeviceSession& session, const v1::CudaJob& job) {
  RegionArrays arrays(session);
  for (const v1::RunnerArray& array : job.arrays()) {
    TUNE_RETURN_IF_ERROR(Annotate(arrays.LoadEntry(array), absl::StrCat("array ", array.name())));
  }
  return arrays;
}

absl::Status RegionArrays::LoadEntry(const v1::RunnerArray& array) {
  Entry entry;
  entry.array = array;
  if (!array.input_file().empty()) {
    TUNE_ASSIGN_OR_RETURN(const int64_t bytes, ArrayBytes(array.name(), array.element_type(),
                                                          {array.extents().begin(), array.extents().end()}));
    TUNE_ASSIGN_OR_RETURN(const MappedFile input, MappedFile::Open(array.input_file(), bytes));
    TUNE_ASSIGN_OR_RETURN(entry.input, DeviceMemory::Make(*session_, bytes));
    TUNE_ASSIGN_OR_RETURN(entry.working, DeviceMemory::Make(*session_, bytes));
    TUNE_RETURN_IF_ERROR(entry.input->CopyFromHost(input.data()));
    if (array.extents().empty()) {
      entry.value.resize((bytes + 7) / 8);
      std::memcpy(entry.value.data(), input.data(), bytes);
      entry.recorded_value = entry.value;
    }
    if (!array.expected_file().empty()) {
      TUNE_ASSIGN_OR_RETURN(const MappedFile expected, MappedFile::Open(array.expected_file(), bytes));
      TUNE_ASSIGN_OR_RETURN(entry.expected, DeviceMemory::Make(*session_, bytes));
      TUNE_RETURN_IF_ERROR(entry.expected->CopyFromHost(expected.data()));
    }
  }
  entries_.push_back(std::move(entry));
  return absl::OkStatus();
}

int64_t RegionArrays::bytes() const {
  size_t sum = 0;
  for (const Entry& entry : entries_) {
    for (const std::optional<DeviceMemory>* memory : {&entry.input, &entry.working, &entry.expected}) {
      if (memory->has_value()) sum += (*memory)->size();
    }
  }
  return static_cast<int64_t>(sum);
}

absl::StatusOr<CandidateMemory> RegionArrays::Bind(const v1::CudaCandidate& candidate,
                                                   const LoadedCandidate& loaded) const {
  std::map<absl::string_view, const Entry*> given;
  for (const Entry& entry : entries_) {
    if (entry.working.has_value()) given[entry.array.name()] = &entry;
  }
  CandidateMemory bound;
  bound.copies.emplace(*session_);
  for (const v1::CudaArray& array : candidate.arrays()) {
    bound.memory.push_back(nullptr);
    bound.host.push_back(nullptr);
    if (const auto entry = given.find(array.name()); entry != given.end()) {
      if (!entry->second->value.empty()) bound.host.back() = entry->second->value.data();
      const auto size = static_cast<int64_t>(entry->second->working->size());
      if (array.bytes() > size) {
        return absl::InvalidArgumentError(absl::StrCat("array ", array.name(), " has ", size,
                                                       " bytes, the candidate expects ", array.bytes()));
      }
      bound.memory.back() = reinterpret_cast<void*>(entry->second->working->address());
    } else if (array.bytes() > 0) {
      absl::StatusOr<DeviceMemory> own = DeviceMemory::Make(*session_, array.bytes());
      if (!own.ok()) return Annotate(own.status(), absl::StrCat("array ", array.name()));
      bound.memory.back() = reinterpret_cast<void*>(own->address());
      bound.own.push_back(*std::move(own));
      bound.own_names.push_back(array.name());
    }
  }
  TUNE_RETURN_IF_ERROR(BindVariables(candidate, loaded, &bound));
  TUNE_RETURN_IF_ERROR(BindTextures(candidate, &bound));
  return bound;
}

absl::Status RegionArrays::BindVariables(const v1::CudaCandidate& candidate, const LoadedCandidate& loaded,
                                         CandidateMemory* bound) const {
  for (int i = 0; i < candidate.arrays_size(); ++i) {
    const v1::CudaArray& array = candidate.arrays(i);
    if (array.symbol().empty()) continue;
    const auto variable = loaded.Variable(array.symbol());
    if (!variable.ok()) return absl::FailedPreconditionError(variable.status().message());
    if (static_cast<int64_t>(variable->second) != array.bytes()) {
      return absl::FailedPreconditionError(absl::StrCat("the variable ", array.symbol(), " has ",
                                                        variable->second, " bytes, and argument ",
                                                        array.name(), " has ", array.bytes()));
    }
    bound->copies->AddVariable(variable->first, reinterpret_cast<CUdeviceptr>(bound->memory[i]),
                               variable->second, array.symbol_is_output());
  }
  return absl::OkStatus();
}

absl::Status RegionArrays::BindTextures(const v1::CudaCandidate& candidate, CandidateMemory* bound) const {
  const size_t count = bound->memory.size();
  bound->memory.resize(2 * count);
  for (const v1::CudaTexture& texture : candidate.textures()) {
    const auto array = static_cast<size_t>(texture.array());
    if (array >= count || bound->memory[array] == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("the candidate wants a texture of array ", array, ", which has no memory"));
    }
    TUNE_ASSIGN_OR_RETURN(TextureObject object,
                          MakeTexture(texture, reinterpret_cast<CUdeviceptr>(bound->memory[array]),
                                      candidate.arrays(texture.array()).bytes(), bound));
    bound->memory[count + array] = reinterpret_cast<void*>(object.handle());
    bound->textures.push_back(std::move(object));
  }
  return absl::OkStatus();
}

absl::StatusOr<TextureObject> RegionArrays::MakeTexture(const v1::CudaTexture& texture, CUdeviceptr address,
                                                        int64_t bytes, CandidateMemory* bound) const {
  if (!texture.has_form()) return TextureObject::Make(*session_, address, bytes, texture.element_type());
  const v1::TextureForm& form = texture.form();
  if (form.extents().empty()) return TextureObject::MakeLinear(*session_, address, bytes, form);
  TUNE_ASSIGN_OR_RETURN(TextureMemory memory, TextureMemory::Make(*session_, form));
  absl::StatusOr<TextureObject> object = TextureObject::Make(*session_, memory, form);
  bound->copies->AddTexture(std::move(memory), address);
  return object;
}

absl::StatusOr<bool> RegionArrays::Repair() {
  bool repaired = false;
  const auto examine = [&](DeviceMemory& memory, const std::string& path) -> absl::Status {
    TUNE_ASSIGN_OR_RETURN(const MappedFile file, MappedFile::Open(path, memory.size()));
    std::vector<char> bytes(memory.size());
    TUNE_RETURN_IF_ERROR(memory.CopyToHost(bytes.data()));
    if (bytes.empty() || std::memcmp(bytes.data(), file.data(), bytes.size()) == 0) return absl::OkStatus();
    repaired = true;
    return memory.CopyFromHost(file.data());
  };
  for (Entry& entry : entries_) {
    if (entry.input.has_value()) TUNE_RETURN_IF_ERROR(examine(*entry.input, entry.array.input_file()));
    if (entry.expected.has_value())
      TUNE_RETURN_IF_ERROR(examine(*entry.expected, entry.array.expected_file()));
  }
  return repaired;
}

absl::StatusOr<int64_t> RegionArrays::Restore(bool all) {
  int64_t bytes = 0;
  for (Entry& entry : entries_) {
    if (!entry.working.has_value() || (entry.array.read_only() && !all)) continue;
    TUNE_RETURN_IF_ERROR(entry.working->CopyFrom(*entry.input));
    bytes += static_cast<int64_t>(entry.working->size());
  }
  return bytes;
}

int RegionArrays::fresh_sets() const {
  int sets = std::numeric_limits<int>::max();
  for (const Entry& entry : entries_) {
    if (entry.working.has_value()) sets = std::min(sets, entry.array.fresh_size());
  }
  return sets == std::numeric_limits<int>::max() ? 0 : sets;
}

absl::Status RegionArrays::GiveFresh(int set) {
  for (Entry& entry : entries_) {
    if (!entry.working.has_value()) continue;
    TUNE_ASSIGN_OR_RETURN(const MappedFile file,
                          MappedFile::Open(entry.array.fresh(set).input_file(), entry.working->size()));
    TUNE_RETURN_IF_ERROR(entry.working->CopyFromHost(file.data()));
    if (!entry.value.empty()) std::memcpy(entry.value.data(), file.data(), file.size());
  }
  return absl::OkStatus();
}

absl::Status RegionArrays::GiveRecorded() {
  for (Entry& entry : entries_) {
    std::copy(entry.recorded_value.begin(), entry.recorded_value.end(), entry.value.begin());
  }
  return RestoreAll().status();
}

absl::StatusOr<std::string> RegionArrays::OverrunArray(CandidateMemory& memory) {
  std::string overrun;
  const auto examine = [&](DeviceMemory& array, const std::string& name) -> absl::Status {
    TUNE_ASSIGN_OR_RETURN(const bool intact, array.PatternIntact());
    if (intact) return absl::OkStatus();
    if (overrun.empty()) overrun = name;
    return array.RestorePattern();
  };
  for (Entry& entry : entries_) {
    if (entry.working.has_value()) TUNE_RETURN_IF_ERROR(examine(*entry.working, entry.array.name()));
  }
  for (size_t i = 0; i < memory.own.size(); ++i) {
    TUNE_RETURN_IF_ERROR(examine(memory.own[i], memory.own_names[i]));
  }
  return overrun;
}

absl::StatusOr<std::string> RegionArrays::ChangedInput(OutputCompare& compare) const {
  for (const Entry& entry : entries_) {
    if (!entry.working.has_value() || !entry.array.read_only()) continue;
    TUNE_ASSIGN_OR_RETURN(const bool same, compare.Same(*entry.input, *entry.working));
    if (!same) return entry.array.name();
  }
  return "";
}

absl::Status RegionArrays::Record(const std::string& folder) const {
  for (const Entry& entry : entries_) {
    if (!entry.working.has_value() || entry.array.read_only()) continue;
    std::string bytes(entry.working->size(), '\0');
    TUNE_RETURN_IF_ERROR(entry.working->CopyToHost(bytes.data()));
    TUNE_RETURN_IF_ERROR(WriteFile(absl::StrCat(folder, "/", entry.array.name(), ".bin"), bytes));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<v1::ArrayError>> RegionArrays::Check(OutputCompare& compare,
                                                                const OutputTolerance& tolerance) const {
  std::vector<v1::ArrayError> errors;
  for (const Entry& entry : entries_) {
    if (!entry.expected.has_value()) continue;
    TUNE_ASSIGN_OR_RETURN(v1::ArrayError error,
                          compare.Compare(entry.array, *entry.expected, *entry.working, tolerance));
    errors.push_back(std::move(error));
  }
  return errors;
}

absl::StatusOr<std::vector<v1::ArrayError>> RegionArrays::CheckFresh(int set, OutputCompare& compare,
                                                                     const OutputTolerance& tolerance) const {
  std::vector<v1::ArrayError> errors;
  for (const Entry& entry : entries_) {
    if (!entry.expected.has_value()) continue;
    TUNE_ASSIGN_OR_RETURN(const MappedFile file,
                          MappedFile::Open(entry.array.fresh(set).expected_file(), entry.working->size()));
    // On the device for as long as it is compared.
    TUNE_ASSIGN_OR_RETURN(DeviceMemory expected, DeviceMemory::Make(*session_, entry.working->size()));
    TUNE_RETURN_IF_ERROR(expected.CopyFromHost(file.data()));
    TUNE_ASSIGN_OR_RETURN(v1::ArrayError error,
                          compare.Compare(entry.array, expected, *entry.working, tolerance));
    errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace tune
