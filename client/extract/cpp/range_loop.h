// Range-based loops of C++ as loops with a subscript.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/extract/structures/member_read.h"

namespace clang {
class ASTContext;
class CXXForRangeStmt;
class VarDecl;
}  // namespace clang

namespace tune {

class MainFile;

// for (T x : elements) body
struct RangeLoop {
  const clang::VarDecl* variable;
  MemberUse head;                // up to the parenthesis before the body
  std::string declared;          // "T x"
  std::optional<int64_t> block;  // behind the body's first brace
  int64_t end;                   // behind the body
};

// Nothing where parts of it stand in macros, or it begins with a declaration of its own.
std::optional<RangeLoop> RangeLoopAt(const clang::ASTContext& ast, const MainFile& file,
                                     const clang::CXXForRangeStmt& loop);

// Lets a loop over the subscripts of `elements`, an array or a pointer, take its place: `count` of them.
// `declared`: what is set to an element at its begin, "T x".
void AddSubscriptLoop(const RangeLoop& loop, const std::string& declared, const std::string& elements,
                      const std::string& count, std::vector<MemberUse>* uses);

}  // namespace tune
