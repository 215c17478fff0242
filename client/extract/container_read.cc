#include "client/extract/container_read.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/extract/cpp_lowering.h"
#include "client/extract/main_file.h"
#include "client/extract/named_declarations.h"
#include "client/extract/standard_container.h"

namespace tune {
namespace {

class ContainerFinder {
 public:
  ContainerFinder(const clang::ASTContext& ast, const FoundRegion& region)
      : ast_(ast), file_(ast.getSourceManager()), region_(region) {}

  ContainerReads Find() {
    for (const clang::Stmt* statement : region_.statements) VisitSubscripts(*statement);
    for (const clang::Stmt* statement : region_.statements) Visit(*statement);
    for (const clang::DeclRefExpr* name : wholes_) {
      if (bases_.count(name->getDecl()) > 0) AddWhole(*name);
    }
    for (const clang::ValueDecl* variable : declared_) {
      if (bases_.count(variable) == 0) continue;
      AddOther(variable->getSourceRange(),
               {absl::StrCat("`", variable->getNameAsString(), "` is declared in the region"),
                "declare it before the region"});
    }
    return std::move(found_);
  }

 private:
  // A container, and how the program calls it.
  struct Object {
    const clang::ValueDecl* base;  // a variable, or the function for whose object `this` stands
    StandardContainer type;
    std::string text, name;
    clang::QualType class_type = {};
  };

