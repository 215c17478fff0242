#include "tests/worker/device_programs/mutation.h"

#include <functional>
#include <vector>

#include "common/program/node_accesses.h"

namespace tune::testing {
namespace {

using Change = std::function<void()>;

struct Place {
  std::string change;
  Change apply;
};

// All places of a copy of the program; the changes are of that copy.
class PlaceFinder {
 public:
  explicit PlaceFinder(DeviceProgram* program) : program_(program) {
    for (DeviceKernel& kernel : program->kernels) {
      Visit(&kernel.coordinates);
      Visit(&kernel.body);
      for (Tile& tile : kernel.tiles) AddTile(kernel, &tile);
    }
    Visit(&program->host);
  }

  std::vector<Place> TakePlaces() { return std::move(places_); }

 private:
  void Add(const std::string& change, Change apply) { places_.push_back({change, std::move(apply)}); }

  void Visit(Block* block) {
    for (size_t i = 0; i < block->size(); ++i) {
      Node& node = (*block)[i];
      const auto remove = [block, i] { block->erase(block->begin() + static_cast<std::ptrdiff_t>(i)); };
      const bool waits = node.As<AwaitFills>() != nullptr, commits = node.As<CommitFills>() != nullptr;
      if (node.As<Barrier>() != nullptr || waits || commits) {
        const std::string what = waits ? "a wait for copies" : commits ? "a group of copies" : "a barrier";
        Add(what + " is gone", remove);
        if (i + 1 < block->size())
          Add(what + " comes later", [block, i] { std::swap((*block)[i], (*block)[i + 1]); });
      }
      if (auto* await = node.As<AwaitFills>()) {
        Add("more copies are left open", [await] { ++await->open; });
        Add("fewer copies are left open", [await] { --await->open; });
      }
      if (node.As<Transfer>() != nullptr) Add("a copy is gone", remove);
      if (node.As<BlockReduction>() != nullptr) Add("a reduction is gone", remove);
      if (auto* fill = node.As<Fill>()) AddFill(fill, remove);
      if (auto* loop = node.As<Loop>()) AddLoop(loop);
      if (auto* branch = node.As<Condition>()) AddCondition(branch);
      if (auto* definition = node.As<Definition>()) AddOffByOne("a definition", &definition->value);
      if (auto* instance = node.As<Instance>()) {
        for (ElementAccess& access : instance->accesses) AddIndices(&access.subscripts);
        AddIndices(&instance->affine);
      }
      if (auto* transfer = node.As<Transfer>()) {
        AddIndices(&transfer->to.subscripts);
        AddIndices(&transfer->from.subscripts);
      }
      if (auto* scope = node.As<Scope>()) {
        for (KeptElement& kept : scope->kept) AddIndices(&kept.element.subscripts);
      }
      if (auto* merged = node.As<MergedLaunch>(); merged != nullptr && !merged->iterators.empty())
        Add("a merged launch does not know a loop", [merged] { merged->iterators.pop_back(); });
      if (auto* merged = node.As<MergedLaunch>(); merged != nullptr && merged->joined) AddJoined(merged);
      if (auto* launch = node.As<Launch>()) AddLaunch(launch);
      if (auto* turns = node.As<BlockTurns>()) AddLaunch(&turns->launch);
      for (Block* inner : node.blocks()) Visit(inner);
    }
  }

  void AddJoined(MergedLaunch* merged) {
    Add("a block of a joined launch is gone", [merged] { --merged->blocks; });
    Add("a joined launch has a barrier",
        [merged] { merged->body.insert(merged->body.begin() + 1, Node{Barrier{Barrier::Of::kBlock}}); });
    Add("a kernel is run twice", [merged] {
      merged->blocks += merged->body[0].As<BlockTurns>()->own;
      merged->body.push_back(merged->body[0]);
    });
  }

  void AddOffByOne(const std::string& what, IndexExpression* expression) {
    for (const int64_t by : {1, -1}) {
      Add(what + " is off by one",
          [expression, by] { *expression = *expression + IndexExpression::Constant(by); });
    }
  }

  void AddIndices(std::vector<IndexExpression>* indices) {
    for (IndexExpression& index : *indices) AddOffByOne("an index", &index);
  }

  // Loads of what is written meanwhile, of what need not be there, of too much and of too little.
  void AddAhead(Loop* loop) {
    ForEachNode(loop->body, [&](const Node& node) {
      ForEachAccess(node, [&](const ElementAccess& access) {
        const DeviceArray* const array = FindArray(access.array);
        if (array == nullptr) return;
        Add("more is loaded ahead", [loop, access, type = array->type] {
          loop->fetched.push_back({access, type});
          loop->ahead = std::max<int64_t>(loop->ahead, 2);
        });
      });
    });
    if (loop->ahead == 0) return;
    for (size_t k = 0; k < loop->fetched.size(); ++k) {
      AddIndices(&loop->fetched[k].element.subscripts);
      Add("less is loaded ahead",
          [loop, k] { loop->fetched.erase(loop->fetched.begin() + static_cast<std::ptrdiff_t>(k)); });
    }
    Add("nothing is ahead", [loop] { loop->ahead = 0; });
    AddPieces(loop);
    Add("neighbours are loaded otherwise", [loop] { loop->wide = !loop->wide; });
  }

