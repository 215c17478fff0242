#include "client/extract/structures/structure_member.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/tree/write_visitor.h"
#include "common/array/element_type.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"

namespace tune {
namespace {

constexpr size_t kMostPlaces = 10'000;
constexpr char kCopyMember[] = "copy it to a variable, or an array of its own, before the region";

isl::pw_aff Number(const Region& region, int64_t value) {
  const isl::aff zero = isl::aff::zero_on_domain(region.parameter_space);
  return isl::pw_aff(zero.add_constant(isl::val(region.ctx, std::to_string(value))));
}

int64_t BytesOf(const clang::ASTContext& ast, clang::QualType type) {
  return ast.getTypeSizeInChars(type).getQuantity();
}

// Whether generated code can look at a member by the member's own type, or one that C takes for the same. In
// C++ an enumeration is none of the integers.
bool HasElements(const clang::ASTContext& ast, clang::QualType type) {
  return ElementTypeOf(ast, type) && !(type->isEnumeralType() && ast.getLangOpts().CPlusPlus);
}

// Whether C calls it as generated code does.
bool IsNamedByScop(const clang::ASTContext& ast, clang::QualType type) {
  return type->getAs<clang::BuiltinType>() != nullptr && !type->isBooleanType() &&
         CTypeName(ast, type) == ElementCType(*ElementTypeOf(ast, type));
}

// Structure.member_type.
std::string MemberType(const clang::ASTContext& ast, clang::QualType type) {
  const std::string name = CTypeName(ast, type);
  return type->isBooleanType() || name == ElementCType(*ElementTypeOf(ast, type)) ? "" : name;
}

bool IsLastField(const clang::FieldDecl& field) {
  const auto* structure = field.getParent();
  return field.getFieldIndex() + 1 ==
         static_cast<unsigned>(std::distance(structure->field_begin(), structure->field_end()));
}

// The variable whose member an lvalue is, in whatever structures, but not in an array that is a member; null
// for others.
const clang::VarDecl* StructureOf(const clang::Expr& lvalue) {
  const clang::Expr* object = Bare(&lvalue);
  if (!llvm::isa<clang::MemberExpr>(object)) return nullptr;
  while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(object)) object = Bare(member->getBase());
  while (true) {
    const auto* pointed = llvm::dyn_cast<clang::UnaryOperator>(object);
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(object);
    if (element != nullptr) {
      object = Bare(element->getBase());
    } else if (pointed != nullptr && pointed->getOpcode() == clang::UO_Deref) {
      object = Bare(pointed->getSubExpr());
    } else {
      return NamedVariable(object);
    }
  }
}

// Adds what of an object at `begin` is of the type `number`: bytes, in order, neighbours joined.
void AppendNumbers(const clang::ASTContext& ast, clang::QualType object, const clang::Type* number,
                   int64_t begin, std::vector<std::pair<int64_t, int64_t>>* all) {
  const clang::QualType type = object.getCanonicalType().getUnqualifiedType();
  const auto append = [&](int64_t end) {
    if (!all->empty() && all->back().second == begin) {
      all->back().second = end;
    } else {
      all->emplace_back(begin, end);
    }
  };
  if (type.getTypePtr() == number) return append(begin + BytesOf(ast, type));
  if (const auto* array = ast.getAsConstantArrayType(type)) {
    const auto length = static_cast<int64_t>(array->getSize().getZExtValue());
    const int64_t bytes = BytesOf(ast, array->getElementType());
    std::vector<std::pair<int64_t, int64_t>> of_element;
    AppendNumbers(ast, array->getElementType(), number, 0, &of_element);
    if (of_element == std::vector<std::pair<int64_t, int64_t>>{{0, bytes}})
      return append(begin + length * bytes);
    for (int64_t i = 0; i < length && !of_element.empty() && all->size() <= kMostPlaces; ++i)
      AppendNumbers(ast, array->getElementType(), number, begin + i * bytes, all);
    return;
  }
  const clang::RecordDecl* structure = type->getAsRecordDecl();
  if (structure == nullptr || structure->isUnion()) return;
  for (const clang::FieldDecl* field : structure->fields()) {
    if (field->isBitField()) continue;
    const auto bits = static_cast<int64_t>(ast.getFieldOffset(field));
    AppendNumbers(ast, field->getType(), number, begin + ast.toCharUnitsFromBits(bits).getQuantity(), all);
  }
}

// The name of a type of structures that means it behind the file's last line; empty where there is none.
std::string NameOf(clang::QualType type) {
  const clang::RecordDecl* structure = type->getAsRecordDecl();
  if (structure == nullptr || !structure->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return "";
  return NameOfStructure(*structure);
}

}  // namespace

std::string NameOfStructure(const clang::RecordDecl& structure) {
  if (structure.getIdentifier() != nullptr) return absl::StrCat("struct ", structure.getName().str());
  const clang::TypedefNameDecl* name = structure.getTypedefNameForAnonDecl();
  return name == nullptr ? "" : name->getName().str();
}

std::optional<Refusal> MemberPlace::Enter(const Region& region, const clang::MemberExpr& member) {
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
  const auto refuse = [&](std::string reason, std::string remedy = kCopyMember) {
    return Refusal{member.getSourceRange(), std::move(reason), std::move(remedy)};
  };
  if (field == nullptr || field->getParent()->isUnion())
    return refuse("a member of a union, whose memory others of its members share");
  const auto* object = llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent());
  if (object != nullptr && !(object->isStandardLayout() && object->isTriviallyCopyable()))
    return refuse("a member of a class that is more than its members");
  if (field->isBitField()) return refuse("a bit-field, which has no address");
  const uint64_t bits = region.ast.getFieldOffset(field);
  bytes_ += region.ast.toCharUnitsFromBits(static_cast<int64_t>(bits)).getQuantity();
  fields_.push_back(field);
  if (field->getIdentifier() != nullptr) path_.push_back(field->getNameAsString());
  const auto* array = region.ast.getAsConstantArrayType(field->getType());
  const bool is_short = array != nullptr && array->getSize().ule(1);
  if (field->getType()->isIncompleteArrayType() || (is_short && IsLastField(*field))) {
    return refuse("an array at the end of a structure, which may have more elements than are declared",
                  "let a pointer that is set before the region point to it");
  }
  return std::nullopt;
}

