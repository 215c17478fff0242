#include "client/extract/escaping_values.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "client/extract/main_file.h"
#include "client/extract/named_declarations.h"
#include "client/extract/pointer_setting.h"
#include "client/extract/tree_visitor.h"

namespace tune {
namespace {

struct Reference {
  unsigned order;     // byte of the main file; of the end of the assignment for an assigned variable
  bool sets;          // the target of a plain assignment
  unsigned set_till;  // then, where what may be left out with the assignment ends
  clang::SourceRange range;
};

// References to variables outside of the region, and the loops around it, also those that jumps make.
class Outside : public TreeVisitor {
 public:
  Outside(const clang::ASTContext& ast, const FoundRegion& region)
      : manager_(ast.getSourceManager()), begin(Byte(region.begin)), end(Byte(region.end)) {
    TraverseStmt(region.function->getBody());
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    unsigned byte = Byte(reference->getLocation());
    if (variable == nullptr || (begin <= byte && byte <= end)) return true;
    auto set = set_at_.find(reference);
    const bool sets = set != set_at_.end();
    references[variable].push_back(
        {sets ? set->second : byte, sets, sets ? ChoiceEnd(byte) : 0, reference->getSourceRange()});
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {  // before its operands
    const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(operation->getLHS()->IgnoreParens());
    if (operation->getOpcode() == clang::BO_Assign && target != nullptr)
      set_at_[target] = Byte(operation->getEndLoc()) + 1;
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) override { return AddLoop(*loop) && AddChoice(*loop->getBody()); }
  bool VisitWhileStmt(clang::WhileStmt* loop) override {
    return AddLoop(*loop) && AddChoice(*loop->getBody());
  }
  bool VisitDoStmt(clang::DoStmt* loop) override { return AddLoop(*loop); }
  bool VisitIfStmt(clang::IfStmt* choice) override {
    return AddChoice(*choice->getThen()) && (choice->getElse() == nullptr || AddChoice(*choice->getElse()));
  }
  bool VisitSwitchStmt(clang::SwitchStmt* choice) override { return AddChoice(*choice->getBody()); }
  bool VisitGotoStmt(clang::GotoStmt* jump) override {
    const unsigned label = Byte(jump->getLabel()->getLocation());
    if (label < begin && Byte(jump->getGotoLoc()) > begin) loop_begin = std::min(loop_begin, label);
    return true;
  }

 private:
  unsigned Byte(clang::SourceLocation location) const {
    return manager_.getFileOffset(PlaceInMainFile(manager_, location));
  }
  // One that begins before the region and ends behind its beginning holds all of it, even where the region's
  // last statement is its body and so its end.
  bool AddLoop(const clang::Stmt& loop) {
    unsigned first = Byte(loop.getBeginLoc());
    if (first < begin && Byte(loop.getEndLoc()) > begin) loop_begin = std::min(loop_begin, first);
    return true;
  }

  bool AddChoice(const clang::Stmt& part) {
    const unsigned first = Byte(part.getBeginLoc());
    if (first > end) choices_.emplace_back(first, Byte(part.getEndLoc()) + 1);
    return true;
  }
  // The end of the innermost part, behind the region, that holds the byte and may be left out.
  unsigned ChoiceEnd(unsigned byte) const {
    unsigned innermost = ~0u;
    for (const auto& [first, last] : choices_) {
      if (first <= byte && byte < last) innermost = std::min(innermost, last);
    }
    return innermost;
  }

  const clang::SourceManager& manager_;
  std::map<const clang::DeclRefExpr*, unsigned> set_at_;
  std::vector<std::pair<unsigned, unsigned>> choices_;  // what conditions and loops may leave out: bytes

 public:
  unsigned begin, end;        // of the region
  unsigned loop_begin = ~0u;  // of the outermost loop around it
  std::map<const clang::VarDecl*, std::vector<Reference>> references;
};

// The first reference in [from, to), or null.
const Reference* First(const std::vector<Reference>& references, unsigned from, unsigned to) {
  const Reference* first = nullptr;
  for (const Reference& reference : references) {
    if (reference.order < from || reference.order >= to) continue;
    if (first == nullptr || reference.order < first->order) first = &reference;
  }
  return first;
}

// The first reference in [from, to) that reads what the variable was before, or null.
const Reference* FirstRead(const std::vector<Reference>& references, unsigned from, unsigned to) {
  const Reference* next = First(references, from, to);
  while (next != nullptr && next->sets)
    next = First(references, std::max(next->set_till, next->order + 1), to);
  return next;
}

// The reference behind the region that reads what the region leaves in the variable, or null.
const Reference* ReadOf(const Outside& outside, const std::vector<Reference>& references) {
  const Reference* behind = FirstRead(references, outside.end, ~0u);
  return behind != nullptr ? behind : FirstRead(references, outside.loop_begin, outside.begin);
}

}  // namespace

std::vector<Refusal> CheckEscapingValues(const clang::ASTContext& ast, const FoundRegion& region,
                                         const RegionVariables& variables) {
  Outside outside(ast, region);
  std::vector<Refusal> refusals;
  for (const clang::VarDecl* iterator : variables.iterators()) {
    if (variables.IsDeclaredInside(iterator) || variables.IsReachedByName(iterator)) continue;
    refusals.push_back(
        {{region.begin, region.begin},
         absl::StrCat("the value that the iterator `", iterator->getNameAsString(),
                      "` has after the region may be read elsewhere: it is not a local variable, "
                      "or something points to it"),
         "declare an iterator in the loop, `for (int i = ...`"});
  }
  for (const auto& [variable, references] : outside.references) {
    std::string name = variable->getNameAsString();
    if (variables.IsDeclaredInside(variable)) {
      refusals.push_back({references.front().range,
                          absl::StrCat("`", name, "` is declared inside the region and used outside of it"),
                          "declare it before `#pragma scop`"});
      continue;
    }
    if (!variables.IsIterator(variable)) continue;
    if (const Reference* read = ReadOf(outside, references)) {
      refusals.push_back(
          {read->range, absl::StrCat("the value that the iterator `", name, "` has after the region is used"),
           "use the loop's bound instead, or another variable"});
    }
  }
  return refusals;
}

namespace {

// Finds the statements that are executed behind the region: those of its own block, and of blocks around
// that, up to a loop.
class Behind {
 public:
  Behind(const clang::ASTContext& ast, const FoundRegion& region)
      : file_(ast.getSourceManager()),
        begin_(file_.Offset(PlaceOf(ast, region.begin))),
        end_(file_.Offset(PlaceOf(ast, region.end))) {
    block_end = static_cast<unsigned>(end_);
    Find(*region.function->getBody());
  }

