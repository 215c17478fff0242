#include <algorithm>
#include <cmath>

#include "client/kernels/t1_space.h"
#include "common/base/plain_text.h"
#include "common/expression/value_text.h"
#include "common/kernel_definition/argument_form.h"

namespace tune {
namespace {

const std::vector<std::string>& FillTypes() {
  static const auto* const kTypes =
      new std::vector<std::string>{"Constant", "Random", "Generator", "Script", "BinaryRaw", "BinaryHDF"};
  return *kTypes;
}

// A number as an expression.
std::string NumberText(const Json& number) {
  if (number.is_number_integer()) return number.dump();
  return PrintValue(Value::Float(number.get<double>()));
}

// Of an argument, and of what an output is compared with.
class FillReader {
 public:
  FillReader(T1Object* object, bool is_number) : object_(*object), is_number_(is_number) {}

  // Nothing is set where the file says nothing.
  void Read(v1::ArgumentFill* fill) {
    const std::string type = object_.Word("FillType", FillTypes()).value_or("Constant");
    value_ = object_.Number("FillValue").has_value() ? object_.Find("FillValue") : nullptr;
    source_ = object_.Text("DataSource");
    const std::optional<int64_t> seed = object_.Integer("RandomSeed");
    if (type == "Constant") {
      if (value_ != nullptr) fill->set_constant(NumberText(*value_));
    } else if (type == "Random") {
      ReadRandom(seed, fill->mutable_random());
    } else if (type == "Generator") {
      fill->set_generator(RenameProblemSize(Source("an expression of i, such as \"2 * i\""), is_number_));
    } else if (type == "Script") {
      object_.Fault("FillType",
                    "Script runs a program of the file's author, which is not done; write a Generator");
    } else {
      fill->mutable_file()->set_path(Source("the file's name"));
      if (type == "BinaryHDF") fill->mutable_file()->set_format(v1::FILE_HDF5);
    }
  }

 private:
  // KTT draws from 0 to FillValue.
  void ReadRandom(const std::optional<int64_t>& seed, v1::RandomFill* random) {
    if (value_ != nullptr && value_->get<double>() != 1) random->set_high(NumberText(*value_));
    if (value_ != nullptr && value_->get<double>() < 0) {
      random->set_low(NumberText(*value_));
      random->set_high("0");
    }
    if (!seed.has_value()) return;
    if (*seed < 0) return object_.Fault("RandomSeed", "is negative");
    random->set_seed(static_cast<uint64_t>(*seed));
  }

  std::string Source(absl::string_view what) {
    if (!source_.has_value() || source_->empty())
      object_.Fault("DataSource", absl::StrCat("is missing: ", what));
    return source_.value_or("");
  }

  T1Object& object_;
  const bool is_number_;
  const Json* value_ = nullptr;
  std::optional<std::string> source_;
};

class T1ArgumentReader {
 public:
  T1ArgumentReader(T1Object* object, bool is_number, int index, v1::KernelArgument* argument)
      : object_(*object), is_number_(is_number), index_(index), argument_(*argument) {}

  void Read() {
    for (const char* field : {"Type", "MemoryType"}) object_.Require(field);
    argument_.set_name(object_.Text("Name").value_or(absl::StrCat("argument_", index_ + 1)));
    ReadType();
    ReadMemory();
    ReadSize();
    FillReader(&object_, is_number_).Read(argument_.mutable_fill());
    if (argument_.fill().fill_case() == v1::ArgumentFill::FILL_NOT_SET) argument_.clear_fill();
    FitFill();
    ReadExtensions();
    object_.NoteOthers();
  }

 private:
  bool is_scalar() const { return memory_ == "Scalar"; }

  void ReadType() {
    static const auto* const kTypes = new std::vector<std::string>{
        "bool",    "int8",   "uint8",   "int16",   "uint16",  "int32",    "uint32", "int64",  "uint64",
        "half",    "half2",  "half4",   "half8",   "half16",  "float",    "float2", "float4", "float8",
        "float16", "double", "double2", "double4", "double8", "double16", "custom"};
    const std::optional<std::string> type = object_.Word("Type", *kTypes);
    const std::optional<int64_t> bytes = object_.Integer("TypeSize");
    if (!type.has_value()) return;
    const ElementForm form = ParseElementType(*type).value();
    argument_.set_type(form.type);
    if (form.lanes > 1) argument_.set_lanes(form.lanes);
    if (form.type == v1::NUMBER_CUSTOM) {
      if (!bytes.has_value())
        object_.Fault("TypeSize", "is missing: the bytes of an element of the custom type");
      argument_.set_custom_bytes(static_cast<int32_t>(std::clamp<int64_t>(bytes.value_or(0), -1, INT32_MAX)));
    } else if (bytes.has_value() && *bytes != ElementBytes(argument_)) {
      object_.Fault("TypeSize",
                    absl::StrCat(*bytes, ", where ", *type, " has ", ElementBytes(argument_), " bytes"));
    }
  }

