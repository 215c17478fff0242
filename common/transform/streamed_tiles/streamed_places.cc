#include "common/transform/streamed_tiles/streamed_places.h"

#include <algorithm>

#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"

namespace tune {

StreamedPlaces::StreamedPlaces(const ParsedScop& scop, const StencilLoop& loop, const StreamShape& shape,
                               const StreamPlan& plan, const isl::set& values)
    : ScopInTiles(scop, loop, shape.tile, values),
      plan_(plan),
      points_(shape.points),
      ahead_(shape.ahead),
      registers_(shape.registers),
      iterations_(IterationsOf(shape.tile, plan)) {
  for (const char* name : {"tile", "row", "x", "point", "step", "age"}) prefix_.push_back(Unused(name));
  beside_ = {std::vector<int64_t>(dimensions_, 0), std::vector<int64_t>(dimensions_, 0)};
  for (const Halo& read : shape_.reads) {
    for (int i = 1; i < dimensions_; ++i) {
      beside_.before[i] = std::max(beside_.before[i], read.before[i]);
      beside_.after[i] = std::max(beside_.after[i], read.after[i]);
    }
  }
}

int64_t StreamedPlaces::LastKept(const StreamedArray& array) const {
  return FirstKept(array) + KeptVersions(array, shape_.steps) - 1;
}

void StreamedPlaces::AddArrays(const StreamedArray& array) {
  const v1::Array& like = scop_.array(array.name);
  const auto extents = [&](const std::vector<int64_t>& kept, bool beside = false) {
    std::vector<int64_t> all = shape_.count;
    all.insert(all.end(), kept.begin(), kept.end());
    if (!beside && points_ > 1) all.push_back(points_);
    for (int i = 1; i < dimensions_; ++i)
      all.push_back(beside ? shape_.extents[i] + beside_.before[i] + beside_.after[i] : Places(i));
    return all;
  };
  Names& names = names_[array.name];
  names.own = AddArray(array.name + "_own", like, extents({shape_.steps + 1, array.ages}));
  names.made = AddArray(array.name + "_made", like, extents({1}));
  if (array.rows > 0)
    names.rows = AddArray(array.name + "_rows", like,
                          extents({LastKept(array) - FirstKept(array) + 1, array.rows}, /*beside=*/true));
  if (array.first) names.ahead = AddArray(array.name + "_ahead", like, extents({ahead_}));
  AddTurns(array.name);
}

std::string StreamedPlaces::ElementOfRow(int i) const {
  return i == 1 && points_ > 1 ? absl::StrCat("(", points_, " x1 + p)") : absl::StrCat("x", i);
}

std::string StreamedPlaces::Places() const {
  return CommaList(dimensions_ - 1, [](int i) { return absl::StrCat("x", i + 1); });
}

std::string StreamedPlaces::PointsInRows() const {
  return CommaList(dimensions_ - 1,
                   [&](int i) { return absl::StrCat(ElementOfRow(i + 1), " + ", beside_.before[i + 1]); });
}

std::string StreamedPlaces::Instance(const std::string& name) const {
  return absl::StrCat(name, "[T, ", Tiles(), ", s, ", Points(), ", t]");
}

std::vector<std::string> StreamedPlaces::Iterators() const {
  std::vector<std::string> iterators = {prefix_[0]};
  for (int i = 0; i < dimensions_; ++i) iterators.push_back(absl::StrCat(prefix_[0], i));
  iterators.push_back(prefix_[1]);
  for (int i = 1; i < dimensions_; ++i) iterators.push_back(absl::StrCat(prefix_[2], i));
  if (points_ > 1) iterators.push_back(prefix_[3]);
  iterators.push_back(prefix_[4]);
  return iterators;
}

std::string StreamedPlaces::Origin(int i) const {
  return absl::StrCat("(", shape_.size[i], " I", i, " + ", shape_.first[i] - shape_.margin.before[i], ")");
}

std::string StreamedPlaces::Element(const StreamedArray& array, const std::string& iteration) const {
  return CommaList(dimensions_, [&](int i) {
    if (i > 0) return absl::StrCat(Origin(i), " + ", ElementOfRow(i));
    return absl::StrCat(Origin(0), " + ", iteration, " - ", array.lag, " - ", plan_.lag, " t");
  });
}

isl::multi_aff StreamedPlaces::ElementOf(const StreamedArray& array, const std::string& name) const {
  return isl::multi_aff(ctx(), absl::StrCat("{ ", Instance(name), " -> [", Element(array), "] }"));
}

std::string StreamedPlaces::Bounds() const {
  std::string bounds = absl::StrCat("0 <= T <= ", LastTile());
  for (int i = 0; i < dimensions_; ++i) absl::StrAppend(&bounds, " and 0 <= I", i, " < ", shape_.count[i]);
  for (int i = 1; i < dimensions_; ++i) absl::StrAppend(&bounds, " and 0 <= x", i, " < ", Places(i));
  if (points_ > 1) absl::StrAppend(&bounds, " and 0 <= p < ", points_);
  return bounds;
}

isl::set StreamedPlaces::Instances(const std::string& name, const std::string& condition) const {
  return isl::set(ctx(), absl::StrCat("{ ", Instance(name), " : ", Bounds(), " and 0 <= s < ", iterations_,
                                      " and ", condition, " }"));
}

isl::set StreamedPlaces::Named(isl::set instances, const std::vector<std::string>& iterators) {
  for (size_t i = 0; i < iterators.size(); ++i)
    instances = WithDimensionName(instances, isl_dim_set, static_cast<int>(i), iterators[i]);
  return instances;
}

isl::map StreamedPlaces::Own(const std::string& name, const StreamedArray& array, int64_t back,
                             int64_t age) const {
  return isl::map(ctx(), absl::StrCat("{ ", Instance(name), " -> ", names_.at(array.name).own, "[", Tiles(),
                                      ", t - ", back, ", ", age, ", ", KeptPoints(), "] }"));
}

isl::map StreamedPlaces::Made(const std::string& name, const StreamedArray& array) const {
  return isl::map(ctx(), absl::StrCat("{ ", Instance(name), " -> ", names_.at(array.name).made, "[", Tiles(),
                                      ", 0, ", KeptPoints(), "] }"));
}

isl::map StreamedPlaces::Rows(const std::string& name, const StreamedArray& array) const {
  return isl::map(
      ctx(), absl::StrCat("{ ", Instance(name), " -> ", names_.at(array.name).rows, "[", Tiles(), ", t - ",
                          FirstKept(array), ", s mod ", array.rows, ", ", PointsInRows(), "] }"));
}

isl::map StreamedPlaces::Ahead(const std::string& name, const StreamedArray& array, int64_t age) const {
  return isl::map(ctx(), absl::StrCat("{ ", Instance(name), " -> ", names_.at(array.name).ahead, "[", Tiles(),
                                      ", ", age, ", ", KeptPoints(), "] }"));
}

isl::map StreamedPlaces::Turn(const std::string& name, const StreamedArray& array, int64_t after,
                              const std::string& iteration) const {
  return isl::map(ctx(), absl::StrCat("{ ", Instance(name), " -> ", turn_names_.at(array.name), "[(T + ",
                                      after, ") mod 2, ", Element(array, iteration), "] }"));
}

isl::map StreamedPlaces::RowsAt(const isl::map& element, const StreamedArray& array, int64_t back) const {
  const std::string version = absl::StrCat("(t - ", back, ")");
  const std::string row =
      absl::StrCat("(a0 - ", Origin(0), " + ", array.lag, " + ", plan_.lag, " * ", version, ")");
  const std::string elements = NumberedNames("a", dimensions_);
  std::string places;
  for (int i = 1; i < dimensions_; ++i)
    absl::StrAppend(&places, ", a", i, " - ", Origin(i), " + ", beside_.before[i]);
  const isl::map same = IdentityMap(element.domain().space().map_from_set());
  const isl::map place(ctx(), absl::StrCat("{ [T, ", Tiles(), ", s, ", Points(), ", t, ", elements, "] -> ",
                                           names_.at(array.name).rows, "[", Tiles(), ", ", version, " - ",
                                           FirstKept(array), ", ", row, " mod ", array.rows, places, "] }"));
  return FlatRangeProduct(WithoutTupleId(same, isl_dim_out), element).apply_range(place);
}

std::string StreamedPlaces::FirstInstance(const std::string& name) const {
  return absl::StrCat(name, "[T, ", Tiles(), ", ", Points(), ", t, age]");
}

std::vector<std::string> StreamedPlaces::FirstIterators() const {
  std::vector<std::string> iterators = Iterators();
  iterators.erase(iterators.begin() + 1 + dimensions_);
  iterators.push_back(prefix_[5]);
  return iterators;
}

isl::set StreamedPlaces::FirstInstances(const std::string& name, const std::string& condition) const {
  const isl::set instances(
      ctx(), absl::StrCat("{ ", FirstInstance(name), " : ", Bounds(), " and ", condition, " }"));
  return Named(instances, FirstIterators());
}

}  // namespace tune
