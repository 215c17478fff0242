#include "client/extract/pointers/flat_offset.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/strings/match.h"
#include "client/extract/calls/called_function.h"
#include "client/extract/integers/affine_expression.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/spaces.h"

namespace tune {
namespace {

constexpr int kFarthestRow = 8;   // rows that a subscript may reach beside its own
const char kOne[] = "{ [(1)] }";  // the stride of rows of constant length

// One text for one value wherever it is met.
std::string LengthText(const isl::pw_aff& length) { return IslText(length.coalesce()); }

bool IsQuotient(const isl::pw_aff& value) {
  return PieceCount(value) > 1 || absl::StrContains(IslText(value), "floor");
}

// The value as the length of a row, where it may be one: of parameters alone, and in one piece where it is
// positive.
std::optional<isl::pw_aff> AsLength(const Region& region, const LoopNest& nest, const isl::pw_aff& value) {
  if (nest.Varies(value)) return std::nullopt;
  const isl::pw_aff whole = AlignParameters(DropUnusedParameters(value), region.parameter_space);
  const isl::pw_aff one = isl::pw_aff(isl::aff::zero_on_domain(region.parameter_space).add_constant(1L));
  const isl::pw_aff length = IsQuotient(whole) ? whole.gist(whole.ge_set(one)).coalesce() : whole;
  return PieceCount(length) == 1 ? std::optional(length) : std::nullopt;
}

// Where a quotient is positive it is such a length.
void KeepPositive(Region& region, const isl::pw_aff& length) {
  if (!IsQuotient(length)) return;
  const isl::pw_aff one = isl::pw_aff(isl::aff::zero_on_domain(region.parameter_space).add_constant(1L));
  const isl::set positive = region.context.intersect(length.ge_set(one));
  if (!positive.is_empty()) region.context = positive.coalesce();
}

// The largest number that divides the value for all values of parameters; 1 where that is not easy to see.
int64_t UnitOf(const isl::aff& value) {
  if (HasDivs(value) || !Denominator(value).is_one()) return 1;
  isl::val unit = value.constant_val();
  for (int i = 0; i < Dimensions(value, isl_dim_param); ++i)
    unit = unit.gcd(Coefficient(value, isl_dim_param, i));
  return unit.abs().num_si();
}

int64_t UnitOf(const isl::pw_aff& value) {
  int64_t unit = 0;
  value.foreach_piece(
      [&](const isl::set&, const isl::multi_aff& piece) { unit = std::gcd(unit, UnitOf(piece.at(0))); });
  return unit;
}

// A row of that length, one of AsLength.
RowLength InUnits(Region& region, const isl::pw_aff& length) {
  KeepPositive(region, length);
  const int64_t unit = UnitOf(length);
  return {LengthText(length.scale_down(unit)), unit};
}

// What the parameter is multiplied with in the value; zero where that is no whole number, or not one for all
// pieces.
isl::val FactorOf(const isl::pw_aff& value, const isl::id& parameter) {
  const isl::val zero = isl::val(value.ctx(), 0L);
  const int position = FindDimension(value, isl_dim_param, parameter.name());
  if (position < 0 || PieceCount(value) != 1 || HasDivs(value.as_aff())) return zero;
  const isl::val factor = Coefficient(value.as_aff(), isl_dim_param, position);
  return factor.is_int() ? factor : zero;
}

// The multiple of the number that the value has in its coefficients; zero where it has pieces or quotients.
isl::pw_aff MultipleIn(const isl::pw_aff& value, int64_t number) {
  isl::pw_aff sum = value.sub(value);
  if (PieceCount(value) != 1) return sum;
  const isl::aff whole = value.as_aff();
  if (HasDivs(whole) || !Denominator(whole).is_one()) return sum;
  for (int i = 0; i < Dimensions(whole, isl_dim_param); ++i) {
    const long factor = Coefficient(whole, isl_dim_param, i).num_si();
    const isl::id parameter = DimensionId(whole.domain(), isl_dim_param, i);
    const isl::pw_aff each = isl::pw_aff(ParameterOn(whole.domain().space(), parameter));
    sum = sum.add(each.scale(factor / number * number));
  }
  return sum;
}

StrideList With(StrideList strides, std::initializer_list<std::string> more) {
  strides.insert(strides.end(), more);
  std::sort(strides.begin(), strides.end());
  return strides;
}

StrideList With(StrideList strides, const StrideList& more) {
  strides.insert(strides.end(), more.begin(), more.end());
  std::sort(strides.begin(), strides.end());
  return strides;
}

}  // namespace

void FlatOffset::Add(const StrideList& strides, const isl::pw_aff& coefficient) {
  const auto [place, is_new] = terms_.emplace(strides, coefficient);
  if (!is_new) place->second = place->second.add(coefficient);
}

FlatOffset FlatOffset::Plus(const FlatOffset& other) const {
  FlatOffset sum = *this;
  for (const auto& [strides, coefficient] : other.terms_) sum.Add(strides, coefficient);
  return sum;
}

FlatOffset FlatOffset::Minus(const FlatOffset& other) const {
  FlatOffset negative = other;
  for (auto& [strides, coefficient] : negative.terms_) coefficient = coefficient.neg();
  return Plus(negative);
}

std::optional<FlatOffset> FlatOffset::Times(Region& region, const LoopNest& nest,
                                            const FlatOffset& other) const {
  std::optional<FlatOffset> sum;
  for (const auto& [strides, coefficient] : terms_) {
    for (const auto& [more, factor] : other.terms_) {
      StrideList all = With(strides, more);
      isl::pw_aff product = coefficient;
      if (ConstantOf(coefficient) || ConstantOf(factor)) {
        product = coefficient.mul(factor);
      } else {
        const std::optional<isl::pw_aff> by_factor = AsLength(region, nest, factor);
        const std::optional<isl::pw_aff> length = by_factor ? by_factor : AsLength(region, nest, coefficient);
        if (!length) return std::nullopt;
        const RowLength row = InUnits(region, *length);
        all = With(all, {row.stride});
        product = (by_factor ? coefficient : factor).scale(row.factor);
      }
      FlatOffset term(product);
      term.terms_ = {{std::move(all), product}};
      sum = sum ? sum->Plus(term) : std::move(term);
    }
  }
  return sum;
}

std::optional<isl::pw_aff> FlatOffset::Affine() const {
  const auto affine = terms_.find(StrideList());
  if (terms_.size() != 1 || affine == terms_.end()) return std::nullopt;
  return affine->second;
}

size_t FlatOffset::StrideCount() const { return terms_.size() - terms_.count(StrideList()); }

void FlatOffset::AddStrides(StrideUnits* all) const {
  for (const auto& [strides, coefficient] : terms_) {
    if (strides.empty()) continue;
    int64_t& unit = (*all)[strides];
    unit = std::gcd(unit, UnitOf(coefficient));
  }
}

std::optional<FlatOffset> FlatOffset::Factored(const isl::space& parameters, const isl::id& parameter,
                                               int64_t scale, const std::vector<isl::id>& factors) const {
  const isl::pw_aff value = isl::pw_aff(ParameterOn(parameters, parameter));
  const isl::pw_aff zero = isl::pw_aff(isl::aff::zero_on_domain(parameters));
  const std::string name = LengthText(value);
  StrideList product;
  for (const isl::id& factor : factors)
    product.push_back(LengthText(isl::pw_aff(ParameterOn(parameters, factor))));
  FlatOffset result(zero);
  bool changes = false;
  for (const auto& [written, coefficient] : terms_) {
    StrideList strides = written;
    isl::pw_aff rest = coefficient;
    for (auto same = strides.end(); (same = std::find(strides.begin(), strides.end(), name)) != strides.end();
         changes = true) {
      strides.erase(same);
      strides = With(std::move(strides), product);
      rest = rest.scale(scale);
    }
    if (const isl::val factor = FactorOf(rest, parameter); !factor.is_zero()) {
      rest = rest.sub(value.scale(factor));
      result.Add(With(strides, product), zero.add_constant(factor).scale(scale));
      changes = true;
    }
    result.Add(strides, rest.coalesce());
  }
  return changes ? std::optional(std::move(result)) : std::nullopt;
}

FlatOffset FlatOffset::InRows(const RowLength& row) const {
  const auto affine = terms_.find(StrideList());
  if (row.stride != kOne || affine == terms_.end()) return *this;
  FlatOffset result = *this;
  const isl::pw_aff rows = MultipleIn(affine->second, row.factor);
  result.Add(StrideList(), rows.neg());
  result.Add({row.stride}, rows);
  return result;
}

std::optional<isl::pw_aff> FlatOffset::Coefficient(const StrideList& strides) const {
  const auto term = terms_.find(strides);
  return term == terms_.end() ? std::nullopt : std::optional(term->second);
}

namespace {

// What a variable or a call stands for; nothing where that is a choice.
std::optional<Definition> DefinitionOf(Region& region, const LoopNest& nest, const clang::Expr& expression) {
  std::optional<Definition> found;
  if (const auto defined = nest.definitions.find(NamedVariable(&expression));
      defined != nest.definitions.end())
    found = defined->second;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&expression)) {
    const clang::FunctionDecl* function = FunctionInSight(*call);
    if (function == nullptr) return std::nullopt;
    Accepted<Definition> value = ReturnedValue(region, nest, *call, *function);
    if (!IsRefused(value)) found = std::get<0>(std::move(value));
  }
  return found && found->then == nullptr ? found : std::nullopt;
}

}  // namespace

