#include "client/extract/statements/statement_body.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/statements/complex_value.h"
#include "client/extract/statements/update_form.h"
#include "client/extract/statements/value_expression.h"
#include "common/array/element_type.h"
#include "common/isl/dimensions.h"
#include "common/isl/tuple_name.h"
#include "common/program/statement_value.h"
#include "common/scop/expression_parts.h"

namespace tune {
namespace {

int LineOf(const Region& region, clang::SourceLocation location) {
  return static_cast<int>(region.ast.getSourceManager().getExpansionLineNumber(location));
}

const clang::Expr& TargetOf(const clang::Expr& assignment) {
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&assignment))
    return *unary->getSubExpr()->IgnoreParens();
  return *llvm::cast<clang::BinaryOperator>(assignment).getLHS()->IgnoreParens();
}

class Builder {
 public:
  Builder(Region& region, const StatementPlace& place, ArrayTable& arrays)
      : region_(region), place_(place), arrays_(arrays), reader_(region, place.nest, place.name) {}

  Accepted<v1::Statement> Assignment(const clang::Expr& assignment) {
    const clang::Expr& lvalue = TargetOf(assignment);
    if (const clang::VarDecl* variable = NamedVariable(&lvalue);
        variable != nullptr && region_.variables.IsIterator(variable)) {
      return Refusal{assignment.getSourceRange(),
                     absl::StrCat("`", variable->getNameAsString(),
                                  "` is the iterator of a loop, and written elsewhere"),
                     "change iterators in loop headers only; use another variable for other values"};
    }
    TUNE_ASSIGN_OR_REFUSE(Element target, ReadElement(region_, place_.nest, lvalue));
    TUNE_ASSIGN_OR_REFUSE(bool is_update, Update(assignment, target));
    const bool by_data = !target.by_data.empty();
    if (!is_update && by_data) {
      TUNE_ASSIGN_OR_REFUSE(*statement_.mutable_value(), DataStore(assignment, target));
    } else if (!is_update) {
      TUNE_ASSIGN_OR_REFUSE(std::optional<v1::Expression> holds, reader_.ReadGuards());
      TUNE_ASSIGN_OR_REFUSE(v1::Expression value, PlainValue(assignment, target));
      *statement_.mutable_value() = Guarded(std::move(holds), std::move(value), target, lvalue);
    }
    return Finish(std::move(target), is_update || by_data ? v1::Access::UPDATE : v1::Access::WRITE,
                  lvalue.getSourceRange(), assignment.getExprLoc());
  }

  // `initial`: null for zero.
  Accepted<v1::Statement> Initializer(const clang::VarDecl& variable, const std::vector<int64_t>& subscripts,
                                      const clang::Expr* initial) {
    TUNE_ASSIGN_OR_REFUSE(std::optional<v1::Expression> holds, reader_.ReadGuards());
    v1::Expression value;
    value.set_literal("0");
    value.set_c_type("int");
    if (initial != nullptr) {
      TUNE_ASSIGN_OR_REFUSE(value, reader_.Read(*initial));
    }
    // Where the guards do not hold nobody reads the variable, and the value may be one that C may not
    // compute.
    *statement_.mutable_value() = holds ? OrNeutral(*std::move(holds), v1::NONE, std::move(value)) : value;
    Element target{&variable, {}};
    const isl::aff zero = isl::aff::zero_on_domain(region_.parameter_space);
    for (const int64_t subscript : subscripts)
      target.subscripts.push_back(isl::pw_aff(zero.add_constant(static_cast<long>(subscript))));
    return Finish(std::move(target), v1::Access::WRITE, variable.getSourceRange(), variable.getLocation());
  }

  std::optional<Accepted<v1::Statement>> EitherAssignment(const clang::Expr& condition,
                                                          const clang::Expr& then,
                                                          const clang::Expr& otherwise) {
    if (InnerAssignment(then) != nullptr || InnerAssignment(otherwise) != nullptr) return std::nullopt;
    const clang::Expr& lvalue = TargetOf(then);
    Accepted<Element> target = ReadElement(region_, place_.nest, lvalue);
    const Accepted<Element> other = ReadElement(region_, place_.nest, TargetOf(otherwise));
    if (IsRefused(target) || IsRefused(other)) return std::nullopt;
    if (!IsSame(place_.nest, std::get<0>(target), std::get<0>(other))) return std::nullopt;
    if (!std::get<0>(target).by_data.empty()) return std::nullopt;
    return Either(condition, then, otherwise, std::get<0>(std::move(target)));
  }

