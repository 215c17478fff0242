#include "client/extract/cpp/refused_cpp.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/cpp/accessor.h"
#include "client/extract/cpp/standard_container.h"
#include "client/extract/source/template_instance.h"
#include "client/extract/source/visible_name.h"
#include "client/extract/statements/refused_type.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

using ReasonAndRemedy = std::pair<std::string, std::string>;  // what stands there, and what to write instead

constexpr char kBefore[] = "move it out of the region";

// Of statements and expressions that are refused whatever they are made of.
std::optional<ReasonAndRemedy> WordsOf(const clang::Stmt& statement) {
  switch (statement.getStmtClass()) {
    case clang::Stmt::CXXForRangeStmtClass:
      return ReasonAndRemedy{"a range-based `for`",
                             "write a loop with a subscript: for (int i = 0; i < n; i++)"};
    case clang::Stmt::CXXTryStmtClass:
    case clang::Stmt::CXXThrowExprClass:
      return ReasonAndRemedy{"exceptions are thrown or caught", "test for errors before the region"};
    case clang::Stmt::LambdaExprClass:
      return ReasonAndRemedy{"a lambda",
                             "write its body where it is called, or a `static` function before the region"};
    case clang::Stmt::CXXNewExprClass:
    case clang::Stmt::CXXDeleteExprClass:
      return ReasonAndRemedy{"`new` or `delete`", "allocate before the region and free behind it"};
    case clang::Stmt::CXXDynamicCastExprClass:
    case clang::Stmt::CXXTypeidExprClass:
      return ReasonAndRemedy{"the type of an object is looked at when the program runs", kBefore};
    case clang::Stmt::CoawaitExprClass:
    case clang::Stmt::CoyieldExprClass:
    case clang::Stmt::CoreturnStmtClass:
      return ReasonAndRemedy{"a coroutine", kBefore};
    case clang::Stmt::CXXThisExprClass:
      return ReasonAndRemedy{
          "a member of the object that the function is called for",
          "let a variable stand for it before the region: `float *p = this->p;` for a pointer, `auto "
          "&a = this->a;` for an array or a number"};
    case clang::Stmt::CXXConstructExprClass:
    case clang::Stmt::CXXTemporaryObjectExprClass:
      if (std::optional<ReasonAndRemedy> words = RefusedConstruction(llvm::cast<clang::Expr>(statement)))
        return words;
      return ReasonAndRemedy{"an object of a class is made",
                             "make it before the region, or use numbers and arrays"};
    default:
      return std::nullopt;
  }
}

std::optional<ReasonAndRemedy> WordsOfCall(const clang::ASTContext& ast, const clang::CallExpr& call) {
  if (const auto* set = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
      set != nullptr && set->getOperator() == clang::OO_Equal && set->getNumArgs() == 2) {
    if (std::optional<ReasonAndRemedy> words = RefusedConstruction(*set->getArg(1))) return words;
  }
  if (std::optional<ReasonAndRemedy> words = RefusedUse(ast, call)) return words;
  if (std::optional<ReasonAndRemedy> words = RefusedAccessor(ast, call)) return words;
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.getDirectCallee());
  if (method != nullptr && method->getParent()->isLambda()) {
    return ReasonAndRemedy{
        "a call of a lambda",
        "write what it does in its place, or as a `static` function of numbers and arrays"};
  }
  if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call)) {
    for (const clang::Expr* operand : operation->arguments()) {
      if (IsStdComplex(operand->getType()))
        return ReasonAndRemedy{"arithmetic of std::complex", InsteadOf(operand->getType())};
    }
    return ReasonAndRemedy{absl::StrCat("the overloaded operator `",
                                        clang::getOperatorSpelling(operation->getOperator()), "` of a class"),
                           "write what it does with numbers and elements of arrays"};
  }
  if (llvm::isa<clang::CXXMemberCallExpr>(call)) {
    return ReasonAndRemedy{
        absl::StrCat("a call of the member function `", method == nullptr ? "?" : method->getNameAsString(),
                     "`"),
        "call it before the region and keep its result in a variable, or write what it does as a "
        "`static` function of numbers and arrays"};
  }
  if (llvm::isa<clang::UserDefinedLiteral>(call))
    return ReasonAndRemedy{"a literal that the program defines", "write the number"};
  return std::nullopt;
}

