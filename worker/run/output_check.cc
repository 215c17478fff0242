#include "worker/run/output_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/array/half.h"

namespace tune {
namespace {

template <typename T>
bool SameValue(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) && std::isnan(b)) return true;
  }
  return a == b;
}

// |found - expected|, infinite when one of them is not finite.
template <typename T>
long double Difference(T expected, T found) {
  if (SameValue(expected, found)) return 0;
  const long double difference =
      std::fabs(static_cast<long double>(found) - static_cast<long double>(expected));
  return std::isnan(difference) ? std::numeric_limits<long double>::infinity() : difference;
}

std::vector<int64_t> IndexOf(int64_t position, const std::vector<int64_t>& extents) {
  std::vector<int64_t> index(extents.size());
  for (size_t d = extents.size(); d-- > 0;) {
    index[d] = position % extents[d];
    position /= extents[d];
  }
  return index;
}

constexpr double kDefaultThreshold = 1e-4;
constexpr double kHalfOverFloat = 10;  // tolerances
// Two units in the last place of binary16, for each of which the type of intermediate values may account.
constexpr double kLeastHalfTolerance = 0x1p-9;

// What a method makes of an element's difference.
long double Measure(v1::CheckMethod method, long double expected, long double difference) {
  if (method != v1::CHECK_EACH_RELATIVE || std::isinf(difference)) return difference;
  return difference > kLeastRelatedDifference ? difference / std::fabs(expected) : 0;
}

// Sets measured and exceeded; the index of the first element that is off by too much, or -1.
template <typename T>
int64_t CompareElements(int64_t count, const T* expected, const T* found, v1::ArrayError* error) {
  const v1::CheckMethod method = error->method();
  const bool sums = method == v1::CHECK_SUM_OF_DIFFERENCES;
  long double measured = 0;
  for (int64_t i = 0; i < count; ++i) {
    const long double element = Measure(method, expected[i], Difference(expected[i], found[i]));
    measured = sums ? measured + element : std::max(measured, element);
  }
  error->set_measured(static_cast<double>(measured));
  error->set_exceeded(measured > error->threshold());
  // Some element has more than its part of the sum.
  const long double most = sums ? error->threshold() / static_cast<long double>(count) : error->threshold();
  for (int64_t i = 0; error->exceeded() && i < count; ++i) {
    if (Measure(method, expected[i], Difference(expected[i], found[i])) > most) return i;
  }
  return -1;
}

void TellElement(int64_t place, const std::vector<int64_t>& extents, double expected, double found,
                 v1::ArrayError* error) {
  for (int64_t index : IndexOf(place, extents)) error->add_first_differing_index(index);
  error->set_expected(expected);
  error->set_found(found);
}

template <typename T>
void Compare(int64_t count, const T* expected, const T* found, double tolerance,
             const std::vector<int64_t>& extents, v1::ArrayError* error) {
  // long double: squares of doubles do not overflow, and integers of 64 bits are exact.
  long double difference_square = 0, expected_square = 0, largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    const long double value = expected[i];
    if (std::isfinite(value)) expected_square += value * value;
    const long double difference = Difference(expected[i], found[i]);
    difference_square += difference * difference;
    if (difference > largest) largest = difference;
  }
  const long double norm = expected_square > 0 ? std::sqrt(expected_square) : std::sqrt(1.0L * count);
  error->set_largest(static_cast<double>(largest));
  error->set_relative_l2(count == 0 ? 0 : static_cast<double>(std::sqrt(difference_square) / norm));
  if (error->method() != v1::CHECK_METHOD_UNSPECIFIED) {
    const int64_t first = CompareElements(count, expected, found, error);
    if (first >= 0) TellElement(first, extents, expected[first], found[first], error);
    return;
  }
  error->set_exceeded(largest > 0 && !(error->relative_l2() <= tolerance));
  if (!error->exceeded()) return;
  // Some element is above this: else the sum of squares would be below the tolerance.
  const long double threshold = tolerance * norm / std::sqrt(1.0L * count);
  for (int64_t i = 0; i < count; ++i) {
    if (!(Difference(expected[i], found[i]) > threshold) && i + 1 < count) continue;
    return TellElement(i, extents, static_cast<double>(expected[i]), static_cast<double>(found[i]), error);
  }
}

