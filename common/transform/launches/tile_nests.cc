#include "common/transform/launches/tile_nests.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "common/program/loop_condition.h"

namespace tune {
namespace {

absl::Status NoNest() {
  return absl::InvalidArgumentError(
      "loops over tiles are not inside of each other, so that their launches cannot be one: choose other "
      "tiles, or none (time_tiles=off)");
}

bool IsParallel(const Node& node) {
  const auto* const loop = node.As<Loop>();
  return loop != nullptr && loop->parallel;
}

// Which of the host's values is the loop's iterator, in launches inside of it.
std::optional<size_t> PlaceOf(const Loop& loop) {
  std::optional<size_t> place;
  ForEachNode(loop.body, [&](const Node& node) {
    const auto* const launch = node.As<Launch>();
    if (launch == nullptr) return;
    for (size_t i = 0; i < launch->host.size(); ++i)
      if (launch->host[i].IsName(loop.iterator)) place = i;
  });
  return place;
}

// The node in a condition that the loop is in the iteration that its launches have as a number.
absl::StatusOr<Node> InItsIteration(Node node, const Loop& loop, size_t place) {
  std::optional<int64_t> iteration;
  bool one = true;
  Block block = {std::move(node)};
  ForEachNode(block, [&](Node& inner) {
    auto* const launch = inner.As<Launch>();
    if (launch == nullptr) return;
    one = one && place < launch->host.size() && launch->host[place].IsConstant() &&
          iteration.value_or(launch->host[place].value) == launch->host[place].value;
    if (!one) return;
    iteration = launch->host[place].value;
    launch->host[place] = IndexExpression::Name(loop.iterator);
  });
  const std::optional<int64_t> count = FixedIterations(loop);
  if (!one || !iteration || !count || *iteration < loop.first.value ||
      *iteration >= loop.first.value + *count)
    return NoNest();
  const IndexExpression is =
      IndexExpression::Of(IndexExpression::Op::kEqual,
                          {IndexExpression::Name(loop.iterator), IndexExpression::Constant(*iteration)});
  return Node{Condition{is, std::move(block), {}}};
}

}  // namespace

absl::Status NestTiles(Loop* loop) {
  Block& body = loop->body;
  const auto found = std::find_if(body.begin(), body.end(), IsParallel);
  if (found == body.end()) return absl::OkStatus();
  if (std::count_if(body.begin(), body.end(), IsParallel) > 1) return NoNest();
  Node inner = *found;
  Loop& tiles = *inner.As<Loop>();
  TUNE_RETURN_IF_ERROR(NestTiles(&tiles));
  if (body.size() > 1) {
    const std::optional<size_t> place = PlaceOf(tiles);
    if (!place) return NoNest();
    Block nested;
    for (auto node = body.begin(); node != body.end(); ++node) {
      if (node == found) {
        nested.insert(nested.end(), tiles.body.begin(), tiles.body.end());
        continue;
      }
      TUNE_ASSIGN_OR_RETURN(Node own, InItsIteration(*node, tiles, *place));
      nested.push_back(std::move(own));
    }
    tiles.body = std::move(nested);
  }
  body = {std::move(inner)};
  return absl::OkStatus();
}

}  // namespace tune
