#include "worker/reference/program_record.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/base/untrusted_file.h"

namespace tune {

absl::Status ParseRecord(absl::string_view text, v1::Reference* reference) {
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    const absl::Status error = absl::InternalError(absl::StrCat("record of the program's run: `", line, "`"));
    int64_t value;
    if (words[0] == "parameter" && words.size() == 3) {
      if (!absl::SimpleAtoi(words[2], &value)) return error;
      v1::ParameterValue* parameter = reference->add_parameters();
      parameter->set_name(words[1]);
      parameter->set_value(value);
    } else if (words[0] == "array" && words.size() >= 2) {
      v1::ArrayExtents* array = reference->add_arrays();
      array->set_name(words[1]);
      for (size_t i = 2; i < words.size(); ++i) {
        if (!absl::SimpleAtoi(words[i], &value)) return error;
        array->add_extents(value);
      }
    } else if (words[0] == "nanoseconds" && words.size() == 2) {
      if (!absl::SimpleAtoi(words[1], &value)) return error;
      reference->set_sequential_seconds(1e-9 * static_cast<double>(value));
    } else if (words[0] != "memory") {
      return error;
    }
  }
  return absl::OkStatus();
}

std::map<std::string, int64_t> MemoryOf(absl::string_view record) {
  std::map<std::string, int64_t> memory;
  for (absl::string_view line : absl::StrSplit(record, '\n', absl::SkipEmpty())) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    int64_t elements = 0;
    if (words[0] == "memory" && words.size() == 3 && absl::SimpleAtoi(words[2], &elements))
      memory[words[1]] = elements;
  }
  return memory;
}

absl::Status WriteExecutionLog(const std::string& path, const ExecutionLog& log) {
  return WriteFile(path, {reinterpret_cast<const char*>(&log), sizeof(log)});
}

ExecutionLog ReadExecutionLog(const std::string& path) {
  const absl::StatusOr<std::string> bytes = ReadUntrustedFile(path, sizeof(ExecutionLog));
  ExecutionLog log;
  if (bytes.ok() && bytes->size() == sizeof(log)) std::memcpy(&log, bytes->data(), sizeof(log));
  log.later_count = std::clamp<int64_t>(log.later_count, 0, ExecutionLog::kLaterTimes);
  return log;
}

}  // namespace tune
