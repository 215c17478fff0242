#include "common/kernel_definition/number_type.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/base/plain_text.h"
#include "common/expression/value_text.h"

namespace tune {
namespace {

struct NumberForm {
  const char* name;
  v1::NumberType type;
  int bytes;
  double least, most;  // of whole numbers and half alone
};

constexpr double kHalfMost = 65504;
constexpr NumberForm kForms[] = {{"bool", v1::NUMBER_BOOL, 1, 0, 1},
                                 {"int8", v1::NUMBER_INT8, 1, -128, 127},
                                 {"uint8", v1::NUMBER_UINT8, 1, 0, 255},
                                 {"int16", v1::NUMBER_INT16, 2, -32768, 32767},
                                 {"uint16", v1::NUMBER_UINT16, 2, 0, 65535},
                                 {"int32", v1::NUMBER_INT32, 4, -2147483648., 2147483647.},
                                 {"uint32", v1::NUMBER_UINT32, 4, 0, 4294967295.},
                                 {"int64", v1::NUMBER_INT64, 8, -0x1p63, 0x1p63},
                                 {"uint64", v1::NUMBER_UINT64, 8, 0, 0x1p64},
                                 {"half", v1::NUMBER_HALF, 2, -kHalfMost, kHalfMost},
                                 {"float", v1::NUMBER_FLOAT, 4, 0, 0},
                                 {"double", v1::NUMBER_DOUBLE, 8, 0, 0},
                                 {"custom", v1::NUMBER_CUSTOM, 0, 0, 0}};

const NumberForm* FindForm(v1::NumberType type) {
  const auto found = std::find_if(std::begin(kForms), std::end(kForms),
                                  [&](const NumberForm& form) { return form.type == type; });
  return found == std::end(kForms) ? nullptr : found;
}

// Other names of the same; those with one word may have lanes behind them.
const std::map<absl::string_view, v1::NumberType>& Aliases() {
  static const auto* const kAliases =
      new std::map<absl::string_view, v1::NumberType>{{"char", v1::NUMBER_INT8},
                                                      {"signed char", v1::NUMBER_INT8},
                                                      {"unsigned char", v1::NUMBER_UINT8},
                                                      {"uchar", v1::NUMBER_UINT8},
                                                      {"short", v1::NUMBER_INT16},
                                                      {"short int", v1::NUMBER_INT16},
                                                      {"unsigned short", v1::NUMBER_UINT16},
                                                      {"ushort", v1::NUMBER_UINT16},
                                                      {"int", v1::NUMBER_INT32},
                                                      {"signed", v1::NUMBER_INT32},
                                                      {"signed int", v1::NUMBER_INT32},
                                                      {"unsigned", v1::NUMBER_UINT32},
                                                      {"unsigned int", v1::NUMBER_UINT32},
                                                      {"uint", v1::NUMBER_UINT32},
                                                      {"long", v1::NUMBER_INT64},
                                                      {"long int", v1::NUMBER_INT64},
                                                      {"long long", v1::NUMBER_INT64},
                                                      {"long long int", v1::NUMBER_INT64},
                                                      {"longlong", v1::NUMBER_INT64},
                                                      {"ptrdiff_t", v1::NUMBER_INT64},
                                                      {"unsigned long", v1::NUMBER_UINT64},
                                                      {"unsigned long int", v1::NUMBER_UINT64},
                                                      {"unsigned long long", v1::NUMBER_UINT64},
                                                      {"unsigned long long int", v1::NUMBER_UINT64},
                                                      {"ulong", v1::NUMBER_UINT64},
                                                      {"ulonglong", v1::NUMBER_UINT64},
                                                      {"size_t", v1::NUMBER_UINT64},
                                                      {"int8_t", v1::NUMBER_INT8},
                                                      {"uint8_t", v1::NUMBER_UINT8},
                                                      {"int16_t", v1::NUMBER_INT16},
                                                      {"uint16_t", v1::NUMBER_UINT16},
                                                      {"int32_t", v1::NUMBER_INT32},
                                                      {"uint32_t", v1::NUMBER_UINT32},
                                                      {"int64_t", v1::NUMBER_INT64},
                                                      {"uint64_t", v1::NUMBER_UINT64},
                                                      {"__half", v1::NUMBER_HALF},
                                                      {"_Bool", v1::NUMBER_BOOL}};
  return *kAliases;
}

v1::NumberType TypeOfName(absl::string_view name) {
  for (const NumberForm& form : kForms) {
    if (form.name == name) return form.type;
  }
  const auto alias = Aliases().find(name);
  return alias == Aliases().end() ? v1::NUMBER_TYPE_UNSPECIFIED : alias->second;
}

bool MayHaveLanes(absl::string_view name) { return name != "bool" && name != "custom" && name != "_Bool"; }

}  // namespace

bool IsLaneCount(int lanes) {
  return lanes == 1 || lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16;
}

absl::StatusOr<ElementForm> ParseElementType(absl::string_view text) {
  const std::vector<absl::string_view> words = absl::StrSplit(text, ' ', absl::SkipWhitespace());
  const std::string name = absl::StrJoin(words, " ");
  ElementForm form;
  form.type = TypeOfName(name);
  if (form.type != v1::NUMBER_TYPE_UNSPECIFIED) return form;
  const size_t digits = name.find_last_not_of("0123456789") + 1;
  const std::string base = name.substr(0, digits);
  if (digits < name.size() && absl::SimpleAtoi(name.substr(digits), &form.lanes) && form.lanes > 1 &&
      IsLaneCount(form.lanes) && words.size() == 1 && MayHaveLanes(base)) {
    form.type = TypeOfName(base);
  }
  if (form.type != v1::NUMBER_TYPE_UNSPECIFIED) return form;
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", EscapeLine(text), "\" is no type of elements here; there are: ",
      absl::StrJoin(kForms, ", ", [](std::string* out, const NumberForm& f) { out->append(f.name); }),
      ", with 2, 3, 4, 8 or 16 behind them vectors of these, and C's names"));
}

