// What a part of the syntax tree names.
#pragma once

#include <vector>

#include "client/extract/tree/body_end.h"

namespace clang {
class Stmt;
class ValueDecl;
}  // namespace clang

namespace tune {

// The variables, functions and enumerators that the statement, or expression, names, once for each time, in
// the order of the text. The bodies of functions that it calls are not looked at. Null names nothing.
std::vector<const clang::ValueDecl*> NamedIn(const clang::Stmt* statement);
std::vector<const clang::ValueDecl*> NamedIn(const Statements& statements);
// Whether the statement names it.
bool Mentions(const clang::Stmt* statement, const clang::ValueDecl* declaration);

}  // namespace tune
