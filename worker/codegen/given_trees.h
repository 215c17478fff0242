// Schedule trees from a person's hand, in place of those that the mapper makes.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "common/isl/isl.h"

namespace tune {

// Of trees after stages of mapping (TreeHook), by their titles.
using TreeTexts = std::map<std::string, std::string>;

// The title of the program that is made of the last trees, which is no tree itself (given_program.h).
inline constexpr char kProgramStage[] = "program";

// "tiles of k[S0,S1]"; "host", which is of no kernel.
std::string TreeTitle(absl::string_view stage, absl::string_view kernel);

// "# TITLE" and the tree's lines below it.
std::string PrintTreeText(absl::string_view title, absl::string_view tree);

// What PrintTreeText printed, any number of them. INVALID_ARGUMENT when there is none, text without a title
// or the same title twice.
absl::StatusOr<TreeTexts> ReadTreeTexts(absl::string_view text);

// A tree may be taken when it has the instances of the one in whose place it stands, also those that
// extensions add, each of these once, and the same marks but those of loops, in the same order.
class GivenTrees {
 public:
  // INVALID_ARGUMENT when isl does not read a text. A program is left aside.
  static absl::StatusOr<GivenTrees> Parse(IslContext& context, const TreeTexts& texts);

  // The tree that is given for this place, where it may be taken, else `made`. Throws isl::exception.
  isl::schedule Take(absl::string_view stage, absl::string_view kernel, const isl::schedule& made);

  // To be asked after mapping: OK when each given tree was taken, the last time that its place came by.
  // INVALID_ARGUMENT says what is different, or that there is no such place.
  absl::Status CheckTaken() const;

 private:
  struct Given {
    isl::schedule tree;
    std::optional<std::string> difference;  // to the tree made last
  };
  std::map<std::string, Given> trees_;  // by title
  std::set<std::string> titles_;        // of the trees made
};

}  // namespace tune