std::vector<float> FloatsOf(const void* halves, int64_t count) {
  std::vector<float> values(count);
  const auto* const bits = static_cast<const uint16_t*>(halves);
  std::transform(bits, bits + count, values.begin(),
                 [](uint16_t half) { return static_cast<float>(HalfValue(half)); });
  return values;
}

// Zeroes what is no number in copies of both arrays; the index of the first such element that differs, or -1.
int64_t TakeOutOthers(const std::vector<v1::Places>& others, int64_t period, size_t size,
                      std::vector<char>* expected, std::vector<char>* found) {
  const auto count = static_cast<int64_t>(expected->size() / size);
  int64_t differing = -1;
  for (int64_t begin = 0; begin < count; begin += period) {
    for (const v1::Places& places : others) {
      for (int64_t i = begin + places.first(); i < begin + places.first() + places.count(); ++i) {
        char *const a = expected->data() + i * size, *const b = found->data() + i * size;
        if (differing < 0 && std::memcmp(a, b, size) != 0) differing = i;
        std::memset(a, 0, size);
        std::memset(b, 0, size);
      }
    }
  }
  return differing;
}

// The error where also elements that are no numbers have to be the same, `other` being the first that is not.
v1::ArrayError WithOthers(int64_t other, const std::vector<int64_t>& extents, v1::ArrayError error) {
  if (other < 0 || error.exceeded()) return error;
  error.set_exceeded(true);
  error.set_relative_l2(std::numeric_limits<double>::infinity());
  TellElement(other, extents, 0, 0, &error);
  return error;
}

// "sum of differences 12.3, at most 0.0001 is accepted"
std::string MeasuredText(const v1::ArrayError& error) {
  std::string what;
  switch (error.method()) {
    case v1::CHECK_SUM_OF_DIFFERENCES:
      what = "sum of differences";
      break;
    case v1::CHECK_EACH_RELATIVE:
      what = "largest relative difference";
      break;
    default:
      what = "largest difference";
  }
  return absl::StrFormat("%s %.3g of array %s, at most %.3g is accepted", what, error.measured(),
                         error.array(), error.threshold());
}

}  // namespace

OutputTolerance ToleranceFrom(const v1::Tolerance& tolerance) {
  return {tolerance.float_relative(), tolerance.double_relative()};
}

OutputRule RuleOf(const v1::RunnerArray& array) {
  OutputRule rule;
  if (array.method() != v1::CHECK_METHOD_UNSPECIFIED) rule.method = array.method();
  if (array.has_threshold()) rule.threshold = array.threshold();
  rule.half = array.half();
  rule.others.assign(array.others().begin(), array.others().end());
  return rule;
}

double ToleranceOf(v1::ElementType type, const OutputTolerance& tolerance, const OutputRule& rule) {
  if (rule.threshold.has_value()) return *rule.threshold;
  if (rule.half) return kHalfOverFloat * tolerance.float_relative;
  type = ComponentType(type);
  if (type == v1::ELEMENT_TYPE_FLOAT) return tolerance.float_relative;
  if (type == v1::ELEMENT_TYPE_FLOAT16) return std::max(tolerance.float_relative, kLeastHalfTolerance);
  return type == v1::ELEMENT_TYPE_DOUBLE ? tolerance.double_relative : 0;
}

double ThresholdOf(const OutputRule& rule) { return rule.threshold.value_or(kDefaultThreshold); }

