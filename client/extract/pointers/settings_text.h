// The part of a region's text that sets pointers, or exchanges containers, to be done again behind it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "client/extract/region/region_finder.h"

namespace clang {
class ASTContext;
class Stmt;
class VarDecl;
}  // namespace clang

namespace tune {

// The statements of which `is_setting` holds, with the loops around them; empty: there are none. Nothing
// where they stand under conditions, in loops that jump, or in loops whose headers have variables that the
// region `may_be_written`, so that the text would do something else behind it.
std::optional<std::string> SettingsText(const clang::ASTContext& ast, const Statements& statements,
                                        const std::function<bool(const clang::Stmt&)>& is_setting,
                                        const std::function<bool(const clang::VarDecl*)>& may_be_written);

}  // namespace tune
