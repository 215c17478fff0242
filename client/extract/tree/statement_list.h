// Lists of statements in which some stand for others.
#pragma once

#include <functional>
#include <vector>

#include "client/extract/tree/body_end.h"
#include "client/extract/tree/tree_changes.h"

namespace clang {
class ASTContext;
}

namespace tune {

// Adds what stands for a statement in the list that it is in; false where that is the statement itself.
using ReplaceStatement = std::function<bool(clang::Stmt*, std::vector<clang::Stmt*>*)>;

// Lets what `replace` says stand in the place of each statement, of those that come of it as well, in the
// list and in all blocks, bodies and branches below it. What expressions have in them is not looked at.
void ReplaceStatements(const clang::ASTContext& ast, Statements* list, TreeChanges* changes,
                       const ReplaceStatement& replace);

}  // namespace tune