  // Pieces of rows of what is loaded and stored otherwise, and of what cannot have them.
  void AddPieces(Loop* loop) {
    for (KeptElement& fetched : loop->fetched)
      Add("more or less is loaded at once", [&fetched] { fetched.width = fetched.width > 1 ? 1 : 4; });
    for (size_t k = 0; k < loop->collected.size(); ++k) {
      AddIndices(&loop->collected[k].element.subscripts);
      Add("less is stored at once",
          [loop, k] { loop->collected.erase(loop->collected.begin() + static_cast<std::ptrdiff_t>(k)); });
    }
    ForEachNode(loop->body, [&](const Node& node) {
      ForEachAccess(node, [&](const ElementAccess& access) {
        const DeviceArray* const array = FindArray(access.array);
        if (array == nullptr) return;
        Add("more is stored at once", [loop, access, type = array->type] {
          loop->collected.push_back({access, type, type == v1::ELEMENT_TYPE_DOUBLE ? 2 : 4});
        });
      });
    });
    for (const int64_t by : {1, -1}) Add("pieces begin at another time", [loop, by] { loop->phase += by; });
  }

  // Null for tiles.
  const DeviceArray* FindArray(const std::string& name) const {
    for (const DeviceArray& array : program_->arrays) {
      if (array.scop_name == name) return &array;
    }
    return nullptr;
  }

  void AddLoop(Loop* loop) {
    AddAhead(loop);
    if (loop->warp_product) {
      Add("a warp's product is none", [loop] { loop->warp_product = false; });
      if (Loop* const inside = loop->body[0].As<Loop>())
        Add("a warp computes a part of its product",
            [loop, inside] { std::swap(loop->warp_product, inside->warp_product); });
    }
    AddOffByOne("a first iteration", &loop->first);
    if (loop->condition.operands.size() == 2) AddOffByOne("a bound", &loop->condition.operands[1]);
  }

  void AddCondition(Condition* branch) {
    Add("a condition is gone", [branch] { branch->condition = IndexExpression::Constant(1); });
    if (branch->condition.operands.size() == 2) AddOffByOne("a condition", &branch->condition.operands[1]);
  }

  void AddFill(Fill* fill, const Change& remove) {
    Add("a fill is gone", remove);
    Add("fewer threads fill", [fill] { --fill->threads; });
    Add("more threads fill", [fill] { ++fill->threads; });
    for (size_t i = 0; i < fill->tiles.size(); ++i) {
      Add("a tile is not filled",
          [fill, i] { fill->tiles.erase(fill->tiles.begin() + static_cast<std::ptrdiff_t>(i)); });
      AddIndices(&fill->tiles[i].first);
      AddIndices(&fill->tiles[i].to.subscripts);
      Add("more elements are copied at once", [fill, i] { fill->tiles[i].width *= 2; });
      if (fill->tiles[i].width > 1)
        Add("fewer elements are copied at once", [fill, i] { fill->tiles[i].width /= 2; });
      Add("a copy ends at another time", [fill, i] {
        TileFill& part = fill->tiles[i];
        part.asynchronous = !part.asynchronous;
      });
      for (size_t d = 0; d < fill->tiles[i].before.size(); ++d) {
        if (fill->tiles[i].before[d])
          Add("a guard of a fill is gone", [fill, i, d] { fill->tiles[i].before[d] = false; });
        if (fill->tiles[i].behind[d])
          Add("a guard of a fill is gone", [fill, i, d] { fill->tiles[i].behind[d] = false; });
      }
    }
  }

  void AddTile(const DeviceKernel& kernel, Tile* tile) {
    if (tile->copies > 1) Add("a copy of a tile is missing", [tile] { --tile->copies; });
    if (kernel.given_shared_bytes > 0 && tile->shared)
      Add("a tile lies on another", [tile] { tile->offset = tile->offset > 0 ? 0 : 16; });
    for (size_t d = 0; d < tile->extents.size(); ++d)
      Add("a tile is too small", [tile, d] { --tile->extents[d]; });
    if (tile->zeroed) Add("a tile does not begin with zeros", [tile] { tile->zeroed = false; });
  }

  void AddLaunch(Launch* launch) {
    AddIndices(&launch->host);
    AddIndices(&launch->first);
    for (IndexExpression& count : launch->count)
      Add("a launch has a block too few", [&count] { count = count - IndexExpression::Constant(1); });
  }

  DeviceProgram* program_;
  std::vector<Place> places_;
};

}  // namespace

std::optional<Mutant> Mutate(const DeviceProgram& program, uint64_t seed) {
  Mutant mutant{"", program};
  const std::vector<Place> places = PlaceFinder(&mutant.program).TakePlaces();
  if (places.empty()) return std::nullopt;
  // Each kind of change is as likely as another, however many places it has.
  std::set<std::string> kinds;
  for (const Place& place : places) kinds.insert(place.change);
  std::mt19937_64 random(seed);
  auto kind = kinds.begin();
  std::advance(kind, random() % kinds.size());
  std::vector<const Place*> of_kind;
  for (const Place& place : places) {
    if (place.change == *kind) of_kind.push_back(&place);
  }
  const Place& place = *of_kind[random() % of_kind.size()];
  mutant.change = place.change;
  place.apply();
  return mutant;
}

}  // namespace tune::testing
