#include "common/kernel_definition/argument_check.h"

#include <algorithm>
#include <optional>
#include <set>

#include "absl/strings/str_join.h"
#include "common/base/c_identifier.h"
#include "common/base/plain_text.h"
#include "common/kernel_definition/argument_form.h"
#include "common/kernel_definition/expression_check.h"

namespace tune {
namespace {

constexpr int kMostCustomBytes = 65536;
constexpr int64_t kMostAllBytes = kMostArrayBytes;

class ArgumentCheck {
 public:
  ArgumentCheck(const v1::KernelArgument& argument, const NamedValues& study, FaultList* faults)
      : argument_(argument), study_(study), faults_(*faults), where_(ArgumentText(argument)) {}

  void Run() {
    if (!IsCIdentifier(argument_.name())) Fault("this is no name of C");
    CheckType();
    CheckMemory();
    if (argument_.has_fill()) CheckFill(argument_.fill());
    if (MemoryOf(argument_) == v1::ARGUMENT_TEXTURE) CheckTexture();
    if (!argument_.copied_to_symbol().empty() && !IsCIdentifier(argument_.copied_to_symbol()))
      Fault("the symbol that it is copied to is no name of C");
  }

  // Of an expected output, too.
  void CheckFill(const v1::ArgumentFill& fill) {
    switch (fill.fill_case()) {
      case v1::ArgumentFill::kConstant:
        return CheckConstant(fill.constant());
      case v1::ArgumentFill::kRandom:
        return CheckRandom(fill.random());
      case v1::ArgumentFill::kFile:
        if (fill.file().path().empty() || !IsPlainLine(fill.file().path())) Fault("its file is not given");
        return;
      case v1::ArgumentFill::kGenerator:
        return CheckGenerator(fill.generator());
      case v1::ArgumentFill::FILL_NOT_SET:
        return Fault("what it is filled with is not given");
    }
  }

 private:
  void Fault(absl::string_view why) { faults_.Add(absl::StrCat(where_, ": ", why)); }

  void CheckType() {
    if (argument_.type() == v1::NUMBER_TYPE_UNSPECIFIED)
      return Fault("the type of its elements is not given");
    const bool custom = argument_.type() == v1::NUMBER_CUSTOM;
    if (custom && (argument_.custom_bytes() < 1 || argument_.custom_bytes() > kMostCustomBytes))
      Fault(absl::StrCat("a custom type has 1 to ", kMostCustomBytes, " bytes, not ",
                         argument_.custom_bytes()));
    if (argument_.lanes() != 0 && !IsLaneCount(argument_.lanes()))
      Fault(absl::StrCat("an element has 1, 2, 3, 4, 8 or 16 numbers, not ", argument_.lanes()));
  }

  void CheckMemory() {
    const v1::ArgumentMemory memory = MemoryOf(argument_);
    const bool counted = memory != v1::ARGUMENT_SCALAR;
    if (!counted && !argument_.count().empty()) Fault("a scalar has no count of elements");
    if (!counted && !argument_.fill().has_constant()) Fault("a scalar needs a value");
    if (!counted && AccessOf(argument_) != v1::ARGUMENT_READ) Fault("a scalar cannot be written");
    if (memory == v1::ARGUMENT_TEXTURE && AccessOf(argument_) != v1::ARGUMENT_READ)
      Fault("a texture cannot be written");
    if (memory == v1::ARGUMENT_LOCAL && argument_.has_fill()) Fault("shared memory cannot be filled");
    if (memory != v1::ARGUMENT_VECTOR && !argument_.copied_to_symbol().empty())
      Fault("what is copied to a symbol is an array");
    if (counted && argument_.count().empty()) Fault("the count of its elements is not given");
    if (!counted || argument_.count().empty()) return;
    if (memory == v1::ARGUMENT_LOCAL) {
      faults_.Add(CheckExpression(argument_.count(), study_), absl::StrCat(where_, ": count of elements"));
    } else {
      faults_.Add(CountOf(argument_, study_).status());
    }
  }

  // A scalar's is of a configuration, and evaluated there.
  void CheckConstant(const std::string& text) {
    if (MemoryOf(argument_) == v1::ARGUMENT_SCALAR) return faults_.Add(CheckExpression(text, study_), where_);
    CheckNumber(text, study_, "");
  }

  // Nothing where the text has no value that fits; then there is a fault.
  std::optional<double> CheckNumber(const std::string& text, const NamedValues& names,
                                    const std::string& what) {
    const absl::StatusOr<Value> value = EvaluateText(text, names);
    const absl::Status fits = value.ok() ? CheckFits(*value, argument_.type()) : value.status();
    faults_.Add(fits, what.empty() ? where_ : absl::StrCat(where_, ": ", what));
    if (!fits.ok()) return std::nullopt;
    return value->AsDouble();
  }