std::optional<Refusal> MemberPlace::Subscript(Region& region, const isl::set& reached,
                                              const isl::pw_aff& subscript, clang::QualType element,
                                              clang::SourceRange use) {
  const int64_t length = length_.value_or(1);
  length_.reset();
  path_.emplace_back();
  steps_.push_back({subscript, BytesOf(region.ast, element), length});
  const auto over_parameters = [&](isl::set set) {
    for (int i = Dimensions(set, isl_dim_param) - 1; i >= 0; --i) {
      const isl::id id = isl::id(region.ctx, DimensionName(set, isl_dim_param, i));
      if (FindDimension(region.parameter_space, isl_dim_param, id.name()) < 0)
        set = set.project_out_param(id);
    }
    return set;
  };
  const isl::set outside = subscript.lt_set(Number(region, 0))
                               .unite(subscript.ge_set(Number(region, length)))
                               .intersect(reached)
                               .intersect(region.context);
  if (outside.is_empty()) return std::nullopt;
  const isl::set sound = region.context.subtract(over_parameters(outside));
  if (sound.is_disjoint(over_parameters(reached))) {
    return Refusal{use, absl::StrCat("a subscript outside of a member that has ", length, " elements"),
                   "correct the bound of the loop, or the size of the member"};
  }
  region.context = sound.coalesce();
  return std::nullopt;
}

std::string MemberPlace::Path(int second) const {
  std::string path;
  int step = 0;
  for (const std::string& part : path_) {
    if (part.empty()) {
      absl::StrAppend(&path, "[", step++ == second ? 1 : 0, "]");
    } else {
      absl::StrAppend(&path, path.empty() ? "" : ".", part);
    }
  }
  return path;
}

