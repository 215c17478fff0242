#include "client/extract/cpp/vector_table.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/cpp/range_loop.h"
#include "client/extract/cpp/standard_container.h"
#include "client/extract/cpp/vector_rows.h"
#include "client/extract/source/main_file.h"

namespace tune {
namespace {

// Where a table is named.
struct TablePlace {
  const clang::VarDecl* variable;
  MemberUse use;
};

class VectorTableFinder {
 public:
  explicit VectorTableFinder(const clang::ASTContext& ast) : ast_(ast), file_(ast.getSourceManager()) {}

  void Visit(const clang::Stmt& node) {
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(&node); loop != nullptr && TakeRange(*loop))
      return Visit(*loop->getBody());
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node)) {
      if (TakeElement(*call) || TakeSize(*call)) return;
    }
    if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&node)) {
      if (TakeRow(*declarations)) return;
      for (const clang::Decl* declaration : declarations->decls()) others_.insert(declaration);
    }
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&node)) {
      others_.insert(reference->getDecl());
      if (const auto row = rows_.find(reference->getDecl()); row != rows_.end()) others_.insert(row->second);
    }
    for (const clang::Stmt* child : node.children()) {
      if (child != nullptr) Visit(*child);
    }
  }

  VectorTables Take() {
    VectorTables all;
    for (const auto& [variable, table] : found_) {
      const bool has_array = elements_.count(variable) > 0;
      // Of tables of which it uses sizes alone nothing looks at the rows.
      if (!has_array && table.of_one_length) others_.insert(variable);
      if (others_.count(variable) > 0) continue;
      AddRowReads(table, lengths_.count(variable) > 0, &all.reads);
      if (has_array) all.tables.push_back(table);
    }
    for (const auto& [row, table] : rows_) {
      if (others_.count(table) == 0) all.rows.insert(row);
    }
    for (const auto& [variable, use] : uses_) {
      if (others_.count(variable) == 0) all.reads.uses.push_back(use);
    }
    return all;
  }

 private:
  // The table that the expression names, or null.
  const clang::VarDecl* TableAt(const clang::Expr& expression) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenImpCasts());
    const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const bool is_table = variable != nullptr && !name->hasQualifier() && variable->getIdentifier() &&
                          !ElementOfVectors(ast_, name->getType()).isNull();
    return is_table ? variable : nullptr;
  }

  static const clang::CXXOperatorCallExpr* Subscript(const clang::Expr& expression) {
    const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression.IgnoreParenImpCasts());
    const bool is_one =
        call != nullptr && call->getOperator() == clang::OO_Subscript && call->getNumArgs() == 2;
    return is_one ? call : nullptr;
  }

  RowTable* Find(const clang::VarDecl* variable) {
    for (auto& [known, table] : found_) {
      if (known == variable) return &table;
    }
    return nullptr;
  }

  void Add(const clang::VarDecl* table, clang::QualType type) {
    if (Find(table) == nullptr) found_.emplace_back(table, TableOfRows(ast_, table->getNameAsString(), type));
  }

  // a
  std::optional<TablePlace> TableIn(const clang::Expr& expression) {
    const clang::VarDecl* table = TableAt(expression);
    const std::optional<MemberUse> place =
        table == nullptr ? std::nullopt : UseAt(ast_, file_, expression.getSourceRange());
    if (!place) return std::nullopt;
    Add(table, expression.IgnoreParenImpCasts()->getType());
    return TablePlace{table, *place};
  }

  void Use(const clang::VarDecl* table, MemberUse use) { uses_.emplace_back(table, std::move(use)); }
  // An element, or a row.
  void Use(const TablePlace& table) {
    elements_.insert(table.variable);
    Use(table.variable, {table.use.offset, table.use.length, ArrayOfRows(table.variable->getNameAsString())});
  }

  // The table whose row the expression names: a reference to one.
  const clang::VarDecl* TableOfRow(const clang::Expr& expression) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenImpCasts());
    const auto row = name == nullptr ? rows_.end() : rows_.find(name->getDecl());
    return row == rows_.end() ? nullptr : row->second;
  }

  // a[i][j], row[j]
  bool TakeElement(const clang::CallExpr& call) {
    const clang::CXXOperatorCallExpr* element = Subscript(call);
    if (element == nullptr) return false;
    if (TableOfRow(*element->getArg(0)) == nullptr) {
      const clang::CXXOperatorCallExpr* row = Subscript(*element->getArg(0));
      const std::optional<TablePlace> table = row == nullptr ? std::nullopt : TableIn(*row->getArg(0));
      if (!table) return false;
      Use(*table);
      Visit(*row->getArg(1));
    }
    Visit(*element->getArg(1));
    return true;
  }

  // a.size(), a[i].size(), row.size()
  bool TakeSize(const clang::CallExpr& call) {
    const clang::Expr* object = ObjectOfCall(call);
    const std::optional<MemberUse> place = UseAt(ast_, file_, call.getSourceRange());
    if (object == nullptr || !place || Subscript(call) != nullptr || NameOfCalled(call) != "size")
      return false;
    if (const clang::VarDecl* table = TableOfRow(*object)) {
      Use(table, {place->offset, place->length, LengthOf(table)});
      return true;
    }
    const clang::CXXOperatorCallExpr* row = Subscript(*object);
    const clang::Expr& whole = row == nullptr ? *object : *row->getArg(0);
    const clang::VarDecl* table = TableAt(whole);
    if (table == nullptr || (row != nullptr && row->getArg(1)->HasSideEffects(ast_))) return false;
    Add(table, whole.IgnoreParenImpCasts()->getType());
    if (row == nullptr) {
      Use(table, {place->offset, place->length, CountOfRows(table->getNameAsString())});
      return true;
    }
    Use(table, {place->offset, place->length, LengthOf(table, !IsZero(ast_, *row->getArg(1)))});
    return true;
  }

  // The variable for the length of the first row, or of any one.
  std::string LengthOf(const clang::VarDecl* table, bool any = true) {
    lengths_.insert(table);
    Find(table)->of_one_length |= any;
    return LengthOfRows(table->getNameAsString());
  }

  // A row as a pointer, "auto *row" for `const auto &row`. Nothing where the variable is no reference to one.
  std::optional<std::string> PointerFor(const clang::VarDecl& variable) const {
    const std::optional<StandardContainer> container = ContainerOf(ast_, variable.getType());
    if (!IsReference(variable) || !container || container->is_array || container->dimensions != 1)
      return std::nullopt;
    return "auto *" + variable.getNameAsString();
  }

  // auto &row = a[i];
  bool TakeRow(const clang::DeclStmt& declaration) {
    const auto* variable =
        declaration.isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(declaration.getSingleDecl()) : nullptr;
    if (variable == nullptr || variable->getInit() == nullptr || variable->isStaticLocal() ||
        variable->getInitStyle() != clang::VarDecl::CInit)
      return false;
    const std::optional<std::string> pointer = PointerFor(*variable);
    const std::optional<MemberUse> declared =
        UseAt(ast_, file_, {variable->getBeginLoc(), variable->getLocation()});
    const clang::CXXOperatorCallExpr* row = Subscript(*variable->getInit());
    const std::optional<TablePlace> table =
        !pointer || !declared || row == nullptr ? std::nullopt : TableIn(*row->getArg(0));
    if (!table) return false;
    rows_.emplace(variable, table->variable);
    Use(table->variable, {declared->offset, declared->length, *pointer});
    Use(*table);
    Visit(*row->getArg(1));
    return true;
  }

  // A variable that has the value of an element: `auto` would be the type of another variable.
  std::string DeclaredElement(const RangeLoop& loop, const clang::VarDecl& table) const {
    const std::string name = loop.variable->getNameAsString();
    const auto* deduced = loop.variable->getTypeSourceInfo()->getType()->getContainedAutoType();
    if (IsReference(*loop.variable) || deduced == nullptr) return loop.declared;
    const clang::QualType element = ElementOfVectors(ast_, table.getType().getNonReferenceType());
    return absl::StrCat(element.getUnqualifiedType().getAsString(ast_.getPrintingPolicy()), " ", name);
  }

  // for (auto &row : a), for (auto x : row)
  bool TakeRange(const clang::CXXForRangeStmt& loop) {
    const std::optional<RangeLoop> range = RangeLoopAt(ast_, file_, loop);
    if (!range) return false;
    const clang::Expr& whole = *loop.getRangeInit();
    std::vector<MemberUse> uses;
    const clang::VarDecl* table = TableOfRow(whole);
    if (table != nullptr) {
      AddSubscriptLoop(*range, DeclaredElement(*range, *table),
                       TextAt(file_, *UseAt(ast_, file_, whole.getSourceRange())), LengthOf(table), &uses);
    } else {
      const std::optional<std::string> pointer = PointerFor(*range->variable);
      const std::optional<TablePlace> place = pointer ? TableIn(whole) : std::nullopt;
      if (!place) return false;
      table = place->variable;
      elements_.insert(table);
      rows_.emplace(range->variable, table);
      const std::string name = table->getNameAsString();
      AddSubscriptLoop(*range, *pointer, ArrayOfRows(name), CountOfRows(name), &uses);
    }
    for (MemberUse& use : uses) Use(table, std::move(use));
    return true;
  }

  const clang::ASTContext& ast_;
  const MainFile file_;
  std::vector<std::pair<const clang::VarDecl*, RowTable>> found_;
  std::vector<std::pair<const clang::VarDecl*, MemberUse>> uses_;
  std::map<const clang::ValueDecl*, const clang::VarDecl*>
      rows_;                               // references to rows, and the tables of these
  std::set<const clang::Decl*> lengths_;   // whose rows' lengths are used
  std::set<const clang::Decl*> elements_;  // whose elements are used
  std::set<const clang::Decl*> others_;    // used in other ways, or declared
};

}  // namespace

VectorTables FindVectorTables(const clang::ASTContext& ast, const FoundRegion& region) {
  if (!ast.getLangOpts().CPlusPlus) return {};
  VectorTableFinder finder(ast);
  for (const clang::Stmt* statement : region.statements) finder.Visit(*statement);
  return finder.Take();
}

}  // namespace tune
