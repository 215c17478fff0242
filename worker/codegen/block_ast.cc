#include "worker/codegen/block_ast.h"

#include <algorithm>

namespace tune {
namespace {

// Values below this leave room for the sums and products that isl makes of iterators in bounds and
// subscripts.
constexpr long kLargestInt = 1L << 26;

void CollectAffine(const v1::Expression& expression, std::vector<const v1::Expression*>& found) {
  switch (expression.kind_case()) {
    case v1::Expression::kAffine:
      found.push_back(&expression);
      break;
    case v1::Expression::kOperation:
      for (const v1::Expression& operand : expression.operation().operands()) CollectAffine(operand, found);
      break;
    case v1::Expression::kCall:
      for (const v1::Expression& argument : expression.call().arguments()) CollectAffine(argument, found);
      break;
    case v1::Expression::kCast:
      CollectAffine(expression.cast().operand(), found);
      break;
    default:
      break;
  }
}

// An affine value of a statement, S -> [v].
struct AffineValue {
  const v1::Expression* expression;
  isl::pw_aff value;
};

// What the callback needs of one statement.
struct StatementRelations {
  const ParsedStatement* statement;
  std::vector<isl::pw_multi_aff> accesses;  // S -> A, or S -> tile
  std::vector<bool> local;                  // parallel: to a tile, whose indices are small
  std::vector<AffineValue> affine;
};

StatementRelations Relations(IslContext& context, const ParsedStatement& statement, const isl::set& domain,
                             const LocalMemory& memory) {
  StatementRelations relations{&statement, {}, {}, {}};
  for (size_t i = 0; i < statement.accesses.size(); ++i) {
    const auto local = memory.references.find({statement.name, static_cast<int>(i)});
    relations.local.push_back(local != memory.references.end());
    relations.accesses.push_back(
        local != memory.references.end()
            ? local->second
            : statement.accesses[i].relation.intersect_domain(domain).as_pw_multi_aff());
  }
  std::vector<const v1::Expression*> affine;
  CollectAffine(statement.proto->value(), affine);
  for (const v1::Expression* expression : affine) {
    relations.affine.push_back(
        {expression, isl::pw_aff(context.ctx(), expression->affine()).intersect_domain(domain)});
  }
  return relations;
}

bool Large(const isl::val& value) {
  if (value.is_nan()) return false;  // of an empty domain
  return !value.is_int() || value.abs().gt(isl::val(value.ctx(), kLargestInt));
}

bool Large(const isl::pw_aff& value) {
  return Large(isl::manage(isl_pw_aff_max_val(value.copy()))) ||
         Large(isl::manage(isl_pw_aff_min_val(value.copy())));
}

// By its range: isl cannot tell the extremes of a function whose quotients are whole only on the domain.
bool Large(const isl::union_pw_aff& value) {
  const isl::union_map map = isl::manage(isl_union_map_from_union_pw_aff(value.copy()));
  bool large = false;
  map.range().foreach_set([&](const isl::set& range) {  // { [v] }
    if (range.is_empty()) return;
    large = large || Large(isl::manage(isl_set_dim_max_val(range.copy(), 0))) ||
            Large(isl::manage(isl_set_dim_min_val(range.copy(), 0)));
  });
  return large;
}

bool LargeBands(const isl::schedule& schedule, const isl::set& values) {
  const isl::union_set domain = schedule.domain().intersect_params(values);
  bool large = false;
  schedule.root().foreach_descendant_top_down([&](isl::schedule_node node) {
    if (large || !node.isa<isl::schedule_node_band>()) return !large;
    const isl::multi_union_pw_aff members = node.as<isl::schedule_node_band>().partial_schedule();
    for (unsigned i = 0; i < members.size(); ++i) {
      large = large || Large(members.at(i).intersect_domain(domain));
    }
    return !large;
  });
  return large;
}

bool LargeValues(const std::vector<StatementRelations>& statements, const isl::set& values) {
  for (const StatementRelations& statement : statements) {
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      if (statement.local[a]) continue;
      const isl::pw_multi_aff& access = statement.accesses[a];
      for (int i = 0; i < isl_pw_multi_aff_dim(access.get(), isl_dim_out); ++i) {
        if (Large(access.at(i).intersect_params(values))) return true;
      }
    }
    for (const AffineValue& affine : statement.affine) {
      if (Large(affine.value.intersect_params(values))) return true;
    }
  }
  return false;
}

// Fills in the expressions of one instance, called while the AST is built.
std::unique_ptr<StatementInstance> Instantiate(const StatementRelations& relations,
                                               const isl::ast_build& build) {
  auto instance = std::make_unique<StatementInstance>();
  instance->statement = relations.statement;
  // T -> S
  const isl::pw_multi_aff inverse = build.schedule().reverse().as_map().as_pw_multi_aff();
  for (const isl::pw_multi_aff& access : relations.accesses) {
    instance->accesses.push_back(build.access_from(access.pullback(inverse)));  // T -> A
  }
  for (const AffineValue& affine : relations.affine) {
    instance->affine.emplace(affine.expression, build.expr_from(affine.value.pullback(inverse)));  // T -> [v]
  }
  return instance;
}

std::unique_ptr<StatementInstance> InstantiateCopy(const CopyStatement& copy, const isl::ast_build& build) {
  auto instance = std::make_unique<StatementInstance>();
  instance->copy = &copy;
  // T -> Copy
  const isl::pw_multi_aff inverse = build.schedule().reverse().as_map().as_pw_multi_aff();
  for (const isl::pw_multi_aff& place : copy.places)
    instance->accesses.push_back(build.access_from(place.pullback(inverse)));  // T -> A
  return instance;
}

// At most as many as there are bands' members on the way to a leaf.
int Depth(const isl::schedule& schedule) {
  int depth = 0;
  schedule.root().foreach_descendant_top_down([&](isl::schedule_node node) {
    depth = std::max(depth, static_cast<int>(isl_schedule_node_get_schedule_depth(node.get())));
    return true;
  });
  return depth;
}

}  // namespace