  Accepted<v1::Statement> ConditionValue(const Guard& kept, clang::SourceRange use,
                                         const clang::VarDecl& variable) {
    TUNE_ASSIGN_OR_REFUSE(std::optional<v1::Expression> holds, reader_.ReadGuards());
    TUNE_ASSIGN_OR_REFUSE(v1::Expression value, reader_.ReadGuard(kept));
    value = ValueReader::Operation("int", "!=", {std::move(value), Literal("0", "int")});
    if (holds) value = ValueReader::Operation("int", "&&", {*std::move(holds), std::move(value)});
    *statement_.mutable_value() = std::move(value);
    return Finish(Element{&variable, {}}, v1::Access::WRITE, use, use.getBegin());
  }

  v1::Statement Kill(const clang::VarDecl& variable, unsigned dimensions) {
    arrays_.Find(&variable, variable.getSourceRange());
    std::string name = region_.variables.UniqueName(&variable);
    isl::map relation = BindAccess(region_, place_.nest, place_.name, name, {});
    relation = InsertDimensions(relation, isl_dim_out, 0, dimensions);
    relation = WithTupleName(relation, isl_dim_out, name);
    AddAccess(name, v1::Access::WRITE, relation);
    Describe(v1::Statement::KILL, variable.getLocation());
    return std::move(statement_);
  }

 private:
  // Fills update and value when the assignment has an update form that may be used.
  Accepted<bool> Update(const clang::Expr& assignment, const Element& target) {
    const std::vector<Guard>& guards = place_.nest.guards;
    std::optional<UpdateForm> form;
    if (guards.size() == 1) form = MatchGuardedUpdate(region_, place_.nest, target, guards[0], assignment);
    const bool guards_are_form = form.has_value();
    if (!form) form = MatchUpdate(region_, place_.nest, target, assignment);
    if (!form) return false;
    ValueReader reader(region_, place_.nest, place_.name);
    std::optional<v1::Expression> holds;
    if (!guards_are_form) {
      TUNE_ASSIGN_OR_REFUSE(holds, reader.ReadGuards());
    }
    // No value leaves every x as the larger or the smaller one.
    if (holds && (form->update == v1::MIN || form->update == v1::MAX)) return false;
    v1::Expression value = Literal("1", "int");
    if (form->operand != nullptr) {
      TUNE_ASSIGN_OR_REFUSE(value, reader.Read(WithoutImaginaryZero(*form->operand)));
    }
    std::vector<v1::Expression> subscripts;
    if (!target.by_data.empty()) {
      TUNE_ASSIGN_OR_REFUSE(subscripts, reader.ReadSubscripts(target));
    }
    for (const ValueReader::Access& access : reader.accesses()) {
      if (MayBeSame(place_.nest, access.element, target)) return false;
    }
    if (form->negated) value = Negate(*form, std::move(value));
    if (holds) {
      // A sum in floating point: x + 0 is not x where x is -0.0, whatever the type of the 0.
      if (form->type->isFloatingType())
        value = ConvertedTo(ValueTypeName(region_.ast, form->type), std::move(value));
      OrFirst(*holds, target, &subscripts);
      value = OrNeutral(*std::move(holds), form->update, std::move(value));
    }
    if (!subscripts.empty()) {
      subscripts.insert(subscripts.begin(), std::move(value));
      const std::string type = subscripts[0].c_type();
      value = ValueReader::Operation(type, kUpdateOf, std::move(subscripts));
    }
    reader_.accesses() = std::move(reader.accesses());
    statement_.set_update(form->update);
    *statement_.mutable_value() = std::move(value);
    return true;
  }

