#include "common/constraints/polynomial.h"

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

int Degree(const Polynomial::Monomial& monomial) {
  int degree = 0;
  for (const auto& [name, exponent] : monomial) degree += exponent;
  return degree;
}

std::string MonomialText(const Polynomial::Monomial& monomial) {
  std::string text;
  for (const auto& [name, exponent] : monomial) {
    for (int i = 0; i < exponent; ++i) absl::StrAppend(&text, text.empty() ? "" : "*", name);
  }
  return text;
}

// "32*B0*B1" of a positive coefficient.
std::string TermText(const Polynomial::Monomial& monomial, uint64_t coefficient) {
  if (monomial.empty()) return absl::StrCat(coefficient);
  if (coefficient == 1) return MonomialText(monomial);
  return absl::StrCat(coefficient, "*", MonomialText(monomial));
}

}  // namespace

bool Polynomial::MonomialOrder::operator()(const Monomial& left, const Monomial& right) const {
  const int left_degree = Degree(left), right_degree = Degree(right);
  return left_degree != right_degree ? left_degree > right_degree : left < right;
}

Polynomial::Polynomial(int64_t constant) { Add({}, constant); }

Polynomial Polynomial::Name(const std::string& name) {
  Polynomial polynomial;
  polynomial.Add({{name, 1}}, 1);
  return polynomial;
}

void Polynomial::Add(const Monomial& monomial, int64_t coefficient) {
  int64_t& sum = terms_[monomial];
  sum += coefficient;
  if (sum == 0) terms_.erase(monomial);
}

bool Polynomial::IsConstant() const {
  return terms_.empty() || (terms_.size() == 1 && terms_.begin()->first.empty());
}

int64_t Polynomial::ConstantTerm() const {
  const auto term = terms_.find({});
  return term == terms_.end() ? 0 : term->second;
}

void Polynomial::CollectNames(std::set<std::string>* names) const {
  for (const auto& [monomial, coefficient] : terms_) {
    for (const auto& [name, exponent] : monomial) names->insert(name);
  }
}

Polynomial Polynomial::operator+(const Polynomial& other) const {
  Polynomial sum = *this;
  for (const auto& [monomial, coefficient] : other.terms_) sum.Add(monomial, coefficient);
  return sum;
}

Polynomial Polynomial::operator-(const Polynomial& other) const {
  Polynomial difference = *this;
  for (const auto& [monomial, coefficient] : other.terms_) difference.Add(monomial, -coefficient);
  return difference;
}

Polynomial Polynomial::operator*(const Polynomial& other) const {
  Polynomial product;
  for (const auto& [left, left_coefficient] : terms_) {
    for (const auto& [right, right_coefficient] : other.terms_) {
      Monomial monomial = left;
      for (const auto& [name, exponent] : right) monomial[name] += exponent;
      product.Add(monomial, left_coefficient * right_coefficient);
    }
  }
  return product;
}

Polynomial Polynomial::Replace(const std::string& name, const Polynomial& value) const {
  Polynomial replaced;
  for (const auto& [monomial, coefficient] : terms_) {
    Monomial rest = monomial;
    Polynomial term;
    const auto found = rest.find(name);
    const int exponent = found == rest.end() ? 0 : found->second;
    rest.erase(name);
    term.Add(rest, coefficient);
    for (int i = 0; i < exponent; ++i) term = term * value;
    replaced = replaced + term;
  }
  return replaced;
}

absl::StatusOr<__int128> Polynomial::Evaluate(const Point& point) const {
  __int128 sum = 0;
  for (const auto& [monomial, coefficient] : terms_) {
    __int128 product = coefficient;
    bool fits = true;
    for (const auto& [name, exponent] : monomial) {
      const auto value = point.find(name);
      if (value == point.end()) return absl::InvalidArgumentError(absl::StrCat(name, " has no value"));
      for (int i = 0; i < exponent; ++i)
        fits = fits && !__builtin_mul_overflow(product, static_cast<__int128>(value->second), &product);
    }
    if (!fits || __builtin_add_overflow(sum, product, &sum))
      return absl::OutOfRangeError(absl::StrCat(Text(), " does not fit 127 bits"));
  }
  return sum;
}

std::string Polynomial::Text() const {
  if (terms_.empty()) return "0";
  std::string text;
  for (const auto& [monomial, coefficient] : terms_) {
    const uint64_t magnitude = coefficient < 0 ? -static_cast<uint64_t>(coefficient) : coefficient;
    if (text.empty()) {
      absl::StrAppend(&text, coefficient < 0 ? "-" : "", TermText(monomial, magnitude));
    } else {
      absl::StrAppend(&text, coefficient < 0 ? " - " : " + ", TermText(monomial, magnitude));
    }
  }
  return text;
}

}  // namespace tune
