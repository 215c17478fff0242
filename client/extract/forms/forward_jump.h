// Forward `goto`s of a list of statements, as branches that meet again.
#pragma once

#include <cstddef>
#include <optional>
#include <set>

#include "client/extract/region/region.h"
#include "client/extract/tree/body_end.h"

namespace clang {
class LabelDecl;
}

namespace tune {

// Labels behind the end of a list: a `goto` to one of them ends it.
using Exits = std::set<const clang::LabelDecl*>;

// The statement behind its labels; itself where it has none.
const clang::Stmt& WithoutLabels(const clang::Stmt& statement);

// The label that a `goto` leads to; null for other statements.
const clang::LabelDecl* JumpTarget(const clang::Stmt& statement);

// Two ways through a list from an `if` in it on, of which at least one begins with a jump.
struct Detour {
  Statements then, otherwise;  // what is executed on either way until both meet; no jumps at their ends
  size_t meet = 0;             // where they do: a position in the list, or its size
  Exits exits;                 // the labels there
};

// The ways from the `if` at the position. nullopt: none of its branches ends with a `goto`. Refused: one
// leads backward or out of the list, or something else leads into one of the two ways.
std::optional<Accepted<Detour>> DetourAt(const Statements& list, size_t position, const Exits& exits);

// The first label in the statements of a region that something outside of them jumps to, or null.
const clang::LabelDecl* EnteredLabel(const Statements& statements);

}  // namespace tune