class CppFinder {
 public:
  explicit CppFinder(const clang::ASTContext& ast) : ast_(ast) {}

  void Find(const clang::Stmt& statement) {
    std::optional<ReasonAndRemedy> words = WordsOf(statement);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement); call != nullptr && !words)
      words = WordsOfCall(ast_, *call);
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&statement); reference != nullptr)
      words = WordsOfName(*reference);
    if (!words) words = WordsOfDeclaration(statement);
    if (words) return Add(statement.getSourceRange(), *std::move(words));
    for (const clang::Stmt* child : statement.children()) {
      if (child != nullptr) Find(*child);
    }
  }

  std::vector<Refusal> refusals;

 private:
  void Add(clang::SourceRange range, ReasonAndRemedy words) {
    refusals.push_back({range, std::move(words.first), std::move(words.second)});
  }

  static std::optional<ReasonAndRemedy> WordsOfName(const clang::DeclRefExpr& reference) {
    if (llvm::isa<clang::BindingDecl>(reference.getDecl())) {
      return ReasonAndRemedy{
          absl::StrCat("`", reference.getDecl()->getNameAsString(), "` is a structured binding"),
          "copy it to a variable before the region"};
    }
    if (const auto* constant = llvm::dyn_cast<clang::EnumConstantDecl>(reference.getDecl())) {
      const auto* enumeration = llvm::dyn_cast<clang::EnumDecl>(constant->getDeclContext());
      if (enumeration != nullptr && enumeration->isScoped())
        return ReasonAndRemedy{"a value of an `enum class`", "copy it to a `const int` before the region"};
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference.getDecl());
    const bool is_constant =
        variable != nullptr && ConstantInitializer(variable->getASTContext(), variable) != nullptr;
    if (variable != nullptr && reference.hasQualifier() && !is_constant) {
      const std::string name = variable->getNameAsString();
      return ReasonAndRemedy{absl::StrCat("the variable `", name, "` by the name of its namespace or class"),
                             absl::StrCat("let a reference stand for it before the region: `auto &", name,
                                          "_here = ", FullName(*variable), ";`")};
    }
    return std::nullopt;
  }

  static std::optional<ReasonAndRemedy> WordsOfDeclaration(const clang::Stmt& statement) {
    const char* before = "declare the variable before the statement";
    if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&statement);
        choice != nullptr && (choice->hasInitStorage() || choice->hasVarStorage()))
      return ReasonAndRemedy{"an `if` that declares a variable", before};
    if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&statement);
        choice != nullptr && (choice->hasInitStorage() || choice->hasVarStorage()))
      return ReasonAndRemedy{"a `switch` that declares a variable", before};
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&statement);
        loop != nullptr && loop->hasVarStorage())
      return ReasonAndRemedy{"a `while` that declares a variable", before};
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&statement);
        loop != nullptr && loop->getConditionVariable() != nullptr)
      return ReasonAndRemedy{"a condition of a `for` that declares a variable", before};
    if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
      for (const clang::Decl* each : declarations->decls()) {
        if (llvm::isa<clang::DecompositionDecl>(each))
          return ReasonAndRemedy{"a structured binding", "declare a variable for each number"};
      }
    }
    return std::nullopt;
  }

  const clang::ASTContext& ast_;
};

