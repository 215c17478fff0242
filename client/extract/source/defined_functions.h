// The functions of a file that have bodies, wherever they are declared.
#pragma once

#include <vector>

namespace clang {
class ASTContext;
class Decl;
class FunctionDecl;
}  // namespace clang

namespace tune {

// In the order of the text: those of the file itself, and in C++ those in namespaces, in classes, and in
// place of templates the instances that the file makes of them.
std::vector<const clang::FunctionDecl*> FunctionsOf(const clang::ASTContext& ast);

// Functions with bodies, and variables outside of functions, of everything but headers of the system.
struct UserDeclarations {
  std::vector<clang::FunctionDecl*> functions;
  std::vector<clang::Decl*> variables;
};
UserDeclarations DeclarationsOf(clang::ASTContext& ast);

}  // namespace tune
