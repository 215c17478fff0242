#include "client/extract/cpp/stand_in.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/cpp/vector_rows.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/source/main_file.h"
#include "client/extract/source/visible_name.h"

namespace tune {
namespace {

constexpr char kThis[] = "this";

// C++ for the lengths of dimensions, from one on.
std::string Lengths(const NamedObject& object, int from) {
  std::string lengths, whole = object.text;
  for (int dimension = 0; dimension < object.type.dimensions; ++dimension) {
    const std::string part = whole + "[0]";
    if (dimension >= from) absl::StrAppend(&lengths, "[sizeof(", whole, ") / sizeof(", part, ")]");
    whole = part;
  }
  return lengths;
}

// Of what so many subscripts lead to.
MemberRead SizeOf(const NamedObject& object, int depth) {
  const std::string name = absl::StrCat(object.name, "_size", depth > 0 ? absl::StrCat("_", depth) : "");
  if (depth == 0 && !object.type.is_array) return {name, object.text + ".size()", "auto", {}, {object.text}};
  std::string row = object.text;
  for (int dimension = 0; dimension < depth; ++dimension) row += "[0]";
  return {name, absl::StrCat("sizeof(", row, ") / sizeof(", row, "[0])"), "auto", {}, {}};
}

// The type and value of a constant integer in expressions; nothing for others, and long ones.
std::optional<std::pair<clang::QualType, std::string>> ConstantOf(const clang::ASTContext& ast,
                                                                  const clang::NamedDecl& name) {
  clang::QualType type;
  llvm::APSInt value;
  if (const auto* enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(&name)) {
    const auto* enumeration = enumerator->getType()->getAs<clang::EnumType>();
    if (enumeration == nullptr || enumeration->getDecl()->isScoped()) return std::nullopt;
    type = enumeration->getDecl()->getPromotionType();
    value = enumerator->getInitVal();
  } else {
    const auto& variable = llvm::cast<clang::VarDecl>(name);
    const clang::Expr* initializer = ConstantInitializer(ast, &variable);
    clang::Expr::EvalResult result;
    type = variable.getType();
    if (initializer == nullptr || !type->isIntegerType() || !initializer->EvaluateAsInt(result, ast))
      return std::nullopt;
    value = result.Val.getInt();
    if (ast.isPromotableIntegerType(type)) type = ast.getPromotedIntegerType(type);
  }
  if (value.getSignificantBits() > 32) return std::nullopt;
  return std::pair(type, llvm::toString(value, 10));
}

// Whether an object of the type that is none may stand for a member where nobody reads it.
bool IsMadeOfNothing(clang::QualType type) {
  const clang::CXXRecordDecl* made = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return made == nullptr || made->hasDefaultConstructor();
}

}  // namespace

StandIns::StandIns(const clang::ASTContext& ast, const FoundRegion& region,
                   const std::set<const clang::ValueDecl*>& apart)
    : ast_(ast), region_(region), apart_(apart) {}

std::optional<NamedObject> StandIns::ObjectAt(const clang::Expr& expression) const {
  const clang::Expr* inner = expression.IgnoreParens();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(inner)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || apart_.count(variable) > 0) return std::nullopt;
    const std::string plain = variable->getNameAsString();
    std::string text = plain;
    if (name->hasQualifier()) {
      const MainFile file(ast_.getSourceManager());
      const std::optional<MemberUse> place = UseAt(ast_, file, name->getSourceRange());
      if (!place) return std::nullopt;
      text = TextAt(file, *place);
    }
    return NamedObject{variable, {}, std::move(text), absl::StrCat("tune_", plain), name->getType()};
  }
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(inner);
  const auto* field = member == nullptr ? nullptr : llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  // B::v may be another one's v.
  if (field == nullptr || field->getIdentifier() == nullptr || member->hasQualifier()) return std::nullopt;
  const clang::Expr* base = member->getBase()->IgnoreParens();
  std::optional<NamedObject> object;
  if (llvm::isa<clang::CXXThisExpr>(base->IgnoreImpCasts())) {
    object = NamedObject{region_.function, {}, kThis, absl::StrCat("tune_", kThis)};
  } else if (!member->isArrow()) {
    object = ObjectAt(*base);
  }
  if (!object) return std::nullopt;
  absl::StrAppend(&object->text, member->isArrow() ? "->" : ".", field->getNameAsString());
  AppendMember(*field, &object->name);
  object->class_type = member->getType();
  return object;
}

std::optional<NamedObject> StandIns::ContainerAt(const clang::Expr& expression) const {
  const std::optional<StandardContainer> type = ContainerOf(ast_, expression.getType());
  std::optional<NamedObject> object = type ? ObjectAt(expression) : std::nullopt;
  if (object) object->type = *type;
  return object;
}