  void ReadMemory() {
    memory_ = object_.Word("MemoryType", {"Scalar", "Vector", "Local", "Symbol"}).value_or("Vector");
    if (memory_ == "Local") argument_.set_memory(v1::ARGUMENT_LOCAL);
    if (memory_ == "Symbol") argument_.set_memory(v1::ARGUMENT_SYMBOL);
    const std::optional<std::string> access =
        object_.Word("AccessType", {"ReadOnly", "WriteOnly", "ReadWrite"});
    if (is_scalar() || memory_ == "Local") {
      if (access.has_value() && *access != "ReadOnly" && is_scalar())
        object_.Note("AccessType", "is not taken: a scalar is read");
      return;
    }
    if (access == "ReadOnly") argument_.set_access(v1::ARGUMENT_READ);
    if (access == "WriteOnly") argument_.set_access(v1::ARGUMENT_WRITE);
    if (access == "ReadWrite") argument_.set_access(v1::ARGUMENT_READ_WRITE);
  }

  void ReadSize() {
    const Json* const size = object_.Find("Size");
    if (size == nullptr) {
      if (!is_scalar()) object_.Fault("Size", "is missing: the count of elements");
    } else if (is_scalar()) {
      if (*size != 1 && *size != "1") object_.Note("Size", "is not taken: a scalar has one element");
    } else if (size->is_number_integer()) {
      argument_.set_count(size->dump());
    } else if (size->is_string()) {
      argument_.set_count(RenameProblemSize(size->get<std::string>(), is_number_));
    } else {
      object_.Fault("Size",
                    absl::StrCat("expected a whole number or an expression, found ", JsonKind(*size)));
    }
  }

  // 0.0 for whole numbers is 0; what Local arguments are filled with is nothing.
  void FitFill() {
    if (memory_ == "Local" && argument_.has_fill()) {
      object_.Note("FillType", "is not taken: shared memory is not filled");
      argument_.clear_fill();
    }
    if (is_scalar() && argument_.has_fill() && !argument_.fill().has_constant())
      object_.Fault("FillType", "a scalar has a constant value: FillType Constant with a FillValue");
    if (is_scalar() && !argument_.has_fill())
      object_.Fault("FillValue", "is missing: the value of the scalar");
  }

  // Of Kernel Tuner.
  void ReadExtensions() {
    if (const std::optional<std::string> type = object_.Text("MemType"); type.has_value()) {
      if (*type == "Constant" && memory_ == "Vector") {
        argument_.set_copied_to_symbol(argument_.name());
      } else if (*type != "Global") {
        object_.Note("MemType", absl::StrCat("\"", EscapeLine(*type), "\" is not taken; there is: Constant"));
      }
    }
    const Json* const output = object_.Find("Output");
    const bool is_output = output != nullptr && *output != 0 && *output != false;
    if (is_output && !IsOutput(argument_))
      object_.Note("Output", "is not taken: the AccessType says that the kernel only reads it");
  }

  T1Object& object_;
  const bool is_number_;
  const int index_;
  v1::KernelArgument& argument_;
  std::string memory_;
};

v1::CheckMethod MethodOf(const std::string& name) {
  if (name == "AbsoluteDifference") return v1::CHECK_SUM_OF_DIFFERENCES;
  return name == "SideBySideRelativeComparison" ? v1::CHECK_EACH_RELATIVE : v1::CHECK_EACH_DIFFERENCE;
}

void ReadReferenceArgument(T1Object* object, bool is_number, v1::OutputCheck* check) {
  for (const char* field : {"Name", "TargetName", "FillType"}) object->Require(field);
  (void)object->Text("Name");  // of the reference itself, which nothing else names
  check->set_argument(object->Text("TargetName").value_or(""));
  FillReader(object, is_number).Read(check->mutable_expected());
  if (check->expected().has_random())
    object->Fault("FillType", "what an output is compared with cannot be random");
  if (check->expected().fill_case() == v1::ArgumentFill::FILL_NOT_SET) check->clear_expected();
  const std::optional<std::string> method = object->Word(
      "ValidationMethod", {"AbsoluteDifference", "SideBySideComparison", "SideBySideRelativeComparison"});
  check->set_method(MethodOf(method.value_or("SideBySideComparison")));
  if (const std::optional<double> threshold = object->Number("ValidationThreshold"); threshold.has_value())
    check->set_threshold(*threshold);
  object->NoteOthers();
}

}  // namespace

void ReadT1Arguments(T1Object* kernel, v1::KernelDefinition* definition) {
  const bool is_number = HasPlainProblemSize(kernel);
  std::vector<T1Object> arguments = kernel->Objects("Arguments");
  for (size_t i = 0; i < arguments.size(); ++i)
    T1ArgumentReader(&arguments[i], is_number, static_cast<int>(i), definition->add_arguments()).Read();
  for (T1Object& object : kernel->Objects("ReferenceArguments"))
    ReadReferenceArgument(&object, is_number, definition->mutable_reference()->add_checks());
}

}  // namespace tune
