#include "worker/lower/array_transfers.h"

#include <algorithm>
#include <optional>

#include "common/array/element_type.h"
#include "common/array/structure_places.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

// One copy of so many times the bytes is as fast as many copies of rows.
constexpr double kWorthOneCopy = 1.5;

// Some elements of an array: bounds of each index, both inclusive, and their places in memory.
struct Elements {
  std::vector<int64_t> lowest, highest;
  int64_t first = 0, last = 0;  // row-major
  bool corners = false;         // the box begins with the first of them and ends with the last
  bool filled = false;          // they are all of the box
};

int64_t Place(const std::vector<int64_t>& index, const std::vector<int64_t>& extents) {
  int64_t place = 0;
  for (size_t i = 0; i < index.size(); ++i) place = place * extents[i] + index[i];
  return place;
}

int64_t Bound(isl::val value) { return value.num_si(); }

std::vector<int64_t> Point(const isl::set& point, int dimensions) {
  std::vector<int64_t> index;
  for (int i = 0; i < dimensions; ++i) index.push_back(Bound(point.dim_min_val(i)));
  return index;
}

// `set`: of constants, not empty.
Elements Describe(const isl::set& set, const std::vector<int64_t>& extents) {
  const int dimensions = static_cast<int>(extents.size());
  Elements elements;
  isl::set box = isl::set::universe(set.space());
  for (int i = 0; i < dimensions; ++i) {
    elements.lowest.push_back(Bound(set.dim_min_val(i)));
    elements.highest.push_back(Bound(set.dim_max_val(i)));
    box = LowerBound(box, isl_dim_set, i, elements.lowest[i]);
    box = UpperBound(box, isl_dim_set, i, elements.highest[i]);
  }
  const std::vector<int64_t> first = Point(set.lexmin(), dimensions), last = Point(set.lexmax(), dimensions);
  elements.first = Place(first, extents);
  elements.last = Place(last, extents);
  elements.corners = first == elements.lowest && last == elements.highest;
  elements.filled = elements.corners && box.is_subset(set);
  return elements;
}

Elements Join(const Elements& a, const Elements& b) {
  Elements joined = a;
  for (size_t i = 0; i < a.lowest.size(); ++i) {
    joined.lowest[i] = std::min(a.lowest[i], b.lowest[i]);
    joined.highest[i] = std::max(a.highest[i], b.highest[i]);
  }
  joined.first = std::min(a.first, b.first);
  joined.last = std::max(a.last, b.last);
  joined.filled = false;
  return joined;
}

// Whether the box's first and last elements are the first and the last.
bool HasCorners(const Elements& elements, const std::vector<int64_t>& extents) {
  return Place(elements.lowest, extents) == elements.first &&
         Place(elements.highest, extents) == elements.last;
}

ArraySlice Range(const Elements& elements, int64_t element) {
  ArraySlice slice;
  slice.offset = elements.first * element;
  slice.width = (elements.last - elements.first + 1) * element;
  return slice;
}

// Nothing for a box that a slice cannot describe.
std::optional<ArraySlice> Box(const Elements& elements, const std::vector<int64_t>& extents,
                              int64_t element) {
  if (!HasCorners(elements, extents)) return std::nullopt;
  ArraySlice slice;
  slice.offset = elements.first * element;
  slice.width = element;
  int64_t stride = element;                         // bytes from one index to the next
  std::vector<std::pair<int64_t, int64_t>> levels;  // count and stride, innermost first
  for (size_t i = extents.size(); i-- > 0; stride *= extents[i]) {
    const int64_t count = elements.highest[i] - elements.lowest[i] + 1;
    if (levels.empty() && slice.width == stride) {
      slice.width *= count;  // pieces that follow each other
    } else if (count > 1) {
      levels.emplace_back(count, stride);
    }
  }
  if (levels.size() > 2) return std::nullopt;
  if (!levels.empty()) std::tie(slice.rows, slice.pitch) = levels[0];
  if (levels.size() == 2) std::tie(slice.planes, slice.plane) = levels[1];
  return slice;
}

// What of structures of `period` elements lies between the first and the last one, at the places of the box.
Elements InStructures(Elements elements, int64_t period) {
  elements.first = elements.first / period * period + elements.lowest.back();
  elements.last = elements.last / period * period + elements.highest.back();
  return elements;
}

// The same as one slice.
ArraySlice Pieces(const Elements& elements, int64_t period, int64_t element) {
  ArraySlice slice;
  const int64_t places = elements.highest.back() - elements.lowest.back();
  slice.offset = elements.first * element;
  slice.width = (places + 1) * element;
  slice.rows = (elements.last - places - elements.first) / period + 1;
  slice.pitch = period * element;
  return slice;
}

