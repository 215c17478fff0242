#include "worker/kernels/argument_values.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "absl/time/clock.h"
#include "common/array/half.h"
#include "common/base/fingerprint.h"
#include "common/base/plain_text.h"
#include "common/base/random.h"
#include "common/expression/compiled_expression.h"
#include "common/kernel_definition/argument_form.h"

namespace tune {
namespace {

constexpr int64_t kBetweenLooks = 1 << 14;  // elements between two looks at clock and cancellation

struct Half {
  uint16_t bits = 0;
};

// Calls `use` with a number of the type that stands for it.
template <typename Use>
void WithNumber(v1::NumberType type, Use&& use) {
  switch (type) {
    case v1::NUMBER_INT8:
      return use(int8_t{});
    case v1::NUMBER_INT16:
      return use(int16_t{});
    case v1::NUMBER_UINT16:
      return use(uint16_t{});
    case v1::NUMBER_INT32:
      return use(int32_t{});
    case v1::NUMBER_UINT32:
      return use(uint32_t{});
    case v1::NUMBER_INT64:
      return use(int64_t{});
    case v1::NUMBER_UINT64:
      return use(uint64_t{});
    case v1::NUMBER_HALF:
      return use(Half{});
    case v1::NUMBER_FLOAT:
      return use(float{});
    case v1::NUMBER_DOUBLE:
      return use(double{});
    default:
      return use(uint8_t{});
  }
}

template <typename T>
T NumberOf(const Value& value) {
  if constexpr (std::is_same_v<T, Half>) {
    return {HalfBits(value.AsDouble())};
  } else {
    if (std::is_floating_point_v<T> || !value.IsWhole()) return static_cast<T>(value.AsDouble());
    return static_cast<T>(value.whole());
  }
}

// Fills one array.
class ArrayFill {
 public:
  ArrayFill(const v1::KernelArgument& argument, const FillContext& context)
      : argument_(argument), context_(context) {}

  absl::StatusOr<std::string> Make(const v1::ArgumentFill& fill) {
    TUNE_ASSIGN_OR_RETURN(count_, CountOf(argument_, context_.study));
    lanes_ = argument_.type() == v1::NUMBER_CUSTOM ? 1 : std::max(1, argument_.lanes());
    const int64_t bytes = count_ * ElementBytes(argument_);
    if (fill.has_file()) return ReadFill(fill.file(), bytes);
    bytes_.resize(bytes);
    absl::Status status;
    if (fill.has_constant()) status = FillConstant(fill.constant());
    if (fill.has_random()) status = FillRandom(fill.random());
    if (fill.has_generator()) status = FillGenerated(fill.generator());
    TUNE_RETURN_IF_ERROR(Annotate(status, ArgumentText(argument_)));
    return std::move(bytes_);
  }

 private:
  template <typename T>
  void Put(int64_t number, T value) {
    std::memcpy(bytes_.data() + number * sizeof(T), &value, sizeof value);
  }

  absl::StatusOr<std::string> ReadFill(const v1::FileFill& file, int64_t bytes) {
    const auto refuse = [&](const std::string& why) {
      return absl::InvalidArgumentError(
          absl::StrCat(ArgumentText(argument_), ": file ", EscapeLine(file.path()), ": ", why));
    };
    if (file.format() == v1::FILE_HDF5)
      return refuse(
          "workers do not read HDF5; store the data set as raw bytes, or submit it with tunectl, which does "
          "that");
    for (const v1::SourceFile& bundled : context_.program->files()) {
      if (bundled.path() != file.path()) continue;
      if (static_cast<int64_t>(bundled.content().size()) == bytes) return bundled.content();
      return refuse(
          absl::StrCat("it has ", bundled.content().size(), " bytes; ", count_, " elements have ", bytes));
    }
    return refuse("it is not among the files that were submitted; submit again");
  }

  absl::StatusOr<Value> Number(const std::string& text) const {
    TUNE_ASSIGN_OR_RETURN(Value value, EvaluateText(text, context_.study));
    TUNE_RETURN_IF_ERROR(CheckFits(value, argument_.type()));
    return value;
  }

