#include "client/extract/loops/loop_form.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "client/extract/region/region_variables.h"
#include "client/extract/statements/refused_statement.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/tree_changes.h"

namespace tune {
namespace {

constexpr char kFormRemedy[] = "write the loop as for (i = start; i < end; i += constant)";

Refusal NoForm(clang::SourceRange range, std::string reason) {
  return {range, std::move(reason), kFormRemedy};
}

// a, b, c
void AppendCommas(const clang::Expr& written, std::vector<const clang::Expr*>* parts) {
  const clang::Expr& expression = *written.IgnoreParens();
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression);
  if (binary == nullptr || binary->getOpcode() != clang::BO_Comma) return parts->push_back(&expression);
  AppendCommas(*binary->getLHS(), parts);
  AppendCommas(*binary->getRHS(), parts);
}

// `if (condition) break;`
const clang::Expr* EndOfLoop(const clang::Stmt& statement) {
  const auto* choice = llvm::dyn_cast<clang::IfStmt>(&statement);
  if (choice == nullptr || choice->getElse() != nullptr) return nullptr;
  const Statements then = StatementsOf(*choice->getThen());
  return then.size() == 1 && llvm::isa<clang::BreakStmt>(*then[0]) ? choice->getCond() : nullptr;
}

class FormReader {
 public:
  explicit FormReader(const clang::ASTContext& ast) : ast_(const_cast<clang::ASTContext&>(ast)) {}

  Accepted<LoopForm> For(const clang::ForStmt& loop) {
    form_.header = form_.setting = {loop.getForLoc(), loop.getRParenLoc()};
    form_.condition = loop.getCond();
    form_.body = StatementsOf(*loop.getBody());
    TakeEnd();
    if (form_.condition == nullptr) return NoForm(form_.header, "the loop header has no condition");
    if (loop.getInc() == nullptr) TakeStepOfCondition();
    std::vector<const clang::Expr*> steps;
    if (loop.getInc() != nullptr) AppendCommas(*loop.getInc(), &steps);
    if (auto refusal = Start(loop.getInit(), steps)) return *std::move(refusal);
    if (form_.step != nullptr) return std::move(form_);
    if (loop.getInc() == nullptr) {
      if (!TakeStep() && !TakeFirstStep()) return NoForm(form_.header, "the loop header has no step");
    } else if (auto refusal = Steps(steps)) {
      return *std::move(refusal);
    }
    return Finished(form_.place == LoopForm::Step::kBehindBody &&
                    (loop.getInc() == nullptr || steps.size() > 1));
  }

  Accepted<LoopForm> While(const clang::WhileStmt& loop) {
    form_.header = form_.setting = {loop.getWhileLoc(), loop.getRParenLoc()};
    const auto* always = llvm::dyn_cast<clang::IntegerLiteral>(Bare(loop.getCond()));
    if (always == nullptr || always->getValue() == 0) form_.condition = loop.getCond();
    form_.body = StatementsOf(*loop.getBody());
    TakeEnd();
    if (form_.condition == nullptr) return RefuseStatement(loop);
    TakeStepOfCondition();
    if (form_.step != nullptr) return std::move(form_);
    return Counting(loop);
  }

  Accepted<LoopForm> Do(const clang::DoStmt& loop) {
    form_.header = form_.setting = {loop.getWhileLoc(), loop.getRParenLoc()};
    form_.first_always = true;
    form_.condition = loop.getCond();
    form_.body = StatementsOf(*loop.getBody());
    TakeStepOfCondition();
    if (form_.place == LoopForm::Step::kBehindCondition) return RefuseStatement(loop);
    if (form_.step != nullptr) {  // --i > 0, behind the body
      form_.place = LoopForm::Step::kBehindBody;
      return std::move(form_);
    }
    return Counting(loop);
  }

 private:
  // A loop whose body begins or ends with the step.
  Accepted<LoopForm> Counting(const clang::Stmt& loop) {
    if (form_.body.empty()) return RefuseStatement(loop);
    Statements changes(form_.body.rbegin(), form_.body.rend());
    for (const clang::Stmt* change : changes) {
      form_.iterator = ChangedBy(*change);
      const bool counts = form_.iterator != nullptr && form_.iterator->getType()->isIntegerType() &&
                          Mentions(form_.condition, form_.iterator);
      if (counts && (TakeStep() || TakeFirstStep()))
        return Finished(form_.place == LoopForm::Step::kBehindBody);
    }
    return RefuseStatement(loop);
  }

  // A condition that stands at the start of the body.
  void TakeEnd() {
    if (form_.condition != nullptr || form_.body.empty()) return;
    form_.condition = EndOfLoop(*form_.body.front());
    if (form_.condition == nullptr) return;
    form_.negated = true;
    form_.body.erase(form_.body.begin());
  }

  // Behind it may be what has nothing to do with the iterator: i++, p++;
  bool TakeStep() {
    for (auto last = form_.body.rbegin(); last != form_.body.rend(); ++last) {
      if (ChangedBy(**last) == form_.iterator) {
        form_.step = llvm::cast<clang::Expr>(*last)->IgnoreParens();
        form_.body.erase(std::next(last).base());
        return true;
      }
      if (Mentions(*last, form_.iterator)) return false;
    }
    return false;
  }

  bool TakeFirstStep() {
    if (form_.body.empty() || ChangedBy(*form_.body.front()) != form_.iterator) return false;
    form_.step = llvm::cast<clang::Expr>(form_.body.front())->IgnoreParens();
    form_.place = LoopForm::Step::kBeforeBody;
    form_.body.erase(form_.body.begin());
    return true;
  }