  void Visit(const clang::Stmt& node) {
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(&node)) return VisitRange(*loop);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node)) {
      if (TakeElement(*call) || TakeCall(*call)) return;
      const clang::Expr* object = ObjectOfCall(*call);
      if (const auto words = RefusedUse(ast_, *call); words && object != nullptr && ObjectOf(*object))
        return AddOther(call->getSourceRange(), *words);
    }
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(&node)) {
      if (ObjectOf(*expression)) return AddWhole(*expression);
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression);
          member != nullptr && llvm::isa<clang::FieldDecl>(member->getMemberDecl()) && ChainOf(*member))
        return;  // of the same structure
      if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) wholes_.push_back(name);
    }
    if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&node)) {
      for (const clang::Decl* each : declarations->decls()) {
        if (const auto* variable = llvm::dyn_cast<clang::ValueDecl>(each)) declared_.push_back(variable);
      }
    }
    for (const clang::Stmt* child : node.children()) {
      if (child != nullptr) Visit(*child);
    }
  }

  // Finds the containers of which data decide about elements.
  void VisitSubscripts(const clang::Stmt& node) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node)) {
      const auto [subscripts, base] = Subscripts(*call);
      const std::optional<Object> object = ObjectOf(*base);
      for (const clang::Expr* subscript : subscripts) {
        if (object && HasElement(*subscript)) chosen_.insert(object->text);
      }
    }
    for (const clang::Stmt* child : node.children()) {
      if (child != nullptr) VisitSubscripts(*child);
    }
  }

  // Whether elements of arrays, or variables that begin with such, are in the expression.
  static bool HasElement(const clang::Stmt& expression) {
    if (llvm::isa<clang::ArraySubscriptExpr>(expression) || llvm::isa<clang::CXXOperatorCallExpr>(expression))
      return true;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&expression)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      const bool is_local =
          variable != nullptr && variable->isLocalVarDecl() && variable->getInit() != nullptr;
      return is_local && variable->getType()->isIntegerType() &&
             !IsNamedIn(*variable, *variable->getInit()) && HasElement(*variable->getInit());
    }
    return std::any_of(expression.children().begin(), expression.children().end(),
                       [](const clang::Stmt* child) { return child != nullptr && HasElement(*child); });
  }

  static bool IsNamedIn(const clang::VarDecl& variable, const clang::Expr& expression) {
    const std::vector<const clang::ValueDecl*> named = NamedIn(&expression);
    return std::find(named.begin(), named.end(), &variable) != named.end();
  }

  void AddOther(clang::SourceRange range, std::pair<std::string, std::string> words) {
    found_.others.push_back({range, std::move(words.first), std::move(words.second)});
  }

  void AddWhole(const clang::Expr& expression) {
    AddOther(
        expression.getSourceRange(),
        {absl::StrCat("`", SourceText(ast_, expression.getSourceRange()), "` is used as a whole"),
         "use its elements and its size alone in the region, and give functions that it calls v.data() and "
         "v.size()"});
  }

  // A variable, or a member of it or of what `this` points to, by way of members that are structures.
  std::optional<Object> ChainOf(const clang::Expr& expression) const {
    const clang::Expr* inner = expression.IgnoreParens();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(inner)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      if (variable == nullptr) return std::nullopt;
      const std::string plain = variable->getNameAsString();
      std::string text = plain;
      if (name->hasQualifier()) {
        const std::optional<MemberUse> place = UseAt(ast_, file_, name->getSourceRange());
        if (!place) return std::nullopt;
        text = TextAt(*place);
      }
      return Object{variable, {}, std::move(text), absl::StrCat("tune_", plain)};
    }
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(inner);
    const auto* field =
        member == nullptr ? nullptr : llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    // B::v may be another one's v.
    if (field == nullptr || field->getIdentifier() == nullptr || member->hasQualifier()) return std::nullopt;
    const clang::Expr* base = member->getBase()->IgnoreParens();
    std::optional<Object> object;
    if (llvm::isa<clang::CXXThisExpr>(base->IgnoreImpCasts())) {
      object = Object{region_.function, {}, "this", "tune_this"};
    } else if (!member->isArrow()) {
      object = ChainOf(*base);
    }
    if (!object) return std::nullopt;
    absl::StrAppend(&object->text, member->isArrow() ? "->" : ".", field->getNameAsString());
    AppendMember(*field, &object->name);
    return object;
  }

  // Without qualifiers: "std::vector<float, std::allocator<float>>".
  std::string CanonicalName(clang::QualType type) const {
    const clang::QualType canonical = type.getNonReferenceType().getCanonicalType();
    return canonical.getUnqualifiedType().getAsString(ast_.getPrintingPolicy());
  }

  std::optional<Object> ObjectOf(const clang::Expr& expression) const {
    const std::optional<StandardContainer> type = ContainerOf(ast_, expression.getType());
    std::optional<Object> object = type ? ChainOf(expression) : std::nullopt;
    if (!object) return std::nullopt;
    object->type = *type;
    object->class_type = expression.getType();
    return object;
  }

  // A loop over a container, or an array, becomes one with a subscript. Others are refused, whatever they do.
  void VisitRange(const clang::CXXForRangeStmt& loop) {
    const clang::Expr& range = *loop.getRangeInit()->IgnoreParens();
    const std::optional<Object> object = ObjectOf(range);
    const std::optional<MemberUse> head = UseAt(ast_, file_, {loop.getForLoc(), loop.getRParenLoc()});
    const std::optional<MemberUse> whole = UseAt(ast_, file_, range.getSourceRange());
    const clang::VarDecl& variable = *loop.getLoopVariable();
    const std::optional<MemberUse> declared =
        UseAt(ast_, file_, {variable.getBeginLoc(), variable.getLocation()});
    const std::optional<int64_t> end = EndOf(*loop.getBody());
    const bool is_array = ast_.getAsConstantArrayType(range.getType()) != nullptr && NamesVariable(range);
    if (!head || !whole || !declared || !end || loop.getInit() != nullptr || (!object && !is_array) ||
        (object && object->type.dimensions > 1 && !IsReference(variable)))
      return;
    const std::string index = "tune_at_" + variable.getNameAsString();
    std::string elements = TextAt(*whole);
    std::string count = absl::StrCat("sizeof(", elements, ") / sizeof(", elements, "[0])");
    if (object) {
      elements = Stands(*object, ElementsOf(*object)), count = Stands(*object, SizeOf(*object, 0));
      found_.objects.insert(&range);
    }
    if (elements.empty() || count.empty()) return;
    found_.reads.uses.push_back(
        {head->offset, head->length,
         absl::StrCat("for (__SIZE_TYPE__ ", index, " = 0; ", index, " < ", count, "; ++", index, ") { ",
                      TextAt(*declared), " = ", elements, "[", index, "];")});
    found_.reads.uses.push_back({*end, 0, " }"});
    declared_.push_back(&variable);
    if (object && object->type.dimensions > 1) rows_.insert(&variable);
    Visit(*loop.getBody());
  }

  std::string TextAt(const MemberUse& place) const {
    return file_.text().substr(static_cast<size_t>(place.offset), static_cast<size_t>(place.length)).str();
  }

  static bool NamesVariable(const clang::Expr& expression) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&expression);
    return name != nullptr && llvm::isa<clang::VarDecl>(name->getDecl());
  }

  // One past the last byte of a statement, with its semicolon; nothing where that is in a macro.
  std::optional<int64_t> EndOf(const clang::Stmt& statement) const {
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&statement)) return EndOf(*loop->getBody());
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&statement)) return EndOf(*loop->getBody());
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(&statement)) return EndOf(*loop->getBody());
    if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&statement))
      return EndOf(choice->getElse() != nullptr ? *choice->getElse() : *choice->getThen());
    const clang::SourceLocation last = statement.getEndLoc();
    if (!UseAt(ast_, file_, {last, last})) return std::nullopt;
    if (llvm::isa<clang::CompoundStmt>(statement)) return file_.Offset(last) + 1;
    if (!llvm::isa<clang::Expr>(statement)) return std::nullopt;
    const clang::SourceLocation behind =
        clang::Lexer::findLocationAfterToken(last, clang::tok::semi, ast_.getSourceManager(),
                                             ast_.getLangOpts(), /*SkipTrailingWhitespaceAndNewLine=*/false);
    return behind.isValid() ? std::optional<int64_t>(file_.Offset(behind)) : std::nullopt;
  }

  // v[i][j]: how often it has subscripts, and what has them.
  static std::pair<std::vector<const clang::Expr*>, const clang::Expr*> Subscripts(
      const clang::Expr& element) {
    std::vector<const clang::Expr*> subscripts;
    const clang::Expr* base = element.IgnoreParens();
    while (true) {
      const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(base);
      if (call == nullptr || call->getOperator() != clang::OO_Subscript || call->getNumArgs() != 2) break;
      subscripts.push_back(call->getArg(1));
      base = call->getArg(0)->IgnoreParens();
    }
    return {subscripts, base};
  }

  // v[i], with all subscripts that lead to a number.
  bool TakeElement(const clang::CallExpr& call) {
    const auto [subscripts, base] = Subscripts(call);
    const std::optional<Object> object = subscripts.empty() ? std::nullopt : ObjectOf(*base);
    if (!object || static_cast<int>(subscripts.size()) != object->type.dimensions) return false;
    if (!Take(*object, base->getSourceRange(), ElementsOf(*object))) return false;
    found_.objects.insert(base);
    for (const clang::Expr* subscript : subscripts) Visit(*subscript);
    return true;
  }

  // v.size(), v.data(), std::size(v), and a[i].size() of arrays in a container.
  bool TakeCall(const clang::CallExpr& call) {
    const clang::Expr* whole = ObjectOfCall(call);
    if (whole == nullptr || llvm::isa<clang::CXXOperatorCallExpr>(call)) return false;
    const auto [subscripts, base] = Subscripts(*whole);
    const std::optional<Object> object = ObjectOf(*base);
    const auto depth = static_cast<int>(subscripts.size());
    if (!object || depth >= object->type.dimensions) return false;
    for (const clang::Expr* subscript : subscripts) {
      if (subscript->HasSideEffects(ast_)) return false;
    }
    found_.objects.insert(base);
    const std::string name = NameOfCalled(call);
    if (name == "size") return Take(*object, call.getSourceRange(), SizeOf(*object, depth));
    if (name == "ssize")
      return Take(*object, call.getSourceRange(), SizeOf(*object, depth), "((__PTRDIFF_TYPE__)$)");
    if (name == "empty") return Take(*object, call.getSourceRange(), SizeOf(*object, depth), "($ == 0)");
    if (object->type.dimensions > 1) return false;
    if (name == "data")
      return Take(*object, call.getSourceRange(), ElementsOf(*object),
                  object->type.is_array ? "(&$[0])" : "$");
    return name == "front" && Take(*object, call.getSourceRange(), ElementsOf(*object), "$[0]");
  }

  // C++ for the lengths of dimensions, from one on.
  static std::string Lengths(const Object& object, int from) {
    std::string lengths, whole = object.text;
    for (int dimension = 0; dimension < object.type.dimensions; ++dimension) {
      const std::string part = whole + "[0]";
      if (dimension >= from) absl::StrAppend(&lengths, "[sizeof(", whole, ") / sizeof(", part, ")]");
      whole = part;
    }
    return lengths;
  }

  MemberRead ElementsOf(const Object& object) const {
    std::string element = object.text;
    for (int dimension = 0; dimension < object.type.dimensions; ++dimension) element += "[0]";
    const auto cast = [&](const std::string& kind, int from, const std::string& what) {
      return absl::StrCat("reinterpret_cast<typename ::std::remove_reference<decltype(", element,
                          ")>::type (", kind, ")", Lengths(object, from), ">(", what, ")");
    };
    if (object.type.is_array) return {object.name + "_data", cast("&", 0, object.text), "", {}, {}};
    std::string data = object.text + ".data()";
    if (object.type.dimensions > 1) data = cast("*", 1, data);
    if (chosen_.count(object.text) > 0)
      data = absl::StrCat("((void)", SizeOf(object, 0).name, ", ", data, ")");
    return {object.name + "_data", data, "auto *", {}, {object.text}};
  }

  // Of what so many subscripts lead to.
  static MemberRead SizeOf(const Object& object, int depth) {
    const std::string name = absl::StrCat(object.name, "_size", depth > 0 ? absl::StrCat("_", depth) : "");
    if (depth == 0 && !object.type.is_array)
      return {name, object.text + ".size()", "auto", {}, {object.text}};
    std::string row = object.text;
    for (int dimension = 0; dimension < depth; ++dimension) row += "[0]";
    return {name, absl::StrCat("sizeof(", row, ") / sizeof(", row, "[0])"), "auto", {}, {}};
  }

  // Lets the variable stand in the place, `$` in the text; false where that cannot be.
  bool Take(const Object& object, clang::SourceRange range, const MemberRead& read,
            const std::string& text = "$") {
    const std::optional<MemberUse> place = UseAt(ast_, file_, range);
    const std::string name = place ? Stands(object, read) : "";
    if (name.empty()) return false;
    found_.reads.uses.push_back({place->offset, place->length, absl::StrReplaceAll(text, {{"$", name}})});
    return true;
  }

  // The text that stands for it; empty where its name has another meaning.
  std::string Stands(const Object& object, const MemberRead& read) {
    if (rows_.count(object.base) > 0)
      return read.type.empty() ? object.text : absl::StrCat("(", read.text, ")");
    const auto [known, is_new] = texts_.emplace(read.name, read.text);
    if (known->second != read.text) return "";
    bases_.insert(object.base);
    // In a build where the name is of something else the original runs.
    if (checked_.insert(object.text).second)
      found_.reads.conditions.push_back(absl::StrCat("__is_same(const __typeof__(", object.text, "), const ",
                                                     CanonicalName(object.class_type), ")"));
    if (is_new) {
      if (chosen_.count(object.text) > 0 && read.type == "auto *") Stands(object, SizeOf(object, 0));
      found_.reads.members.push_back(read);
    }
    return read.type.empty() ? absl::StrCat("(*", read.name, ")") : read.name;
  }

  const clang::ASTContext& ast_;
  const MainFile file_;
  const FoundRegion& region_;
  ContainerReads found_;
  std::set<std::string> chosen_;                   // containers of which data decide about elements
  std::map<std::string, std::string> texts_;       // of variables
  std::set<std::string> checked_;                  // containers whose types are conditions
  std::set<const clang::ValueDecl*> bases_;        // of what they stand for
  std::vector<const clang::DeclRefExpr*> wholes_;  // no members of these are named there
  std::vector<const clang::ValueDecl*> declared_;
  std::set<const clang::ValueDecl*> rows_;  // of these, references to arrays where they were containers
};

}  // namespace

ContainerReads FindContainerReads(const clang::ASTContext& ast, const FoundRegion& region) {
  if (!ast.getLangOpts().CPlusPlus) return {};
  return ContainerFinder(ast, region).Find();
}

}  // namespace tune
