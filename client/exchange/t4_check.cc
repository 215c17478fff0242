#include <functional>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/exchange/t4.h"
#include "common/base/status.h"

namespace tune {
namespace {

absl::Status NotT4(const std::string& place, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("not T4 ", kT4Version, ": ", place, " ", problem));
}

using Check = std::function<absl::Status(const Json& value, const std::string& place)>;

Check IsA(bool (Json::*is)() const noexcept, absl::string_view what) {
  return [is, what](const Json& value, const std::string& place) {
    return (value.*is)() ? absl::OkStatus() : NotT4(place, absl::StrCat("must be ", what));
  };
}

const Check kText = IsA(&Json::is_string, "a string");
const Check kNumber = IsA(&Json::is_number, "a number");
const Check kObject = IsA(&Json::is_object, "an object");

Check OneOf(const std::vector<std::string>& words) {
  return [words](const Json& value, const std::string& place) {
    for (const std::string& word : words) {
      if (value == Json(word)) return absl::OkStatus();
    }
    return NotT4(place, absl::StrCat("must be one of ", absl::StrJoin(words, ", ")));
  };
}

Check WholeFrom(int64_t lowest) {
  return [lowest](const Json& value, const std::string& place) {
    if (value.is_number_integer() && (value.is_number_unsigned() || value.get<int64_t>() >= lowest) &&
        value.get<uint64_t>() >= static_cast<uint64_t>(lowest)) {
      return absl::OkStatus();
    }
    return NotT4(place, absl::StrCat("must be an integer of at least ", lowest));
  };
}

Check ListOf(const Check& check) {
  return [check](const Json& value, const std::string& place) -> absl::Status {
    if (!value.is_array()) return NotT4(place, "must be an array");
    for (size_t i = 0; i < value.size(); ++i)
      TUNE_RETURN_IF_ERROR(check(value[i], absl::StrCat(place, "[", i, "]")));
    return absl::OkStatus();
  };
}

struct Field {
  const char* name;
  Check check;
  bool required = false;
};

// Fields that are not named are allowed, as the schema allows them.
Check Fields(const std::vector<Field>& fields) {
  return [fields](const Json& value, const std::string& place) -> absl::Status {
    TUNE_RETURN_IF_ERROR(kObject(value, place.empty() ? "the document" : place));
    for (const Field& field : fields) {
      const std::string inner = absl::StrCat(place, place.empty() ? "" : ".", field.name);
      const auto found = value.find(field.name);
      if (found != value.end()) {
        TUNE_RETURN_IF_ERROR(field.check(*found, inner));
      } else if (field.required) {
        return NotT4(inner, "is missing");
      }
    }
    return absl::OkStatus();
  };
}

absl::Status CheckVersion(const Json& value, const std::string& place) {
  TUNE_RETURN_IF_ERROR(kText(value, place));
  const std::vector<std::string> parts = absl::StrSplit(value.get<std::string>(), '.');
  bool good = parts.size() == 3;
  for (const std::string& part : parts)
    good &= !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
  return good ? absl::OkStatus() : NotT4(place, "must be MAJOR.MINOR.PATCH");
}

absl::Status CheckCorrectness(const Json& value, const std::string& place) {
  return value == Json(0) || value == Json(1) ? absl::OkStatus() : NotT4(place, "must be 0 or 1");
}

absl::Status CheckMeasured(const Json& value, const std::string& place) {
  return value.is_number() || value.is_string() || value.is_array()
             ? absl::OkStatus()
             : NotT4(place, "must be a number, a string or an array");
}

Check CompilationData() {
  const Check extent =
      Fields({{"x", WholeFrom(1), true}, {"y", WholeFrom(1), true}, {"z", WholeFrom(1), true}});
  return Fields({{"max_work_group_size", WholeFrom(0), true},
                 {"local_memory_size", WholeFrom(0), true},
                 {"private_memory_size", WholeFrom(0), true},
                 {"constant_memory_size", WholeFrom(0), true},
                 {"registers", WholeFrom(0), true},
                 {"global_size", extent, true},
                 {"local_size", extent, true}});
}

Check Times() {
  return Fields({{"compilation_time", kNumber},
                 {"runtimes", ListOf(kNumber)},
                 {"framework", kNumber},
                 {"search_algorithm", kNumber},
                 {"validation", kNumber},
                 {"data", kNumber},
                 {"kernel_overhead", kNumber},
                 {"profiling_runs", kNumber},
                 {"profiling_overhead", kNumber}});
}

Check Result() {
  const Check measurement = Fields(
      {{"name", kText},
       {"value", CheckMeasured},
       {"unit", kText},
       {"type", OneOf({"Int", "UnsignedInt", "Double", "Percent", "Throughput", "UtilizationLevel"})}});
  return Fields({{"timestamp", kText},
                 {"configuration", kObject, true},
                 {"objectives", ListOf(kText)},
                 {"times", Times(), true},
                 {"invalidity",
                  OneOf({"timeout", "compile", "runtime", "correctness", "constraints", "correct"}), true},
                 {"correctness", CheckCorrectness, true},
                 {"measurements", ListOf(measurement)},
                 {"compilation_data", CompilationData()}});
}

}  // namespace

absl::Status CheckT4(const Json& json) {
  static const auto* const document = new Check(
      Fields({{"schema_version", CheckVersion},
              {"metadata",
               Fields({{"compute_api", OneOf({"OpenCL", "CUDA", "Vulkan"})},
                       {"platform", kText},
                       {"device", kText},
                       {"autotuner", kText},
                       {"autotuner_version", kText},
                       {"timestamp", kText},
                       {"timeunit", OneOf({"nanoseconds", "microseconds", "milliseconds", "seconds"})}})},
              {"results", ListOf(Result())}}));
  return (*document)(json, "");
}

}  // namespace tune
