#include "client/extract/source/fitting_constant.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

bool Fits(const clang::ASTContext& ast, clang::QualType type, int64_t value) {
  const bool is_unsigned = type->isUnsignedIntegerOrEnumerationType();
  const unsigned bits = type->isBooleanType() ? 1 : ast.getIntWidth(type);
  if (is_unsigned && value < 0) return false;
  const llvm::APInt number(64, static_cast<uint64_t>(value), /*isSigned=*/true);
  return is_unsigned ? number.isIntN(bits) : number.isSignedIntN(bits);
}

}  // namespace

std::vector<Refusal> RefuseMisfits(const clang::ASTContext& ast, clang::SourceRange region,
                                   const std::vector<const clang::VarDecl*>& parameters,
                                   const std::map<std::string, int64_t>& constants) {
  std::vector<Refusal> refusals;
  for (const clang::VarDecl* parameter : parameters) {
    const clang::QualType type = parameter->getType().getNonReferenceType().getUnqualifiedType();
    const auto constant = constants.find(parameter->getNameAsString());
    if (constant == constants.end() || !type->isIntegralOrEnumerationType() ||
        Fits(ast, type, constant->second))
      continue;
    refusals.push_back({region,
                        absl::StrCat("--constant ", constant->first, "=", constant->second, ": a `",
                                     type.getAsString(), "` cannot have this value"),
                        "give one that it can have"});
  }
  return refusals;
}

}  // namespace tune
