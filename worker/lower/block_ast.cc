#include "worker/lower/block_ast.h"

#include <algorithm>
#include <optional>

#include "common/isl/ast.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/tuple_name.h"
#include "common/mapping/mark_node.h"
#include "common/mapping/part_mark.h"

namespace tune {
namespace {

// Values below this leave room for the sums and products that isl makes of iterators in bounds and
// subscripts.
constexpr long kLargestInt = 1L << 26;

// What the callback needs of one statement, or of one copy.
struct StatementRelations {
  struct Place {
    isl::id array;                   // or tile
    std::vector<size_t> subscripts;  // in `values`
    bool in_registers = false;
  };
  const ParsedStatement* statement = nullptr;  // or else:
  const CopyStatement* copy = nullptr;
  std::optional<isl::set> domain;  // { S } of a statement
  // S -> [v]: subscripts and affine values, each once, however often it is used.
  std::vector<isl::pw_aff> values;
  std::vector<bool> bounded;  // parallel: subscripts of tiles alone, which are small
  std::vector<Place> places;
  std::vector<size_t> affine;  // in `values`, of the value's affine expressions
};

// `value` without its domain where it is affine, so that isl need not ask what the domain tells of it. Of an
// integer division it may tell that nothing is left over: then the division has become a fraction, which is a
// number only on the domain.
isl::pw_aff WithoutDomain(const isl::pw_aff& value) {
  if (PieceCount(value) != 1) return value;
  isl::pw_aff total = value;
  value.foreach_piece([&](const isl::set&, const isl::multi_aff& piece) {
    const isl::aff function = piece.at(0);
    const isl::val denominator = Denominator(function);
    if (!HasDivs(function) && denominator.is_one()) total = isl::pw_aff(function);
  });
  return total;
}

// The same where it is a whole number, with quotients rounded down: of an i that is known to be even the scop
// says i / 2, a fraction, of which isl makes no C.
isl::pw_aff WithoutFractions(const isl::pw_aff& value) {
  bool whole = true;
  value.foreach_piece([&](const isl::set&, const isl::multi_aff& piece) {
    whole = whole && Denominator(piece.at(0)).is_one();
  });
  return whole ? value : value.floor();
}

// Adds the value, unless it is there; returns its place.
size_t AddValue(const isl::pw_aff& value, bool bounded, StatementRelations* relations) {
  size_t place = 0;
  while (place < relations->values.size() && !relations->values[place].plain_is_equal(value)) ++place;
  if (place == relations->values.size()) {
    relations->values.push_back(value);
    relations->bounded.push_back(bounded);
  }
  relations->bounded[place] = relations->bounded[place] && bounded;
  return place;
}

// `access`: S -> A, or S -> tile.
void AddPlace(const isl::pw_multi_aff& access, bool bounded, StatementRelations* relations) {
  StatementRelations::Place place;
  place.array = TupleId(access, isl_dim_out);
  for (int i = 0; i < Dimensions(access, isl_dim_out); ++i)
    place.subscripts.push_back(AddValue(access.at(i), bounded, relations));
  relations->places.push_back(std::move(place));
}

// S -> A of the access on `domain`, which it is only asked for where it does not tell alone.
isl::pw_multi_aff AccessFunction(const ParsedAccess& access, const isl::set& domain) {
  const bool function = PlainIsSingleValued(access.relation);
  return (function ? access.relation : access.relation.intersect_domain(domain)).as_pw_multi_aff();
}

bool IsInRegisters(const LocalMemory& memory, const isl::id& tile) {
  const std::string name = tile.name();
  return std::any_of(memory.tiles.begin(), memory.tiles.end(),
                     [&](const LocalTile& other) { return !other.shared && other.name == name; });
}

StatementRelations Relations(const ParsedStatement& statement, const isl::set& domain,
                             const LocalMemory& memory) {
  StatementRelations relations;
  relations.statement = &statement;
  relations.domain = domain;
  for (size_t i = 0; i < statement.accesses.size(); ++i) {
    const auto local = memory.references.find({statement.name, static_cast<int>(i)});
    const bool is_local = local != memory.references.end();
    if (statement.accesses[i].of_data) {  // the value says which element it is
      relations.places.push_back({statement.accesses[i].relation.range_tuple_id(), {}});
      continue;
    }
    AddPlace(is_local ? local->second : AccessFunction(statement.accesses[i], domain), is_local, &relations);
    relations.places.back().in_registers = is_local && IsInRegisters(memory, relations.places.back().array);
  }
  for (const isl::pw_aff& value : statement.affine)
    relations.affine.push_back(AddValue(WithoutFractions(value), false, &relations));
  return relations;
}

StatementRelations Relations(const CopyStatement& copy) {
  StatementRelations relations;
  relations.copy = &copy;
  for (const isl::pw_multi_aff& place : copy.places) AddPlace(place, true, &relations);
  return relations;
}

bool Large(const isl::val& value) {
  if (value.is_nan()) return false;  // of an empty domain
  return !value.is_int() || value.abs().gt(isl::val(value.ctx(), kLargestInt));
}

// By the range: isl cannot tell the extremes of a function whose quotients are whole only on the domain.
bool Large(const isl::set& range) {  // { [v] }
  if (range.is_empty()) return false;
  return Large(range.dim_max_val(0)) || Large(range.dim_min_val(0));
}

bool Large(const isl::pw_aff& value) { return Large(value.as_map().range()); }

bool Large(const isl::union_pw_aff& value) {
  const isl::union_map map = value.as_union_map();
  bool large = false;
  map.range().foreach_set([&](const isl::set& range) { large = large || Large(range); });
  return large;
}

// `parameters`: the scop's; `values`: what is known of others too, asked where these alone do not tell.
bool LargeBands(const isl::schedule& schedule, const isl::set& parameters, const isl::set& values) {
  const isl::union_set domain = schedule.domain().intersect_params(parameters);
  bool large = false;
  schedule.root().foreach_descendant_top_down([&](isl::schedule_node node) {
    if (large || !node.isa<isl::schedule_node_band>()) return !large;
    const isl::multi_union_pw_aff members = node.as<isl::schedule_node_band>().partial_schedule();
    for (unsigned i = 0; i < members.size(); ++i) {
      const isl::union_pw_aff member = members.at(i).intersect_domain(domain);
      large = large || (Large(member) && Large(member.intersect_params(values)));
    }
    return !large;
  });
  return large;
}

bool LargeValues(const std::vector<StatementRelations>& statements) {
  for (const StatementRelations& statement : statements) {
    for (size_t i = 0; i < statement.values.size(); ++i) {
      if (!statement.bounded[i] && Large(statement.values[i].intersect_domain(*statement.domain)))
        return true;
    }
  }
  return false;
}

// The scop's parameters as they are in `values`, without what it knows of others, which bounds of statements
// and subscripts do not need; `values` where some parameter has no one value.
isl::set OwnParameters(const ParsedScop& scop, const isl::set& values) {
  isl::set own = isl::set::universe(values.space());
  for (const v1::Parameter& parameter : scop.proto.parameters()) {
    const int place = FindDimension(values, isl_dim_param, parameter.name());
    const isl::val value =
        place < 0 ? isl::val::nan(values.ctx()) : PlainFixedValue(values, isl_dim_param, place);
    if (!value.is_int()) return values;
    own = Fix(own, isl_dim_param, place, value);
  }
  return own;
}

// The loop whose iterator is `value`, T -> [v], wherever the instance runs; -1: none. `times`: { T }, one
// dimension for each loop around.
int LoopOf(const isl::pw_aff& value, const isl::set& times) {
  int loop = Dimensions(times, isl_dim_set) - 1;
  while (loop >= 0 && !times.is_subset(value.eq_set(isl::pw_aff(VariableOn(times.space(), loop))))) --loop;
  return loop;
}

// Fills in the expressions of one instance, called while the AST is built.
std::unique_ptr<StatementInstance> Instantiate(const StatementRelations& relations,
                                               const isl::ast_build& build, bool origins) {
  auto instance = std::make_unique<StatementInstance>();
  instance->statement = relations.statement;
  instance->copy = relations.copy;
  // T -> S
  const isl::pw_multi_aff inverse = build.schedule().reverse().as_map().as_pw_multi_aff();
  // Which iteration tiles are filled for, transformations ask.
  const bool fills = relations.copy != nullptr && relations.copy->kind == CopyStatement::Kind::kFillShared;
  instance->has_iterators = origins || fills;
  const int iterators = instance->has_iterators ? Dimensions(inverse, isl_dim_out) : 0;
  for (int i = 0; i < iterators; ++i) instance->iterators.push_back(build.expr_from(inverse.at(i)));
  std::vector<isl::pw_aff> functions;  // T -> [v]
  std::vector<isl::ast_expr> values;
  for (const isl::pw_aff& value : relations.values) {
    functions.push_back(value.pullback(inverse));
    values.push_back(build.expr_from(WithoutFractions(WithoutDomain(functions.back()))));
  }
  for (const StatementRelations::Place& place : relations.places) {
    std::vector<isl::ast_expr> subscripts;
    for (const size_t value : place.subscripts) subscripts.push_back(values[value]);
    instance->accesses.push_back(AccessExpression(place.array, subscripts));
    std::vector<int>& loops = instance->register_loops.emplace_back();
    for (const size_t value : place.subscripts) {
      // Most are an iterator, or a number.
      const bool composed = values[value].isa<isl::ast_expr_op>();
      if (place.in_registers) loops.push_back(composed ? LoopOf(functions[value], inverse.domain()) : -1);
    }
  }
  for (const size_t value : relations.affine) instance->affine.push_back(values[value]);
  return instance;
}

// At most as many as there are bands' members on the way to a leaf.
int Depth(const isl::schedule& schedule) {
  int depth = 0;
  schedule.root().foreach_descendant_top_down([&](isl::schedule_node node) {
    depth = std::max(depth, ScheduleDepth(node));
    return true;
  });
  return depth;
}

// By the name of the mark.
std::map<std::string, isl::ast_expr> Exclusions(const isl::schedule& schedule, const isl::ast_build& build) {
  std::map<std::string, isl::ast_expr> exclusions;
  schedule.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_mark>()) return true;
    const isl::id mark = MarkId(node);
    if (const std::optional<isl::set> others = BlocksWithout(mark))
      exclusions.emplace(mark.name(), build.expr_from(*others));
    return true;
  });
  return exclusions;
}

}  // namespace