// Those that the array has. A read that the program makes under a condition on other elements may name
// others.
isl::set Within(isl::set set, const std::vector<int64_t>& extents) {
  for (size_t i = 0; i < extents.size(); ++i) {
    set = LowerBound(set, isl_dim_set, static_cast<int>(i), 0);
    set = UpperBound(set, isl_dim_set, static_cast<int>(i), extents[i] - 1);
  }
  return set;
}

class TransferFinder {
 public:
  TransferFinder(const v1::Scop& scop, const isl::union_set& live_in, const isl::union_set& written)
      : scop_(scop), live_in_(ByArray(live_in)), written_(ByArray(written)) {}

  ArrayTransfer Find(const DeviceArray& array) const {
    ArrayTransfer transfer;
    const auto element = static_cast<int64_t>(ElementSize(array.type));
    std::optional<Elements> needed;
    bool returns_range = false;  // with all that lies between what is written
    if (const auto set = live_in_.find(array.scop_name); set != live_in_.end()) {
      const isl::set read = Within(set->second, array.extents);
      if (!read.is_empty()) needed = Describe(read, array.extents);
    }
    if (const auto set = written_.find(array.scop_name); set != written_.end()) {
      const std::vector<v1::Places> members = MembersOf(array);
      for (const isl::set& part : PartsOf(set->second, members)) {
        Elements out = Describe(part, array.extents);
        const std::optional<ArraySlice> box = Box(out, array.extents, element);
        if (!box && !members.empty()) out = InStructures(std::move(out), array.extents.back());
        transfer.out.push_back(box               ? *box
                               : members.empty() ? Range(out, element)
                                                 : Pieces(out, array.extents.back(), element));
        returns_range = returns_range || !box;
        if (!box || !out.filled) needed = needed ? Join(*needed, out) : out;
      }
    }
    if (!needed) return transfer;
    transfer.in = Range(*needed, element);
    if (returns_range) return transfer;
    const std::optional<ArraySlice> box = Box(*needed, array.extents, element);
    if (box && static_cast<double>(box->bytes()) * kWorthOneCopy < static_cast<double>(transfer.in.bytes()))
      transfer.in = *box;
    return transfer;
  }

 private:
  static std::map<std::string, isl::set> ByArray(const isl::union_set& elements) {
    std::map<std::string, isl::set> sets;
    elements.foreach_set([&](const isl::set& set) {
      if (!set.is_empty()) sets.emplace(TupleName(set), set);
    });
    return sets;
  }

  // Of an array of members of one type, others of which are other arrays: where they stand; else none.
  std::vector<v1::Places> MembersOf(const DeviceArray& array) const {
    const auto of_scop = std::find_if(scop_.arrays().begin(), scop_.arrays().end(),
                                      [&](const v1::Array& each) { return each.name() == array.scop_name; });
    if (of_scop == scop_.arrays().end() || of_scop->object().empty()) return {};
    return OwnPlaces(of_scop->structure(), array.extents.back());
  }

  // All of the set, or of each run of members what is not empty.
  static std::vector<isl::set> PartsOf(const isl::set& set, const std::vector<v1::Places>& members) {
    if (members.empty()) return {set};
    std::vector<isl::set> parts;
    const int last = Dimensions(set, isl_dim_set) - 1;
    for (const v1::Places& run : members) {
      isl::set part = LowerBound(set, isl_dim_set, last, run.first());
      part = UpperBound(part, isl_dim_set, last, run.first() + run.count() - 1);
      // Without disjuncts that became empty, in which isl takes 0 for the least index.
      part = part.coalesce();
      if (!part.is_empty()) parts.push_back(std::move(part));
    }
    return parts;
  }

  const v1::Scop& scop_;
  const std::map<std::string, isl::set> live_in_, written_;
};

}  // namespace

absl::StatusOr<std::vector<ArrayTransfer>> FindTransfers(
    IslContext& context, const ParsedScop& scop, const Dependences& dependences,
    const std::map<std::string, int64_t>& parameter_values, const std::vector<DeviceArray>& arrays) {
  return context.Run("what to copy", [&]() -> absl::StatusOr<std::vector<ArrayTransfer>> {
    const isl::set values = ParameterValues(context, parameter_values);
    const auto elements = [&](const isl::union_map& accesses) {  // S -> A
      const isl::union_set set = accesses.intersect_params(values).range();
      return ProjectOutAllParameters(set);
    };
    const TransferFinder finder(scop.proto, elements(dependences.live_in), elements(scop.writes));
    std::vector<ArrayTransfer> transfers;
    for (const DeviceArray& array : arrays)
      transfers.push_back(array.local || array.by_value ? ArrayTransfer() : finder.Find(array));
    return transfers;
  });
}

}  // namespace tune
