#include "common/work/parametric_count.h"

#include <map>
#include <utility>

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/sets.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

// A polynomial by the powers of the last dimension: their coefficients, in the others.
using ByPower = std::map<int, QuasiPolynomial>;

isl::val Number(const isl::ctx& ctx, int64_t value) { return isl::val(ctx, static_cast<long>(value)); }

// Nothing where a quotient depends on the last dimension.
std::optional<ByPower> SplitByPower(const QuasiPolynomial& polynomial, int last) {
  ByPower coefficients;
  const isl::space space = polynomial.domain_space();
  for (const QuasiPolynomial::Term& term : polynomial.Terms()) {
    QuasiPolynomial rest(space, term.coefficient);
    int power = 0;
    for (const QuasiPolynomial::Factor& factor : term.factors) {
      if (factor.dimension == last) {
        power = factor.exponent;
        continue;
      }
      if (factor.quotient && Involves(*factor.quotient, isl_dim_in, last, 1)) return std::nullopt;
      const isl::aff value = factor.quotient ? *factor.quotient
                             : factor.dimension >= 0
                                 ? VariableOn(space, factor.dimension)
                                 : ParameterOn(space, NamedId(space.ctx(), factor.parameter));
      rest = rest * QuasiPolynomial(value).Power(factor.exponent);
    }
    rest = rest.WithoutLastDimension();
    const auto [known, is_new] = coefficients.emplace(power, rest);
    if (!is_new) known->second = known->second + rest;
  }
  return coefficients;
}

// sum of j^m for j from 0 to `last`, of each m up to `most`: from those of lower powers, as the sum of
// (j+1)^(m+1) - j^(m+1) is (last+1)^(m+1).
std::vector<QuasiPolynomial> PowerSums(const QuasiPolynomial& last, int most) {
  const isl::space space = last.domain_space();
  const isl::ctx ctx = space.ctx();
  const QuasiPolynomial count = last + QuasiPolynomial(space, Number(ctx, 1));
  std::vector<QuasiPolynomial> sums;
  for (int m = 0; m <= most; ++m) {
    QuasiPolynomial sum = count.Power(m + 1);
    int64_t binomial = 1;  // m + 1 over t
    for (int t = 0; t < m; ++t) {
      sum = sum - sums[t].Scaled(Number(ctx, binomial));
      binomial = binomial * (m + 1 - t) / (t + 1);
    }
    sums.push_back(sum.Scaled(Number(ctx, 1).div(Number(ctx, m + 1))));
  }
  return sums;
}

// Where along a dimension the values first, first + stride, ... last are.
struct Range {
  isl::set where;  // of the dimensions before
  isl::aff first, last;
  int64_t stride;
};

// The sum of the polynomial over the range.
QuasiPolynomial SumOver(const ByPower& coefficients, const Range& range) {
  const QuasiPolynomial first(range.first);
  const isl::space space = first.domain_space();
  const isl::ctx ctx = space.ctx();
  const isl::val stride = Number(ctx, range.stride);
  const QuasiPolynomial steps = (QuasiPolynomial(range.last) - first).Scaled(Number(ctx, 1).div(stride));
  QuasiPolynomial sum(space, Number(ctx, 0));
  if (coefficients.empty()) return sum;
  const std::vector<QuasiPolynomial> sums = PowerSums(steps, coefficients.rbegin()->first);
  for (const auto& [power, coefficient] : coefficients) {
    // (first + stride j)^power by its binomials.
    QuasiPolynomial powers(space, Number(ctx, 0));
    int64_t binomial = 1;
    isl::val scale = Number(ctx, 1);
    for (int m = 0; m <= power; ++m) {
      powers = powers + (first.Power(power - m) * sums[m]).Scaled(scale.mul(Number(ctx, binomial)));
      binomial = binomial * (power - m) / (m + 1);
      scale = scale.mul(stride);
    }
    sum = sum + coefficient * powers;
  }
  return sum;
}

