// Numbers that the user gives for parameters.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "client/extract/source/diagnostic.h"

namespace clang {
class ASTContext;
class VarDecl;
}  // namespace clang

namespace tune {

// A refusal, at the begin of the region, for each of the parameters whose type cannot have the number that
// `constants` has by its name: tuned code would never run.
std::vector<Refusal> RefuseMisfits(const clang::ASTContext& ast, clang::SourceRange region,
                                   const std::vector<const clang::VarDecl*>& parameters,
                                   const std::map<std::string, int64_t>& constants);

}  // namespace tune
