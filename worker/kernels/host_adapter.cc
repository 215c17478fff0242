#include "worker/kernels/host_adapter.h"

#include <limits>
#include <map>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/base/plain_text.h"
#include "common/kernel_definition/argument_form.h"

namespace tune {
namespace {

constexpr char kMemory[] = "tune_arrays";

std::string ScalarText(const v1::KernelArgument& argument, const Value& value) {
  if (argument.type() == v1::NUMBER_FLOAT || argument.type() == v1::NUMBER_DOUBLE)
    return absl::StrFormat("%a", value.AsDouble());
  const int64_t whole = value.IsWhole() ? value.whole() : static_cast<int64_t>(value.AsDouble());
  if (whole == std::numeric_limits<int64_t>::min()) return absl::StrCat("(-", INT64_MAX, "L - 1L)");
  return absl::StrCat(whole, "L");
}

bool IsNumberOfC(const v1::KernelArgument& argument) {
  return argument.lanes() <= 1 && argument.type() != v1::NUMBER_CUSTOM && argument.type() != v1::NUMBER_HALF;
}

// By name: what is handed over, of arguments that C has a text for.
absl::StatusOr<std::map<std::string, std::string>> ArgumentTexts(const v1::KernelDefinition& definition,
                                                                 const NamedValues& scalars) {
  std::map<std::string, std::string> texts;
  int array = 0;
  for (const v1::KernelArgument& argument : definition.arguments()) {
    if (IsArray(argument)) {
      texts[argument.name()] = absl::StrCat(kMemory, "[", array++, "]");
      continue;
    }
    if (!IsHandedOver(argument) || !IsNumberOfC(argument)) continue;
    const auto value = scalars.find(argument.name());
    if (value == scalars.end())
      return absl::InvalidArgumentError(absl::StrCat(ArgumentText(argument), ": a scalar needs a value"));
    texts[argument.name()] = ScalarText(argument, value->second);
  }
  return texts;
}

std::string CallText(const std::string& function, const std::string& arguments, int64_t times) {
  const std::string call = absl::StrCat(function, "(", arguments, ");\n");
  if (times == 1) return absl::StrCat("  ", call);
  return absl::StrCat("  for (tune_turn = 0; tune_turn < ", times, "; tune_turn++) ", call);
}

}  // namespace

std::vector<HostCall> HostCalls(const v1::KernelDefinition& definition,
                                const EvaluatedConfiguration& configuration) {
  std::vector<HostCall> calls;
  for (const EvaluatedLaunch& launch : configuration.launches) {
    calls.push_back({KernelNamed(definition, launch.kernel), launch.times});
  }
  return calls;
}

absl::StatusOr<std::string> PrintHostAdapter(const v1::KernelDefinition& definition, const std::string& file,
                                             const std::vector<HostCall>& calls, const NamedValues& scalars) {
  if (file.find_first_of("\"\\\n") != std::string::npos)
    return absl::InvalidArgumentError(absl::StrCat(
        "file ", EscapeLine(file), ": rename it; a name with quotes or backslashes cannot be included"));
  TUNE_ASSIGN_OR_RETURN(const auto texts, ArgumentTexts(definition, scalars));
  std::string pointers, body;
  for (size_t i = 0; i < calls.size(); ++i) {
    const v1::KernelFunction& function = calls[i].function;
    TUNE_ASSIGN_OR_RETURN(const auto arguments, HostArgumentsOf(definition, function));
    for (const v1::KernelArgument* argument : arguments) {
      if (texts.contains(argument->name())) continue;
      return absl::InvalidArgumentError(
          absl::StrCat(ArgumentText(*argument), ": function ", EscapeLine(function.name()),
                       " cannot take it: vectors, structs and numbers of binary16 are handed over as arrays "
                       "of one element"));
    }
    const std::string pointer = absl::StrCat("tune_function_", i);
    // Volatile: the compiler does not know what is called.
    absl::StrAppend(&pointers, "static __typeof__(", function.name(), ") *volatile ", pointer, " = ",
                    function.name(), ";\n");
    const auto print = [&](std::string* out, const v1::KernelArgument* a) {
      out->append(texts.at(a->name()));
    };
    absl::StrAppend(&body, CallText(pointer, absl::StrJoin(arguments, ", ", print), calls[i].times));
  }
  return absl::StrCat("#include \"", file, "\"\n\n", pointers, "\n",
                      "__attribute__((visibility(\"default\"))) void tune_region(void **", kMemory, ");\n",
                      "void tune_region(void **", kMemory,
                      ") {\n  long tune_turn;\n  (void)tune_turn;\n  (void)", kMemory, ";\n", body, "}\n");
}

}  // namespace tune
