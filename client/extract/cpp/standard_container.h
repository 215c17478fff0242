// std::vector, std::array, std::span and std::unique_ptr of numbers and structures.
#pragma once

#include <clang/AST/Type.h>

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
}  // namespace clang

namespace tune {

// A type whose objects have their elements one behind the other: std::vector<float>,
// std::array<std::array<int, 3>, 4>, std::span<const std::array<double, 2>>.
struct StandardContainer {
  bool is_array = false;    // the object itself holds the elements
  bool is_pointer = false;  // std::unique_ptr<T[]>, std::shared_ptr<T[]>: it does not know how many there are
  int dimensions = 1;       // subscripts that lead to a number, or a structure
};

// Nothing for other types, and for std::vector<bool>, whose elements are bits.
std::optional<StandardContainer> ContainerOf(const clang::ASTContext& ast, clang::QualType type);

// C++ for the pointer to the elements of an object that is no array.
std::string PointerTo(const StandardContainer& type, const std::string& object);

// What the vectors in a std::vector of them have, where that are numbers; null for other types.
clang::QualType ElementOfVectors(const clang::ASTContext& ast, clang::QualType type);

// The name of the class where it is one of the standard library's that has elements, whatever these are:
// "vector<vector<float>>"; else empty.
std::string NameOfContainer(const clang::ASTContext& ast, clang::QualType type);

// The expression without parentheses, and without the step to a base class that a class of the library's has
// its functions in.
const clang::Expr* WholeObject(const clang::Expr& expression);

// The object whose member function or operator is called, or which is the only argument of std::size,
// std::ssize or std::empty; null for other calls.
const clang::Expr* ObjectOfCall(const clang::CallExpr& call);
// The name of what is called there, "[]" of a subscript.
std::string NameOfCalled(const clang::CallExpr& call);

// The containers of one type that the call exchanges, std::swap(v, w) or v.swap(w), where each then has the
// memory of the other's elements, and not that of something else in the program; nothing for other calls.
std::optional<std::pair<const clang::Expr*, const clang::Expr*>> ContainersExchangedBy(
    const clang::ASTContext& ast, const clang::CallExpr& call);

// What cannot be in a region, and what to write instead, where that is such a call for an object of the
// library's; nothing for others.
std::optional<std::pair<std::string, std::string>> RefusedUse(const clang::ASTContext& ast,
                                                              const clang::CallExpr& call);

}  // namespace tune
