#include "common/program/warp_product.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"
#include "common/program/half_terms.h"
#include "common/program/loop_condition.h"
#include "common/program/product_terms.h"
#include "common/program/statement_value.h"

namespace tune {
namespace {

constexpr char kFloat[] = "float";

// What of _Float16 is computed as float, and rounded where a value is converted or stored.
bool IsComputedAsFloat(const v1::Expression& expression) {
  return expression.c_type() == kFloat || expression.c_type() == kHalfType;
}

const v1::Statement* FindStatement(const v1::Scop& scop, const std::string& name) {
  for (const v1::Statement& statement : scop.statements()) {
    if (statement.name() == name) return &statement;
  }
  return nullptr;
}

bool MentionsAny(const std::vector<IndexExpression>& expressions, const std::string& name) {
  return std::any_of(expressions.begin(), expressions.end(),
                     [&](const IndexExpression& expression) { return Mentions(expression, name); });
}

bool IsOperator(const v1::Expression& expression, const char* op, int operands) {
  return expression.kind_case() == v1::Expression::kOperation && IsComputedAsFloat(expression) &&
         expression.operation().op() == op && expression.operation().operands_size() == operands;
}

// The value that becomes a float, which changes nothing; of other values themselves.
const v1::Expression& WithoutConversion(const v1::Expression& value) {
  const bool converts = value.kind_case() == v1::Expression::kCast && value.c_type() == kFloat &&
                        IsComputedAsFloat(value.cast().operand());
  return converts ? WithoutConversion(value.cast().operand()) : value;
}

// A value as a sum of terms.
class TermSplitting {
 public:
  explicit TermSplitting(std::function<int(const v1::Expression&)> uses) : uses_(std::move(uses)) {}

  // False: it is none.
  bool Add(const v1::Expression& converted, bool subtracted) {
    const v1::Expression& value = WithoutConversion(converted);
    if (IsOperator(value, "-", 1)) return Add(value.operation().operands(0), !subtracted);
    for (const char* const op : {"+", "-"}) {
      if (!IsOperator(value, op, 2)) continue;
      return Add(value.operation().operands(0), subtracted) &&
             Add(value.operation().operands(1), subtracted != (op[0] == '-'));
    }
    WarpTerm term;
    term.subtracted = subtracted;
    if (!Multiply(value, &term) || term.rows.empty() || term.columns.empty()) return false;
    terms.push_back(std::move(term));
    return true;
  }

  std::vector<WarpTerm> terms;

 private:
  bool Multiply(const v1::Expression& factor, WarpTerm* term) const {
    const int uses = UsesOf(factor, uses_);
    if (!IsComputedAsFloat(factor)) return false;
    if ((uses & kUsesRow) == 0 || (uses & kUsesColumn) == 0) {
      ((uses & kUsesColumn) != 0 ? term->columns : term->rows).push_back(&factor);
      return true;
    }
    const v1::Expression& value = WithoutConversion(factor);
    return IsOperator(value, "*", 2) && Multiply(value.operation().operands(0), term) &&
           Multiply(value.operation().operands(1), term);
  }

  const std::function<int(const v1::Expression&)> uses_;
};

bool AreFloats(const WarpTerm& term) {
  const auto is_float = [](const v1::Expression* factor) { return factor->c_type() == kFloat; };
  return std::all_of(term.rows.begin(), term.rows.end(), is_float) &&
         std::all_of(term.columns.begin(), term.columns.end(), is_float);
}

class Finder {
 public:
  Finder(const DeviceKernel& kernel, const std::vector<DeviceArray>& arrays, const HelperNames& names)
      : kernel_(kernel),
        arrays_(arrays),
        names_(names),
        x_(absl::StrCat(names.thread, 0)),
        y_(absl::StrCat(names.thread, 1)) {}

  std::optional<WarpProduct> Find(const Loop& loop, const v1::Scop& scop) {
    if (!CanArrangeThreads() || !FindLoops(loop)) return std::nullopt;
    const v1::Statement* const statement = FindStatement(scop, product_.instance->statement);
    if (statement == nullptr || !AddsToOwnSums(*statement) || !ReadsWhatStays(*statement) ||
        !DivideLoops(*statement))
      return std::nullopt;
    TermSplitting splitting([&](const v1::Expression& leaf) { return UsesOfLeaf(*statement, leaf); });
    if (!splitting.Add(statement->value(), /*subtracted=*/false)) return std::nullopt;
    product_.terms = std::move(splitting.terms);
    product_.halves = HalfTermsOf(product_, kernel_, names_);
    if (product_.halves.empty() && !IsOfFloats()) return std::nullopt;
    return product_;
  }

