// Polynomials in the dimensions, parameters and integer quotients of a space, with rational coefficients,
// which isl's C++ interface leaves out. Every function throws isl::exception.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/isl/isl.h"

struct isl_qpolynomial;

namespace tune {

// { D -> [v] }. A value.
class QuasiPolynomial {
 public:
  explicit QuasiPolynomial(isl_qpolynomial* owned);
  explicit QuasiPolynomial(isl::aff value);
  QuasiPolynomial(const isl::space& domain, isl::val constant);
  QuasiPolynomial(const QuasiPolynomial& other);
  QuasiPolynomial(QuasiPolynomial&& other) noexcept : owned_(other.owned_) { other.owned_ = nullptr; }
  QuasiPolynomial& operator=(QuasiPolynomial other) noexcept;
  ~QuasiPolynomial();

  QuasiPolynomial operator+(const QuasiPolynomial& other) const;
  QuasiPolynomial operator-(const QuasiPolynomial& other) const;
  QuasiPolynomial operator*(const QuasiPolynomial& other) const;
  QuasiPolynomial Scaled(isl::val factor) const;
  QuasiPolynomial Power(int exponent) const;

  isl::space domain_space() const;
  // Without the last dimension of D, on which it must not depend.
  QuasiPolynomial WithoutLastDimension() const;
  // Of { [] } as one of the parameters alone.
  QuasiPolynomial OnParameters() const;

  // What is multiplied: a dimension of D, a parameter, or a quotient rounded down.
  struct Factor {
    int dimension = -1;
    std::string parameter;
    std::optional<isl::aff> quotient;  // { D -> [floor(...)] }
    int exponent = 1;
  };
  struct Term {
    isl::val coefficient;
    std::vector<Factor> factors;
  };
  std::vector<Term> Terms() const;

  isl_qpolynomial* Copy() const;

 private:
  isl_qpolynomial* owned_;
};

// Where the polynomial counts.
struct PolynomialPiece {
  isl::set where;  // D
  QuasiPolynomial polynomial;
};

// At most the largest of these, where `where` holds.
struct PolynomialBound {
  isl::set where;  // over the parameters
  std::vector<QuasiPolynomial> largest;
};

// Bounds from above of the sum of those pieces that hold at a point of D, which is bounded. `pieces` are of
// one space, and not empty. By Bernstein expansion (Clauss, Fernandez, Garbervetsky, Verdoolaege, 2009) where
// isl needs it: tight for forms that are linear.
std::vector<PolynomialBound> UpperBounds(const std::vector<PolynomialPiece>& pieces);

}  // namespace tune