std::optional<NamedObject> StandIns::ObjectOfCall(const clang::Expr& expression) const {
  const clang::Expr* inner = expression.IgnoreParenImpCasts();
  const auto* pointed = llvm::dyn_cast<clang::UnaryOperator>(inner);
  if (pointed != nullptr && pointed->getOpcode() == clang::UO_Deref)
    inner = pointed->getSubExpr()->IgnoreParenImpCasts();
  if (!llvm::isa<clang::CXXThisExpr>(inner)) return pointed == nullptr ? ObjectAt(*inner) : std::nullopt;
  return NamedObject{
      region_.function, {}, kThis, absl::StrCat("tune_", kThis), inner->getType()->getPointeeType()};
}

// Whether the name is that of another member of a class that is derived from the field's.
bool StandIns::IsHidden(const NamedObject& object, const clang::FieldDecl& field) {
  const clang::CXXRecordDecl* made =
      object.class_type.isNull() ? nullptr : object.class_type->getAsCXXRecordDecl();
  if (made == nullptr || made->getCanonicalDecl() == field.getParent()->getCanonicalDecl()) return false;
  const bool is_direct =
      std::any_of(made->bases_begin(), made->bases_end(), [&](const clang::CXXBaseSpecifier& base) {
        const clang::CXXRecordDecl* each = base.getType()->getAsCXXRecordDecl();
        return each != nullptr && each->getCanonicalDecl() == field.getParent()->getCanonicalDecl();
      });
  return !is_direct || made->getNumBases() != 1 || !made->lookup(field.getDeclName()).empty();
}

std::optional<NamedObject> StandIns::MemberOf(const NamedObject& object, const clang::FieldDecl& field) {
  const clang::QualType type = field.getType().getNonReferenceType();
  if (field.getIdentifier() == nullptr || field.isBitField() || field.getParent()->isUnion() ||
      type.isVolatileQualified())
    return std::nullopt;
  NamedObject member = object;
  AppendMember(field, &member.name);
  member.class_type = type;
  member.type = ContainerOf(ast_, type).value_or(StandardContainer());
  const std::string name = field.getNameAsString();
  const auto chosen = [&](NamedObject made) {
    if (chooses_members_) Choose(made);
    return made;
  };
  if (IsAccessibleIn(*region_.function, field)) {
    if (IsHidden(object, field)) return std::nullopt;
    absl::StrAppend(&member.text, object.text == kThis ? "->" : ".", name);
    return chosen(std::move(member));
  }
  const OpenedMember* opened = OpenField(field);
  if (opened == nullptr) return std::nullopt;
  member.text = member.name + "_member";
  const std::string text = OpenedField(*opened, object.text);
  const auto [known, is_new] = texts_.emplace(member.text, text);
  if (known->second != text) return std::nullopt;
  if (is_new) reads_.members.push_back({member.text, text, "auto &", {}, {}});
  return chosen(std::move(member));
}

// Without qualifiers: "std::vector<float, std::allocator<float>>".
std::string StandIns::CanonicalName(clang::QualType type) const {
  clang::PrintingPolicy policy = ast_.getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  const clang::QualType canonical = type.getNonReferenceType().getCanonicalType();
  return canonical.getUnqualifiedType().getAsString(policy);
}

const OpenedMember* StandIns::OpenField(const clang::FieldDecl& field) {
  problem_ = absl::StrCat("reads the private member `", field.getNameAsString(), "`");
  const bool is_template = region_.function->isTemplateInstantiation();
  const bool has_none = is_template && !IsMadeOfNothing(field.getType());
  if (field.getType()->isReferenceType() || has_none) return nullptr;
  return Open(field, is_template ? OpenedMember::Kind::kFieldInTemplate : OpenedMember::Kind::kField);
}