  Statements statements;
  unsigned block_end = 0;  // where the last of the blocks ends

 private:
  static clang::SourceLocation PlaceOf(const clang::ASTContext& ast, clang::SourceLocation place) {
    return PlaceInMainFile(ast.getSourceManager(), place);
  }

  void Find(const clang::Stmt& around) {
    Statements behind;
    for (const clang::Stmt* child : around.children()) {
      const std::optional<ByteRange> bytes =
          child == nullptr ? std::nullopt : file_.Bytes(child->getSourceRange());
      if (!bytes) continue;
      const bool holds_all = bytes->first <= begin_ && end_ <= bytes->last;
      if (holds_all && (bytes->first < begin_ || end_ < bytes->last)) Find(*child);
      if (bytes->first > end_) behind.push_back(child);
    }
    is_whole_ = is_whole_ || IsLoop(around) || llvm::isa<clang::SwitchStmt>(around) ||
                llvm::isa<clang::CXXForRangeStmt>(around);
    const std::optional<ByteRange> whole = file_.Bytes(around.getSourceRange());
    if (is_whole_ || !whole || !llvm::isa<clang::CompoundStmt>(around)) return;
    statements.insert(statements.end(), behind.begin(), behind.end());
    block_end = static_cast<unsigned>(whole->last);
  }

