#include "worker/check/raised_kernel.h"

#include <algorithm>
#include <set>

#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"
#include "worker/check/raised_expression.h"

namespace tune {
namespace {

class Collector {
 public:
  explicit Collector(const isl::set& context) : context_(context) {}

  void Visit(const Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      path_.push_back(static_cast<int>(i));
      Visit(block[i]);
      path_.pop_back();
    }
  }
  std::vector<RaisedNode> TakeNodes() { return std::move(nodes_); }

 private:
  void Visit(const Node& node) {
    if (const auto* loop = node.As<Loop>()) {
      VisitLoop(*loop);
    } else if (const auto* branch = node.As<Condition>()) {
      VisitCondition(*branch);
    } else if (const auto* scope = node.As<Scope>()) {
      VisitScope(*scope);
    } else if (const auto* merged = node.As<MergedLaunch>()) {
      Visit(merged->body);
    } else if (const auto* definition = node.As<Definition>()) {
      if (scopes_ > 0) {
        bounds_.emplace_back(definition->name, Known(definition->value));
      } else {
        defined_.insert(definition->name);
      }
    } else {
      nodes_.push_back({&node, iterators_, Domain(), path_, kept_, by_thread_number_});
    }
  }

  // { [i] }
  isl::set Domain() const {
    if (domain_) return *domain_;
    return ExpressionRaising(context_.ctx(), iterators_).universe().intersect_params(context_);
  }

  void VisitScope(const Scope& scope) {
    for (const KeptElement& kept : scope.kept) kept_.emplace_back(&kept, iterators_.size());
    const size_t bounds = bounds_.size();
    ++scopes_;
    Visit(scope.body);
    --scopes_;
    bounds_.resize(bounds);
    kept_.resize(kept_.size() - scope.kept.size());
  }

  // With what is defined in the scopes around in place of its name.
  IndexExpression Known(IndexExpression expression) const {
    for (auto bound = bounds_.rbegin(); bound != bounds_.rend(); ++bound)
      expression = Replace(expression, bound->first, bound->second);
    return expression;
  }

  void VisitLoop(const Loop& loop) {
    const std::optional<isl::set> outside = domain_;
    const isl::set around = Domain();
    iterators_.push_back(loop.iterator);
    path_.push_back(TreeLeaf::kMember);
    const ExpressionRaising raising(context_.ctx(), iterators_);
    const IndexExpression iterator = IndexExpression::Name(loop.iterator);
    using Op = IndexExpression::Op;
    isl::set domain = AddDimensions(around, isl_dim_set, 1);
    domain = domain.intersect(
        raising.Where(IndexExpression::Of(Op::kGreaterEqual, {iterator, Known(loop.first)})));
    domain = domain.intersect(raising.Where(Known(loop.condition)));
    if (loop.step != IndexExpression::Constant(1)) {
      const IndexExpression steps =
          IndexExpression::Of(Op::kRemainder, {iterator - Known(loop.first), loop.step});
      domain = domain.intersect(
          raising.Where(IndexExpression::Of(Op::kEqual, {steps, IndexExpression::Constant(0)})));
    }
    domain_ = domain;
    Visit(loop.body);
    domain_ = outside;
    path_.pop_back();
    iterators_.pop_back();
  }

  void VisitCondition(const Condition& branch) {
    const IndexExpression condition = Known(branch.condition);
    std::set<std::string> names;
    CollectNames(condition, &names);
    const bool by_number = std::any_of(names.begin(), names.end(),
                                       [&](const std::string& name) { return defined_.count(name) > 0; });
    if (by_number) {
      by_thread_number_.push_back(condition);
      Visit(branch.then);
      by_thread_number_.back() = IndexExpression::Of(IndexExpression::Op::kNot, {condition});
      Visit(branch.otherwise);
      by_thread_number_.pop_back();
      return;
    }
    const std::optional<isl::set> outside = domain_;
    const isl::set around = Domain();
    const isl::set holds = ExpressionRaising(context_.ctx(), iterators_).Where(condition);
    domain_ = around.intersect(holds);
    path_.push_back(0);
    Visit(branch.then);
    domain_ = around.subtract(holds);
    path_.back() = 1;
    Visit(branch.otherwise);
    path_.pop_back();
    domain_ = outside;
  }

  const isl::set context_;
  std::vector<std::string> iterators_;
  std::optional<isl::set> domain_;  // of the loops and conditions around
  std::vector<int> path_;
  std::vector<std::pair<const KeptElement*, size_t>> kept_;
  std::vector<IndexExpression> by_thread_number_;
  std::set<std::string> defined_;  // by definitions outside of scopes: what differs from thread to thread
  int scopes_ = 0;                 // around
  std::vector<std::pair<std::string, IndexExpression>> bounds_;  // by definitions in these
  std::vector<RaisedNode> nodes_;
};

}  // namespace

isl::map RaisedNode::Function(const std::vector<IndexExpression>& expressions,
                              const std::string& tuple) const {
  const ExpressionRaising raising(domain.ctx(), iterators);
  isl::map function = MapFromDomain(domain);  // { [i] -> [] }
  for (const IndexExpression& expression : expressions) {
    const isl::map value = raising.Raise(expression).as_map();
    function = FlatRangeProduct(function, value);
  }
  if (tuple.empty()) return function;
  return WithTupleName(function, isl_dim_out, tuple);
}

isl::map RaisedNode::Runs() const {
  const Origin& origin = *OriginOf(*node);
  return Function(origin.iterators, origin.statement);
}

const Origin* OriginOf(const Node& node) {
  if (const auto* instance = node.As<Instance>()) return &instance->origin;
  if (const auto* transfer = node.As<Transfer>()) return &transfer->origin;
  if (const auto* fill = node.As<Fill>()) return &fill->origin;
  if (const auto* reduction = node.As<BlockReduction>()) return &reduction->origin;
  return nullptr;
}

std::vector<RaisedNode> RaiseBlock(const Block& block, const isl::set& context) {
  Collector collector(context);
  collector.Visit(block);
  return collector.TakeNodes();
}

}  // namespace tune
