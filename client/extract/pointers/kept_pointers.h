// Pointers that a region sets and that are read behind it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/extract/region/region_finder.h"

namespace clang {
class ASTContext;
}

namespace tune {

// Lines around the region set them once more behind it, whatever code is there in its place.
struct KeptPointers {
  std::vector<std::string> names;  // of those that the region reads before it sets them
  std::string settings;  // C: its statements that set pointers, with loops around; empty: none is read
};

// None where the text of their settings cannot be taken out of what is around it.
KeptPointers FindKeptPointers(const clang::ASTContext& ast, const FoundRegion& region);

// Lines that keep what they point to before the region; and that set them behind it.
std::string KeepPointers(const KeptPointers& kept);
std::string SetPointers(const KeptPointers& kept);

}  // namespace tune