// Finds the lambda whose body has the place: it may be called again before what the text has behind it.
class LambdaAround : public TreeVisitor {
 public:
  LambdaAround(const clang::SourceManager& manager, clang::SourceLocation place)
      : manager_(manager), place_(manager.getExpansionLoc(place)) {}
  bool VisitConstruction(clang::Expr* object) override {
    const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(object);
    if (lambda == nullptr) return true;
    const clang::SourceRange body = lambda->getBody()->getSourceRange();
    found = found || (manager_.isBeforeInTranslationUnit(manager_.getExpansionLoc(body.getBegin()), place_) &&
                      manager_.isBeforeInTranslationUnit(place_, manager_.getExpansionLoc(body.getEnd())));
    return !found;
  }
  bool found = false;

 private:
  const clang::SourceManager& manager_;
  const clang::SourceLocation place_;
};

// Generated code calls variables by their plain names.
void AddHidden(const clang::FunctionDecl& function, const RegionVariables& variables,
               std::vector<Refusal>* refusals) {
  std::set<const clang::VarDecl*> seen;
  for (const clang::VarDecl* variable : variables.mentioned()) {
    if (!variable->isDefinedOutsideFunctionOrMethod() || !seen.insert(variable).second) continue;
    if (ConstantInitializer(variable->getASTContext(), variable) != nullptr) continue;
    const std::string name = variable->getNameAsString();
    if (llvm::isa<clang::VarTemplateSpecializationDecl>(variable)) {
      refusals->push_back({variable->getSourceRange(),
                           absl::StrCat("the region uses `", name, "`, of a template of variables"),
                           "copy it to a variable before the region"});
      continue;
    }
    if (IsVisibleIn(function, *variable)) continue;
    refusals->push_back(
        {variable->getSourceRange(),
         absl::StrCat("the region uses `", name, "`, whose plain name does not mean it there"),
         "let a reference stand for it before the region, or pass it to the function"});
  }
}

}  // namespace

std::optional<ReasonAndRemedy> RefusedConstruction(const clang::Expr& value) {
  const clang::Expr* made = value.IgnoreParens();
  while (true) {
    if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(made)) {
      made = temporary->getSubExpr()->IgnoreParens();
    } else if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(made)) {
      made = cast->getSubExpr()->IgnoreParens();
    } else if (const auto* whole = llvm::dyn_cast<clang::FullExpr>(made)) {
      made = whole->getSubExpr()->IgnoreParens();
    } else {
      break;
    }
  }
  const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(made);
  if (construction == nullptr || !construction->getConstructor()->isUserProvided()) return std::nullopt;
  const std::string name = construction->getConstructor()->getParent()->getNameAsString();
  return ReasonAndRemedy{
      absl::StrCat("an object that the constructor of `", name, "` makes"),
      absl::StrCat("let `", name, "` have no constructors, and write a list of its members' values, `", name,
                   " p = {1, 2};`; or use numbers")};
}

std::vector<Refusal> FindRefusedCpp(const FoundRegion& region, const RegionVariables& variables) {
  if (!region.function->getASTContext().getLangOpts().CPlusPlus) return {};
  CppFinder finder(region.function->getASTContext());
  LambdaAround lambda(region.function->getASTContext().getSourceManager(),
                      region.statements.front()->getBeginLoc());
  lambda.TraverseStmt(region.function->getBody());
  if (lambda.found) {
    return {{region.statements.front()->getSourceRange(), "the region lies in a lambda",
             "move the loops into a function that the lambda calls"}};
  }
  for (const TemplateArgument& argument : ArgumentsOfInstance(*region.function)) {
    if (!argument.value.empty()) continue;
    finder.refusals.push_back(
        {{region.begin, region.begin},
         absl::StrCat("the parameter `", argument.parameter,
                      "` of the template is no type of numbers, and no integer"),
         "move the loops into a function, or a template, of types of numbers and integers"});
  }
  for (const clang::Stmt* statement : region.statements) finder.Find(*statement);
  if (finder.refusals.empty()) AddHidden(*region.function, variables, &finder.refusals);
  return std::move(finder.refusals);
}

}  // namespace tune