Accepted<FlatOffset> ReadFlatOffset(Region& region, const LoopNest& nest, const clang::Expr& written) {
  const clang::Expr& expression = *written.IgnoreParens();
  Accepted<isl::pw_aff> affine = ReadAffine(region, nest, expression, Position::kSubscript);
  if (!IsRefused(affine)) return FlatOffset(std::get<0>(std::move(affine)));
  const Refusal refusal = std::get<Refusal>(std::move(affine));
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&expression)) {
    const clang::QualType to = cast->getType(), from = cast->getSubExpr()->getType();
    const uint64_t to_width = region.ast.getTypeSize(to), from_width = region.ast.getTypeSize(from);
    const bool keeps_sign = to->isUnsignedIntegerType() || !from->isUnsignedIntegerType();
    const bool widens = to_width > from_width || (to_width == from_width && keeps_sign);
    if (!from->isIntegerType() || !widens) return refusal;
    Accepted<FlatOffset> operand = ReadFlatOffset(region, nest, *cast->getSubExpr());
    return IsRefused(operand) ? Accepted<FlatOffset>(refusal) : operand;
  }
  if (const std::optional<Definition> defined = DefinitionOf(region, nest, expression);
      defined && region.Opens()) {
    Accepted<FlatOffset> value = ReadFlatOffset(region, *defined->scope, *defined->expression);
    return IsRefused(value) ? Accepted<FlatOffset>(refusal) : value;
  }
  const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&expression);
  const bool computes =
      operation != nullptr && (operation->isAdditiveOp() || operation->getOpcode() == clang::BO_Mul);
  if (!computes) return refusal;
  const Accepted<FlatOffset> left = ReadFlatOffset(region, nest, *operation->getLHS());
  const Accepted<FlatOffset> right = ReadFlatOffset(region, nest, *operation->getRHS());
  if (IsRefused(left) || IsRefused(right)) return refusal;
  const FlatOffset &first = std::get<0>(left), &second = std::get<0>(right);
  if (operation->getOpcode() == clang::BO_Add) return first.Plus(second);
  if (operation->getOpcode() == clang::BO_Sub) return first.Minus(second);
  std::optional<FlatOffset> product = first.Times(region, nest, second);
  if (!product) return refusal;
  return *std::move(product);
}