 private:
  bool IsOfFloats() const {
    return *FixedIterations(*product_.sum) % kWarpSum == 0 &&
           std::all_of(product_.terms.begin(), product_.terms.end(), AreFloats);
  }

  bool CanArrangeThreads() const {
    return kernel_.axes.size() >= 2 && kernel_.threads[0] % kWarpColumns == 0 &&
           kernel_.threads[1] % kWarpRows == 0;
  }

  // The loop of the sum, those inside it, and the instance in the last one.
  bool FindLoops(const Loop& loop) {
    const std::optional<int64_t> sum = FixedIterations(loop);
    if (!sum || *sum <= 0 || loop.ahead != 0) return false;
    product_.sum = &loop;
    const Block* body = &loop.body;
    while (body->size() == 1 && (*body)[0].As<Loop>() != nullptr) {
      const Loop& inside = *(*body)[0].As<Loop>();
      const std::optional<int64_t> iterations = FixedIterations(inside);
      if (!iterations || *iterations <= 0 || inside.first.value != 0 || inside.ahead != 0) return false;
      loops_.push_back(&inside);
      body = &inside.body;
    }
    if (body->size() != 1) return false;
    product_.instance = (*body)[0].As<Instance>();
    return product_.instance != nullptr && !product_.instance->atomic;
  }

  // To an element of a tile in registers, another one for each combination of points.
  bool AddsToOwnSums(const v1::Statement& statement) {
    if (statement.kind() != v1::Statement::ASSIGN || statement.update() != v1::ADD ||
        !TargetSubscripts(statement).empty())
      return false;
    product_.target = &product_.instance->accesses[statement.target()];
    const Tile* const tile = kernel_.FindTile(product_.target->array);
    if (tile == nullptr || tile->shared || tile->type != v1::ELEMENT_TYPE_FLOAT) return false;
    std::set<std::string> used, iterators;
    for (const IndexExpression& subscript : product_.target->subscripts) CollectNames(subscript, &used);
    for (const Loop* loop : loops_) iterators.insert(loop->iterator);
    if (!std::includes(iterators.begin(), iterators.end(), used.begin(), used.end())) return false;
    std::set<std::vector<int64_t>> elements;
    std::map<std::string, int64_t> point;
    return AddElements(/*depth=*/0, &point, &elements);
  }

  // False: one is there already.
  bool AddElements(size_t depth, std::map<std::string, int64_t>* point,
                   std::set<std::vector<int64_t>>* elements) const {
    if (depth == loops_.size()) {
      std::vector<int64_t> element;
      for (const IndexExpression& subscript : product_.target->subscripts)
        element.push_back(Evaluate(subscript, [&](const std::string& name) { return point->at(name); }));
      return elements->insert(std::move(element)).second;
    }
    for (int64_t i = 0; i < *FixedIterations(*loops_[depth]); ++i) {
      (*point)[loops_[depth]->iterator] = i;
      if (!AddElements(depth + 1, point, elements)) return false;
    }
    return true;
  }

  bool ReadsWhatStays(const v1::Statement& statement) const {
    const std::vector<bool> of_data = AreOfData(statement);
    for (size_t i = 0; i < product_.instance->accesses.size(); ++i) {
      if (static_cast<int>(i) == statement.target()) continue;
      const ElementAccess& access = product_.instance->accesses[i];
      const Tile* const tile = kernel_.FindTile(access.array);
      const bool stays = tile != nullptr ? tile->shared : access.subscripts.empty() && !Writes(access.array);
      if (of_data[i] || !stays) return false;
    }
    return true;
  }

  bool Writes(const std::string& array) const {
    return std::any_of(kernel_.arrays.begin(), kernel_.arrays.end(), [&](const KernelArray& used) {
      return used.writes && arrays_[used.array].scop_name == array;
    });
  }

