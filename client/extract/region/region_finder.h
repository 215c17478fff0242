// Pairs the pragmas of a file and finds the statements between them.
#pragma once

#include <string>
#include <vector>

#include "client/extract/source/clang_front_end.h"
#include "client/extract/source/diagnostic.h"
#include "tune/v1/scop.pb.h"

namespace clang {
class FunctionDecl;
class Stmt;
}  // namespace clang

namespace tune {

struct FoundRegion {
  std::string scop_name;
  const clang::FunctionDecl* function;
  std::vector<const clang::Stmt*> statements;  // between the pragmas, in order; whole statements
  // Of a region that is read under conditions: what runs where they do not hold
  // (common/tuned/checked_place.h).
  std::vector<const clang::Stmt*> original = {};
  clang::SourceLocation begin, end;  // of the pragmas
  v1::SourceRegion source;           // all but `file`
};

// In textual order. A pragma without partner, nested, outside a function, in a header, or cutting through a
// statement is refused, one refusal each. A file without pragmas is refused as a whole.
struct FoundRegions {
  std::vector<FoundRegion> regions;
  std::vector<Refusal> refusals;
};
// `instance`: of regions in functions of this name alone (IsNamed); empty: of all. One in a template of which
// there are several such instances is refused.
FoundRegions FindRegions(const TranslationUnit& unit, const std::string& instance = "");

// Sets scop_name: "f" for the only region of f, else "f#1", "f#2", ...
void NameRegions(std::vector<FoundRegion>* regions);

}  // namespace tune