  void CheckRandom(const v1::RandomFill& random) {
    if (argument_.type() == v1::NUMBER_CUSTOM)
      return Fault("a custom type has no random values; fill it from a file");
    const auto low = CheckNumber(random.low().empty() ? "0" : random.low(), study_, "least random value");
    const auto high =
        CheckNumber(random.high().empty() ? "1" : random.high(), study_, "largest random value");
    if (low.has_value() && high.has_value() && *low > *high)
      Fault("its least random value is more than the largest one");
  }

  void CheckGenerator(const std::string& text) {
    if (argument_.type() == v1::NUMBER_CUSTOM)
      return Fault("a custom type cannot be generated; fill it from a file");
    NamedValues names = study_;
    names["i"] = Value::Integer(0);
    if (!CheckNumber(text, names, "element 0").has_value()) return;
    const absl::StatusOr<int64_t> count = CountOf(argument_, study_);
    if (!count.ok() || *count < 2) return;
    names["i"] = Value::Integer(*count - 1);
    CheckNumber(text, names, absl::StrCat("element ", *count - 1));
  }

  void CheckTexture() {
    const v1::Texture& texture = argument_.texture();
    if (argument_.type() == v1::NUMBER_DOUBLE || argument_.type() == v1::NUMBER_CUSTOM ||
        argument_.type() == v1::NUMBER_INT64 || argument_.type() == v1::NUMBER_UINT64 ||
        argument_.type() == v1::NUMBER_BOOL || argument_.lanes() == 3 || argument_.lanes() > 4)
      Fault("a texture has elements of 1, 2 or 4 numbers of at most 32 bits");
    const bool wraps = texture.address() == v1::TEXTURE_WRAP || texture.address() == v1::TEXTURE_MIRROR;
    if (wraps && !texture.normalized()) Fault("a texture that wraps or mirrors has normalized coordinates");
    const bool is_wide = argument_.type() == v1::NUMBER_INT32 || argument_.type() == v1::NUMBER_UINT32;
    if (texture.linear() && is_wide)
      Fault("a texture that interpolates has numbers of float or half, or whole ones of at most 16 bits");
    if (texture.extents().empty()) {
      if (texture.linear() || texture.normalized())
        Fault("a texture that interpolates or has normalized coordinates needs its extents");
      return;
    }
    if (texture.extents_size() > 3) return Fault("a texture has at most three extents");
    int64_t product = 1;
    for (const std::string& extent : texture.extents()) {
      const absl::StatusOr<int64_t> size = EvaluateWholeText(extent, study_, 1, 131072);
      if (!size.ok()) return faults_.Add(size.status(), absl::StrCat(where_, ": extent of the texture"));
      product *= *size;
    }
    const absl::StatusOr<int64_t> count = CountOf(argument_, study_);
    if (count.ok() && *count != product) {
      Fault(absl::StrCat("its texture has ", product, " elements, and it has ", *count));
    }
  }

  const v1::KernelArgument& argument_;
  const NamedValues& study_;
  FaultList& faults_;
  const std::string where_;
};

}  // namespace

void CheckArguments(const v1::KernelDefinition& definition, const NamedValues& study, FaultList* faults) {
  std::set<std::string> names;
  double bytes = 0;
  bool has_output = false;
  for (const v1::KernelArgument& argument : definition.arguments()) {
    if (!names.insert(argument.name()).second)
      faults->Add(absl::StrCat(ArgumentText(argument), ": the name is given twice"));
    ArgumentCheck(argument, study, faults).Run();
    has_output |= IsOutput(argument);
    const absl::StatusOr<int64_t> count = IsArray(argument) ? CountOf(argument, study) : 0;
    if (count.ok()) bytes += static_cast<double>(*count) * static_cast<double>(ElementBytes(argument));
  }
  if (bytes > static_cast<double>(kMostAllBytes))
    faults->Add(absl::StrCat("the arrays have ", bytes, " bytes together, more than ", kMostAllBytes));
  if (!has_output) faults->Add("no argument is written: there is nothing that the kernels compute");
}

void CheckOutputChecks(const v1::KernelDefinition& definition, const NamedValues& study, FaultList* faults) {
  std::set<std::string> names;
  for (const v1::OutputCheck& check : definition.reference().checks()) {
    const std::string where = absl::StrCat("check of ", EscapeLine(check.argument()));
    const auto argument =
        std::find_if(definition.arguments().begin(), definition.arguments().end(),
                     [&](const v1::KernelArgument& a) { return a.name() == check.argument(); });
    if (argument == definition.arguments().end() || !IsOutput(*argument)) {
      std::vector<std::string> outputs;
      for (const v1::KernelArgument& a : definition.arguments()) {
        if (IsOutput(a)) outputs.push_back(EscapeLine(a.name()));
      }
      faults->Add(
          absl::StrCat(where, ": there is no such output; there are: ", absl::StrJoin(outputs, ", ")));
      continue;
    }
    if (!names.insert(check.argument()).second) faults->Add(absl::StrCat(where, ": it is given twice"));
    if (check.has_threshold() && !(check.threshold() >= 0))
      faults->Add(absl::StrCat(where, ": the threshold is no number from 0"));
    if (check.has_expected()) ArgumentCheck(*argument, study, faults).CheckFill(check.expected());
  }
}

}  // namespace tune
