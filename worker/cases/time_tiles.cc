#include "worker/cases/time_tiles.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "worker/cases/flat_accesses.h"
#include "worker/cases/time_tile_parts.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

constexpr int kMostTileAxes = 2;
constexpr size_t kMostTiledArrays = 31;      // of which the kernel is told a bit each
constexpr int64_t kLine = 1024, kSide = 64;  // elements of a tile
constexpr int64_t kTileBytes = 48 << 10;     // which a block of every device has
constexpr int64_t kLeastRows = 8;            // of a tile of two dimensions
constexpr int64_t kMostOfSide = 4;           // a step may cost a tile a quarter of a side

bool IsAffine(const IndexExpression& expression) {
  switch (expression.op) {
    case Op::kConstant:
    case Op::kName:
      return true;
    case Op::kMultiply:
      if (!expression.operands[0].IsConstant() && !expression.operands[1].IsConstant()) return false;
      [[fallthrough]];
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kNegate:
      return std::all_of(expression.operands.begin(), expression.operands.end(), IsAffine);
    default:
      return false;
  }
}

// Calls visit(comparison) for each part of a conjunction of comparisons of affine forms; false: it is none.
template <typename Visit>
bool ForEachComparison(const IndexExpression& expression, const Visit& visit) {
  switch (expression.op) {
    case Op::kAnd:
      return std::all_of(expression.operands.begin(), expression.operands.end(),
                         [&](const IndexExpression& part) { return ForEachComparison(part, visit); });
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
      if (!IsAffine(expression.operands[0]) || !IsAffine(expression.operands[1])) return false;
      visit(expression);
      return true;
    default:
      return false;
  }
}

class TimeTileFinder {
 public:
  explicit TimeTileFinder(const ParametricRegion& region) : region_(region), names_(region.names) {
    for (int s = 0; s < region.scop.statements_size(); ++s)
      statements_[region.scop.statements(s).name()] = &region.scop.statements(s);
  }

  std::optional<TimeTiles> Find() {
    const Block* host = &region_.host;
    const auto* const branch = host->size() == 1 ? host->at(0).As<Condition>() : nullptr;
    if (branch != nullptr && branch->otherwise.empty()) {
      tiles_.where = branch->condition;
      host = &branch->then;
    }
    const auto* const loop = host->size() == 1 ? host->at(0).As<Loop>() : nullptr;
    if (loop == nullptr || loop->step != IndexExpression::Constant(1)) return std::nullopt;
    tiles_.steps = *loop;
    tiles_.steps.body.clear();
    if (!AddArrays() || !AddLaunches(*loop)) return std::nullopt;
    for (const int array : tiles_.arrays) tiles_.made.push_back(MadePart(region_.scop.arrays(array).name()));
    if (!ChooseSides()) return std::nullopt;
    return std::move(tiles_);
  }

 private:
  const v1::Statement& StatementOf(const Instance& instance) const {
    return *statements_.at(instance.statement);
  }

  // Those that kernels write: all of one shape, with one box.
  bool AddArrays() {
    std::set<std::string> written;
    for (const ParametricKernel& kernel : region_.kernels) {
      for (const std::string& name : kernel.statements) {
        if (statements_.at(name)->kind() == v1::Statement::KILL) continue;
        for (const v1::Access& access : statements_.at(name)->accesses())
          if (access.kind() != v1::Access::READ) written.insert(access.array());
      }
    }
    for (int i = 0; i < region_.scop.arrays_size(); ++i) {
      const v1::Array& array = region_.scop.arrays(i);
      if (written.erase(array.name()) == 0) continue;
      const auto box = region_.written.find(array.name());
      if (array.has_structure() || array.declared_inside() || box == region_.written.end()) return false;
      if (tiles_.arrays.empty()) {
        tiles_.dimensions = array.extents_size();
        tiles_.written = box->second;
      }
      if (array.extents_size() != tiles_.dimensions || box->second.first != tiles_.written.first ||
          box->second.last != tiles_.written.last || box->second.any != tiles_.written.any)
        return false;
      tiles_.arrays.push_back(i);
      tiled_.insert(array.name());
    }
    return !tiled_.empty() && tiled_.size() <= kMostTiledArrays && written.empty() &&
           tiles_.dimensions >= 1 && tiles_.dimensions <= kMostTileAxes;
  }

