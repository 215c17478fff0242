#include "common/transform/split_extrema/value_of_index.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "common/array/element_type.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "common/isl/schedule_part.h"
#include "common/isl/tuple_name.h"
#include "common/program/statement_value.h"
#include "common/scop/expression_parts.h"
#include "common/scop/scop_names.h"
#include "common/transform/added_statement.h"
#include "common/transform/split_extrema/extremum_form.h"
#include "common/transform/split_extrema/outermost_loop.h"
#include "common/transform/statement_pullback.h"

namespace tune {
namespace {

// What k = a[i] > a[k] ? i : k is made of.
struct IndexChoice {
  const ParsedStatement* statement = nullptr;
  std::string index, array;      // k and a
  std::string op;                // between a[i], on the left, and a[k]
  int element = 0, indexed = 0;  // accesses: a[i]; those that a[k] may be
  v1::Expression value;          // i
};

class ChoiceReader {
 public:
  ChoiceReader(const ParsedScop& scop, const ParsedStatement& statement)
      : scop_(scop), statement_(statement), proto_(*statement.proto) {}

  std::optional<IndexChoice> Read() const {
    if (proto_.kind() != v1::Statement::ASSIGN || proto_.update() != v1::NONE ||
        proto_.value().operation().op() != "?:")
      return std::nullopt;
    IndexChoice choice;
    choice.statement = &statement_;
    choice.index = statement_.target().array;
    const auto& operands = proto_.value().operation().operands();
    choice.value = operands[1];
    const std::vector<v1::Expression> conditions = Conjuncts(operands[0]);
    if (scop_.array(choice.index).extents_size() > 0 || !Reads(operands[2], choice.index) ||
        conditions.size() != 1 || !ReadCondition(conditions[0], &choice) || !IsIndexOfElement(choice) ||
        !UsesNothingElse(choice) || IsUsedInNest(choice))
      return std::nullopt;
    return choice;
  }

 private:
  bool Reads(const v1::Expression& expression, const std::string& array) const {
    return expression.kind_case() == v1::Expression::kAccess &&
           proto_.accesses(expression.access()).array() == array;
  }

  bool ReadCondition(const v1::Expression& condition, IndexChoice* choice) const {
    static constexpr const char* kOps[] = {"<", ">", "<=", ">="};
    static constexpr const char* kMirrored[] = {">", "<", ">=", "<="};
    const auto op = std::find(std::begin(kOps), std::end(kOps), condition.operation().op());
    if (op == std::end(kOps) || condition.operation().operands_size() != 2) return false;
    const v1::Expression &left = condition.operation().operands(0),
                         &right = condition.operation().operands(1);
    if (ReadSides(left, right, choice)) {
      choice->op = *op;
      return true;
    }
    choice->op = kMirrored[op - std::begin(kOps)];
    return ReadSides(right, left, choice);
  }

  // a[i] and a[k].
  bool ReadSides(const v1::Expression& element, const v1::Expression& indexed, IndexChoice* choice) const {
    if (element.kind_case() != v1::Expression::kAccess || indexed.operation().op() != kElementOf ||
        indexed.operation().operands_size() != 2 || !Reads(indexed.operation().operands(1), choice->index))
      return false;
    choice->element = element.access();
    choice->indexed = indexed.operation().operands(0).access();
    choice->array = statement_.accesses[choice->element].array;
    return Reads(indexed.operation().operands(0), choice->array) &&
           scop_.array(choice->array).extents_size() == 1;
  }

  // The value that is kept is the subscript of a[i], of k's own type.
  bool IsIndexOfElement(const IndexChoice& choice) const {
    const v1::ElementType type = scop_.array(choice.index).element_type();
    if (choice.value.kind_case() != v1::Expression::kAffine || choice.value.c_type() != ElementCType(type))
      return false;
    const isl::map value = isl::pw_aff(statement_.domain.ctx(), choice.value.affine()).as_map();  // S -> [v]
    const isl::map element = statement_.accesses[choice.element].relation;
    return WithTupleName(value, isl_dim_out, choice.array)
        .intersect_domain(statement_.domain)
        .is_equal(element.intersect_domain(statement_.domain));
  }

  bool UsesNothingElse(const IndexChoice& choice) const {
    constexpr int kOfIndex = 3, kOfArray = 2;  // in a[k], kept, written; a[i] and a[k]
    const auto uses = [&](const std::string& array) {
      return std::count_if(statement_.accesses.begin(), statement_.accesses.end(),
                           [&](const ParsedAccess& access) { return access.array == array; });
    };
    return uses(choice.index) == kOfIndex && uses(choice.array) == kOfArray &&
           statement_.accesses.size() == kOfIndex + kOfArray;
  }

