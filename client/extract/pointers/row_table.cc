#include "client/extract/pointers/row_table.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <set>

#include "client/extract/arrays/array_shape.h"
#include "client/extract/region/region_variables.h"
#include "common/scop/row_distance.h"

namespace tune {
namespace {

// The type of the elements of rows; null where the variable is no table of rows of numbers.
clang::QualType ElementOf(const clang::ASTContext& ast, const clang::VarDecl& variable) {
  const clang::QualType type = variable.getType();
  clang::QualType row;
  if (const auto* table = type->getAs<clang::PointerType>()) {
    row = table->getPointeeType();
  } else if (const clang::ArrayType* array = ast.getAsArrayType(type)) {
    row = array->getElementType();
  }
  const auto* pointer = row.isNull() ? nullptr : row->getAs<clang::PointerType>();
  if (pointer == nullptr || type.isVolatileQualified() || row.isVolatileQualified()) return {};
  const clang::QualType element = pointer->getPointeeType().getCanonicalType();
  const bool is_number = element->getAs<clang::BuiltinType>() != nullptr && ElementTypeOf(ast, element);
  return is_number && !element.isVolatileQualified() ? element : clang::QualType();
}

class TableFinder {
 public:
  explicit TableFinder(const clang::ASTContext& ast) : ast_(ast) {}

  void Visit(const clang::Stmt& statement) {
    if (const clang::Expr* table = TableOfRow(statement)) {
      const clang::VarDecl* variable = Named(*table);
      if (std::find(read_.begin(), read_.end(), variable) == read_.end()) read_.push_back(variable);
      VisitSubscripts(*llvm::cast<clang::CastExpr>(statement).getSubExpr()->IgnoreParens());
      return;
    }
    if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
      for (const clang::Decl* declaration : declarations->decls()) others_.insert(declaration);
    }
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&statement))
      others_.insert(reference->getDecl());
    for (const clang::Stmt* child : statement.children()) {
      if (child != nullptr) Visit(*child);
    }
  }

  std::vector<RowTable> Tables() const {
    std::vector<RowTable> tables;
    for (const clang::VarDecl* variable : read_) {
      if (others_.count(variable) > 0) continue;
      const std::string name = variable->getNameAsString();
      tables.push_back({name, "", false, name});
    }
    return tables;
  }

 private:
  static const clang::VarDecl* Named(const clang::Expr& expression) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParens());
    return reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  }

  // The expression that names the table, where the node is the value of a pointer to one of its rows.
  const clang::Expr* TableOfRow(const clang::Stmt& node) const {
    const auto* value = llvm::dyn_cast<clang::ImplicitCastExpr>(&node);
    if (value == nullptr || value->getCastKind() != clang::CK_LValueToRValue ||
        !value->getType()->isPointerType())
      return nullptr;
    const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(value->getSubExpr()->IgnoreParens());
    const auto* base =
        row == nullptr ? nullptr : llvm::dyn_cast<clang::ImplicitCastExpr>(row->getBase()->IgnoreParens());
    if (base == nullptr || (base->getCastKind() != clang::CK_LValueToRValue &&
                            base->getCastKind() != clang::CK_ArrayToPointerDecay))
      return nullptr;
    const clang::VarDecl* variable = Named(*base->getSubExpr());
    const bool is_table = variable != nullptr && !ElementOf(ast_, *variable).isNull();
    return is_table ? base->getSubExpr() : nullptr;
  }

  void VisitSubscripts(const clang::Expr& row) {
    Visit(*llvm::cast<clang::ArraySubscriptExpr>(row).getIdx());
  }

  const clang::ASTContext& ast_;
  std::vector<const clang::VarDecl*> read_;
  std::set<const clang::Decl*> others_;  // used in other ways, or declared
};

}  // namespace

std::vector<RowTable> FindRowTables(const clang::ASTContext& ast, const FoundRegion& region) {
  TableFinder finder(ast);
  for (const clang::Stmt* statement : region.statements) finder.Visit(*statement);
  return finder.Tables();
}

bool IsRowOfTable(const clang::ArrayType& row) {
  const auto* variable_length = llvm::dyn_cast<clang::VariableArrayType>(&row);
  const clang::VarDecl* length =
      variable_length == nullptr ? nullptr : NamedVariable(variable_length->getSizeExpr());
  return length != nullptr && IsRowDistance(length->getName().str());
}

}  // namespace tune
