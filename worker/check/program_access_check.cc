#include "worker/check/program_access_check.h"

#include "common/isl/dimensions.h"
#include "worker/check/placement.h"

namespace tune {
namespace {

class AccessCheck {
 public:
  AccessCheck(const CheckedKernel& checked, const RaisedNode& node)
      : checked_(checked), node_(node), origin_(*OriginOf(*node.node)) {
    runs_ = node.Runs();  // [i] -> X
  }

  absl::Status Check() const {
    if (const auto* instance = node_.node->As<Instance>()) return CheckInstance(*instance);
    if (const auto* transfer = node_.node->As<Transfer>()) return CheckTransfer(*transfer);
    return absl::OkStatus();
  }

 private:
  absl::Status CheckInstance(const Instance& instance) const {
    const ParsedStatement& statement = checked_.scop->statement(origin_.statement);
    if (instance.statement != origin_.statement || instance.accesses.size() != statement.accesses.size())
      return checked_.Fault("an instance of ", origin_.statement, " is one of another statement");
    for (size_t i = 0; i < instance.accesses.size(); ++i) {
      if (statement.accesses[i].of_data) {
        TUNE_RETURN_IF_ERROR(CheckDataAccess(instance.accesses[i], statement.accesses[i]));
        continue;
      }
      const auto local = checked_.mapped->memory.references.find({statement.name, static_cast<int>(i)});
      const isl::map meant = local == checked_.mapped->memory.references.end()
                                 ? statement.accesses[i].relation
                                 : FromFunction(local->second);  // X -> A or tile
      TUNE_RETURN_IF_ERROR(CheckElement(instance.accesses[i], meant, absl::StrCat("access ", i)));
    }
    if (statement.affine.size() != instance.affine.size())
      return checked_.Fault("an instance of ", origin_.statement, " has other values than its statement");
    for (size_t i = 0; i < statement.affine.size(); ++i) {
      const isl::map meant =  // X -> [v]
          statement.affine[i].floor().as_map();
      TUNE_RETURN_IF_ERROR(Compare(node_.Function({instance.affine[i]}, ""), meant, "a value"));
    }
    return absl::OkStatus();
  }

  // Its subscripts are in the statement's value.
  absl::Status CheckDataAccess(const ElementAccess& access, const ParsedAccess& meant) const {
    if (access.array == meant.array && access.subscripts.empty()) return absl::OkStatus();
    return checked_.Fault("an element of ", meant.array, " that data decide is another one in ",
                          origin_.statement);
  }

  absl::Status CheckTransfer(const Transfer& transfer) const {
    const CopyStatement* const copy = checked_.mapped->memory.FindCopy(origin_.statement);
    if (copy == nullptr || copy->tile < 0) return checked_.Fault(origin_.statement, " is no copy of a tile");
    const bool load = copy->kind == CopyStatement::Kind::kLoad;
    const v1::UpdateOperator update = copy->kind == CopyStatement::Kind::kAccumulate
                                          ? checked_.mapped->memory.tiles[copy->tile].combined_by
                                          : v1::NONE;
    if (transfer.update != update || (copy->atomic && !transfer.atomic))
      return checked_.Fault(origin_.statement, " does not update its element as it should");
    const isl::map element = FromFunction(copy->places[0]), index = FromFunction(copy->places[1]);
    TUNE_RETURN_IF_ERROR(CheckElement(transfer.to, load ? index : element, "where it copies to"));
    return CheckElement(transfer.from, load ? element : index, "where it copies from");
  }

  static isl::map FromFunction(const isl::pw_multi_aff& function) { return function.as_map(); }

  // `meant`: { X -> element }
  absl::Status CheckElement(const ElementAccess& access, const isl::map& meant,
                            const std::string& what) const {
    std::vector<IndexExpression> subscripts = access.subscripts;
    const Tile* const tile = checked_.kernel->FindTile(access.array);
    // Which copy it is, the order of barriers tells.
    if (tile != nullptr && tile->copies > 1 && !subscripts.empty()) subscripts.erase(subscripts.begin());
    if (static_cast<size_t>(Dimensions(meant, isl_dim_out)) != subscripts.size())
      return checked_.Fault(what, " of ", origin_.statement, " has other dimensions than it should");
    return Compare(node_.Function(subscripts, access.array), meant, what);
  }

  // `found`: { [i] -> element }
  absl::Status Compare(const isl::map& found, const isl::map& meant, const std::string& what) const {
    const isl::map expected = runs_.apply_range(meant).intersect_params(checked_.context);
    if (expected.is_subset(found)) return absl::OkStatus();
    const isl::set example = expected.subtract(found).domain().apply(runs_);
    return checked_.Fault(what, " of ", Example(isl::union_set(example)), " is another one than it should");
  }

  const CheckedKernel& checked_;
  const RaisedNode& node_;
  const Origin& origin_;
  isl::map runs_;
};

absl::Status CheckTiles(const CheckedKernel& checked) {
  const LocalMemory& memory = checked.mapped->memory;
  if (checked.kernel->tiles.size() != memory.tiles.size())
    return checked.Fault("it has other tiles than it should");
  for (size_t i = 0; i < memory.tiles.size(); ++i) {
    const Tile& tile = checked.kernel->tiles[i];
    const LocalTile& meant = memory.tiles[i];
    const int64_t last = tile.extents.empty() ? 1 : tile.extents.back();
    if (tile.name != meant.name || tile.array != meant.array || tile.extents != meant.extents ||
        tile.shared != meant.shared || tile.transposed != meant.transposed ||
        tile.combined_by != meant.combined_by || tile.row_length < last || tile.copies < 1 ||
        (memory.padded && !tile.shared && !tile.zeroed)) {
      return checked.Fault("tile ", tile.name, " is not as it should be");
    }
    const int64_t given = checked.kernel->given_shared_bytes;
    if (given == 0 || !tile.shared) continue;
    if (tile.offset < 0 || tile.offset % kTileAlignment != 0 || tile.offset + tile.Bytes() > given)
      return checked.Fault("tile ", tile.name, " lies outside of the memory that the launch gives");
    for (size_t j = 0; j < i; ++j) {
      const Tile& other = checked.kernel->tiles[j];
      if (other.shared && other.offset < tile.offset + tile.Bytes() &&
          tile.offset < other.offset + other.Bytes())
        return checked.Fault("tiles ", other.name, " and ", tile.name, " lie in the same memory");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckProgramAccesses(const CheckedKernel& checked) {
  TUNE_RETURN_IF_ERROR(CheckTiles(checked));
  for (const RaisedNode& node : checked.nodes) {
    if (OriginOf(*node.node) != nullptr) TUNE_RETURN_IF_ERROR(AccessCheck(checked, node).Check());
  }
  return absl::OkStatus();
}

}  // namespace tune
