#include "worker/parts/part_slices.h"

#include "absl/strings/str_cat.h"
#include "common/isl/tuple_name.h"
#include "common/scop/scop.h"
#include "worker/cases/array_box.h"
#include "worker/parts/outermost_loop.h"

namespace tune {
namespace {

absl::Status Check(IslContext& context, const ParsedScop& whole, const DividedRegion& divided,
                   const ParsedScop& part) {
  TUNE_ASSIGN_OR_RETURN(const OutermostLoop loop, FindOutermostLoop(whole));
  const isl::union_set outside(
      isl::set(context.ctx(), absl::StrCat("[", divided.first, ", ", divided.end, "] -> { [v] : v < ",
                                           divided.first, " or v >= ", divided.end, " }")));
  const isl::union_set others = loop.value.intersect_range(outside).domain();    // { S }
  const isl::union_set written = whole.writes.intersect_domain(others).range();  // { A }
  const isl::union_set used = part.reads.unite(part.writes).range();             // { A }
  const auto box_around = [](const isl::set& elements) {
    return BoxAround(elements).value_or(isl::set::universe(elements.space()));
  };
  absl::Status status;
  part.writes.range().foreach_set([&](const isl::set& elements) {  // { A }
    const v1::Array& array = part.array(TupleName(elements));
    if (!status.ok() || array.extents_size() == 0 || array.declared_inside()) return;
    const isl::set beside = written.extract_set(elements.space()).intersect_params(part.context);
    const isl::set box = box_around(elements);
    const bool is_read_in = box.is_subset(box_around(used.extract_set(elements.space())));
    if (is_read_in && beside.intersect(box).is_empty()) return;
    status = absl::InvalidArgumentError(absl::StrCat(
        part.proto.name(), ": CPU and GPU cannot share its outermost loop: what an iteration writes of ",
        array.name(), " lies among what others write, so that it cannot be copied by itself"));
  });
  return status;
}

}  // namespace

absl::Status CheckSlices(const v1::Scop& scop, const DividedRegion& divided, const v1::Scop& part) {
  IslContext context;
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> whole, ParseScop(context, scop));
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, part));
  return context.Run("slices of parts", [&] { return Check(context, *whole, divided, *parsed); });
}

}  // namespace tune