std::optional<RowLength> RowOfLength(Region& region, const LoopNest& nest, const isl::pw_aff& length) {
  if (const std::optional<isl::val> constant = ConstantOf(length)) {
    if (!constant->is_pos()) return std::nullopt;
    return RowLength{kOne, constant->num_si()};
  }
  const std::optional<isl::pw_aff> whole = AsLength(region, nest, length);
  if (!whole) return std::nullopt;
  return InUnits(region, *whole);
}

std::optional<RowList> RowsOf(const StrideUnits& strides) {
  std::vector<std::pair<StrideList, int64_t>> sorted(strides.begin(), strides.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first.size() < b.first.size(); });
  // Rows of rows: the unit of what is outside is one of what is inside, too.
  int64_t unit = 0;
  for (auto next = sorted.rbegin(); next != sorted.rend(); ++next)
    next->second = unit = std::max<int64_t>(std::gcd(unit, next->second), 1);
  RowList rows;      // innermost first
  StrideList known;  // the same, sorted
  int64_t inside = 1;
  for (const auto& [next, own] : sorted) {
    StrideList more;
    std::set_difference(next.begin(), next.end(), known.begin(), known.end(), std::back_inserter(more));
    if (next.size() != known.size() + 1 || more.size() != 1) return std::nullopt;
    rows.push_back({more[0], own / inside});
    known = next;
    inside = own;
  }
  std::reverse(rows.begin(), rows.end());
  return rows;
}