  // Whether something else in the nest has to do with k, or changes an element.
  bool IsUsedInNest(const IndexChoice& choice) const {
    const isl::union_set instances = isl::union_set(statement_.domain).intersect(scop_.domain);
    const isl::schedule_node loop = OutermostLoop(scop_.schedule, instances);
    if (loop.is_null()) return true;
    const isl::union_set nest = NodeDomain(loop);
    return std::any_of(scop_.statements.begin(), scop_.statements.end(), [&](const ParsedStatement& other) {
      return &other != &statement_ && !nest.intersect(isl::union_set(other.domain)).is_empty() &&
             std::any_of(other.accesses.begin(), other.accesses.end(), [&](const ParsedAccess& access) {
               return access.array == choice.index || (access.array == choice.array && access.writes());
             });
    });
  }

  const ParsedScop& scop_;
  const ParsedStatement& statement_;
  const v1::Statement& proto_;
};

class ValueKeeper {
 public:
  explicit ValueKeeper(const ParsedScop& scop)
      : scop_(scop),
        result_(scop.proto),
        names_(NamesOf(scop.proto)),
        origins_(isl::union_pw_multi_aff::empty(scop.domain.ctx())) {
    for (const ParsedStatement& statement : scop.statements) {
      origins_ = origins_.union_add(isl::union_pw_multi_aff(
          isl::pw_multi_aff(statement.domain.space().identity_multi_aff_on_domain())));
    }
  }

  void Keep(const IndexChoice& choice) {
    const v1::Statement original = *choice.statement->proto;
    const std::string value = AddScalar(choice.index + "_value", scop_.array(choice.array).element_type());
    const std::string flag = AddScalar(choice.index + "_better", v1::ELEMENT_TYPE_INT);
    const std::string type(ElementCType(scop_.array(choice.array).element_type()));
    Begin(choice, value, type);

    v1::Statement condition = Bare(original);
    const v1::Expression compared = Element(original, choice, type, &condition);
    const v1::Expression kept = Scalar(value, v1::Access::READ, type, &condition);
    condition.set_target(Scalar(flag, v1::Access::WRITE, "int", &condition).access());
    *condition.mutable_value() = MakeOperation("int", choice.op, {compared, kept});

    v1::Statement values = Bare(original);
    const v1::Expression set = Scalar(flag, v1::Access::READ, "int", &values);
    const v1::Expression taken = Element(original, choice, type, &values);
    const v1::Expression before = Scalar(value, v1::Access::READ, type, &values);
    values.set_target(Scalar(value, v1::Access::WRITE, type, &values).access());
    *values.mutable_value() = MakeOperation(Promoted(type), "?:", {set, taken, before});

    v1::Statement indices = Bare(original);
    const std::string index_type = choice.value.c_type();
    const v1::Expression also_set = Scalar(flag, v1::Access::READ, "int", &indices);
    const v1::Expression index = Scalar(choice.index, v1::Access::READ, index_type, &indices);
    indices.set_target(Scalar(choice.index, v1::Access::WRITE, index_type, &indices).access());
    *indices.mutable_value() =
        MakeOperation(original.value().c_type(), "?:", {also_set, choice.value, index});

    Replace(condition);
    bodies_.push_back({isl::union_set(choice.statement->domain), Add(*choice.statement, values),
                       Add(*choice.statement, indices)});
  }

  v1::Scop Result() {
    const auto order = [&](const isl::schedule_node& node) -> isl::schedule_node {
      if (!node.isa<isl::schedule_node_leaf>()) return node;
      const isl::union_set here = NodeDomain(node);
      for (const std::vector<isl::union_set>& body : bodies_) {
        if (here.intersect(body[0]).is_empty()) continue;
        isl::union_set_list filters(node.ctx(), static_cast<int>(body.size()));
        for (const isl::union_set& statement : body) filters = filters.add(statement);
        return node.insert_sequence(filters);
      }
      return node;
    };
    const isl::schedule pulled = scop_.schedule.pullback(origins_);
    const isl::schedule moved = pulled.root().map_descendant_bottom_up(order).schedule();
    const auto other = [&](const isl::union_set& part) -> std::optional<isl::schedule> {
      isl::schedule before;
      for (size_t i = 0; i < bodies_.size(); ++i) {
        if (part.intersect(bodies_[i][0]).is_empty()) continue;
        before = before.is_null() ? begins_[i] : ScheduleSequence(before, begins_[i]);
      }
      if (before.is_null()) return std::nullopt;
      return ScheduleSequence(before, SchedulePart(OutermostLoop(moved, part), part));
    };
    result_.set_schedule(IslText(SchedulePart(moved.root().child(0), moved.domain(), other)));
    return result_;
  }