  // Loops over points stand beside the thread's coordinate along their axis wherever a term depends on them.
  bool DivideLoops(const v1::Statement& statement) {
    for (const Loop* loop : loops_) {
      bool along_x = true, along_y = true, used = false;
      for (size_t i = 0; i < product_.instance->accesses.size(); ++i) {
        const std::vector<IndexExpression>& subscripts = product_.instance->accesses[i].subscripts;
        if (static_cast<int>(i) == statement.target() || !MentionsAny(subscripts, loop->iterator)) continue;
        used = true;
        along_x = along_x && MentionsAny(subscripts, x_) && !MentionsAny(subscripts, y_);
        along_y = along_y && MentionsAny(subscripts, y_) && !MentionsAny(subscripts, x_);
      }
      if (!used || along_x == along_y) return false;
      (along_x ? product_.columns : product_.rows).push_back(loop);
    }
    return PairedLoop(product_.rows) != nullptr && PairedLoop(product_.columns) != nullptr;
  }

  int UsesOfLeaf(const v1::Statement& statement, const v1::Expression& leaf) const {
    const std::vector<IndexExpression> indices = IndicesOf(*product_.instance, statement, leaf);
    const auto uses_any = [&](const std::string& thread, const std::vector<const Loop*>& loops) {
      return MentionsAny(indices, thread) || std::any_of(loops.begin(), loops.end(), [&](const Loop* loop) {
               return MentionsAny(indices, loop->iterator);
             });
    };
    return (uses_any(y_, product_.rows) ? kUsesRow : 0) | (uses_any(x_, product_.columns) ? kUsesColumn : 0);
  }

  const DeviceKernel& kernel_;
  const std::vector<DeviceArray>& arrays_;
  const HelperNames& names_;
  const std::string x_, y_;  // the thread's coordinates
  std::vector<const Loop*> loops_;
  WarpProduct product_;
};

class UniformLoops {
 public:
  UniformLoops(const HelperNames& names, const DeviceKernel& kernel,
               const std::function<void(Loop* loop)>& visit)
      : visit_(visit) {
    for (size_t axis = 0; axis < kernel.axes.size(); ++axis)
      of_thread_.insert(absl::StrCat(names.thread, axis));
  }

  void Visit(Block* block) {
    for (Node& node : *block) {
      if (const auto* definition = node.As<Definition>()) {
        of_thread_.insert(definition->name);
        continue;
      }
      const std::vector<const IndexExpression*> expressions = ExpressionsOf(node);
      if (std::any_of(expressions.begin(), expressions.end(),
                      [&](const IndexExpression* expression) { return DependsOnThread(*expression); }))
        continue;
      if (auto* const loop = node.As<Loop>()) visit_(loop);
      for (Block* inner : node.blocks()) Visit(inner);
    }
  }

 private:
  bool DependsOnThread(const IndexExpression& expression) const {
    std::set<std::string> names;
    CollectNames(expression, &names);
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return of_thread_.count(name) > 0; });
  }

  const std::function<void(Loop* loop)>& visit_;
  // Coordinates of threads, and what the body defines, which is how its threads take turns in filling tiles.
  std::set<std::string> of_thread_;
};

}  // namespace

const Loop* PairedLoop(const std::vector<const Loop*>& loops) {
  const auto even = std::find_if(loops.rbegin(), loops.rend(),
                                 [](const Loop* loop) { return *FixedIterations(*loop) % 2 == 0; });
  return even == loops.rend() ? nullptr : *even;
}

std::optional<WarpProduct> FindWarpProduct(const Loop& loop, const DeviceKernel& kernel,
                                           const std::vector<DeviceArray>& arrays, const v1::Scop& scop,
                                           const HelperNames& names) {
  return Finder(kernel, arrays, names).Find(loop, scop);
}

void ForEachUniformLoop(const HelperNames& names, DeviceKernel* kernel,
                        const std::function<void(Loop* loop)>& visit) {
  UniformLoops(names, *kernel, visit).Visit(&kernel->body);
}

bool HasWarpProducts(const DeviceKernel& kernel) {
  bool found = false;
  ForEachNode(kernel.body, [&](const Node& node) {
    const auto* const loop = node.As<Loop>();
    found = found || (loop != nullptr && loop->warp_product);
  });
  return found;
}

}  // namespace tune