Accepted<isl::pw_aff> MemberPlace::InElements(Region& region, const clang::VarDecl& variable,
                                              const clang::Expr& lvalue, bool is_single) const {
  const clang::ASTContext& ast = region.ast;
  const clang::QualType type = lvalue.getType().getCanonicalType().getUnqualifiedType();
  StructureUse& use =
      region.structures.try_emplace(&variable, StructureUse{structure_.getCanonicalType().getTypePtr()})
          .first->second;
  use.is_array = use.is_array || !is_single || region.set_structures.count(&variable) > 0;
  if (!HasElements(ast, type) || (!use.is_array && !IsNamedByScop(ast, type))) {
    return Refusal{
        lvalue.getSourceRange(),
        absl::StrCat("a member of a structure, of type ", type.getAsString(ast.getPrintingPolicy())),
        "let members be integers, truth values, float, double, or complex numbers of these; or copy it to "
        "a variable, or an array of its own, before the region"};
  }
  const int64_t size = BytesOf(ast, type);
  bool is_multiple = BytesOf(ast, structure_) % size == 0 && bytes_ % size == 0 &&
                     ast.getTypeAlign(structure_) >= ast.getTypeAlign(type);
  for (const Step& step : steps_) is_multiple = is_multiple && step.bytes % size == 0;
  if (!is_multiple) {
    return Refusal{lvalue.getSourceRange(),
                   "a member of a structure in which not all stands at multiples of the member's size",
                   kCopyMember};
  }
  if (!use.is_array && !use.types.empty() && use.Find(type.getTypePtr()) == nullptr) {
    return Refusal{
        lvalue.getSourceRange(),
        absl::StrCat("a member of type ", type.getAsString(ast.getPrintingPolicy()), ", and others of `",
                     variable.getNameAsString(), "` that the region uses have type ",
                     clang::QualType(use.types[0].type, 0).getAsString(ast.getPrintingPolicy())),
        kCopyMember};
  }
  StructureUse::Members& used = use.Of(type.getTypePtr());
  region.members.insert(fields_.begin(), fields_.end());
  const int64_t place = bytes_ / size;
  used.places.emplace(Path(-1), place);
  isl::pw_aff subscript = Number(region, place);
  for (size_t i = 0; i < steps_.size(); ++i) {
    const int64_t elements = steps_[i].bytes / size;
    subscript = subscript.add(steps_[i].subscript.mul(Number(region, elements)));
    if (steps_[i].length > 1) used.places.emplace(Path(static_cast<int>(i)), place + elements);
  }
  return subscript;
}

std::set<const clang::VarDecl*> StructuresSetIn(const std::vector<const clang::Stmt*>& statements) {
  struct Writes : WriteVisitor {
    bool VisitWrite(clang::Expr* target, clang::Expr*) override {
      if (const clang::VarDecl* variable = StructureOf(*target)) all.insert(variable);
      return true;
    }
    std::set<const clang::VarDecl*> all;
  } writes;
  for (const clang::Stmt* statement : statements) writes.TraverseStmt(const_cast<clang::Stmt*>(statement));
  return std::move(writes.all);
}

Accepted<v1::Structure> DescribeStructure(const Region& region, const clang::VarDecl& variable,
                                          const clang::Type& type, clang::SourceRange use) {
  v1::Structure description;
  const StructureUse& used = region.structures.at(&variable);
  description.set_c_type(NameOf(clang::QualType(used.structure, 0)));
  for (const auto& [path, place] : used.Find(&type)->places) {
    v1::Member* member = description.add_members();
    member->set_path(path);
    member->set_place(place);
  }
  const clang::QualType structure(used.structure, 0), number(&type, 0);
  description.set_member_type(MemberType(region.ast, number));
  const int64_t size = BytesOf(region.ast, number), end = BytesOf(region.ast, structure);
  std::vector<std::pair<int64_t, int64_t>> numbers;  // bytes
  AppendNumbers(region.ast, structure, &type, 0, &numbers);
  const bool is_aligned = std::all_of(numbers.begin(), numbers.end(), [&](const auto& range) {
    return range.first % size == 0 && range.second % size == 0;
  });
  if (!is_aligned)
    return Refusal{use, "a structure in which not all members of a type stand at multiples of its size",
                   "use an array for each member"};
  if (numbers.size() > kMostPlaces) {
    return Refusal{use,
                   absl::StrCat("a structure in which members of different types take turns more than ",
                                kMostPlaces, " times"),
                   "use an array for each member"};
  }
  numbers.emplace_back(end, end);
  int64_t other = 0;
  for (const auto& [first, last] : numbers) {
    if (other < first) {
      v1::Places* places = description.add_others();
      places->set_first(other / size);
      places->set_count((first - other) / size);
    }
    other = last;
  }
  return description;
}

}  // namespace tune