  bool AddLaunches(const Loop& loop) {
    tiles_.before.assign(tiles_.dimensions, 0);
    tiles_.behind.assign(tiles_.dimensions, 0);
    for (const Node& node : loop.body) {
      const auto* const launch = node.As<Launch>();
      if (launch == nullptr || launch->host.size() != 1 || !launch->host[0].IsName(loop.iterator))
        return false;
      const ParametricKernel& kernel = region_.kernels[launch->kernel];
      if (kernel.shares_sums || kernel.axes != tiles_.dimensions) return false;
      for (const KernelPhase& phase : kernel.phases)
        if (!AddPhase(phase.whole, kernel.phases.size() == 1, *launch)) return false;
    }
    return !tiles_.phases.empty();
  }

  // `alone`: it is all that the launch runs.
  bool AddPhase(const Block& body, bool alone, const Launch& launch) {
    TilePhase& phase = tiles_.phases.emplace_back();
    launches_.push_back(&launch);
    phase.body = body;
    phase.before.assign(tiles_.dimensions, 0);
    phase.behind.assign(tiles_.dimensions, 0);
    if (!AddInstances(body, &phase)) return false;
    for (int d = 0; d < tiles_.dimensions; ++d) {
      tiles_.before[d] += phase.before[d];
      tiles_.behind[d] += phase.behind[d];
    }
    const auto* const branch = body.size() == 1 ? body[0].As<Condition>() : nullptr;
    if (!alone || branch == nullptr) return true;
    const std::optional<IndexExpression> where = OfPoints(branch->condition);
    const bool plain = std::all_of(branch->then.begin(), branch->then.end(),
                                   [](const Node& node) { return node.As<Instance>() != nullptr; });
    if (!plain || !where) return true;
    phase.where = *where;
    phase.points = branch->then;
    return true;
  }

  bool MentionsAxis(const IndexExpression& expression) const {
    bool mentions = false;
    for (int d = 0; d < tiles_.dimensions; ++d)
      mentions = mentions || Mentions(expression, absl::StrCat(names_.value, d));
    return mentions;
  }

  // What the condition, of all that a launch runs, asks of points; nothing where it is no conjunction of
  // comparisons of affine forms. The rest of it holds wherever there is a launch, which runs something.
  std::optional<IndexExpression> OfPoints(const IndexExpression& condition) const {
    std::vector<IndexExpression> parts;
    const bool fits = ForEachComparison(condition, [&](const IndexExpression& comparison) {
      if (MentionsAxis(comparison)) parts.push_back(comparison);
    });
    if (!fits || parts.empty()) return std::nullopt;
    IndexExpression all = parts[0];
    for (size_t i = 1; i < parts.size(); ++i) all = IndexExpression::Of(Op::kAnd, {std::move(all), parts[i]});
    return all;
  }

  bool AddInstances(const Block& block, TilePhase* phase) const {
    return std::all_of(block.begin(), block.end(), [&](const Node& node) {
      if (const auto* const branch = node.As<Condition>())
        return branch->otherwise.empty() && AddInstances(branch->then, phase);
      const auto* const instance = node.As<Instance>();
      return instance != nullptr && AddInstance(*instance, phase);
    });
  }