  // i-- > 0, --i > 0, and i-- alone.
  void TakeStepOfCondition() {
    const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(Bare(form_.condition));
    const bool compares = comparison != nullptr && comparison->isComparisonOp();
    const clang::Expr* left = Bare(compares ? comparison->getLHS() : form_.condition);
    const auto* step = llvm::dyn_cast<clang::UnaryOperator>(left);
    if (step == nullptr || !step->isIncrementDecrementOp() || NamedVariable(step->getSubExpr()) == nullptr)
      return;
    form_.iterator = NamedVariable(step->getSubExpr());
    form_.step = step;
    form_.place = step->isPostfix() ? LoopForm::Step::kBehindCondition : LoopForm::Step::kBeforeCondition;
    clang::Expr* value = ValueOf(ast_, step->getSubExpr());
    form_.condition = value;
    if (!compares) return;
    form_.condition = clang::BinaryOperator::Create(
        ast_, value, comparison->getRHS(), comparison->getOpcode(), comparison->getType(), clang::VK_PRValue,
        clang::OK_Ordinary, comparison->getOperatorLoc(), clang::FPOptionsOverride());
  }

  // What the header sets before the first iteration.
  std::optional<Refusal> Start(const clang::Stmt* init, const std::vector<const clang::Expr*>& steps) {
    const clang::VarDecl* stepped = std::exchange(form_.iterator, nullptr);
    if (init == nullptr) {
      form_.iterator = stepped;
      return stepped == nullptr ? Unset(steps) : std::nullopt;
    }
    Refusal refusal = NoForm(init->getSourceRange(), "the start of the loop does not set one iterator");
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(init)) {
      for (const clang::Decl* decl : declaration->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        if (variable == nullptr) return refusal;
        if (!IsIterator(variable, declaration->isSingleDecl())) {
          form_.declared.push_back(variable);
        } else {
          Set(variable, variable->getInit(), init->getSourceRange());
        }
      }
    } else if (const auto* expression = llvm::dyn_cast<clang::Expr>(init)) {
      std::vector<const clang::Expr*> parts;
      AppendCommas(*expression, &parts);
      for (const clang::Expr* part : parts) {
        const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(part);
        if (assignment == nullptr || assignment->getOpcode() != clang::BO_Assign) return refusal;
        if (!IsIterator(NamedVariable(assignment->getLHS()), parts.size() == 1)) {
          form_.before.push_back(part);
        } else {
          Set(NamedVariable(assignment->getLHS()), assignment->getRHS(), part->getSourceRange());
        }
      }
    }
    if (form_.iterator == nullptr || form_.start == nullptr) return refusal;
    return std::nullopt;
  }

  // Of several variables the first one that the condition looks at.
  bool IsIterator(const clang::VarDecl* variable, bool is_only) const {
    return variable != nullptr && form_.iterator == nullptr &&
           (is_only || Mentions(form_.condition, variable));
  }

  void Set(const clang::VarDecl* iterator, const clang::Expr* start, clang::SourceRange place) {
    form_.iterator = iterator;
    form_.start = start;
    form_.setting = place;
  }

  // The iterator of a header that sets none: what the condition looks at and a step changes.
  std::optional<Refusal> Unset(const std::vector<const clang::Expr*>& steps) {
    Statements changes(steps.begin(), steps.end());
    if (changes.empty() && !form_.body.empty()) changes.push_back(form_.body.back());
    for (const clang::Stmt* change : changes) {
      const clang::VarDecl* variable = ChangedBy(*change);
      if (form_.iterator == nullptr && variable != nullptr && Mentions(form_.condition, variable))
        form_.iterator = variable;
    }
    if (form_.iterator != nullptr) return std::nullopt;
    return NoForm(form_.header, "the loop does not set its iterator");
  }

  std::optional<Refusal> Steps(const std::vector<const clang::Expr*>& steps) {
    for (const clang::Expr* step : steps) {
      if (form_.step == nullptr && (steps.size() == 1 || ChangedBy(*step) == form_.iterator)) {
        form_.step = step;
        continue;
      }
      if (form_.step != nullptr && Mentions(step, form_.iterator))
        return NoForm(step->getSourceRange(), "the loop header uses its iterator behind the step");
      form_.body.push_back(step);
    }
    if (form_.step != nullptr) return std::nullopt;
    return NoForm(steps[0]->getSourceRange(),
                  "the step of the loop is not the iterator plus or minus a constant");
  }

  // `continue` would leave out what the form has at the end of the body, and C has not, or the step.
  Accepted<LoopForm> Finished(bool changes_end) {
    if (!changes_end) return std::move(form_);
    for (const clang::Stmt* statement : form_.body) {
      if (HasContinue(*statement))
        return NoForm(form_.header, "a `continue` in a loop whose body, or header, does more than one step");
    }
    return std::move(form_);
  }

  clang::ASTContext& ast_;
  LoopForm form_;
};

}  // namespace

const clang::VarDecl* ChangedBy(const clang::Stmt& statement) {
  const auto* written = llvm::dyn_cast<clang::Expr>(&statement);
  if (written == nullptr) return nullptr;
  const clang::Expr* expression = written->IgnoreParens();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    return unary->isIncrementDecrementOp() ? NamedVariable(unary->getSubExpr()) : nullptr;
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
  return binary != nullptr && binary->isAssignmentOp() ? NamedVariable(binary->getLHS()) : nullptr;
}

Accepted<LoopForm> ReadForm(const clang::ASTContext& ast, const clang::Stmt& loop) {
  if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(&loop)) return FormReader(ast).For(*counted);
  if (const auto* at_end = llvm::dyn_cast<clang::DoStmt>(&loop)) return FormReader(ast).Do(*at_end);
  return FormReader(ast).While(llvm::cast<clang::WhileStmt>(loop));
}

}  // namespace tune
