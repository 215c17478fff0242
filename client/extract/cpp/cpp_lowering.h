// What C++ has beyond C, in terms of C, where it has such terms.
#pragma once

namespace clang {
class ASTContext;
class Expr;
class VarDecl;
}  // namespace clang

namespace tune {

// Changes the bodies of the user's functions, so that what reads regions need know little of C++:
//   - temporaries, default arguments, braces around a number, and arguments of templates are the values that
//     they have;
//   - functions of <cmath> and <cstdlib>, whichever of those of one name is called, are the compiler's
//     functions for that type: __builtin_sqrtf;
//   - std::min, std::max and std::clamp are choices, as the standard says them; numbers of
//     std::numeric_limits are literals;
//   - references have the type of what they refer to (IsReference).
// What is left of C++ is for FindRefusedCpp.
void LowerCpp(clang::ASTContext& ast);

// The variable was declared as a reference: it is another name of what its initialiser, or argument, names.
bool IsReference(const clang::VarDecl& variable);
// Of a reference, whether what it names may be changed by it.
bool MayChangeReferred(const clang::VarDecl& variable);

// What a reference is bound to where it is declared; null for other variables, and where that is a value.
const clang::Expr* ReferredBy(const clang::VarDecl& variable);

}  // namespace tune
