#include "worker/codegen/given_trees.h"

#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/mapping/loop_mark.h"
#include "common/mapping/mark_node.h"
#include "worker/check/placement.h"

namespace tune {
namespace {

constexpr char kTitle[] = "# ";

// Names of the marks that are no loops', from the root.
std::string PlaceMarks(const isl::schedule& tree) {
  std::vector<std::string> names;
  tree.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_mark>()) return true;
    const std::string name = MarkName(node);
    if (name != kLoopMarkEnd && !ParseLoopMark(name)) names.push_back(absl::StrCat("\"", name, "\""));
    return true;
  });
  return names.empty() ? "none" : absl::StrJoin(names, ", ");
}

// { S }: what extensions have of the statements of the domain.
isl::union_set AddedToDomain(const isl::schedule& tree) {
  isl::union_set added = isl::union_set::empty(tree.ctx());
  tree.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (node.isa<isl::schedule_node_extension>())
      added = added.unite(node.as<isl::schedule_node_extension>().extension().range());
    return true;
  });
  return added.intersect(tree.domain().universe());
}

// Instances of other statements than those of the domain.
struct Additions {
  isl::union_set instances;
  isl::union_set repeated;  // those that run several times
};

Additions FindAdditions(const isl::schedule& tree) {
  const isl::union_set nothing = isl::union_set::empty(tree.ctx());
  Additions additions{nothing, nothing};
  for (const TreeLeaf& leaf : FindLeaves(tree)) {
    const isl::union_map schedule = leaf.schedule.subtract_domain(tree.domain().universe());  // X -> [p]
    const isl::union_set here = schedule.domain();
    additions.repeated = additions.repeated.unite(here.intersect(additions.instances));
    if (!schedule.is_single_valued()) additions.repeated = additions.repeated.unite(here);
    additions.instances = additions.instances.unite(here);
  }
  return additions;
}

// Why `given` may not stand in the place of `made`.
std::optional<std::string> Difference(const isl::schedule& given, const isl::schedule& made) {
  const auto lacks = [](const isl::union_set& missing) {
    return absl::StrCat("it lacks ", Example(missing), ", which the tree in whose place it stands has");
  };
  const auto has = [](const isl::union_set& more) {
    return absl::StrCat("it has ", Example(more), ", which the tree in whose place it stands has not");
  };
  const isl::union_set missing = made.domain().subtract(given.domain());
  if (!missing.is_empty()) return lacks(missing);
  const isl::union_set more = given.domain().subtract(made.domain());
  if (!more.is_empty()) return has(more);
  const isl::union_set again = AddedToDomain(given);
  if (!again.is_empty()) return absl::StrCat("an extension adds ", Example(again));
  const Additions own = FindAdditions(given), wanted = FindAdditions(made);
  if (!own.repeated.is_empty()) return absl::StrCat("it runs ", Example(own.repeated), " more than once");
  const isl::union_set missing_copies = wanted.instances.subtract(own.instances);
  if (!missing_copies.is_empty()) return lacks(missing_copies);
  const isl::union_set more_copies = own.instances.subtract(wanted.instances);
  if (!more_copies.is_empty()) return has(more_copies);
  const std::string marks = PlaceMarks(given), wanted_marks = PlaceMarks(made);
  if (marks == wanted_marks) return std::nullopt;
  return absl::StrCat("its marks are ", marks, "; those of the tree in whose place it stands are ",
                      wanted_marks);
}

}  // namespace

std::string TreeTitle(absl::string_view stage, absl::string_view kernel) {
  return kernel.empty() ? std::string(stage) : absl::StrCat(stage, " of ", kernel);
}

std::string PrintTreeText(absl::string_view title, absl::string_view tree) {
  return absl::StrCat(kTitle, title, "\n", tree);
}

absl::StatusOr<TreeTexts> ReadTreeTexts(absl::string_view text) {
  TreeTexts trees;
  std::string* tree = nullptr;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::ConsumePrefix(&line, kTitle)) {
      const std::string title(absl::StripAsciiWhitespace(line));
      const auto [place, is_new] = trees.emplace(title, "");
      if (!is_new) return absl::InvalidArgumentError(absl::StrCat("there are two trees \"", title, "\""));
      tree = &place->second;
    } else if (tree != nullptr) {
      absl::StrAppend(tree, line, "\n");
    } else if (!absl::StripAsciiWhitespace(line).empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "a tree stands below its title, \"# schedule\" or \"# tiles of k[S0]\", not \"", line, "\""));
    }
  }
  if (trees.empty()) return absl::InvalidArgumentError("there is no tree");
  return trees;
}

absl::StatusOr<GivenTrees> GivenTrees::Parse(IslContext& context, const TreeTexts& texts) {
  GivenTrees given;
  for (const auto& [title, text] : texts) {
    if (title == kProgramStage) continue;
    const absl::Status status = context.Run("reading a schedule tree", [&]() -> absl::Status {
      given.trees_[title].tree = isl::schedule(context.ctx(), text);
      return absl::OkStatus();
    });
    if (absl::IsInternal(status))
      return absl::InvalidArgumentError(absl::StrCat(title, ": ", status.message()));
    TUNE_RETURN_IF_ERROR(status);
  }
  return given;
}

isl::schedule GivenTrees::Take(absl::string_view stage, absl::string_view kernel, const isl::schedule& made) {
  const std::string title = TreeTitle(stage, kernel);
  titles_.insert(title);
  const auto found = trees_.find(title);
  if (found == trees_.end()) return made;
  Given& given = found->second;
  given.difference = Difference(given.tree, made);
  return given.difference ? made : given.tree;
}

absl::Status GivenTrees::CheckTaken() const {
  for (const auto& [title, given] : trees_) {
    if (titles_.count(title) == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no tree \"", title, "\": ", absl::StrJoin(titles_, ", ")));
    }
    if (given.difference) return absl::InvalidArgumentError(absl::StrCat(title, ": ", *given.difference));
  }
  return absl::OkStatus();
}

}  // namespace tune