bool StandIns::OpenName(const clang::NamedDecl& name) {
  const clang::DeclContext* home = name.getDeclContext()->getRedeclContext();
  if (home->isDependentContext()) return true;  // the instance has one, too
  const bool is_instance = FullName(name).empty();
  const bool is_public = name.getAccess() == clang::AS_public || name.getAccess() == clang::AS_none;
  if (!is_instance && IsAccessibleIn(*region_.function, name)) return true;  // meanings.h
  problem_ = absl::StrCat("uses the private name `", name.getNameAsString(), "`");
  const auto* type = llvm::dyn_cast<clang::TypedefNameDecl>(&name);
  const std::optional<std::pair<clang::QualType, std::string>> constant =
      type == nullptr ? ConstantOf(ast_, name) : std::nullopt;
  if (type == nullptr && !constant) return false;
  const OpenedMember::Kind kind = type != nullptr ? OpenedMember::Kind::kType : OpenedMember::Kind::kConstant;
  const std::string value = constant ? constant->second : "";
  const std::string value_type = CanonicalName(type != nullptr ? type->getUnderlyingType() : constant->first);
  if (is_public) {
    problem_.clear();
    const std::string text =
        absl::StrCat("::", CanonicalName(ast_.getRecordType(llvm::cast<clang::RecordDecl>(home))),
                     "::", name.getNameAsString());
    return AddCondition(NamedIs(kind, text, value_type, value));
  }
  const OpenedMember* opened = Open(name, kind);
  return opened != nullptr && AddCondition(OpenedIs(*opened, value_type, value));
}

bool StandIns::AddCondition(std::string condition) {
  if (std::find(reads_.conditions.begin(), reads_.conditions.end(), condition) == reads_.conditions.end())
    reads_.conditions.push_back(std::move(condition));
  return true;
}

// Null where nothing can name the member in any function.
const OpenedMember* StandIns::Open(const clang::NamedDecl& member, OpenedMember::Kind kind) {
  const auto* home = llvm::dyn_cast<clang::CXXRecordDecl>(member.getDeclContext()->getRedeclContext());
  const std::optional<int64_t> place = PlaceBefore(ast_, *region_.function);
  if (!place || home == nullptr || home->getIdentifier() == nullptr) return nullptr;
  problem_.clear();
  reads_.opening = *place;
  const std::string class_name = absl::StrCat("::", CanonicalName(ast_.getRecordType(home)));
  const bool is_field = kind == OpenedMember::Kind::kField || kind == OpenedMember::Kind::kFieldInTemplate;
  const OpenedMember opened{kind,
                            absl::StrCat("tune_", home->getNameAsString(), "_", PlainName(member), "_",
                                         region_.source.begin_line()),
                            absl::StrCat(is_field ? "&" : "", class_name, "::", member.getNameAsString()),
                            class_name};
  const auto known = std::find_if(reads_.opened.begin(), reads_.opened.end(),
                                  [&](const OpenedMember& each) { return each.name == opened.name; });
  if (known != reads_.opened.end()) return known->member == opened.member ? &*known : nullptr;
  reads_.opened.push_back(opened);
  return &reads_.opened.back();
}

std::string StandIns::Elements(const NamedObject& object) {
  whole_arrays_.insert(object.text);
  return Stands(object, ElementsOf(object));
}

std::string StandIns::SetElements(const NamedObject& object) {
  if (chosen_.count(object.text) > 0 || rows_.count(object.base) > 0) return "";
  std::string name = Elements(object);
  for (MemberRead& read : reads_.members) {
    if (read.name == name) read.is_set = true;
  }
  return name;
}

void StandIns::CheckSameSize(const NamedObject& a, const NamedObject& b) {
  if (!a.type.is_pointer) AddCondition(absl::StrCat(a.text, ".size() == ", b.text, ".size()"));
}

std::string StandIns::Size(const NamedObject& object, int depth) {
  return Stands(object, SizeOf(object, depth));
}

std::string StandIns::Cell(const NamedObject& array, uint64_t place, clang::QualType type) {
  if (!takes_cells_ || type->isBooleanType() || !type->isIntegerType() || !IsNumber(ast_, type)) return "";
  NamedObject cell = array;
  absl::StrAppend(&cell.text, "[", place, "]");
  absl::StrAppend(&cell.name, "_", place);
  cell.type = {};
  cell.class_type = type;
  std::string text = Value(cell);
  if (!text.empty()) cell_arrays_.insert(array.text);
  return text;
}

bool StandIns::HasCellsOfArrays() const {
  return std::any_of(cell_arrays_.begin(), cell_arrays_.end(),
                     [&](const std::string& array) { return whole_arrays_.count(array) > 0; });
}

std::string StandIns::Pointer(const NamedObject& object) {
  has_arrays_ = true;
  whole_arrays_.insert(object.text);
  const std::optional<StandardContainer> type = ContainerOf(ast_, object.class_type);
  const std::string text = type ? PointerTo(*type, object.text) : object.text + " + 0";
  return Stands(object, {object.name + "_data", text, "auto *", {}, {}});
}

