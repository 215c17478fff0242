#include "common/transform/time_tiles/scop_in_tiles.h"

#include "common/isl/dimensions.h"
#include "common/isl/schedule_part.h"
#include "common/isl/tuple_name.h"
#include "common/scop/scop_names.h"
#include "common/transform/copy_statement.h"

namespace tune {

ScopInTiles::ScopInTiles(const ParsedScop& scop, const StencilLoop& loop, const TileShape& shape,
                         const isl::set& values)
    : scop_(scop),
      loop_(loop),
      shape_(shape),
      values_(values),
      dimensions_(loop.dimensions),
      result_(scop.proto),
      names_(NamesOf(scop.proto)),
      place_(Unused("x")),
      turn_(Unused("turn")) {}

isl::map ScopInTiles::AtValues(const isl::map& map) const {
  return map.intersect_params(values_).project_out_all_params();
}

std::string ScopInTiles::AddArray(const std::string& name, const v1::Array& like,
                                  const std::vector<int64_t>& extents) {
  return AddLocalArray(name, like, extents, &names_, &result_);
}

void ScopInTiles::AddTurns(const std::string& array) {
  const isl::set used = UsedElements(array);
  std::vector<int64_t> extents = {2};
  for (int i = 0; i < dimensions_; ++i) extents.push_back(used.dim_max_val(i).num_si() + 1);
  turn_names_[array] = AddArray(array + "_turns", scop_.array(array), extents);
}

isl::set ScopInTiles::UsedElements(const std::string& array) const {
  isl::set used;
  for (const StencilStatement& statement : loop_.statements) {
    for (const ParsedAccess& access : scop_.statements[statement.index].accesses) {
      if (access.array != array) continue;
      const isl::set own =
          WithoutTupleId(AtValues(access.relation).intersect_domain(statement.place.domain()).range());
      used = used.is_null() ? own : used.unite(own);
    }
  }
  return used;
}

isl::union_set ScopInTiles::OriginalDomains() const {
  isl::union_set domains = isl::union_set::empty(ctx());
  for (const StencilStatement& statement : loop_.statements)
    domains = domains.unite(isl::union_set(statement.place.domain()));
  return domains;
}

std::optional<isl::multi_aff> ScopInTiles::InstanceAt(size_t s) const {
  const isl::pw_multi_aff inverse = loop_.statements[s].place.reverse().as_pw_multi_aff();
  if (inverse.n_piece() != 1) return std::nullopt;
  isl::multi_aff back;  // [t, e] -> S[x]
  inverse.foreach_piece([&](const isl::set&, const isl::multi_aff& piece) { back = piece; });
  return back;
}

std::vector<std::string> ScopInTiles::PlaceIterators() const {
  std::vector<std::string> iterators;
  for (int i = 0; i < dimensions_; ++i) iterators.push_back(absl::StrCat(place_, i));
  return iterators;
}

void ScopInTiles::CopyIn(const std::string& array, const isl::set& elements) {
  const std::string name = absl::StrCat("S", result_.statements_size());
  const std::string subscripts = NumberedNames("x", dimensions_);
  const isl::map turns(
      ctx(), absl::StrCat("{ [", subscripts, "] -> ", name, "[turn, ", subscripts, "] : 0 <= turn <= 1 }"));
  const isl::set instances = elements.apply(turns);
  before_.push_back(instances);
  const std::string instance = absl::StrCat(name, "[turn, ", subscripts, "]");
  AddCopy(instances, Joined({turn_}, PlaceIterators()),
          isl::map(ctx(), absl::StrCat("{ ", instance, " -> ", array, "[", subscripts, "] }")),
          isl::map(ctx(),
                   absl::StrCat("{ ", instance, " -> ", turn_names_.at(array), "[turn, ", subscripts, "] }")),
          LineOf(), &result_);
}

void ScopInTiles::CopyOut(const TiledArray& array) {
  const std::string name = absl::StrCat("S", result_.statements_size());
  const std::string subscripts = NumberedNames("x", dimensions_);
  const isl::set instances = WithTupleName(*array.leaving, name);
  after_.push_back(instances);
  const std::string instance = absl::StrCat(name, "[", subscripts, "]");
  AddCopy(instances, PlaceIterators(),
          isl::map(ctx(), absl::StrCat("{ ", instance, " -> ", turn_names_.at(array.name), "[",
                                       (LastTile() + 1) % 2, ", ", subscripts, "] }")),
          isl::map(ctx(), absl::StrCat("{ ", instance, " -> ", array.name, "[", subscripts, "] }")), LineOf(),
          &result_);
}

v1::Scop ScopInTiles::Finish(const isl::schedule& schedule, const isl::schedule& tiles) {
  std::optional<isl::schedule> all;
  for (const isl::set& copy : before_) all = InSequence(all, LoopsOver(copy));
  all = InSequence(all, tiles);
  for (const isl::set& copy : after_) all = InSequence(all, LoopsOver(copy));
  const isl::union_set loop = OriginalDomains();
  const auto other = [&](const isl::union_set& domain) -> std::optional<isl::schedule> {
    if (domain.universe().is_disjoint(loop.universe())) return std::nullopt;
    return all;
  };
  result_.set_schedule(IslText(SchedulePart(schedule.root().child(0), schedule.domain(), other)));
  return result_;
}

std::vector<std::string> ScopInTiles::Joined(std::vector<std::string> first,
                                             const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace tune
