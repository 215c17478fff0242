#include "common/transform/wavefront_tiles/wavefront_band.h"

#include "absl/strings/str_join.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/transform/plain_assignment.h"

namespace tune {
namespace {

class BandReader {
 public:
  BandReader(const ParsedScop& scop, const isl::set& values) : scop_(scop), values_(values) {}

  std::optional<WavefrontBand> Read(const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_band>()) return std::nullopt;
    const auto band = node.as<isl::schedule_node_band>();
    const int members = static_cast<int>(band.n_member());
    if (members < 2 || members > 3 || !band.permutable()) return std::nullopt;
    for (int m = 0; m < members; ++m) {
      if (band.member_get_coincident(m)) return std::nullopt;
    }
    times_ = band.partial_schedule();
    if (!ReadInside(band.child(0)) || found_.size() != scop_.statements.size()) return std::nullopt;
    if (!BeginAtZero(members)) return std::nullopt;
    return std::move(band_);
  }

 private:
  bool ReadInside(const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_sequence>() && !node.isa<isl::schedule_node_set>())
      return ReadLeaf(node);
    for (unsigned i = 0; i < node.n_children(); ++i) {
      if (!ReadLeaf(node.child(static_cast<int>(i)).child(0))) return false;
    }
    return true;
  }

  bool ReadLeaf(const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_leaf>()) return false;
    bool fit = true;
    NodeDomain(node).foreach_set([&](const isl::set& set) { fit = fit && Add(TupleName(set)); });
    return fit;
  }

  bool Add(const std::string& name) {
    const std::optional<size_t> found = FindPlainAssignment(scop_, name);
    if (!found) return false;
    const size_t index = *found;
    const ParsedStatement& statement = scop_.statements[index];
    isl::map place;  // S -> [h]
    for (unsigned m = 0; m < times_.size(); ++m) {
      const isl::union_pw_aff time =
          times_.at(static_cast<int>(m)).intersect_domain(isl::union_set(statement.domain));
      const isl::map own = time.as_union_map().as_map();
      place = place.is_null() ? own : FlatRangeProduct(place, own);
    }
    const isl::map known =
        WithoutTupleId(place.intersect_params(values_).project_out_all_params(), isl_dim_out);
    if (known.is_empty() || !known.is_injective()) return false;
    found_.push_back({index, known});
    return true;
  }

  // Shifts all places, and finds their inverses. False where these have pieces.
  bool BeginAtZero(int members) {
    isl::set all;  // { [h] }
    for (const auto& [index, place] : found_) {
      const isl::set own = place.range();
      all = all.is_null() ? own : all.unite(own);
    }
    std::vector<std::string> from, to;
    for (int m = 0; m < members; ++m) {
      const isl::val least = all.dim_min_val(m), most = all.dim_max_val(m);
      if (!least.is_int() || !most.is_int()) return false;
      from.push_back(absl::StrCat("h", m));
      to.push_back(absl::StrCat("h", m, " - ", least.num_si()));
      band_.extents.push_back(most.sub(least).num_si() + 1);
    }
    const isl::map shift(
        all.ctx(), absl::StrCat("{ [", absl::StrJoin(from, ", "), "] -> [", absl::StrJoin(to, ", "), "] }"));
    for (const auto& [index, place] : found_) {
      const isl::map shifted = place.apply_range(shift);
      const isl::pw_multi_aff inverse = shifted.reverse().as_pw_multi_aff();
      if (inverse.n_piece() != 1) return false;
      inverse.foreach_piece([&, number = index](const isl::set&, const isl::multi_aff& piece) {
        band_.statements.push_back({number, shifted, piece});
      });
    }
    return true;
  }

  const ParsedScop& scop_;
  const isl::set values_;
  isl::multi_union_pw_aff times_;                   // { S -> [h] }
  std::vector<std::pair<size_t, isl::map>> found_;  // statements, and { S[x] -> [h] }
  WavefrontBand band_;
};

}  // namespace

std::optional<WavefrontBand> FindWavefrontBand(const isl::schedule& schedule, const ParsedScop& scop,
                                               const isl::set& values) {
  return BandReader(scop, values).Read(schedule.root().child(0));
}

}  // namespace tune