  // What is stored in an element that data decide, and which one: `b[idx[i]] = value`, and `b[idx[i]] /=
  // value` and other assignments that are no updates. Where the guards do not hold the first element keeps
  // its value.
  Accepted<v1::Expression> DataStore(const clang::Expr& assignment, const Element& target) {
    const DataSubscript& subscript = target.by_data.begin()->second;
    const DataReads reads = FindDataReads(region_.variables, *subscript.expression);
    const clang::Expr& lvalue = TargetOf(assignment);
    // Numbers that the region sets are refused as subscripts where data have no part in that, or where they
    // may turn out to be affine.
    const ValueOrigins origins = FindValueOrigins(*subscript.expression, region_.variables.set_values());
    const bool is_of_data = reads.elements || (reads.any && origins.data && !origins.from_before);
    if (!is_of_data) {
      Refusal refusal = subscript.not_affine;
      if (reads.any) {
        refusal.remedy =
            "update the element by +=, -=, *=, or to the smaller or larger value; assign as `b[idx[i]] = x`, "
            "with what decides in the subscript itself; or leave the statement outside of the region";
      }
      return refusal;
    }
    TUNE_ASSIGN_OR_REFUSE(std::optional<v1::Expression> holds, reader_.ReadGuards());
    TUNE_ASSIGN_OR_REFUSE(v1::Expression value, PlainValue(assignment, target));
    TUNE_ASSIGN_OR_REFUSE(std::vector<v1::Expression> subscripts, reader_.ReadSubscripts(target));
    if (holds) {
      const std::string type = ValueTypeName(region_.ast, lvalue.getType());
      OrFirst(*holds, target, &subscripts);
      v1::Expression self = OldValue(lvalue, target);
      std::vector<v1::Expression> element = subscripts;
      element.insert(element.begin(), std::move(self));
      value = ValueReader::Operation(Promoted(type), "?:",
                                     {*std::move(holds), ConvertedTo(type, std::move(value)),
                                      ValueReader::Operation(type, kElementOf, std::move(element))});
    }
    subscripts.insert(subscripts.begin(), std::move(value));
    const std::string type = subscripts[0].c_type();
    return ValueReader::Operation(type, kUpdateOf, std::move(subscripts));
  }

  // The subscripts where the guards hold; elsewhere, where C may not compute those of data, zero in place of
  // them: in the same row, as other iterations may be about others at the same time.
  static void OrFirst(const v1::Expression& holds, const Element& target,
                      std::vector<v1::Expression>* subscripts) {
    for (size_t i = 0; i < subscripts->size(); ++i) {
      if (target.by_data.count(static_cast<int>(i)) == 0) continue;
      v1::Expression& subscript = (*subscripts)[i];
      const std::string type = Promoted(subscript.c_type());
      subscript = ValueReader::Operation(type, "?:", {holds, std::move(subscript), Literal("0", "int")});
    }
  }

  // The value that C stores in an object of this type: of _Bool, whether it is not zero.
  static v1::Expression Stored(v1::Expression value, clang::QualType type) {
    return type->isBooleanType() ? ValueReader::Truth(std::move(value)) : value;
  }

  // -value in the type in which C would subtract: the negation of a narrower or unsigned value differs.
  v1::Expression Negate(const UpdateForm& form, v1::Expression value) const {
    std::string type = ValueTypeName(region_.ast, form.type);
    bool integer = value.c_type() != "float" && value.c_type() != "double";
    if (form.operand != nullptr && integer) value = ConvertedTo(type, std::move(value));
    type = value.c_type();
    return ValueReader::Operation(type, "-", {std::move(value)});
  }

  static v1::Expression Literal(absl::string_view text, absl::string_view c_type) {
    v1::Expression literal;
    literal.set_literal(std::string(text));
    literal.set_c_type(std::string(c_type));
    return literal;
  }

  // The type of `c ? v : 0` for a v of this type.
  static std::string Promoted(const std::string& c_type) {
    static const auto* const kNarrow =
        new std::set<std::string>{"_Bool", "char", "signed char", "unsigned char", "short", "unsigned short"};
    return kNarrow->count(c_type) > 0 ? "int" : c_type;
  }

  // The value where the guards hold, and elsewhere what changes no x: x + -0.0 is x, and x + 0.0 is not where
  // x is -0.0.
  static v1::Expression OrNeutral(v1::Expression holds, v1::UpdateOperator update, v1::Expression value) {
    const std::string type = Promoted(value.c_type());
    const bool is_complex = IsComplexType(type);
    const bool floating = is_complex || type == "float" || type == "double" || type == "long double";
    v1::Expression neutral = Literal(update == v1::MULTIPLY ? "1" : "0", "int");
    if (floating && update == v1::ADD) {
      const std::string of = type == "float" || type == kComplexFloatType ? "float" : "double";
      neutral = ValueReader::Operation(of, "-", {Literal(of == "float" ? "0.0f" : "0.0", of)});
      // The imaginary part of the conversion is 0, of its conjugate -0.
      if (is_complex) neutral = ValueReader::Operation(type, "~", {ConvertedTo(type, std::move(neutral))});
    }
    return ValueReader::Operation(type, "?:", {std::move(holds), std::move(value), std::move(neutral)});
  }

