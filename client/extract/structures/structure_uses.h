// Which structures a region declares, and which of their members it uses.
#pragma once

#include <map>
#include <optional>

#include "client/extract/source/diagnostic.h"
#include "client/extract/structures/structure_object.h"
#include "client/extract/tree/body_end.h"

namespace clang {
class FunctionDecl;
}

namespace tune {

struct StructureUses {
  std::map<clang::VarDecl*, MemberPaths> used;  // of what is declared
  std::optional<Refusal> refusal;               // the first use that members do not stand for
  bool any = false;                             // a declaration, or a copy as a whole
};

// `function` has the statements.
StructureUses FindStructureUses(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                                const Statements& statements);

}  // namespace tune
