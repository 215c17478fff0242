// What a region sets its variables to, and when.
#pragma once

#include <map>
#include <vector>

namespace clang {
class Expr;
class Stmt;
class VarDecl;
}  // namespace clang

namespace tune {

struct SetValue {
  std::vector<const clang::Expr*> values;      // right sides of assignments; not the initialiser
  std::vector<const clang::Expr*> conditions;  // that decide whether it is assigned, or in- or decremented
};
using SetValues = std::map<const clang::VarDecl*, SetValue>;

// Of all that the statements, and the functions that they call, set.
SetValues FindSetValues(const std::vector<const clang::Stmt*>& statements);

// What an expression is made of, by way of all that its integer variables are set to and when.
struct ValueOrigins {
  bool data = false;  // elements of arrays, members, floating numbers
  // Members, elements at constant subscripts, results of functions that are not in sight: they may be taken
  // for numbers from before the region when it is read again (assumed_region.h).
  bool from_before = false;
};
ValueOrigins FindValueOrigins(const clang::Expr& expression, const SetValues& values);

}  // namespace tune