  // The value where the guards hold, elsewhere what the element has: both in the element's type, so that it
  // goes through no other.
  v1::Expression Guarded(std::optional<v1::Expression> holds, v1::Expression value, const Element& target,
                         const clang::Expr& lvalue) {
    if (!holds) return value;
    const std::string type = ValueTypeName(region_.ast, lvalue.getType());
    v1::Expression self = OldValue(lvalue, target);
    return ValueReader::Operation(
        Promoted(type), "?:", {*std::move(holds), ConvertedTo(type, std::move(value)), std::move(self)});
  }

  // What the element has before it is set, of which an access is added.
  v1::Expression OldValue(const clang::Expr& lvalue, const Element& target) {
    v1::Expression self;
    self.set_c_type(ValueTypeName(region_.ast, lvalue.getType()));
    self.set_access(reader_.Add(target, v1::Access::READ, lvalue.getSourceRange()));
    return self;
  }

  // The value of that, also of an element that data decide.
  Accepted<v1::Expression> Current(const clang::Expr& lvalue, const Element& target) {
    if (target.by_data.empty()) return OldValue(lvalue, target);
    return reader_.ReadElementValue(lvalue);
  }

  Accepted<v1::Statement> Either(const clang::Expr& condition, const clang::Expr& then,
                                 const clang::Expr& otherwise, Element target) {
    const clang::Expr& lvalue = TargetOf(then);
    const std::string type = ValueTypeName(region_.ast, lvalue.getType());
    TUNE_ASSIGN_OR_REFUSE(std::optional<v1::Expression> holds, reader_.ReadGuards());
    TUNE_ASSIGN_OR_REFUSE(v1::Expression choice, reader_.Read(condition));
    reader_.Doubt();
    TUNE_ASSIGN_OR_REFUSE(v1::Expression first, PlainValue(then, target));
    TUNE_ASSIGN_OR_REFUSE(v1::Expression second, PlainValue(otherwise, target));
    v1::Expression value = ValueReader::Operation(
        Promoted(type),
        "?:", {std::move(choice), ConvertedTo(type, std::move(first)), ConvertedTo(type, std::move(second))});
    *statement_.mutable_value() = Guarded(std::move(holds), std::move(value), target, lvalue);
    return Finish(std::move(target), v1::Access::WRITE, lvalue.getSourceRange(), then.getExprLoc());
  }

  Accepted<v1::Expression> PlainValue(const clang::Expr& assignment, const Element& target) {
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&assignment)) {
      if (!unary->getType()->isFloat16Type())
        return Refusal{unary->getSourceRange(), "an increment that is not understood", "write x = x + 1"};
      TUNE_ASSIGN_OR_REFUSE(v1::Expression old, Current(*unary->getSubExpr(), target));
      return ValueReader::Operation(kHalfType, unary->isIncrementOp() ? "+" : "-",
                                    {std::move(old), Literal("1", "int")});
    }
    const auto& operation = llvm::cast<clang::BinaryOperator>(assignment);
    const clang::QualType stored = operation.getLHS()->getType();
    if (const clang::Expr* inner = InnerAssignment(assignment)) {
      TUNE_ASSIGN_OR_REFUSE(v1::Expression value, reader_.ReadElementValue(TargetOf(*inner)));
      return Stored(std::move(value), stored);
    }
    if (operation.getOpcode() == clang::BO_Assign) return reader_.Read(*operation.getRHS());
    const auto& compound = llvm::cast<clang::CompoundAssignOperator>(assignment);
    TUNE_ASSIGN_OR_REFUSE(v1::Expression self, Current(*compound.getLHS(), target));
    TUNE_ASSIGN_OR_REFUSE(v1::Expression operand, reader_.Read(WithoutImaginaryZero(*compound.getRHS())));
    clang::BinaryOperatorKind op = clang::BinaryOperator::getOpForCompoundAssignment(compound.getOpcode());
    v1::Expression value = reader_.Operation(compound, clang::BinaryOperator::getOpcodeStr(op).str(),
                                             {std::move(self), std::move(operand)});
    value.set_c_type(ValueTypeName(region_.ast, compound.getComputationResultType()));
    if (compound.getComputationResultType()->isAnyComplexType())
      value = ConvertedTo(ValueTypeName(region_.ast, stored), std::move(value));
    return Stored(std::move(value), stored);
  }

  v1::Statement Finish(Element target, v1::Access::Kind kind, clang::SourceRange use,
                       clang::SourceLocation place) {
    statement_.set_target(reader_.Add(std::move(target), kind, use));
    LoopNest reached = place_.nest;
    for (const ValueReader::Access& access : reader_.accesses()) {
      ArrayTable::Entry& entry = arrays_.Find(access.element.array, access.use, access.element.member);
      isl::map relation = BindElement(region_, place_.nest, place_.name, entry.name, access.element);
      entry.is_written = entry.is_written || access.kind != v1::Access::READ;
      reached.domain = access.reached;
      entry.accessed.push_back(relation.intersect_domain(BindDomain(region_, reached, place_.name)));
      if (access.certain) entry.certain.emplace_back(entry.accessed.back(), access.use);
      AddAccess(entry.name, access.kind, relation);
    }
    Describe(v1::Statement::ASSIGN, place);
    return std::move(statement_);
  }

  void AddAccess(const std::string& array, v1::Access::Kind kind, const isl::map& relation) {
    v1::Access* access = statement_.add_accesses();
    access->set_array(array);
    access->set_kind(kind);
    access->set_relation(IslText(relation));
  }

  void Describe(v1::Statement::Kind kind, clang::SourceLocation place) {
    statement_.set_name(place_.name);
    statement_.set_kind(kind);
    for (const Iterator& iterator : place_.nest.iterators) statement_.add_iterators(iterator.id.name());
    statement_.set_domain(IslText(BindDomain(region_, place_.nest, place_.name)));
    statement_.set_line(LineOf(region_, place));
  }

  Region& region_;
  const StatementPlace& place_;
  ArrayTable& arrays_;
  ValueReader reader_;
  v1::Statement statement_;
};

}  // namespace

