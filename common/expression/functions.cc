#include "common/expression/functions.h"

#include <algorithm>
#include <cmath>

#include "common/expression/arithmetic.h"
#include "common/expression/comparison.h"
#include "common/expression/function_names.h"
#include "common/expression/number_conversions.h"
#include "common/expression/value_text.h"
#include "common/expression/whole_arithmetic.h"

namespace tune {
namespace {

// Of UTF-8.
std::vector<Value> CharactersOf(const std::string& text) {
  std::vector<Value> characters;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
    characters.push_back(Value::String(text.substr(begin, end - begin)));
    begin = end;
  }
  return characters;
}

absl::StatusOr<Value> Absolute(const Value& value) {
  if (value.IsFloat()) return Value::Float(std::fabs(value.AsDouble()));
  if (value.IsWhole() && value.whole() >= 0) return Value::Integer(value.whole());
  if (value.IsWhole()) return Apply(UnaryOperator::kNegate, value);
  return absl::InvalidArgumentError(absl::StrCat("abs takes a number, not ", KindName(value.kind())));
}

absl::StatusOr<Value> Extreme(Function function, const std::vector<Value>& arguments) {
  std::vector<Value> items = arguments;
  if (arguments.size() == 1) {
    TUNE_ASSIGN_OR_RETURN(items, ItemsOf(arguments[0]));
  }
  if (items.empty()) return absl::InvalidArgumentError(absl::StrCat(NameOf(function).name, " of nothing"));
  const Comparison better = function == Function::kMax ? Comparison::kGreater : Comparison::kLess;
  const Value* best = &items[0];
  for (size_t i = 1; i < items.size(); ++i) {
    TUNE_ASSIGN_OR_RETURN(const bool is_better, Compare(better, items[i], *best));
    if (is_better) best = &items[i];
  }
  return *best;
}

absl::StatusOr<Value> Sum(const Value& of, const EvaluationLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<Value> items, ItemsOf(of));
  Value sum;
  for (const Value& item : items) {
    TUNE_ASSIGN_OR_RETURN(sum, Apply(BinaryOperator::kAdd, sum, item, limits));
  }
  return sum;
}

absl::StatusOr<Value> AnyOrAll(Function function, const Value& of) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<Value> items, ItemsOf(of));
  const auto is_true = [](const Value& item) { return item.IsTrue(); };
  return Value::Boolean(function == Function::kAny ? std::any_of(items.begin(), items.end(), is_true)
                                                   : std::all_of(items.begin(), items.end(), is_true));
}

absl::StatusOr<Value> Range(const std::vector<Value>& arguments, const EvaluationLimits& limits) {
  int64_t bounds[] = {0, 0, 1};  // first, end, step
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].IsWhole())
      return absl::InvalidArgumentError(
          absl::StrCat("range takes whole numbers, not ", KindName(arguments[i].kind())));
    bounds[arguments.size() == 1 ? 1 : i] = arguments[i].whole();
  }
  const auto [first, end, step] = bounds;
  if (step == 0) return absl::InvalidArgumentError("range with a step of 0");
  const __int128 distance = static_cast<__int128>(end) - first;
  const __int128 wide_step = step;
  const __int128 length = std::max<__int128>(0, (distance + wide_step + (step > 0 ? -1 : 1)) / wide_step);
  if (length > limits.list_length)
    return absl::InvalidArgumentError(absl::StrCat("a range of more than ", limits.list_length, " values"));
  std::vector<Value> items;
  items.reserve(static_cast<size_t>(length));
  __int128 next = first;
  for (; items.size() < static_cast<size_t>(length); next += step)
    items.push_back(Value::Integer(static_cast<int64_t>(next)));
  return Value::List(std::move(items));
}

absl::StatusOr<Value> SquareRoot(const Value& value) {
  if (!value.IsNumber() || value.AsDouble() < 0)
    return absl::InvalidArgumentError("sqrt takes a number that is not negative");
  return Value::Float(std::sqrt(value.AsDouble()));
}

absl::StatusOr<Value> BinaryLogarithm(const Value& value) {
  if (!value.IsNumber() || value.AsDouble() <= 0)
    return absl::InvalidArgumentError("log2 takes a positive number");
  return Value::Float(std::log2(value.AsDouble()));
}

absl::StatusOr<Value> Text(const Value& value, const EvaluationLimits& limits) {
  std::string text = TextOfValue(value);
  if (static_cast<int64_t>(text.size()) > limits.string_length)
    return absl::InvalidArgumentError(absl::StrCat("a string of more than ", limits.string_length, " bytes"));
  return Value::String(std::move(text));
}

absl::StatusOr<Value> Length(const Value& value) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<Value> items, ItemsOf(value));
  return Value::Integer(static_cast<int64_t>(items.size()));
}

absl::StatusOr<Value> ToList(const Value& value) {
  TUNE_ASSIGN_OR_RETURN(std::vector<Value> items, ItemsOf(value));
  return Value::List(std::move(items));
}

}  // namespace

absl::StatusOr<std::vector<Value>> ItemsOf(const Value& value) {
  if (value.IsList()) return value.list();
  if (value.IsString()) return CharactersOf(value.string());
  return absl::InvalidArgumentError(absl::StrCat("expected a list, found ", KindName(value.kind())));
}

absl::StatusOr<Value> Subscript(const Value& of, const Value& which) {
  if (!which.IsWhole())
    return absl::InvalidArgumentError(
        absl::StrCat("a subscript is a whole number, not ", KindName(which.kind())));
  if (of.IsNumber())
    return absl::InvalidArgumentError(
        absl::StrCat("a subscript of ", KindName(of.kind()), ", which is no list"));
  const std::vector<Value> characters = of.IsString() ? CharactersOf(of.string()) : std::vector<Value>();
  const std::vector<Value>& items = of.IsString() ? characters : of.list();
  const auto size = static_cast<int64_t>(items.size());
  const int64_t at = which.whole() < 0 ? which.whole() + size : which.whole();
  if (at >= 0 && at < size) return items[at];
  return absl::InvalidArgumentError(
      absl::StrCat("the subscript ", which.whole(), " is outside of a list of ", size, " values"));
}

absl::StatusOr<Value> Call(Function function, const std::vector<Value>& arguments,
                           const EvaluationLimits& limits) {
  const Value& first = arguments[0];
  switch (function) {
    case Function::kAbs:
      return Absolute(first);
    case Function::kAll:
    case Function::kAny:
      return AnyOrAll(function, first);
    case Function::kBool:
      return Value::Boolean(first.IsTrue());
    case Function::kCeil:
      return RoundUp(first);
    case Function::kFloat:
      return ToFloat(first);
    case Function::kFloor:
      return RoundDown(first);
    case Function::kInt:
      return ToInteger(first);
    case Function::kLen:
      return Length(first);
    case Function::kList:
      return ToList(first);
    case Function::kLog2:
      return BinaryLogarithm(first);
    case Function::kMax:
    case Function::kMin:
      return Extreme(function, arguments);
    case Function::kPow:
      return Apply(BinaryOperator::kPower, first, arguments[1], limits);
    case Function::kRange:
      return Range(arguments, limits);
    case Function::kRound:
      return arguments.size() == 1 ? RoundToWhole(first) : RoundToPlaces(first, arguments[1]);
    case Function::kSqrt:
      return SquareRoot(first);
    case Function::kStr:
      return Text(first, limits);
    case Function::kSum:
      return Sum(first, limits);
  }
  return absl::InternalError("no such function");
}

}  // namespace tune