v1::ArrayError CompareArray(absl::string_view name, v1::ElementType type, const std::vector<int64_t>& extents,
                            const void* expected, const void* found, const OutputTolerance& tolerance,
                            const OutputRule& rule) {
  v1::ArrayError error;
  error.set_array(std::string(name));
  if (rule.method != v1::CHECK_RELATIVE_NORM) {
    error.set_method(rule.method);
    error.set_threshold(ThresholdOf(rule));
  }
  int64_t count = 1;
  for (int64_t extent : extents) count *= extent;
  if (count == 0 || std::memcmp(expected, found, count * ElementSize(type)) == 0) return error;
  const double tolerated = ToleranceOf(type, tolerance, rule);
  std::vector<char> expected_numbers, found_numbers;
  int64_t other = -1;
  if (!rule.others.empty()) {
    const size_t bytes = count * ElementSize(type);
    expected_numbers.assign(static_cast<const char*>(expected), static_cast<const char*>(expected) + bytes);
    found_numbers.assign(static_cast<const char*>(found), static_cast<const char*>(found) + bytes);
    other = TakeOutOthers(rule.others, extents.back(), ElementSize(type), &expected_numbers, &found_numbers);
    expected = expected_numbers.data();
    found = found_numbers.data();
  }
  if (rule.half || type == v1::ELEMENT_TYPE_FLOAT16) {
    const std::vector<float> expected_values = FloatsOf(expected, count),
                             found_values = FloatsOf(found, count);
    Compare(count, expected_values.data(), found_values.data(), tolerated, extents, &error);
    return WithOthers(other, extents, std::move(error));
  }
  // Of complex numbers their parts: the Euclidean norm is the same.
  std::vector<int64_t> places = extents;
  if (IsComplex(type)) {
    places.push_back(2);
    count *= 2;
  }
  const auto compare = [&](auto example) {
    using T = decltype(example);
    Compare(count, static_cast<const T*>(expected), static_cast<const T*>(found), tolerated, places, &error);
  };
  switch (ComponentType(type)) {
    case v1::ELEMENT_TYPE_FLOAT:
      compare(float());
      break;
    case v1::ELEMENT_TYPE_DOUBLE:
      compare(double());
      break;
    case v1::ELEMENT_TYPE_SIGNED_CHAR:
      compare(static_cast<signed char>(0));
      break;
    case v1::ELEMENT_TYPE_UNSIGNED_CHAR:
      compare(static_cast<unsigned char>(0));
      break;
    case v1::ELEMENT_TYPE_SHORT:
      compare(short());
      break;
    case v1::ELEMENT_TYPE_UNSIGNED_SHORT:
      compare(static_cast<unsigned short>(0));
      break;
    case v1::ELEMENT_TYPE_INT:
      compare(int());
      break;
    case v1::ELEMENT_TYPE_UNSIGNED_INT:
      compare(0u);
      break;
    case v1::ELEMENT_TYPE_LONG:
      compare(0l);
      break;
    case v1::ELEMENT_TYPE_UNSIGNED_LONG:
      compare(0ul);
      break;
    default:
      compare(char());
  }
  if (IsComplex(type) && error.first_differing_index_size() > 0)
    error.mutable_first_differing_index()->RemoveLast();
  return WithOthers(other, extents, std::move(error));
}

std::string DescribeError(const v1::ArrayError& error) {
  std::string element = error.array();
  for (int64_t index : error.first_differing_index()) absl::StrAppend(&element, "[", index, "]");
  if (error.method() != v1::CHECK_METHOD_UNSPECIFIED) {
    return absl::StrFormat("%s is %.9g, expected %.9g (%s)", element, error.found(), error.expected(),
                           MeasuredText(error));
  }
  return absl::StrFormat("%s is %.9g, expected %.9g (relative L2 error %.3g of array %s)", element,
                         error.found(), error.expected(), error.relative_l2(), error.array());
}

void JudgeOutputs(const std::vector<v1::ArrayError>& errors, v1::RunnerVerdict* verdict) {
  verdict->clear_errors();
  for (const v1::ArrayError& error : errors) {
    *verdict->add_errors() = error;
    if (!error.exceeded() || verdict->outcome() != v1::CORRECT) continue;
    verdict->set_outcome(v1::CORRECTNESS);
    verdict->set_message(DescribeError(error));
  }
}

}  // namespace tune
