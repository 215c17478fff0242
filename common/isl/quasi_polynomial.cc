#include "common/isl/quasi_polynomial.h"

#include <isl/polynomial.h>

#include <exception>
#include <functional>
#include <utility>

#include "common/isl/checked.h"
#include "common/isl/functions.h"

namespace tune {
namespace {

// Nothing is thrown through isl, which is C.
struct Visitor {
  std::function<void()> visit;
  std::exception_ptr error;

  isl_stat Visit() {
    try {
      visit();
    } catch (...) {
      error = std::current_exception();
    }
    return error ? isl_stat_error : isl_stat_ok;
  }

  void Finish(isl_stat done, const isl::ctx& ctx) const {
    if (error) std::rethrow_exception(error);
    if (done != isl_stat_ok) isl::exception::throw_last_error(ctx);
  }
};

struct TermVisitor : Visitor {
  isl_term* term = nullptr;
};

isl_stat VisitTerm(isl_term* term, void* user) {
  auto* const visitor = static_cast<TermVisitor*>(user);
  visitor->term = term;
  const isl_stat done = visitor->Visit();
  isl_term_free(term);
  return done;
}

struct FoldVisitor : Visitor {
  isl_set* where = nullptr;
  isl_qpolynomial_fold* fold = nullptr;
  isl_qpolynomial* polynomial = nullptr;
};

isl_stat VisitFold(isl_set* where, isl_qpolynomial_fold* fold, void* user) {
  auto* const visitor = static_cast<FoldVisitor*>(user);
  visitor->where = where;
  visitor->fold = fold;
  const isl_stat done = visitor->Visit();
  isl_set_free(where);
  isl_qpolynomial_fold_free(fold);
  return done;
}

isl_stat VisitPolynomial(isl_qpolynomial* polynomial, void* user) {
  auto* const visitor = static_cast<FoldVisitor*>(user);
  visitor->polynomial = polynomial;
  const isl_stat done = visitor->Visit();
  isl_qpolynomial_free(polynomial);
  return done;
}

std::vector<QuasiPolynomial> PolynomialsOf(isl_qpolynomial_fold* fold, const isl::ctx& ctx) {
  std::vector<QuasiPolynomial> polynomials;
  FoldVisitor visitor;
  visitor.visit = [&] { polynomials.emplace_back(isl_qpolynomial_copy(visitor.polynomial)); };
  visitor.Finish(isl_qpolynomial_fold_foreach_qpolynomial(fold, &VisitPolynomial, &visitor), ctx);
  return polynomials;
}

}  // namespace

QuasiPolynomial::QuasiPolynomial(isl_qpolynomial* owned) : owned_(owned) {
  if (owned == nullptr) isl::exception::throw_invalid("a polynomial could not be made", __FILE__, __LINE__);
}

QuasiPolynomial::QuasiPolynomial(isl::aff value)
    : QuasiPolynomial(isl_qpolynomial_from_aff(value.release())) {}

QuasiPolynomial::QuasiPolynomial(const isl::space& domain, isl::val constant)
    : QuasiPolynomial(isl_qpolynomial_val_on_domain(domain.copy(), constant.release())) {}

QuasiPolynomial::QuasiPolynomial(const QuasiPolynomial& other) : QuasiPolynomial(other.Copy()) {}

QuasiPolynomial::~QuasiPolynomial() { isl_qpolynomial_free(owned_); }

isl_qpolynomial* QuasiPolynomial::Copy() const { return isl_qpolynomial_copy(owned_); }

QuasiPolynomial& QuasiPolynomial::operator=(QuasiPolynomial other) noexcept {
  std::swap(owned_, other.owned_);
  return *this;
}

QuasiPolynomial QuasiPolynomial::operator+(const QuasiPolynomial& other) const {
  return QuasiPolynomial(isl_qpolynomial_add(Copy(), other.Copy()));
}

QuasiPolynomial QuasiPolynomial::operator-(const QuasiPolynomial& other) const {
  return QuasiPolynomial(isl_qpolynomial_sub(Copy(), other.Copy()));
}

QuasiPolynomial QuasiPolynomial::operator*(const QuasiPolynomial& other) const {
  return QuasiPolynomial(isl_qpolynomial_mul(Copy(), other.Copy()));
}

QuasiPolynomial QuasiPolynomial::Scaled(isl::val factor) const {
  return QuasiPolynomial(isl_qpolynomial_scale_val(Copy(), factor.release()));
}

QuasiPolynomial QuasiPolynomial::Power(int exponent) const {
  return QuasiPolynomial(isl_qpolynomial_pow(Copy(), static_cast<unsigned>(exponent)));
}

isl::space QuasiPolynomial::domain_space() const {
  return isl::manage(isl_qpolynomial_get_domain_space(owned_));
}

QuasiPolynomial QuasiPolynomial::WithoutLastDimension() const {
  const int last = isl_qpolynomial_dim(owned_, isl_dim_in) - 1;
  return QuasiPolynomial(isl_qpolynomial_drop_dims(Copy(), isl_dim_in, static_cast<unsigned>(last), 1));
}

QuasiPolynomial QuasiPolynomial::OnParameters() const {
  return QuasiPolynomial(isl_qpolynomial_project_domain_on_params(Copy()));
}

std::vector<QuasiPolynomial::Term> QuasiPolynomial::Terms() const {
  const isl::space space = domain_space();
  const isl::ctx ctx = space.ctx();
  std::vector<Term> terms;
  TermVisitor visitor;
  visitor.visit = [&] {
    isl_term* const term = visitor.term;
    Term& made = terms.emplace_back();
    made.coefficient = isl::manage(isl_term_get_coefficient_val(term));
    for (const isl_dim_type type : {isl_dim_param, isl_dim_set, isl_dim_div}) {
      const int count = Checked(isl_term_dim(term, type), ctx);
      for (int i = 0; i < count; ++i) {
        const auto position = static_cast<unsigned>(i);
        const int exponent = Checked(isl_term_get_exp(term, type, position), ctx);
        if (exponent == 0) continue;
        Factor& factor = made.factors.emplace_back();
        factor.exponent = exponent;
        if (type == isl_dim_set) factor.dimension = i;
        if (type == isl_dim_param)
          factor.parameter = NameOrEmpty(space, isl_space_get_dim_name(space.get(), type, position));
        if (type == isl_dim_div)
          factor.quotient = isl::manage(isl_aff_floor(isl_term_get_div(term, position)));
      }
    }
  };
  visitor.Finish(isl_qpolynomial_foreach_term(owned_, &VisitTerm, &visitor), ctx);
  return terms;
}

std::vector<PolynomialBound> UpperBounds(const std::vector<PolynomialPiece>& pieces) {
  const isl::ctx ctx = pieces[0].where.ctx();
  isl_pw_qpolynomial* sum = nullptr;
  for (const PolynomialPiece& piece : pieces) {
    isl_pw_qpolynomial* const one = isl_pw_qpolynomial_alloc(piece.where.copy(), piece.polynomial.Copy());
    sum = sum == nullptr ? one : isl_pw_qpolynomial_add(sum, one);
  }
  isl_pw_qpolynomial_fold* const bound = isl_pw_qpolynomial_bound(sum, isl_fold_max, nullptr);
  if (bound == nullptr) isl::exception::throw_last_error(ctx);
  std::vector<PolynomialBound> bounds;
  FoldVisitor visitor;
  visitor.visit = [&] {
    PolynomialBound one = {isl::manage_copy(visitor.where), PolynomialsOf(visitor.fold, ctx)};
    for (QuasiPolynomial& polynomial : one.largest) polynomial = polynomial.OnParameters();
    one.where = one.where.params();
    bounds.push_back(std::move(one));
  };
  const isl_stat done = isl_pw_qpolynomial_fold_foreach_piece(bound, &VisitFold, &visitor);
  isl_pw_qpolynomial_fold_free(bound);
  visitor.Finish(done, ctx);
  return bounds;
}

}  // namespace tune
