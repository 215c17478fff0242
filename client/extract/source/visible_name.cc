#include "client/extract/source/visible_name.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tune {

std::string FullName(const clang::NamedDecl& declaration) {
  const std::string own = declaration.getNameAsString();
  if (!declaration.getASTContext().getLangOpts().CPlusPlus) return own;
  std::string name = own;
  const clang::DeclContext* context = declaration.getDeclContext();
  if (llvm::isa<clang::VarTemplateSpecializationDecl>(declaration)) return "";
  for (; !context->isTranslationUnit(); context = context->getParent()) {
    if (context->isFunctionOrMethod()) return own;
    if (context->isTransparentContext()) continue;
    const auto* around = llvm::dyn_cast<clang::NamedDecl>(context);
    const bool is_template =
        llvm::isa<clang::ClassTemplateSpecializationDecl>(context) || context->isDependentContext();
    if (around == nullptr || is_template) return "";
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context);
    if (space != nullptr && (space->isAnonymousNamespace() || space->isInline())) continue;
    if (around->getIdentifier() == nullptr) return "";
    name = absl::StrCat(around->getName().str(), "::", name);
  }
  return "::" + name;
}

bool IsVisibleIn(const clang::FunctionDecl& function, const clang::VarDecl& variable) {
  // Where names of namespaces without a name are names of those around.
  const clang::DeclContext* home = variable.getDeclContext();
  for (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(home);
       home->isTransparentContext() ||
       (space != nullptr && (space->isAnonymousNamespace() || space->isInline()));
       space = llvm::dyn_cast<clang::NamespaceDecl>(home))
    home = home->getParent();
  for (const clang::DeclContext* context = function.getDeclContext(); context != nullptr;
       context = context->getParent()) {
    const auto found = context->getRedeclContext()->lookup(variable.getDeclName());
    if (found.empty() && context->getRedeclContext()->Equals(home->getRedeclContext())) return true;
    if (found.empty()) continue;
    return std::all_of(found.begin(), found.end(), [&](const clang::NamedDecl* each) {
      return each->getCanonicalDecl() == variable.getCanonicalDecl();
    });
  }
  return false;
}

bool IsAccessibleIn(const clang::FunctionDecl& function, const clang::NamedDecl& member) {
  if (member.getAccess() == clang::AS_public || member.getAccess() == clang::AS_none) return true;
  const clang::DeclContext* home = member.getDeclContext()->getRedeclContext();
  return function.getDeclContext()->getPrimaryContext() == home->getPrimaryContext();
}

}  // namespace tune
