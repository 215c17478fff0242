#include "client/extract/source/one_declaration.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include "client/extract/source/defined_functions.h"

namespace tune {
namespace {

clang::VarDecl* FirstWithCompleteType(clang::VarDecl& variable) {
  const clang::SourceManager& manager = variable.getASTContext().getSourceManager();
  clang::VarDecl* first = nullptr;
  for (clang::VarDecl* each : variable.redecls()) {
    if (each->getType()->isIncompleteType()) continue;
    if (first == nullptr || manager.isBeforeInTranslationUnit(each->getLocation(), first->getLocation()))
      first = each;
  }
  return first != nullptr ? first : variable.getCanonicalDecl();
}

class Renamer : public clang::RecursiveASTVisitor<Renamer> {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable != nullptr && !variable->getMostRecentDecl()->isFirstDecl())
      reference->setDecl(FirstWithCompleteType(*variable));
    return true;
  }
  bool shouldVisitTemplateInstantiations() const { return true; }
};

}  // namespace

void NameOneDeclaration(clang::ASTContext& ast) {
  const UserDeclarations declarations = DeclarationsOf(ast);
  Renamer renamer;
  for (clang::FunctionDecl* function : declarations.functions) renamer.TraverseDecl(function);
  for (clang::Decl* variable : declarations.variables) renamer.TraverseDecl(variable);
}

}  // namespace tune
