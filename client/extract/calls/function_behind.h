// Functions that stand behind the region that calls them.
#pragma once

#include <string>

namespace clang {
class ASTContext;
class FunctionDecl;
}  // namespace clang

namespace tune {

// Why the text of `function`, which is defined behind the region's function `around`, may mean something else
// there than in the place of the call, or not be what another build calls: "`w` is declared there". Empty
// where it means the same: it names nothing that is declared behind `around`, no directive between them
// changes what words mean, and no condition that does not hold for the region decides whether it is there.
std::string DiffersBehind(const clang::ASTContext& ast, const clang::FunctionDecl& around,
                          const clang::FunctionDecl& function);

}  // namespace tune
