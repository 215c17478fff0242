#include "client/extract/vector_table.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "client/extract/main_file.h"
#include "client/extract/standard_container.h"

namespace tune {
namespace {

// The name of a table in an expression.
struct NamedTable {
  const clang::VarDecl* variable;
  clang::QualType element;  // constant where the table is
};

class VectorTableFinder {
 public:
  explicit VectorTableFinder(const clang::ASTContext& ast) : ast_(ast), file_(ast.getSourceManager()) {}

  void Visit(const clang::Stmt& node) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node)) {
      if (TakeElement(*call) || TakeSize(*call)) return;
    }
    if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&node)) {
      for (const clang::Decl* declaration : declarations->decls()) others_.insert(declaration);
    }
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&node))
      others_.insert(reference->getDecl());
    for (const clang::Stmt* child : node.children()) {
      if (child != nullptr) Visit(*child);
    }
  }

  VectorTables Take() {
    VectorTables all;
    for (const RowTable& table : found_) {
      if (others_.count(table.variable) > 0) continue;
      const std::string name = table.variable->getNameAsString();
      all.reads.members.push_back({SizeName(name), name + ".size()", "auto", {}, {name}});
      if (lengths_.count(table.variable) > 0) {
        const std::string length = absl::StrCat(name, ".empty() ? 0 : ", name, "[0].size()");
        all.reads.members.push_back({LengthName(name), length, "auto", {}, {name}});
      }
      all.reads.conditions.push_back(
          absl::StrCat("__is_same(const __typeof__(", name, "), const ", table.vectors, ")"));
      all.tables.push_back(table);
    }
    for (size_t i = 0; i < uses_.size(); ++i) {
      if (others_.count(used_[i]) == 0) all.reads.uses.push_back(uses_[i]);
    }
    return all;
  }

 private:
  static std::string SizeName(const std::string& table) { return absl::StrCat("tune_", table, "_size"); }
  static std::string LengthName(const std::string& table) { return SizeName(table) + "_1"; }

  std::optional<NamedTable> TableAt(const clang::Expr& expression) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenImpCasts());
    const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || name->hasQualifier() || !variable->getIdentifier()) return std::nullopt;
    const clang::QualType element = ElementOfVectors(ast_, name->getType());
    if (element.isNull()) return std::nullopt;
    return NamedTable{variable, name->getType().isConstQualified() ? element.withConst() : element};
  }

  static const clang::CXXOperatorCallExpr* Subscript(const clang::Expr& expression) {
    const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression.IgnoreParenImpCasts());
    const bool is_one =
        call != nullptr && call->getOperator() == clang::OO_Subscript && call->getNumArgs() == 2;
    return is_one ? call : nullptr;
  }

  void Add(const NamedTable& table, clang::QualType type) {
    const bool known = std::any_of(found_.begin(), found_.end(),
                                   [&](const RowTable& each) { return each.variable == table.variable; });
    if (known) return;
    const std::string vectors =
        type.getNonReferenceType().getCanonicalType().getUnqualifiedType().getAsString(
            ast_.getPrintingPolicy());
    found_.push_back({table.variable, table.element.getAsString(ast_.getPrintingPolicy()), vectors, false,
                      absl::StrCat("tune_", table.variable->getNameAsString(), "_data")});
  }

  // a[i][j]
  bool TakeElement(const clang::CallExpr& call) {
    const clang::CXXOperatorCallExpr* element = Subscript(call);
    const clang::CXXOperatorCallExpr* row = element == nullptr ? nullptr : Subscript(*element->getArg(0));
    const std::optional<NamedTable> table = row == nullptr ? std::nullopt : TableAt(*row->getArg(0));
    const std::optional<MemberUse> place =
        table ? UseAt(ast_, file_, row->getArg(0)->getSourceRange()) : std::nullopt;
    if (!place) return false;
    Add(*table, row->getArg(0)->IgnoreParenImpCasts()->getType());
    uses_.push_back(
        {place->offset, place->length, absl::StrCat("tune_", table->variable->getNameAsString(), "_data")});
    used_.push_back(table->variable);
    Visit(*row->getArg(1));
    Visit(*element->getArg(1));
    return true;
  }

  // a.size(), a[i].size()
  bool TakeSize(const clang::CallExpr& call) {
    const clang::Expr* object = ObjectOfCall(call);
    const std::optional<MemberUse> place = UseAt(ast_, file_, call.getSourceRange());
    if (object == nullptr || !place || Subscript(call) != nullptr || NameOfCalled(call) != "size")
      return false;
    const clang::CXXOperatorCallExpr* row = Subscript(*object);
    const clang::Expr& whole = row == nullptr ? *object : *row->getArg(0);
    const std::optional<NamedTable> table = TableAt(whole);
    if (!table || (row != nullptr && row->getArg(1)->HasSideEffects(ast_))) return false;
    Add(*table, whole.IgnoreParenImpCasts()->getType());
    const std::string name = table->variable->getNameAsString();
    uses_.push_back({place->offset, place->length, row == nullptr ? SizeName(name) : LengthName(name)});
    used_.push_back(table->variable);
    if (row == nullptr) return true;
    lengths_.insert(table->variable);
    clang::Expr::EvalResult index;
    const bool is_first = row->getArg(1)->EvaluateAsInt(index, ast_) && index.Val.getInt().isZero();
    for (RowTable& each : found_) each.of_one_length |= each.variable == table->variable && !is_first;
    return true;
  }

  const clang::ASTContext& ast_;
  const MainFile file_;
  std::vector<RowTable> found_;
  std::vector<MemberUse> uses_;
  std::vector<const clang::VarDecl*> used_;  // parallel
  std::set<const clang::Decl*> lengths_;     // whose rows' lengths are used
  std::set<const clang::Decl*> others_;      // used in other ways, or declared
};

}  // namespace

VectorTables FindVectorTables(const clang::ASTContext& ast, const FoundRegion& region) {
  if (!ast.getLangOpts().CPlusPlus) return {};
  VectorTableFinder finder(ast);
  for (const clang::Stmt* statement : region.statements) finder.Visit(*statement);
  return finder.Take();
}

}  // namespace tune
