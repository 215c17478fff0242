// Regions that are static control parts under conditions which the program checks while it runs.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "client/extract/assumption.h"
#include "client/extract/clang_front_end.h"
#include "client/extract/region_finder.h"
#include "client/extract/scop_assembly.h"

namespace tune {

// Reads a text in place of the file; null where clang finds an error.
using ParseText = std::function<std::unique_ptr<TranslationUnit>(const std::string& text)>;

struct AssumedRegion {
  std::shared_ptr<const Assumption> assumption;  // complete where nothing was refused
  AssembledScop
      assembled;  // what the front end makes of the region then; places and lines are those of the file
};

// `region`: one that is refused without assumptions. Nothing where there is nothing to assume.
std::optional<AssumedRegion> ReadAssumed(const TranslationUnit& unit, const FoundRegion& region,
                                         bool has_pragmas, const ParseText& parse);

}  // namespace tune