isl::ast_build MakeAstBuild(const isl::schedule& schedule, const isl::set& values,
                            const std::string& prefix) {
  isl_ctx* const ctx = schedule.ctx().get();
  isl_options_set_ast_build_detect_min_max(ctx, 1);
  isl_options_set_ast_build_atomic_upper_bound(ctx, 1);
  const int depth = Depth(schedule);
  isl_id_list* names = isl_id_list_alloc(ctx, depth);
  for (int i = 0; i < depth; ++i) {
    names = isl_id_list_add(names, isl_id_alloc(ctx, absl::StrCat(prefix, i).c_str(), nullptr));
  }
  isl_ast_build* const build = isl_ast_build_from_context(values.copy());
  return isl::manage(isl_ast_build_set_iterators(build, names));
}

const StatementInstance& BlockAst::instance(const isl::ast_node_user& node) const {
  return *instances.at(isl::manage(isl_ast_node_get_annotation(node.get())).user<int>());
}

isl::schedule Specialise(const isl::schedule& schedule, const ParsedScop& scop, const isl::set& values) {
  isl::union_set domain = isl::union_set::empty(schedule.ctx());  // { S }
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind != v1::Statement::KILL)
      domain = domain.unite(statement.domain.intersect_params(values));
  }
  return isl::manage(isl_schedule_intersect_domain(schedule.copy(), domain.release()));
}

BlockAst BuildBlockAst(IslContext& context, const isl::schedule& schedule, const ParsedScop& scop,
                       const isl::set& values, const LocalMemory& memory,
                       const std::string& iterator_prefix) {
  std::vector<StatementRelations> statements;
  std::map<std::string, size_t> by_name;
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind == v1::Statement::KILL) continue;
    by_name[statement.name] = statements.size();
    statements.push_back(Relations(context, statement, statement.domain.intersect_params(values), memory));
  }
  BlockAst ast;
  ast.needs_long = LargeBands(schedule, values) || LargeValues(statements, values);
  isl::ast_build build = MakeAstBuild(schedule, values, iterator_prefix);
  build = build.set_at_each_domain([&](isl::ast_node node, isl::ast_build inner) {
    const auto call = node.as<isl::ast_node_user>().expr().as<isl::ast_expr_op>();
    const std::string name = call.arg(0).as<isl::ast_expr_id>().id().name();
    const isl::id annotation(context.ctx(), "instance", static_cast<int>(ast.instances.size()));
    const CopyStatement* const copy = memory.FindCopy(name);
    ast.instances.push_back(copy != nullptr ? InstantiateCopy(*copy, inner)
                                            : Instantiate(statements[by_name.at(name)], inner));
    return isl::manage(isl_ast_node_set_annotation(node.release(), annotation.copy()));
  });
  ast.root = build.node_from(schedule);
  return ast;
}

}  // namespace tune
