#include "client/extract/source/defined_functions.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

namespace tune {
namespace {

class DeclarationCollector {
 public:
  explicit DeclarationCollector(const clang::SourceManager& manager) : manager_(manager) {}

  void AddAll(clang::DeclContext* context) {
    for (clang::Decl* declaration : context->decls()) Add(declaration);
  }

  UserDeclarations found;

 private:
  void Add(clang::Decl* declaration) {
    if (manager_.isInSystemHeader(manager_.getExpansionLoc(declaration->getLocation()))) return;
    if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) return AddFunction(function);
    if (llvm::isa<clang::VarDecl>(declaration)) found.variables.push_back(declaration);
    if (auto* space = llvm::dyn_cast<clang::NamespaceDecl>(declaration)) return AddAll(space);
    if (auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(declaration)) return AddAll(linkage);
    if (auto* structure = llvm::dyn_cast<clang::RecordDecl>(declaration)) return AddAll(structure);
    if (auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
      for (clang::FunctionDecl* instance : pattern->specializations()) AddFunction(instance);
      return;
    }
    if (auto* pattern = llvm::dyn_cast<clang::ClassTemplateDecl>(declaration)) {
      for (clang::ClassTemplateSpecializationDecl* instance : pattern->specializations()) AddAll(instance);
    }
  }

  void AddFunction(clang::FunctionDecl* function) {
    const bool has_body = function->doesThisDeclarationHaveABody() && function->getBody() != nullptr;
    if (!has_body || function->isDependentContext() || !seen_.insert(function).second) return;
    found.functions.push_back(function);
  }

  const clang::SourceManager& manager_;
  llvm::DenseSet<const clang::FunctionDecl*> seen_;
};

}  // namespace

UserDeclarations DeclarationsOf(clang::ASTContext& ast) {
  DeclarationCollector collector(ast.getSourceManager());
  collector.AddAll(ast.getTranslationUnitDecl());
  return std::move(collector.found);
}

std::vector<const clang::FunctionDecl*> FunctionsOf(const clang::ASTContext& ast) {
  const clang::SourceManager& manager = ast.getSourceManager();
  std::vector<const clang::FunctionDecl*> functions;
  for (const clang::FunctionDecl* function : DeclarationsOf(const_cast<clang::ASTContext&>(ast)).functions) {
    if (manager.isWrittenInMainFile(manager.getExpansionLoc(function->getBody()->getBeginLoc())))
      functions.push_back(function);
  }
  std::stable_sort(functions.begin(), functions.end(), [&](const auto* a, const auto* b) {
    return manager.getFileOffset(manager.getExpansionLoc(a->getBody()->getBeginLoc())) <
           manager.getFileOffset(manager.getExpansionLoc(b->getBody()->getBeginLoc()));
  });
  return functions;
}

}  // namespace tune