isl::ast_build MakeAstBuild(const isl::schedule& schedule, const isl::set& values,
                            const std::string& prefix) {
  const int depth = Depth(schedule);
  std::vector<std::string> iterators;
  for (int i = 0; i < depth; ++i) iterators.push_back(absl::StrCat(prefix, i));
  return MakeBuild(values, iterators);
}

const StatementInstance& BlockAst::instance(const isl::ast_node_user& node) const {
  return *instances.at(Annotation(node).user<int>());
}

isl::schedule Specialise(const isl::schedule& schedule, const ParsedScop& scop, const isl::set& values) {
  isl::union_set domain = isl::union_set::empty(schedule.ctx());  // { S }
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind != v1::Statement::KILL)
      domain = domain.unite(statement.domain.intersect_params(values));
  }
  return IntersectDomain(schedule, domain);
}

BlockAst BuildBlockAst(IslContext& context, const isl::schedule& schedule, const ParsedScop& scop,
                       const isl::set& values, const LocalMemory& memory, const std::string& iterator_prefix,
                       bool origins) {
  std::vector<StatementRelations> statements;
  std::map<std::string, size_t> by_name;
  const isl::set parameters = OwnParameters(scop, values);
  schedule.domain().foreach_set([&](const isl::set& instances) {  // { S }
    const ParsedStatement& statement = scop.statement(TupleName(instances));
    if (statement.kind == v1::Statement::KILL) return;
    by_name[statement.name] = statements.size();
    statements.push_back(Relations(statement, statement.domain.intersect_params(parameters), memory));
  });
  for (const CopyStatement& copy : memory.copies) {
    by_name[copy.name] = statements.size();
    statements.push_back(Relations(copy));
  }
  BlockAst ast;
  ast.needs_long = LargeBands(schedule, parameters, values) || LargeValues(statements);
  isl::ast_build build = MakeAstBuild(schedule, values, iterator_prefix);
  build = build.set_at_each_domain([&](isl::ast_node node, isl::ast_build inner) {
    const auto call = node.as<isl::ast_node_user>().expr().as<isl::ast_expr_op>();
    const std::string name = call.arg(0).as<isl::ast_expr_id>().id().name();
    const isl::id annotation(context.ctx(), "instance", static_cast<int>(ast.instances.size()));
    ast.instances.push_back(Instantiate(statements[by_name.at(name)], inner, origins));
    return WithAnnotation(node, annotation);
  });
  ast.exclusions = Exclusions(schedule, build);
  ast.root = build.node_from(schedule);
  return ast;
}

}  // namespace tune
