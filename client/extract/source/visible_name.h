// Names of C++ as they may be written elsewhere.
#pragma once

#include <string>

namespace clang {
class FunctionDecl;
class NamedDecl;
class VarDecl;
}  // namespace clang

namespace tune {

// A name that means the declaration in any function of the file: "::space::n", of a function's own, and in C,
// its plain name. Empty where there is none, as in the instances of a class template.
std::string FullName(const clang::NamedDecl& declaration);

// Whether the plain name of a variable outside of functions means it in the function, unless the function has
// one of that name itself.
bool IsVisibleIn(const clang::FunctionDecl& function, const clang::VarDecl& variable);

// Whether the function may name the member of a class: it is public, or the function is one of that class.
bool IsAccessibleIn(const clang::FunctionDecl& function, const clang::NamedDecl& member);

}  // namespace tune
