#include "worker/kernels/kernel_arrays.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "common/kernel_definition/argument_form.h"

namespace tune {
namespace {

absl::Status CannotTake(const v1::KernelArgument& argument, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat(ArgumentText(argument), ": ", why));
}

absl::StatusOr<v1::ElementType> ElementTypeOf(const v1::KernelArgument& argument) {
  switch (argument.type()) {
    case v1::NUMBER_BOOL:
    case v1::NUMBER_UINT8:
    case v1::NUMBER_CUSTOM:
      return v1::ELEMENT_TYPE_UNSIGNED_CHAR;
    case v1::NUMBER_INT8:
      return v1::ELEMENT_TYPE_SIGNED_CHAR;
    case v1::NUMBER_INT16:
      return v1::ELEMENT_TYPE_SHORT;
    case v1::NUMBER_UINT16:
      return v1::ELEMENT_TYPE_UNSIGNED_SHORT;
    case v1::NUMBER_INT32:
      return v1::ELEMENT_TYPE_INT;
    case v1::NUMBER_UINT32:
      return v1::ELEMENT_TYPE_UNSIGNED_INT;
    case v1::NUMBER_INT64:
      return v1::ELEMENT_TYPE_LONG;
    case v1::NUMBER_UINT64:
      return v1::ELEMENT_TYPE_UNSIGNED_LONG;
    case v1::NUMBER_FLOAT:
      return v1::ELEMENT_TYPE_FLOAT;
    case v1::NUMBER_DOUBLE:
      return v1::ELEMENT_TYPE_DOUBLE;
    case v1::NUMBER_HALF:
      return v1::ELEMENT_TYPE_UNSIGNED_SHORT;  // its bits
    default:
      return CannotTake(argument, "its type is not known to this worker; update it");
  }
}

// Elements, and what each is made of where that is more than a number.
absl::StatusOr<std::vector<int64_t>> ExtentsOfArgument(const v1::KernelArgument& argument,
                                                       const NamedValues& study) {
  TUNE_ASSIGN_OR_RETURN(const int64_t count, CountOf(argument, study));
  if (argument.type() == v1::NUMBER_CUSTOM) return std::vector<int64_t>{count, argument.custom_bytes()};
  if (argument.lanes() > 1) return std::vector<int64_t>{count, argument.lanes()};
  return std::vector<int64_t>{count};
}

// Of arguments that a C function takes.
absl::Status CheckHostArgument(const v1::KernelArgument& argument) {
  const v1::ArgumentMemory memory = MemoryOf(argument);
  if (memory == v1::ARGUMENT_SYMBOL || memory == v1::ARGUMENT_TEXTURE || memory == v1::ARGUMENT_LOCAL ||
      !argument.copied_to_symbol().empty()) {
    return CannotTake(
        argument, "symbols, textures and shared memory are a GPU's; a C function takes arrays and scalars");
  }
  if (memory == v1::ARGUMENT_SCALAR && (argument.lanes() > 1 || argument.type() == v1::NUMBER_CUSTOM))
    return CannotTake(argument, "vectors and structs are handed over as arrays of one element");
  if (argument.type() == v1::NUMBER_HALF)
    return CannotTake(argument, "the host has no numbers of this type; use float or double");
  return absl::OkStatus();
}

const v1::OutputCheck* FindCheck(const v1::KernelDefinition& definition, const std::string& argument) {
  for (const v1::OutputCheck& check : definition.reference().checks()) {
    if (check.argument() == argument) return &check;
  }
  return nullptr;
}

bool IsHalf(const v1::KernelDefinition& definition, const std::string& argument) {
  return std::any_of(
      definition.arguments().begin(), definition.arguments().end(),
      [&](const v1::KernelArgument& a) { return a.name() == argument && a.type() == v1::NUMBER_HALF; });
}

void LookAway(v1::RunnerArray* array) {
  array->clear_expected_file();
  for (v1::FreshInput& fresh : *array->mutable_fresh()) fresh.clear_expected_file();
}

}  // namespace

absl::StatusOr<StudyArrays> KernelArrays(const v1::KernelDefinition& definition) {
  TUNE_ASSIGN_OR_RETURN(const NamedValues problem, ProblemNames(definition));
  const NamedValues study = StudyNames(definition, problem);
  StudyArrays arrays;
  for (const v1::KernelArgument& argument : definition.arguments()) {
    if (definition.language() == v1::KERNEL_LANGUAGE_C) TUNE_RETURN_IF_ERROR(CheckHostArgument(argument));
    if (!IsArray(argument)) continue;
    v1::Array& array = *arrays.Add();
    array.set_name(argument.name());
    TUNE_ASSIGN_OR_RETURN(const v1::ElementType type, ElementTypeOf(argument));
    array.set_element_type(type);
    array.set_read_only(!IsOutput(argument));
    array.set_is_pointer(true);
    TUNE_ASSIGN_OR_RETURN(const std::vector<int64_t> extents, ExtentsOfArgument(argument, study));
    for (const int64_t extent : extents) array.add_extents()->set_c_expression(absl::StrCat(extent));
  }
  return arrays;
}

absl::Status DescribeArrays(const v1::KernelDefinition& definition, const StudyArrays& arrays,
                            v1::Reference* reference) {
  TUNE_ASSIGN_OR_RETURN(const NamedValues problem, ProblemNames(definition));
  for (const v1::ProblemSize& size : definition.problem()) {
    if (size.name().empty()) continue;
    v1::ParameterValue& parameter = *reference->add_parameters();
    parameter.set_name(size.name());
    parameter.set_value(problem.at(size.name()).whole());
  }
  for (const v1::Array& array : arrays) {
    v1::ArrayExtents& entry = *reference->add_arrays();
    entry.set_name(array.name());
    for (const v1::Extent& extent : array.extents()) {
      int64_t value = 0;
      if (!absl::SimpleAtoi(extent.c_expression(), &value))
        return absl::InternalError(absl::StrCat("array ", array.name(), " has an extent that is no number"));
      entry.add_extents(value);
    }
  }
  return absl::OkStatus();
}

void ApplyOutputChecks(const v1::KernelDefinition& definition, std::vector<v1::RunnerArray>* arrays) {
  for (v1::RunnerArray& array : *arrays) {
    array.set_half(IsHalf(definition, array.name()));
    const v1::OutputCheck* const check = FindCheck(definition, array.name());
    if (check == nullptr) continue;
    if (check->method() == v1::CHECK_NONE) LookAway(&array);
    array.set_method(check->method());
    if (check->has_threshold()) array.set_threshold(check->threshold());
  }
}

}  // namespace tune
