// Regions that are static control parts under conditions which the program checks while it runs.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/extract/region/assumption.h"
#include "client/extract/region/region_finder.h"
#include "client/extract/scop_assembly.h"
#include "client/extract/source/clang_front_end.h"

namespace tune {

// A text that is read in place of the file.
struct ParsedText {
  std::unique_ptr<TranslationUnit> unit;  // null where clang finds an error
  std::string error;                      // the first one
};
using ParseText = std::function<ParsedText(const std::string& text)>;

struct AssumedRegion {
  std::shared_ptr<const Assumption> assumption;  // complete where nothing was refused
  AssembledScop
      assembled;  // what the front end makes of the region then; places and lines are those of the file
};

// `region`: one that is refused without assumptions, and why. Nothing where there is nothing to assume.
std::optional<AssumedRegion> ReadAssumed(const TranslationUnit& unit, const FoundRegion& region,
                                         bool has_pragmas, const ParseText& parse,
                                         const std::vector<Refusal>& refusals);

}  // namespace tune
