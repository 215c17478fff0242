// A region in the words that are read: all changes of its tree, one after the other.
#pragma once

#include <map>
#include <string>

#include "client/extract/forms/element_loop.h"
#include "client/extract/forms/hinted_value.h"
#include "client/extract/forms/plain_statement.h"
#include "client/extract/forms/short_choice.h"
#include "client/extract/forms/split_increments.h"
#include "client/extract/integers/entering_index.h"
#include "client/extract/loops/counting_loop.h"
#include "client/extract/pointers/pointer_walk.h"
#include "client/extract/region/region_finder.h"
#include "client/extract/structures/structure_values.h"

namespace tune {

// The tree is changed for as long as it lives.
class LoweredRegion {
 public:
  LoweredRegion(const clang::ASTContext& ast, const FoundRegion& marked);

  // With the statements that are read.
  const FoundRegion& found() const { return found_; }
  const StructureValues& structures() const { return structures_; }
  // As ElementLoops and EnteringIndices have them.
  const Statements& sources() const { return loops_.sources(); }
  const std::map<const clang::VarDecl*, std::string>& known() const { return entering_.known(); }

 private:
  const ShortChoices choices_;
  const HintedValues hinted_;
  const PlainStatements plain_;
  const SplitIncrements split_;
  const CountingLoops counting_;
  const EnteringIndices entering_;
  const PointerWalks walks_;
  const ElementLoops loops_;
  const StructureValues structures_;
  const FoundRegion found_;
};

}  // namespace tune