 private:
  std::string AddScalar(std::string name, v1::ElementType type) {
    while (!names_.insert(name).second) name += "_";
    v1::Array* array = result_.add_arrays();
    array->set_name(name);
    array->set_element_type(type);
    array->set_declared_inside(true);
    return name;
  }

  std::string NewName() const { return absl::StrCat("S", result_.statements_size()); }

  // C's type of `c ? x : y`.
  static std::string Promoted(const std::string& type) {
    const bool narrow = type.find("char") != std::string::npos || type.find("short") != std::string::npos;
    return narrow ? "int" : type;
  }

  // The statement without accesses and value.
  static v1::Statement Bare(v1::Statement statement) {
    statement.clear_accesses();
    statement.clear_value();
    return statement;
  }

  static v1::Expression Element(const v1::Statement& original, const IndexChoice& choice,
                                const std::string& type, v1::Statement* statement) {
    *statement->add_accesses() = original.accesses(choice.element);
    return AccessOf(statement->accesses_size() - 1, type);
  }

  // An access of the scalar in all of the statement's instances.
  v1::Expression Scalar(const std::string& name, v1::Access::Kind kind, const std::string& type,
                        v1::Statement* statement) const {
    const isl::space space = scop_.statement(statement->name()).domain.space();
    const isl::set scalar(space.ctx(), "{ " + name + "[] }");
    return AccessOf(AddAccess(MapFromDomainAndRange(isl::set::universe(space), scalar), kind, statement),
                    type);
  }

  void Replace(const v1::Statement& statement) {
    for (v1::Statement& each : *result_.mutable_statements()) {
      if (each.name() == statement.name()) each = statement;
    }
  }

  // Adds `added`, which has the statement's instances, under a name of its own; its instances.
  isl::union_set Add(const ParsedStatement& statement, const v1::Statement& added) {
    const isl::multi_aff origin = InstancesNamed(NewName(), statement);
    ParsedStatement parsed = statement;
    parsed.accesses.clear();
    for (const v1::Access& access : added.accesses())
      parsed.accesses.push_back({access.array(), access.kind(), isl::map(origin.ctx(), access.relation())});
    v1::Statement* result = result_.add_statements();
    *result = added;
    PullBack(parsed, origin, result);
    const isl::set instances = statement.domain.preimage(origin);
    result->set_domain(IslText(instances));
    origins_ = origins_.union_add(isl::union_pw_multi_aff(isl::pw_multi_aff(origin)));
    return isl::union_set(instances);
  }

  // m = a[k]
  void Begin(const IndexChoice& choice, const std::string& value, const std::string& type) {
    // Where the nest has no iteration nobody says that there is an element k.
    const isl::set once = isl::set(scop_.domain.ctx(), "{ " + NewName() + "[] }")
                              .intersect_params(choice.statement->domain.params());
    const auto all = [&](const std::string& name) {
      return MapFromDomainAndRange(once, isl::set(once.ctx(), "{ " + name + "[] }"));
    };
    v1::Statement* statement = AddStatement(once, choice.statement->proto->line(), &result_);
    const isl::set elements = choice.statement->accesses[choice.indexed].relation.range();
    const int index = AddAccess(all(choice.index), v1::Access::READ, statement);
    const int element = AddAccess(MapFromDomainAndRange(once, elements), v1::Access::READ, statement);
    statement->set_target(AddAccess(all(value), v1::Access::WRITE, statement));
    *statement->mutable_value() =
        MakeOperation(type, kElementOf, {AccessOf(element, type), AccessOf(index, choice.value.c_type())});
    begins_.push_back(isl::schedule::from_domain(isl::union_set(once)));
  }

  const ParsedScop& scop_;
  v1::Scop result_;
  std::set<std::string> names_;  // C identifiers that are taken
  // Of each choice what stands before its nest, and its statements in their order.
  std::vector<isl::schedule> begins_;
  std::vector<std::vector<isl::union_set>> bodies_;
  isl::union_pw_multi_aff origins_;  // { S' -> S }
};

}  // namespace

std::optional<v1::Scop> WithValuesOfIndices(const ParsedScop& scop) {
  ValueKeeper keeper(scop);
  bool any = false;
  for (const ParsedStatement& statement : scop.statements) {
    const std::optional<IndexChoice> choice = ChoiceReader(scop, statement).Read();
    if (!choice) continue;
    keeper.Keep(*choice);
    any = true;
  }
  if (!any) return std::nullopt;
  return keeper.Result();
}

}  // namespace tune