std::string ElementName(const ElementForm& form) {
  const NumberForm* const number = FindForm(form.type);
  if (number == nullptr) return "?";
  if (form.lanes <= 1) return number->name;
  // "int32" with lanes behind it reads as another number.
  static const auto* const kVectors = new std::map<v1::NumberType, const char*>{
      {v1::NUMBER_INT8, "char"},     {v1::NUMBER_UINT8, "uchar"}, {v1::NUMBER_INT16, "short"},
      {v1::NUMBER_UINT16, "ushort"}, {v1::NUMBER_INT32, "int"},   {v1::NUMBER_UINT32, "uint"},
      {v1::NUMBER_INT64, "long"},    {v1::NUMBER_UINT64, "ulong"}};
  const auto vector = kVectors->find(form.type);
  return absl::StrCat(vector == kVectors->end() ? number->name : vector->second, form.lanes);
}

ElementForm FormOf(const v1::KernelArgument& argument) {
  return {argument.type(), std::max(1, argument.lanes())};
}

int NumberBytes(v1::NumberType type) {
  const NumberForm* const form = FindForm(type);
  return form == nullptr ? 0 : form->bytes;
}

int64_t ElementBytes(const v1::KernelArgument& argument) {
  if (argument.type() == v1::NUMBER_CUSTOM) return argument.custom_bytes();
  return static_cast<int64_t>(NumberBytes(argument.type())) * std::max(1, argument.lanes());
}

absl::Status CheckFits(const Value& value, v1::NumberType type) {
  const NumberForm* const form = FindForm(type);
  if (form == nullptr) return absl::InvalidArgumentError("there is no type");
  const auto refuse = [&](absl::string_view why) {
    const std::string text =
        value.IsList() ? absl::StrCat("a list of ", value.list().size(), " values") : PrintValue(value);
    return absl::InvalidArgumentError(absl::StrCat(EscapeLine(text), why, form->name));
  };
  if (!value.IsNumber()) return refuse(" is no number; the type is ");
  if (type == v1::NUMBER_CUSTOM)
    return value.AsDouble() == 0 ? absl::OkStatus() : refuse(" cannot be what is in a ");
  if (type == v1::NUMBER_DOUBLE) return absl::OkStatus();
  const double number = value.AsDouble();
  if (type == v1::NUMBER_FLOAT) {
    const bool fits = !std::isfinite(number) || std::fabs(number) <= std::numeric_limits<float>::max();
    return fits ? absl::OkStatus() : refuse(" does not fit into ");
  }
  if (type == v1::NUMBER_HALF)
    return std::fabs(number) <= kHalfMost ? absl::OkStatus() : refuse(" does not fit into ");
  if (!value.IsWhole() && number != std::floor(number)) return refuse(" is no whole number; the type is ");
  const bool wide = type == v1::NUMBER_INT64 || type == v1::NUMBER_UINT64;  // their bounds are no doubles
  const bool fits =
      number >= form->least && (wide && !value.IsWhole() ? number < form->most : number <= form->most);
  return fits ? absl::OkStatus() : refuse(" does not fit into ");
}

}  // namespace tune
