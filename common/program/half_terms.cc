#include "common/program/half_terms.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"
#include "common/program/known_factor.h"
#include "common/program/loop_condition.h"
#include "common/program/neighbour_access.h"
#include "common/program/product_terms.h"

namespace tune {
namespace {

bool IsFloatOrHalf(const v1::Expression& value) {
  return value.c_type() == "float" || value.c_type() == kHalfType;
}

// The value before conversions that change no number of _Float16.
const v1::Expression& WithoutConversions(const v1::Expression& value) {
  const bool same = value.kind_case() == v1::Expression::kCast && IsFloatOrHalf(value);
  return same ? WithoutConversions(value.cast().operand()) : value;
}

// Adds the factors of a product that is computed in float.
void AddFactors(const v1::Expression& product, std::vector<const v1::Expression*>* factors) {
  if (product.kind_case() == v1::Expression::kCast && product.c_type() == "float" &&
      product.cast().operand().c_type() == kHalfType)
    return AddFactors(product.cast().operand(), factors);
  const v1::Operation& operation = product.operation();
  if (product.kind_case() != v1::Expression::kOperation || operation.op() != "*" ||
      operation.operands_size() != 2 || !IsFloatOrHalf(product))
    return factors->push_back(&product);
  for (const v1::Expression& operand : operation.operands()) AddFactors(operand, factors);
}

// Whether eight neighbours can begin there.
bool StartsRow(const IndexExpression& index) { return KnownFactor(index) % kHalfRow == 0; }

// How threads along x or y, and their points, stand in subscripts.
struct Axis {
  std::string thread;
  int64_t threads = 1;     // of a warp
  int64_t neighbours = 1;  // points of each that lie side by side
};

class HalfTerms {
 public:
  HalfTerms(const WarpProduct& product, const DeviceKernel& kernel, const HelperNames& names)
      : product_(product),
        kernel_(kernel),
        rows_{absl::StrCat(names.thread, 1), kWarpRows, 1},
        columns_{absl::StrCat(names.thread, 0), kWarpColumns, kHalfPiece} {}

  std::vector<HalfTerm> All() const {
    const std::vector<const Loop*> further = FurtherColumns(product_);
    if (FixedIterations(*NeighbourColumns(product_)) != kHalfPiece || PairedLoop(further) == nullptr)
      return {};
    std::vector<HalfTerm> terms;
    for (const WarpTerm& term : product_.terms) {
      HalfTerm half;
      half.subtracted = term.subtracted;
      if (!Add(term.rows, rows_, &half.row, &half) || !Add(term.columns, columns_, &half.column, &half))
        return {};
      terms.push_back(std::move(half));
    }
    return terms;
  }

 private:
  // One of the factors is the operand; the others are the same for all.
  bool Add(const std::vector<const v1::Expression*>& factors, const Axis& axis, HalfOperand* operand,
           HalfTerm* term) const {
    std::vector<const v1::Expression*> all;
    for (const v1::Expression* factor : factors) AddFactors(*factor, &all);
    operand->access = -1;
    for (const v1::Expression* factor : all) {
      if (IsSame(*factor)) {
        term->same.push_back(factor);
      } else if (operand->access >= 0 || !SetOperand(*factor, axis, operand)) {
        return false;
      }
    }
    return operand->access >= 0;
  }

  // Of numbers and scalars.
  bool IsSame(const v1::Expression& factor) const {
    const auto no_uses = [&](const v1::Expression& leaf) {
      const bool scalar =
          leaf.kind_case() == v1::Expression::kAccess && Access(leaf.access()).subscripts.empty();
      return static_cast<int>(scalar ? kUsesNone : kUsesSum);
    };
    return UsesOf(factor, no_uses) == kUsesNone;
  }

  bool SetOperand(const v1::Expression& factor, const Axis& axis, HalfOperand* operand) const {
    const v1::Expression& value = WithoutConversions(factor);
    if (value.kind_case() != v1::Expression::kAccess) return false;
    operand->access = value.access();
    const ElementAccess& access = Access(operand->access);
    const Tile* const tile = kernel_.FindTile(access.array);
    if (tile == nullptr || !tile->shared || tile->type != v1::ELEMENT_TYPE_FLOAT16 ||
        tile->row_length % kHalfRow != 0 || !HoldsWholeSteps(access, *tile))
      return false;
    operand->along_sum = LiesAlongSum(access);
    return operand->along_sum || LiesAlong(axis, access);
  }

  const ElementAccess& Access(int number) const { return product_.instance->accesses[number]; }

  static bool OthersMention(const ElementAccess& access, const std::string& name) {
    return std::any_of(access.subscripts.begin(), access.subscripts.end() - 1,
                       [&](const IndexExpression& subscript) { return Mentions(subscript, name); });
  }

  bool LiesAlongSum(const ElementAccess& access) const {
    const std::string& sum = product_.sum->iterator;
    const std::optional<IndexExpression> rest = WithoutTerm(access.subscripts.back(), sum);
    return rest && StartsRow(*rest) && !OthersMention(access, sum);
  }

  bool LiesAlong(const Axis& axis, const ElementAccess& access) const {
    std::optional<IndexExpression> rest = access.subscripts.back();
    if (axis.neighbours > 1) {
      const std::string& neighbour = NeighbourColumns(product_)->iterator;
      rest = OthersMention(access, neighbour) ? std::nullopt : WithoutTerm(*rest, neighbour);
    }
    if (rest) rest = WithoutTerm(*rest, axis.thread, axis.neighbours);
    return rest && StartsRow(*rest) && !OthersMention(access, axis.thread);
  }

  // What is loaded before the first and behind the last iteration of the sum is of the tile, too.
  bool HoldsWholeSteps(const ElementAccess& access, const Tile& tile) const {
    const int64_t first = product_.sum->first.value, last = first + *FixedIterations(*product_.sum);
    if (first < 0) return false;
    if (first % kHalfSum == 0 && last % kHalfSum == 0) return true;
    const int64_t end = (last + kHalfSum - 1) / kHalfSum * kHalfSum;
    const size_t copies = access.subscripts.size() - tile.extents.size();
    for (size_t i = 0; i < access.subscripts.size(); ++i) {
      if (!Mentions(access.subscripts[i], product_.sum->iterator)) continue;
      const std::optional<IndexExpression> rest = WithoutTerm(access.subscripts[i], product_.sum->iterator);
      if (i < copies || rest != IndexExpression::Constant(0) || end > tile.extents[i - copies]) return false;
    }
    return true;
  }

  const WarpProduct& product_;
  const DeviceKernel& kernel_;
  const Axis rows_, columns_;
};

}  // namespace

const Loop* NeighbourColumns(const WarpProduct& product) { return product.columns.back(); }

std::vector<const Loop*> FurtherColumns(const WarpProduct& product) {
  return {product.columns.begin(), product.columns.end() - 1};
}

std::vector<HalfTerm> HalfTermsOf(const WarpProduct& product, const DeviceKernel& kernel,
                                  const HelperNames& names) {
  return HalfTerms(product, kernel, names).All();
}

}  // namespace tune
