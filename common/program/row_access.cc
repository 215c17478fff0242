#include "common/program/row_access.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/array/element_type.h"
#include "common/program/known_factor.h"
#include "common/program/neighbour_access.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

// coefficient * name + constant + the sum of products.
struct LinearForm {
  int64_t coefficient = 0, constant = 0;
  std::vector<std::pair<int64_t, IndexExpression>> products;  // of which none mentions the name
};

// Adds `factor` times the expression; false where it is no such sum.
bool AddTo(const IndexExpression& expression, int64_t factor, const std::string& name, LinearForm* form) {
  const std::vector<IndexExpression>& operands = expression.operands;
  switch (expression.op) {
    case Op::kConstant:
      form->constant += factor * expression.value;
      return true;
    case Op::kAdd:
      return std::all_of(operands.begin(), operands.end(),
                         [&](const IndexExpression& operand) { return AddTo(operand, factor, name, form); });
    case Op::kSubtract:
      return operands.size() == 2 && AddTo(operands[0], factor, name, form) &&
             AddTo(operands[1], -factor, name, form);
    case Op::kNegate:
      return AddTo(operands[0], -factor, name, form);
    default:
      break;
  }
  if (expression.IsName(name)) {
    form->coefficient += factor;
    return true;
  }
  if (Mentions(expression, name)) return false;
  form->products.emplace_back(factor, expression);
  return true;
}

std::optional<LinearForm> FormOf(const IndexExpression& expression, const std::string& name) {
  LinearForm form;
  if (!AddTo(expression, 1, name, &form)) return std::nullopt;
  return form;
}

// That the last subscript alone mentions the name, and how.
std::optional<LinearForm> FormInRow(const ElementAccess& access, const std::string& name) {
  if (access.subscripts.empty()) return std::nullopt;
  for (size_t i = 0; i + 1 < access.subscripts.size(); ++i) {
    if (Mentions(access.subscripts[i], name)) return std::nullopt;
  }
  std::optional<LinearForm> form = FormOf(access.subscripts.back(), name);
  if (!form || (form->coefficient != 1 && form->coefficient != -1)) return std::nullopt;
  return form;
}

bool IsMultiple(const LinearForm& form, int64_t piece) {
  return std::all_of(form.products.begin(), form.products.end(), [&](const auto& product) {
    return product.first * KnownFactor(product.second) % piece == 0;
  });
}

int64_t Remainder(int64_t value, int64_t divisor) { return (value % divisor + divisor) % divisor; }

}  // namespace

int64_t ElementsOfPiece(v1::ElementType type) {
  if (type != v1::ELEMENT_TYPE_FLOAT && type != v1::ELEMENT_TYPE_DOUBLE && type != v1::ELEMENT_TYPE_INT)
    return 1;
  return kMostBytesOfLoad / static_cast<int64_t>(ElementSize(type));
}

int64_t DirectionInRow(const ElementAccess& access, const std::string& iterator) {
  const std::optional<LinearForm> form = FormInRow(access, iterator);
  return form ? form->coefficient : 0;
}

std::optional<int64_t> PhaseInRow(const ElementAccess& access, const DeviceArray& array,
                                  const std::string& iterator, int64_t piece) {
  const std::optional<LinearForm> form = FormInRow(access, iterator);
  if (!form || access.subscripts.size() != array.extents.size() || !IsMultiple(*form, piece)) return {};
  if (array.extents.size() > 1 && array.extents.back() % piece != 0) return {};
  return Remainder(form->coefficient > 0 ? -form->constant : form->constant + 1, piece);
}

std::optional<int64_t> IterationsBehind(const ElementAccess& access, const ElementAccess& element,
                                        const std::string& iterator) {
  const std::optional<LinearForm> left = FormInRow(access, iterator), right = FormInRow(element, iterator);
  if (!left || !right || access.array != element.array || left->coefficient != right->coefficient ||
      access.subscripts.size() != element.subscripts.size() ||
      !std::equal(access.subscripts.begin(), access.subscripts.end() - 1, element.subscripts.begin()) ||
      !std::is_permutation(left->products.begin(), left->products.end(), right->products.begin(),
                           right->products.end()))
    return {};
  return (right->constant - left->constant) * left->coefficient;
}

int64_t WidestPiece(const Loop& loop) {
  int64_t widest = 1;
  for (const KeptElement& fetched : loop.fetched) widest = std::max(widest, fetched.width);
  for (const KeptElement& collected : loop.collected) widest = std::max(widest, collected.width);
  return widest;
}

IndexExpression FirstOfPieces(const Loop& loop) {
  const int64_t piece = WidestPiece(loop);
  if (piece == 1) return loop.first;
  const auto constant = [](int64_t value) { return IndexExpression::Constant(value); };
  const IndexExpression number =
      IndexExpression::Of(Op::kFloor, {loop.first + constant(piece - 1 - loop.phase), constant(piece)});
  return Folded(constant(piece) * number + constant(loop.phase));
}

}  // namespace tune
