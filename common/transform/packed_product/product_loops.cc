#include "common/transform/packed_product/product_loops.h"

#include <map>

#include "common/program/loop_condition.h"
#include "common/program/product_terms.h"
#include "common/program/rewrite.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

// Whether it grows by one with the iterator.
bool HasUnitStep(const IndexExpression& expression, const std::string& iterator) {
  if (expression.op == Op::kName) return expression.name == iterator;
  if (expression.op != Op::kAdd && expression.op != Op::kSubtract) return false;
  const IndexExpression& left = expression.operands[0];
  const IndexExpression& right = expression.operands[1];
  if (HasUnitStep(left, iterator)) return !Mentions(right, iterator);
  return expression.op == Op::kAdd && !Mentions(left, iterator) && HasUnitStep(right, iterator);
}

// The only node of the block, when it is of that kind.
template <typename T>
const T* Only(const Block& block) {
  return block.size() == 1 ? block[0].As<T>() : nullptr;
}

bool SetLoop(const Loop* loop, ProductLoop* found) {
  if (loop == nullptr || loop->step != IndexExpression::Constant(1) || !IsCanonical(*loop)) return false;
  *found = {loop->iterator, loop->first, loop->condition.operands[1], loop->condition.op == Op::kLessEqual};
  return true;
}

bool DependsOn(const ProductLoop& loop, const std::string& iterator) {
  return Mentions(loop.first, iterator) || Mentions(loop.last, iterator);
}

// The target's elements of a row are neighbours, and the sum's loop stays at one of them.
bool FitsTarget(const Product& product, const ElementAccess& target) {
  if (target.subscripts.size() < 2) return false;
  for (size_t i = 0; i < target.subscripts.size(); ++i) {
    const bool last = i + 1 == target.subscripts.size();
    if (!last && Mentions(target.subscripts[i], product.column.iterator)) return false;
    if (Mentions(target.subscripts[i], product.sum.iterator)) return false;
  }
  return HasUnitStep(target.subscripts.back(), product.column.iterator);
}

bool SetLoops(const std::map<std::string, const v1::Statement*>& statements, Product* product) {
  const Block* inside = &product->plain;
  for (ProductLoop* loop : {&product->sum, &product->row, &product->column}) {
    const Loop* const found = Only<Loop>(*inside);
    if (!SetLoop(found, loop)) return false;
    inside = &found->body;
  }
  const Instance* const instance = Only<Instance>(*inside);
  if (instance == nullptr) return false;
  const v1::Statement& statement = *statements.at(instance->statement);
  if (statement.update() != v1::ADD) return false;
  if (DependsOn(product->row, product->sum.iterator) || DependsOn(product->column, product->sum.iterator))
    return false;
  product->triangular = DependsOn(product->column, product->row.iterator);
  product->instance = *instance;
  return FitsTarget(*product, instance->accesses[statement.target()]) &&
         FindProductTerms(*product, statement).has_value();
}

}  // namespace

void FindProductLoops(const v1::Scop& scop, OpenMpProgram* program) {
  std::map<std::string, const v1::Statement*> statements;
  for (const v1::Statement& statement : scop.statements()) statements[statement.name()] = &statement;
  ReplaceNodes(&program->body, [&](Node& node) -> std::optional<Block> {
    auto* const product = node.As<Product>();
    if (product == nullptr || SetLoops(statements, product)) return std::nullopt;
    return std::move(product->plain);
  });
}

}  // namespace tune
