#include "worker/print/complex_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "common/array/element_type.h"
#include "common/scop/expression_parts.h"

namespace tune {
namespace {

// "INLINE" is in the place of functions' qualifiers. Without constructors, so that shared memory needs none.
constexpr char kTypes[] = R"(template <typename T> struct alignas(2 * sizeof(T)) @ {
  T re, im;
  template <typename U> INLINE @ &operator=(U other) { re = (T)other; im = 0; return *this; }
  template <typename U> INLINE @ &operator=(@<U> other) { re = (T)other.re; im = (T)other.im; return *this; }
  INLINE explicit operator bool() const { return re != 0 || im != 0; }
  template <typename U> INLINE @ &operator+=(U other) { return *this = *this + other; }
  template <typename U> INLINE @ &operator-=(U other) { return *this = *this - other; }
  template <typename U> INLINE @ &operator*=(U other) { return *this = *this * other; }
  template <typename U> INLINE @ &operator/=(U other) { return *this = *this / other; }
};
template <typename T, typename U> INLINE @<T> @_of(U a) { @<T> b; b = a; return b; }
template <typename T> INLINE @<T> operator+(@<T> a) { return a; }
template <typename T> INLINE @<T> operator-(@<T> a) { return {-a.re, -a.im}; }
template <typename T> INLINE @<T> operator~(@<T> a) { return {a.re, -a.im}; }
template <typename T, typename U> INLINE @<decltype(T() + U())> operator+(@<T> a, @<U> b) { return {a.re + b.re, a.im + b.im}; }
template <typename T, typename U> INLINE @<decltype(T() + U())> operator+(@<T> a, U b) { return {a.re + b, a.im}; }
template <typename T, typename U> INLINE @<decltype(T() + U())> operator+(T a, @<U> b) { return {a + b.re, b.im}; }
template <typename T, typename U> INLINE @<decltype(T() + U())> operator-(@<T> a, @<U> b) { return {a.re - b.re, a.im - b.im}; }
template <typename T, typename U> INLINE @<decltype(T() + U())> operator-(@<T> a, U b) { return {a.re - b, a.im}; }
template <typename T, typename U> INLINE @<decltype(T() + U())> operator-(T a, @<U> b) { return {a - b.re, -b.im}; }
template <typename T, typename U> INLINE @<decltype(T() + U())> operator*(@<T> a, @<U> b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
template <typename T, typename U> INLINE @<decltype(T() + U())> operator*(@<T> a, U b) { return {a.re * b, a.im * b}; }
template <typename T, typename U> INLINE @<decltype(T() + U())> operator*(T a, @<U> b) { return {a * b.re, a * b.im}; }
template <typename T, typename U> INLINE @<decltype(T() + U())> operator/(@<T> a, U b) { return {a.re / b, a.im / b}; }
template <typename T, typename U> INLINE @<decltype(T() + U())> operator/(@<T> a, @<U> b) {
  if ((b.re < 0 ? -b.re : b.re) < (b.im < 0 ? -b.im : b.im)) {
    const U ratio = b.re / b.im, divisor = b.re * ratio + b.im;
    return {(a.re * ratio + a.im) / divisor, (a.im * ratio - a.re) / divisor};
  }
  const U ratio = b.im / b.re, divisor = b.re + b.im * ratio;
  return {(a.re + a.im * ratio) / divisor, (a.im - a.re * ratio) / divisor};
}
template <typename T, typename U> INLINE @<decltype(T() + U())> operator/(T a, @<U> b) { return @_of<decltype(T() + U())>(a) / b; }
template <typename T, typename U> INLINE bool operator==(@<T> a, @<U> b) { return a.re == b.re && a.im == b.im; }
template <typename T, typename U> INLINE bool operator==(@<T> a, U b) { return a.re == b && a.im == 0; }
template <typename T, typename U> INLINE bool operator==(T a, @<U> b) { return b == a; }
template <typename T, typename U> INLINE bool operator!=(@<T> a, @<U> b) { return !(a == b); }
template <typename T, typename U> INLINE bool operator!=(@<T> a, U b) { return !(a == b); }
template <typename T, typename U> INLINE bool operator!=(T a, @<U> b) { return !(b == a); }
template <typename T> INLINE @<T> @_other_lane(unsigned mask, @<T> a, int lanes) { return {__shfl_xor_sync(mask, a.re, lanes), __shfl_xor_sync(mask, a.im, lanes)}; }
INLINE float @_abs(@<float> a) { return hypotf(a.re, a.im); }
INLINE double @_abs(@<double> a) { return hypot(a.re, a.im); }
INLINE float @_arg(@<float> a) { return atan2f(a.im, a.re); }
INLINE double @_arg(@<double> a) { return atan2(a.im, a.re); }
INLINE @<float> @_exp(@<float> a) { return {expf(a.re) * cosf(a.im), expf(a.re) * sinf(a.im)}; }
INLINE @<double> @_exp(@<double> a) { return {exp(a.re) * cos(a.im), exp(a.re) * sin(a.im)}; }

)";

bool HasComplex(const v1::Expression& expression) {
  bool any = IsComplexType(expression.c_type());
  ForEachPart(expression, [&](const v1::Expression& part) { any = any || HasComplex(part); });
  return any;
}

bool HasComplex(const v1::Scop& scop) {
  return std::any_of(scop.arrays().begin(), scop.arrays().end(),
                     [](const v1::Array& array) { return IsComplex(array.element_type()); }) ||
         std::any_of(scop.statements().begin(), scop.statements().end(),
                     [](const v1::Statement& statement) { return HasComplex(statement.value()); });
}

}  // namespace

std::string WithComplexNumbers(const v1::Scop& scop, const HelperNames& names, std::string kernels) {
  if (!HasComplex(scop)) return kernels;
  return absl::StrCat(
      absl::StrReplaceAll(kTypes, {{"@", names.complex}, {"INLINE", "__device__ __forceinline__"}}),
      absl::StrReplaceAll(kernels, {{kComplexFloatType, absl::StrCat(names.complex, "<float>")},
                                    {kComplexDoubleType, absl::StrCat(names.complex, "<double>")}}));
}

std::string OtherLaneFunction(const HelperNames& names) { return names.complex + "_other_lane"; }

CText ImaginaryText(const std::string& c_type, absl::string_view literal) {
  absl::ConsumeSuffix(&literal, "i");
  return {absl::StrCat(c_type, "{0, ", literal, "}")};
}

CText ComplexOf(const std::string& c_type, const CText& value, const HelperNames& names) {
  const char* const component = c_type == kComplexFloatType ? "float" : "double";
  return CallText(absl::StrCat(names.complex, "_of<", component, ">"), {value});
}

CText PartText(absl::string_view op, const CText& value) {
  const std::string member = op == kRealPart ? ".re" : ".im";
  if (value.precedence == CText::kPostfix) return {value.text + member};
  return {absl::StrCat("(", value.text, ")", member)};
}

CText ComplexCall(absl::string_view function, const CText& value, const HelperNames& names) {
  absl::ConsumePrefix(&function, "c");
  return CallText(absl::StrCat(names.complex, "_", absl::StripSuffix(function, "f")), {value});
}

}  // namespace tune