bool IsAssignment(const clang::Expr& expression) {
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expression))
    return unary->isIncrementDecrementOp();
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression);
  return binary != nullptr && binary->isAssignmentOp();
}

const clang::Expr* InnerAssignment(const clang::Expr& assignment) {
  const auto* outer = llvm::dyn_cast<clang::BinaryOperator>(&assignment);
  if (outer == nullptr || outer->getOpcode() != clang::BO_Assign) return nullptr;
  const auto* inner = llvm::dyn_cast<clang::BinaryOperator>(Bare(outer->getRHS()));
  return inner != nullptr && inner->isAssignmentOp() ? inner : nullptr;
}

Accepted<v1::Statement> ReadAssignment(Region& region, const StatementPlace& place, ArrayTable& arrays,
                                       const clang::Expr& assignment) {
  return Builder(region, place, arrays).Assignment(assignment);
}

std::optional<Accepted<v1::Statement>> ReadEitherAssignment(Region& region, const StatementPlace& place,
                                                            ArrayTable& arrays, const clang::Expr& condition,
                                                            const clang::Expr& then,
                                                            const clang::Expr& otherwise) {
  return Builder(region, place, arrays).EitherAssignment(condition, then, otherwise);
}

Accepted<v1::Statement> ReadConditionValue(Region& region, const StatementPlace& place, ArrayTable& arrays,
                                           const Guard& kept, clang::SourceRange use,
                                           const clang::VarDecl& variable) {
  return Builder(region, place, arrays).ConditionValue(kept, use, variable);
}

Accepted<v1::Statement> ReadInitializer(Region& region, const StatementPlace& place, ArrayTable& arrays,
                                        const clang::VarDecl& variable, const clang::Expr& value) {
  return Builder(region, place, arrays).Initializer(variable, {}, &value);
}

Accepted<v1::Statement> ReadElementInitializer(Region& region, const StatementPlace& place,
                                               ArrayTable& arrays, const clang::VarDecl& variable,
                                               const std::vector<int64_t>& subscripts,
                                               const clang::Expr* value) {
  return Builder(region, place, arrays).Initializer(variable, subscripts, value);
}

v1::Statement MakeKill(Region& region, const StatementPlace& place, ArrayTable& arrays,
                       const clang::VarDecl& variable) {
  unsigned dimensions = 0;
  for (const clang::ArrayType* type = region.ast.getAsArrayType(variable.getType()); type != nullptr;
       type = region.ast.getAsArrayType(type->getElementType())) {
    ++dimensions;
  }
  return Builder(region, place, arrays).Kill(variable, dimensions);
}

}  // namespace tune
