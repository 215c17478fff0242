#include "common/transform/block_order/block_coordinates.h"

#include "absl/strings/str_cat.h"
#include "common/program/thread_names.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

class CoordinateMaker {
 public:
  CoordinateMaker(BlockOrder order, const HelperNames& names, const DeviceKernel& kernel)
      : order_(kernel.is_function ? BlockOrder::kForward : order), names_(names), kernel_(kernel) {}

  // The block's coordinate along the axis.
  IndexExpression Block(int axis) const {
    IndexExpression number = kernel_.linear_grid ? LinearNumber(axis) : Number(axis);
    const GridAxis& grid = kernel_.axes[axis];
    if (!grid.first_is_constant) return std::move(number) + Numbered(names_.first, axis);
    if (grid.first == 0) return number;
    return IndexExpression::Of(Op::kToIndex, {std::move(number)}) + IndexExpression::Constant(grid.first);
  }

  IndexExpression Thread(int axis) const { return ThreadCoordinate(names_, kernel_, axis); }

 private:
  static IndexExpression Numbered(const std::string& name, int axis) {
    return IndexExpression::Name(absl::StrCat(name, axis));
  }

  // The block's number along the grid's axis, in the order in which blocks start.
  IndexExpression Number(int axis) const {
    IndexExpression number = BlockIndex(names_, kernel_, axis);
    if (order_ == BlockOrder::kForward) return number;
    IndexExpression back = GridSize(axis) - IndexExpression::Constant(1) - number;
    if (order_ == BlockOrder::kBackward) return back;
    const IndexExpression sweep = Numbered(names_.host, kernel_.host_depth - 1);
    IndexExpression is_even = IndexExpression::Of(
        Op::kEqual, {IndexExpression::Of(Op::kRemainder, {sweep, IndexExpression::Constant(2)}),
                     IndexExpression::Constant(0)});
    if (order_ == BlockOrder::kAlternatingBackward) std::swap(number, back);
    return IndexExpression::Of(Op::kSelect, {std::move(is_even), std::move(number), std::move(back)});
  }

  // Along the axis, of a block whose number is x.
  IndexExpression LinearNumber(int axis) const {
    IndexExpression number = IndexExpression::Of(Op::kToIndex, {Number(0)});
    for (int lower = 0; lower < axis; ++lower)
      number = IndexExpression::Of(Op::kQuotient, {std::move(number), Numbered(names_.count, lower)});
    if (axis + 1 < static_cast<int>(kernel_.axes.size()))
      number = IndexExpression::Of(Op::kRemainder, {std::move(number), Numbered(names_.count, axis)});
    return number;
  }

  const BlockOrder order_;
  const HelperNames& names_;
  const DeviceKernel& kernel_;
};

}  // namespace

void DefineCoordinates(BlockOrder order, const HelperNames& names, DeviceKernel* kernel) {
  std::set<std::string> used;
  CollectNames(kernel->body, &used);
  const CoordinateMaker maker(order, names, *kernel);
  Block definitions;
  const auto define = [&](const std::string& name, IndexExpression value) {
    if (used.count(name) > 0) definitions.push_back({Definition{kernel->index_type, name, std::move(value)}});
  };
  for (int axis = 0; axis < static_cast<int>(kernel->axes.size()); ++axis) {
    define(absl::StrCat(names.block, axis), maker.Block(axis));
    define(absl::StrCat(names.thread, axis), maker.Thread(axis));
  }
  kernel->coordinates = std::move(definitions);
}

}  // namespace tune