  bool AddInstance(const Instance& instance, TilePhase* phase) const {
    const v1::Statement& statement = StatementOf(instance);
    for (int a = 0; a < statement.accesses_size(); ++a) {
      const ElementAccess& access = instance.accesses[a];
      if (tiled_.count(statement.accesses(a).array()) == 0) continue;
      const bool writes = statement.accesses(a).kind() != v1::Access::READ;
      if (static_cast<int>(access.subscripts.size()) != tiles_.dimensions) return false;
      for (int d = 0; d < tiles_.dimensions; ++d) {
        const auto [point, distance] = SplitConstant(access.subscripts[d]);
        if (!point.IsName(absl::StrCat(names_.value, d)) || (writes && distance != 0)) return false;
        phase->before[d] = std::max(phase->before[d], -distance);
        phase->behind[d] = std::max(phase->behind[d], distance);
      }
    }
    return true;
  }

  // Whether the phase's instances read, and write, elements of the array.
  std::pair<bool, bool> UseIn(const Block& body, const std::string& array) const {
    bool reads = false, writes = false;
    ForEachNode(body, [&](const Node& node) {
      const auto* const instance = node.As<Instance>();
      if (instance == nullptr) return;
      for (const v1::Access& access : StatementOf(*instance).accesses()) {
        if (access.array() != array) continue;
        reads = reads || access.kind() != v1::Access::WRITE;
        writes = writes || access.kind() != v1::Access::READ;
      }
    });
    return {reads, writes};
  }

  // Comparisons that bound one axis each make a box of the points, that between the launch's first and last.
  bool IsBoxOfPoints(const IndexExpression& where) const {
    bool box = true;
    return ForEachComparison(where,
                             [&](const IndexExpression& comparison) {
                               int axes = 0;
                               for (int d = 0; d < tiles_.dimensions; ++d)
                                 axes += Mentions(comparison, absl::StrCat(names_.value, d)) ? 1 : 0;
                               const bool of_step = Mentions(comparison, absl::StrCat(names_.host, 0));
                               box = box && axes == 1 && !of_step;
                             }) &&
           box;
  }

  std::optional<WrittenPart> MadePart(const std::string& array) const {
    for (size_t p = 0; p < tiles_.phases.size(); ++p) {
      const TilePhase& phase = tiles_.phases[p];
      const auto [reads, writes] = UseIn(phase.body, array);
      if (!reads && !writes) continue;
      if (reads || phase.points.empty() || !IsBoxOfPoints(phase.where)) return std::nullopt;
      WrittenPart part;
      const Launch& launch = *launches_[p];
      for (int d = 0; d < tiles_.dimensions; ++d) {
        const int axis = tiles_.dimensions - 1 - d;  // x first
        if (Mentions(launch.first[axis], tiles_.steps.iterator) ||
            Mentions(launch.count[axis], tiles_.steps.iterator))
          return std::nullopt;
        part.first.push_back(launch.first[axis]);
        part.last.push_back(launch.first[axis] + launch.count[axis] - IndexExpression::Constant(1));
      }
      return part;
    }
    return std::nullopt;
  }

  bool ChooseSides() {
    tiles_.sides = tiles_.dimensions == 1 ? std::vector<int64_t>{kLine} : std::vector<int64_t>{kSide, kSide};
    int64_t bytes = BytesOfElement(tiles_, region_) * ElementsOfTile(tiles_);
    const int64_t least = tiles_.dimensions == 1 ? kLineThreads : kLeastRows;
    for (; bytes > kTileBytes && tiles_.sides[0] > least; bytes /= 2) tiles_.sides[0] /= 2;
    if (bytes > kTileBytes) return false;
    for (int d = 0; d < tiles_.dimensions; ++d)
      if (kMostOfSide * (tiles_.before[d] + tiles_.behind[d]) > tiles_.sides[d]) return false;
    return true;
  }

  const ParametricRegion& region_;
  const CaseNames names_;
  std::map<std::string, const v1::Statement*> statements_;  // by name
  std::set<std::string> tiled_;                             // arrays
  std::vector<const Launch*> launches_;                     // parallel to the phases
  TimeTiles tiles_;
};

}  // namespace

std::optional<TimeTiles> FindTimeTiles(const ParametricRegion& region) {
  return TimeTileFinder(region).Find();
}

}  // namespace tune