std::string StandIns::Value(const NamedObject& member) {
  const clang::QualType type = member.class_type;
  MemberRead read{member.name, member.text, "", {}, {}};
  if (const auto* array = ast_.getAsConstantArrayType(type)) {
    const bool holds_numbers = IsNumber(ast_, ast_.getBaseElementType(type));
    has_arrays_ = true;
    whole_arrays_.insert(member.text);
    return holds_numbers && array->getSize().ugt(1) ? Stands(member, read) : "";
  }
  const bool is_pointer = type->isPointerType() && IsNumber(ast_, type->getPointeeType()) &&
                          !type->getPointeeType().isVolatileQualified();
  if (!is_pointer && !IsNumber(ast_, type)) return "";
  // Other builds may have other types. A pointer is the value alone, without `restrict`.
  read.type = absl::StrCat("__typeof__(", member.text, is_pointer ? " + 0)" : ")");
  read.cells.push_back(member.text);
  if (type->isBooleanType()) {
    read.value = TruthValueOf(member.text);
    if (texts_.count(read.name) == 0) reads_.conditions.push_back(IsTruthValue(ast_, member.text));
  }
  return Stands(member, read);
}

bool StandIns::HasChosenSize(const NamedObject& object) const {
  return chosen_.count(object.text) > 0 && !object.type.is_pointer;
}

RowTable* StandIns::TableOf(const NamedObject& vectors) {
  const auto [known, is_new] = texts_.emplace(vectors.name, vectors.text);
  if (ElementOfVectors(ast_, vectors.class_type).isNull() || known->second != vectors.text ||
      rows_.count(vectors.base) > 0)
    return nullptr;
  bases_.insert(vectors.base);
  if (is_new) {
    reads_.members.push_back({vectors.name, vectors.text, "auto &", {}, {}});
    tables_.push_back(TableOfRows(ast_, vectors.name, vectors.class_type));
    AddRowReads(tables_.back(), /*has_length=*/false, &reads_);
  }
  const auto table = std::find_if(tables_.begin(), tables_.end(),
                                  [&](const RowTable& each) { return each.name == vectors.name; });
  return table == tables_.end() ? nullptr : &*table;
}

std::string StandIns::Rows(const NamedObject& vectors) {
  const RowTable* table = TableOf(vectors);
  return table == nullptr ? "" : table->array;
}

std::string StandIns::RowCount(const NamedObject& vectors) {
  const RowTable* table = TableOf(vectors);
  return table == nullptr ? "" : CountOfRows(table->name);
}

std::string StandIns::RowLength(const NamedObject& vectors, bool any) {
  RowTable* table = TableOf(vectors);
  if (table == nullptr) return "";
  table->of_one_length |= any;
  if (texts_.emplace(LengthOfRows(table->name), vectors.text).second) AddLengthRead(*table, &reads_);
  return LengthOfRows(table->name);
}

void StandIns::CheckClass(const NamedObject& object) {
  const bool is_this = object.text == kThis;
  if (!checked_.insert(object.text).second) return;
  reads_.conditions.push_back(absl::StrCat("__is_same(const __typeof__(", is_this ? "*this" : object.text,
                                           "), const ", CanonicalName(object.class_type), ")"));
}

MemberRead StandIns::ElementsOf(const NamedObject& object) const {
  std::string element = object.text;
  for (int dimension = 0; dimension < object.type.dimensions; ++dimension) element += "[0]";
  const auto cast = [&](const std::string& kind, int from, const std::string& what) {
    return absl::StrCat("reinterpret_cast<typename ::std::remove_reference<decltype(", element, ")>::type (",
                        kind, ")", Lengths(object, from), ">(", what, ")");
  };
  if (object.type.is_array) return {object.name + "_data", cast("&", 0, object.text), "", {}, {}};
  std::string data = PointerTo(object.type, object.text);
  if (object.type.dimensions > 1) data = cast("*", 1, data);
  if (HasChosenSize(object)) data = absl::StrCat("((void)", SizeOf(object, 0).name, ", ", data, ")");
  return {object.name + "_data", data, "auto *", {}, {object.text}};
}

// The text that stands for it; empty where its name has another meaning.
std::string StandIns::Stands(const NamedObject& object, const MemberRead& read) {
  if (rows_.count(object.base) > 0)
    return read.type.empty() ? object.text : absl::StrCat("(", read.text, ")");
  const auto [known, is_new] = texts_.emplace(read.name, read.text);
  if (known->second != read.text) return "";
  bases_.insert(object.base);
  if (ContainerOf(ast_, object.class_type)) CheckClass(object);
  if (is_new) {
    if (HasChosenSize(object) && read.type == "auto *" && !object.type.is_array) Size(object, 0);
    reads_.members.push_back(read);
  }
  return read.type.empty() ? absl::StrCat("(*", read.name, ")") : read.name;
}

}  // namespace tune