  const MainFile file_;
  const int64_t begin_, end_;
  bool is_whole_ = false;  // what is around is executed again
};

bool HasLabel(const clang::Stmt& statement) {
  return llvm::isa<clang::LabelStmt>(statement) ||
         std::any_of(statement.child_begin(), statement.child_end(),
                     [](const clang::Stmt* child) { return child != nullptr && HasLabel(*child); });
}

int64_t TimesNamed(const clang::Stmt& statement, const clang::VarDecl* pointer) {
  const std::vector<const clang::ValueDecl*> names = NamedIn(&statement);
  return std::count(names.begin(), names.end(), pointer);
}

}  // namespace

bool IsDeclaredIn(const Statements& statements, const clang::VarDecl* variable) {
  struct Finder : TreeVisitor {
    const clang::VarDecl* sought;
    bool found = false;
    bool VisitVarDecl(clang::VarDecl* declared) override { return !(found = found || declared == sought); }
  } finder;
  finder.sought = variable;
  for (const clang::Stmt* statement : statements) finder.TraverseStmt(const_cast<clang::Stmt*>(statement));
  return finder.found;
}

FirstUse FirstUseOf(const clang::VarDecl* pointer, const Statements& statements) {
  for (const clang::Stmt* statement : statements) {
    if (statement == nullptr || TimesNamed(*statement, pointer) == 0) continue;
    const std::vector<PointerSetting> settings = PointerSettings(*statement);
    if (!settings.empty()) {
      const bool sets = settings.size() == 1 && settings[0].pointer == pointer;
      return sets && TimesNamed(*statement, pointer) == 1 ? FirstUse::kSet : FirstUse::kRead;
    }
    const auto* once = llvm::dyn_cast<clang::DoStmt>(statement);
    const clang::Stmt* inner = once != nullptr && IsExecutedOnce(*once) ? once->getBody() : statement;
    if (llvm::isa<clang::CompoundStmt>(inner)) {
      const FirstUse use = FirstUseOf(pointer, StatementsOf(*inner));
      if (use == FirstUse::kNone) continue;
      return use;
    }
    // A loop may have no iterations: what it sets first may be read behind it.
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(inner);
    const bool sets = loop != nullptr && !HasContinue(*loop->getBody()) &&
                      TimesNamed(*loop, pointer) == TimesNamed(*loop->getBody(), pointer) &&
                      FirstUseOf(pointer, StatementsOf(*loop->getBody())) == FirstUse::kSet;
    if (!sets) return FirstUse::kRead;
  }
  return FirstUse::kNone;
}

std::set<const clang::VarDecl*> PointersReadBehind(const clang::ASTContext& ast, const FoundRegion& region,
                                                   const std::set<const clang::VarDecl*>& pointers) {
  if (pointers.empty()) return {};
  const Outside outside(ast, region);
  const Behind behind(ast, region);
  const bool has_label = HasLabel(*region.function->getBody());
  const bool may_come_again = outside.loop_begin != ~0u || has_label;
  std::set<const clang::VarDecl*> read;
  for (const clang::VarDecl* pointer : pointers) {
    const FirstUse use = FirstUseOf(pointer, behind.statements);
    if (IsDeclaredIn(region.statements, pointer) || use == FirstUse::kSet) continue;
    const auto references = outside.references.find(pointer);
    const auto is_named = [&](unsigned from, unsigned to) {
      return references != outside.references.end() && First(references->second, from, to) != nullptr;
    };
    const bool is_carried = FirstUseOf(pointer, region.statements) == FirstUse::kRead;
    const bool is_read_behind = use == FirstUse::kRead || is_named(behind.block_end, ~0u);
    const bool is_read_again =
        may_come_again && (is_carried || is_named(has_label ? 0 : outside.loop_begin, outside.begin));
    if (is_read_behind || is_read_again) read.insert(pointer);
  }
  return read;
}

std::set<const clang::VarDecl*> ReadBehind(const clang::ASTContext& ast, const FoundRegion& region) {
  Outside outside(ast, region);
  std::set<const clang::VarDecl*> read;
  for (const auto& [variable, references] : outside.references) {
    if (ReadOf(outside, references) != nullptr) read.insert(variable);
  }
  return read;
}

}  // namespace tune