namespace {

isl::pw_aff LengthOf(const Region& region, const RowLength& row) {
  return isl::pw_aff(isl::ctx(region.ctx), row.stride).scale(row.factor);
}

class SubscriptReader {
 public:
  SubscriptReader(Region& region, const LoopNest& nest, const isl::set& reached, clang::SourceRange use)
      : region_(region), nest_(nest), reached_(reached), use_(use) {}

  Accepted<std::vector<isl::pw_aff>> Read(const FlatOffset& offset, const RowList& rows) {
    std::vector<isl::pw_aff> subscripts;  // innermost first
    StrideList strides;
    int64_t unit = 1;  // of coefficients that have these strides
    size_t explained = 0;
    isl::pw_aff carry = Number(0);
    for (size_t level = rows.size() + 1; level-- > 0;) {
      const std::optional<isl::pw_aff> coefficient = offset.Coefficient(strides);
      explained += coefficient && !strides.empty() && UnitOf(*coefficient) % unit == 0 ? 1 : 0;
      isl::pw_aff subscript = coefficient ? coefficient->scale_down(unit).add(carry) : carry;
      if (level > 0) {
        const RowLength& row = rows[level - 1];
        TUNE_ASSIGN_OR_REFUSE(carry, Reduce(LengthOf(region_, row), &subscript));
        strides = With(strides, {row.stride});
        unit *= row.factor;
      }
      subscripts.push_back(subscript);
    }
    if (explained != offset.StrideCount()) {
      return Refusal{use_, "a subscript whose rows are of other lengths than those of others of its array",
                     "declare the array with its dimensions, and write A[i][j]"};
    }
    std::reverse(subscripts.begin(), subscripts.end());
    return subscripts;
  }

 private:
  isl::pw_aff Number(long value) const {
    return isl::pw_aff(isl::aff::zero_on_domain(region_.parameter_space).add_constant(value));
  }

  // Where the subscript is outside of its row.
  isl::set Outside(const isl::pw_aff& subscript, const isl::pw_aff& length) const {
    return subscript.lt_set(Number(0))
        .unite(subscript.ge_set(length))
        .intersect(reached_)
        .intersect(region_.context);
  }

  // Takes whole rows out of the subscript, so that it stays inside of one: how many.
  Accepted<isl::pw_aff> Reduce(const isl::pw_aff& length, isl::pw_aff* subscript) {
    for (int i = 0; i <= 2 * kFarthestRow; ++i) {
      const int carried = i % 2 == 0 ? -i / 2 : (i + 1) / 2;
      const isl::pw_aff inside = subscript->sub(length.mul(Number(carried)));
      if (!Outside(inside, length).is_empty()) continue;
      *subscript = inside;
      return Number(carried);
    }
    const isl::set sound = region_.context.subtract(nest_.OverParameters(Outside(*subscript, length)));
    if (sound.is_disjoint(nest_.OverParameters(reached_))) {
      return Refusal{use_, "a subscript that leaves its row",
                     "declare the array with its dimensions, and write A[i][j]"};
    }
    region_.context = sound.coalesce();
    return Number(0);
  }

  Region& region_;
  const LoopNest& nest_;
  const isl::set& reached_;
  const clang::SourceRange use_;
};

}  // namespace

Accepted<std::vector<isl::pw_aff>> FlatSubscripts(Region& region, const LoopNest& nest,
                                                  const isl::set& reached, const FlatOffset& offset,
                                                  const RowList& rows, clang::SourceRange use) {
  return SubscriptReader(region, nest, reached, use).Read(offset, rows);
}

std::string RowText(const Region& region, const RowLength& length) {
  const isl::ast_build build = isl::ast_build::from_context(region.context);
  return build.expr_from(LengthOf(region, length)).to_C_str();
}

}  // namespace tune