  absl::Status FillConstant(const std::string& text) {
    TUNE_ASSIGN_OR_RETURN(const Value value, Number(text));
    if (argument_.type() == v1::NUMBER_CUSTOM) return absl::OkStatus();  // all zeros
    WithNumber(argument_.type(), [&](auto zero) {
      using T = decltype(zero);
      for (int64_t i = 0; i < count_ * lanes_; ++i) Put(i, NumberOf<T>(value));
    });
    return absl::OkStatus();
  }

  absl::Status FillRandom(const v1::RandomFill& fill) {
    TUNE_ASSIGN_OR_RETURN(const Value low, Number(fill.low().empty() ? "0" : fill.low()));
    TUNE_ASSIGN_OR_RETURN(const Value high, Number(fill.high().empty() ? "1" : fill.high()));
    Random random(fill.seed() + context_.seed, FirstBits(Fingerprint(argument_.name())));
    WithNumber(argument_.type(), [&](auto zero) {
      using T = decltype(zero);
      for (int64_t i = 0; i < count_ * lanes_; ++i) Put(i, Draw<T>(low, high, &random));
    });
    return absl::OkStatus();
  }

  template <typename T>
  static T Draw(const Value& low, const Value& high, Random* random) {
    const auto between = [&] {
      return low.AsDouble() + (high.AsDouble() - low.AsDouble()) * random->Uniform();
    };
    if constexpr (std::is_same_v<T, Half>) {
      return {HalfBits(between())};
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(between());
    } else {
      const auto first = static_cast<uint64_t>(NumberOf<T>(low));
      const uint64_t steps = static_cast<uint64_t>(NumberOf<T>(high)) - first;
      return static_cast<T>(first + (steps == UINT64_MAX ? random->Next() : random->Below(steps + 1)));
    }
  }

  absl::Status FillGenerated(const std::string& text) {
    TUNE_ASSIGN_OR_RETURN(const Expression expression, Expression::Parse(text));
    std::vector<std::string> names = {"i"};
    std::vector<Value> slots = {Value::Integer(0)};
    for (const auto& [name, value] : context_.study) {
      if (name == names[0]) continue;
      names.push_back(name);
      slots.push_back(value);
    }
    TUNE_ASSIGN_OR_RETURN(const CompiledExpression compiled, CompiledExpression::Compile(expression, names));
    for (int64_t i = 0; i < count_; ++i) {
      if (i % kBetweenLooks == 0) TUNE_RETURN_IF_ERROR(Look());
      slots[0] = Value::Integer(i);
      absl::StatusOr<Value> value = compiled.Evaluate(slots);
      absl::Status status = value.ok() ? CheckFits(*value, argument_.type()) : value.status();
      if (!status.ok()) return Annotate(status, absl::StrCat("element ", i));
      WithNumber(argument_.type(), [&](auto zero) {
        using T = decltype(zero);
        for (int64_t lane = 0; lane < lanes_; ++lane) Put(i * lanes_ + lane, NumberOf<T>(*value));
      });
    }
    return absl::OkStatus();
  }

  absl::Status Look() const {
    if (context_.cancellation != nullptr && context_.cancellation->cancelled())
      return absl::CancelledError("cancelled");
    if (absl::Now() < context_.deadline) return absl::OkStatus();
    return absl::DeadlineExceededError(
        "to generate its elements takes longer than the reference may; allow more with --reference-time, or "
        "read them from a file");
  }

  const v1::KernelArgument& argument_;
  const FillContext& context_;
  int64_t count_ = 0, lanes_ = 1;
  std::string bytes_;
};

}  // namespace

absl::StatusOr<std::string> FillBytes(const v1::KernelArgument& argument, const v1::ArgumentFill& fill,
                                      const FillContext& context) {
  return ArrayFill(argument, context).Make(fill);
}

std::string ScalarBytes(const v1::KernelArgument& argument, const Value& value) {
  std::string bytes;
  if (argument.type() == v1::NUMBER_CUSTOM)
    return std::string(argument.custom_bytes(), '\0');  // all that fits
  WithNumber(argument.type(), [&](auto zero) {
    using T = decltype(zero);
    const T number = NumberOf<T>(value);
    for (int lane = 0; lane < std::max(1, argument.lanes()); ++lane)
      bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  });
  return bytes;
}

}  // namespace tune