std::vector<std::pair<isl::set, isl::aff>> PiecesOf(const isl::pw_aff& value) {
  std::vector<std::pair<isl::set, isl::aff>> pieces;
  value.foreach_piece(
      [&](const isl::set& where, const isl::multi_aff& piece) { pieces.emplace_back(where, piece.at(0)); });
  return pieces;
}

// { [i...] -> [v] } of the last dimension.
isl::map ByLastDimension(const isl::set& set) {
  const int last = Dimensions(set, isl_dim_set) - 1;
  return MoveDimensions(MapFromRange(set), isl_dim_in, 0, isl_dim_out, 0, last);
}

// Nothing where some value between the bounds is missing.
std::optional<std::vector<Range>> RangesOf(const isl::set& set) {
  const int last = Dimensions(set, isl_dim_set) - 1;
  const isl::map values = ByLastDimension(set);
  const isl::pw_aff least = DimensionMin(values, 0), greatest = DimensionMax(values, 0);
  const int64_t stride = set.stride(last).num_si();
  const std::string text = std::to_string(stride);
  const isl::map up(set.ctx(), "{ [a] -> [b] : exists j : j >= 0 and b = a + " + text + "j }");
  const isl::map down(set.ctx(), "{ [a] -> [b] : b <= a }");
  const isl::map all = least.as_map().apply_range(up).intersect(greatest.as_map().apply_range(down));
  if (!all.is_equal(values)) return std::nullopt;
  std::vector<Range> ranges;
  for (const auto& [where_first, first] : PiecesOf(least)) {
    for (const auto& [where_last, end] : PiecesOf(greatest)) {
      const isl::set where = where_first.intersect(where_last);
      if (!where.is_empty()) ranges.push_back({where, first, end, stride});
    }
  }
  return ranges;
}

class DimensionCounter {
 public:
  explicit DimensionCounter(int kept) : kept_(kept) {}

  // False where it is no such function.
  bool Add(const isl::set& set, const QuasiPolynomial& polynomial) {
    const int last = Dimensions(set, isl_dim_set) - 1;
    if (last < kept_) {
      if (!set.is_empty()) pieces_.push_back({set, polynomial});
      return true;
    }
    const std::optional<ByPower> coefficients = SplitByPower(polynomial, last);
    if (!coefficients) return false;
    bool all = true;
    MakeDisjoint(set.coalesce()).foreach_basic_set([&](const isl::basic_set& part) {
      if (!all || part.is_empty()) return;
      const std::optional<std::vector<Range>> ranges = RangesOf(isl::set(part));
      all = ranges.has_value();
      for (size_t i = 0; all && i < ranges->size(); ++i)
        all = Add((*ranges)[i].where, SumOver(*coefficients, (*ranges)[i]));
    });
    return all;
  }

  std::vector<PolynomialPiece> pieces() && { return std::move(pieces_); }

 private:
  const int kept_;
  std::vector<PolynomialPiece> pieces_;
};

}  // namespace

std::optional<std::vector<PolynomialPiece>> CountDimensions(const isl::set& set, int kept) {
  const isl::set plain = WithoutTupleId(set.flatten());
  if (!IsBounded(plain)) return std::nullopt;
  DimensionCounter counter(kept);
  if (!counter.Add(plain, QuasiPolynomial(plain.space(), isl::val(set.ctx(), 1L)))) return std::nullopt;
  return std::move(counter).pieces();
}

std::optional<std::vector<PolynomialPiece>> CountParametrically(const isl::set& set) {
  std::optional<std::vector<PolynomialPiece>> pieces = CountDimensions(set, 0);
  if (!pieces) return std::nullopt;
  for (PolynomialPiece& piece : *pieces) {
    piece.where = piece.where.params();
    piece.polynomial = piece.polynomial.OnParameters();
  }
  return pieces;
}

}  // namespace tune
