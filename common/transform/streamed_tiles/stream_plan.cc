#include "common/transform/streamed_tiles/stream_plan.h"

#include <algorithm>

#include "common/array/element_type.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

// Distances to what an access reads along the first dimension: the least and the greatest.
struct Reach {
  int64_t least = 0, most = 0;
};

class StreamPlanning {
 public:
  StreamPlanning(const StencilLoop& loop, const ParsedScop& scop, const isl::set& values)
      : loop_(loop), scop_(scop), values_(values) {}

  std::optional<StreamPlan> Plan() {
    for (size_t s = 0; s < loop_.statements.size(); ++s) {
      if (!AddWritten(s)) return std::nullopt;
    }
    for (size_t s = 0; s < loop_.statements.size(); ++s) {
      if (!AddReads(s)) return std::nullopt;
    }
    if (!FindLags()) return std::nullopt;
    FindAges();
    return std::move(plan_);
  }

 private:
  const ParsedStatement& Statement(size_t s) const { return scop_.statements[loop_.statements[s].index]; }

  StreamedArray* Find(const std::string& name) {
    const auto found = std::find_if(plan_.arrays.begin(), plan_.arrays.end(),
                                    [&](const StreamedArray& array) { return array.name == name; });
    return found == plan_.arrays.end() ? nullptr : &*found;
  }
  StreamedArray& TargetOf(size_t s) { return *Find(Statement(s).target().array); }

  // Whether the statement's instances are all elements in all steps, and others write other elements.
  bool AddWritten(size_t s) {
    const ParsedStatement& statement = Statement(s);
    if (!IsFloating(scop_.array(statement.target().array).element_type())) return false;
    const isl::set places = loop_.statements[s].place.range();                    // { [t, e] }
    const isl::set times = ProjectOut(places, isl_dim_set, 1, loop_.dimensions);  // { [t] }
    const isl::set elements = ProjectOut(places, isl_dim_set, 0, 1);              // { [e] }
    isl::set steps = isl::set::universe(times.space());
    steps = LowerBound(steps, isl_dim_set, 0, static_cast<int>(loop_.first));
    steps = UpperBound(steps, isl_dim_set, 0, static_cast<int>(loop_.last));
    const isl::set all = FlatRangeProduct(MapFromRange(steps), MapFromRange(elements)).range();
    if (!places.is_equal(all)) return false;
    written_.push_back(elements);
    StreamedArray* const array = Find(statement.target().array);
    if (array == nullptr) {
      plan_.arrays.push_back({statement.target().array, elements});
      return true;
    }
    if (!array->written.is_disjoint(elements)) return false;
    array->written = array->written.unite(elements).coalesce();
    return true;
  }

  bool AddReads(size_t s) {
    const ParsedStatement& statement = Statement(s);
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      const ParsedAccess& access = statement.accesses[a];
      if (Find(access.array) == nullptr || !access.reads()) continue;
      if (static_cast<int>(a) == statement.proto->target()) {  // of an update, in place of what is carried
        TargetOf(s).first = true;
        continue;
      }
      const isl::map element = ProjectOut(loop_.statements[s].place, isl_dim_out, 0, 1);  // S -> [e]
      const isl::map read = WithoutTupleId(access.relation.intersect_params(values_).project_out_all_params(),
                                           isl_dim_out);  // S -> [e']
      const std::optional<int64_t> back =
          VersionsBack(s, access.array, read.intersect_domain(element.domain()));
      const isl::set distances = read.apply_domain(element).deltas();  // { [d] }
      const std::optional<Reach> reach = ReachOf(distances);
      if (!back || !reach) return false;
      const std::pair<size_t, int> reference(s, static_cast<int>(a));
      plan_.reads[reference] = {*back, IsOwn(distances, *reach), 0, ProjectOut(distances, isl_dim_set, 0, 1)};
      reaches_[reference] = *reach;
    }
    return true;
  }

  // 0 where all that is read has been written before in the same step, 1 where it has not.
  std::optional<int64_t> VersionsBack(size_t reader, const std::string& array, const isl::map& read) const {
    std::optional<int64_t> back;
    for (size_t s = 0; s < loop_.statements.size(); ++s) {
      if (Statement(s).target().array != array || read.range().is_disjoint(written_[s])) continue;
      const int64_t own = loop_.statements[s].phase < loop_.statements[reader].phase ? 0 : 1;
      if (back && *back != own) return std::nullopt;
      back = own;
    }
    return back.value_or(1);
  }

  // Of the distances { [d] }; nothing where there is no bound.
  static std::optional<Reach> ReachOf(const isl::set& distances) {
    const isl::val least = distances.dim_min_val(0), most = distances.dim_max_val(0);
    if (!least.is_int() || !most.is_int()) return std::nullopt;
    return Reach{least.num_si(), most.num_si()};
  }

  // Whether all distances { [d] } are one along the first dimension, and none along the others.
  bool IsOwn(const isl::set& distances, const Reach& reach) const {
    isl::set own = Fix(distances, isl_dim_set, 0, static_cast<int>(reach.least));
    for (int i = 1; i < loop_.dimensions; ++i) own = Fix(own, isl_dim_set, i, 0);
    return distances.is_subset(own);
  }

  // Calls visit(array that is read, target's array, read, reach) for all reads, by phase.
  template <typename Visit>
  void ForEachRead(const Visit& visit) {
    for (auto& [reference, read] : plan_.reads) {
      const ParsedStatement& statement = Statement(reference.first);
      visit(*Find(statement.accesses[reference.second].array), TargetOf(reference.first), read,
            reaches_.at(reference));
    }
  }

  // By how many iterations more than the row that it reads, in the same version, a row must be later.
  static int64_t Later(const StreamedRead& read, const Reach& reach) {
    return read.own ? reach.most : reach.most + 1;
  }

  // The least lags. False where arrays wait for one another in one step.
  bool FindLags() {
    bool changed = true;
    for (size_t round = 0; changed; ++round) {
      if (round > loop_.statements.size()) return false;
      changed = false;
      ForEachRead([&](const StreamedArray& array, StreamedArray& target, const StreamedRead& read,
                      const Reach& reach) {
        const int64_t least = array.lag + Later(read, reach);
        if (read.back > 0 || target.lag >= least) return;
        target.lag = least;
        changed = true;
      });
    }
    ForEachRead([&](const StreamedArray& array, const StreamedArray& target, const StreamedRead& read,
                    const Reach& reach) {
      if (read.back > 0) plan_.lag = std::max(plan_.lag, array.lag - target.lag + Later(read, reach));
    });
    return true;
  }

  void FindAges() {
    // What the loop never writes is taken from the version before.
    for (StreamedArray& array : plan_.arrays) array.ages = plan_.lag + 1;
    ForEachRead(
        [&](StreamedArray& array, const StreamedArray& target, StreamedRead& read, const Reach& reach) {
          const int64_t at_once = target.lag - array.lag + read.back * plan_.lag;  // age of the same row
          const int64_t oldest = at_once - reach.least;
          if (read.own) {
            read.age = oldest;
            array.ages = std::max(array.ages, oldest + 1);
          } else {
            array.rows = std::max(array.rows, oldest + 1);
          }
          if (read.back > 0) array.first = true;
          if (read.back == 0) array.last = true;
        });
  }

  const StencilLoop& loop_;
  const ParsedScop& scop_;
  const isl::set values_;
  StreamPlan plan_;
  std::vector<isl::set> written_;  // { [e] }, parallel to the loop's statements
  std::map<std::pair<size_t, int>, Reach> reaches_;
};

}  // namespace

const StreamedArray& StreamPlan::array(const std::string& name) const {
  return *std::find_if(arrays.begin(), arrays.end(),
                       [&](const StreamedArray& array) { return array.name == name; });
}

std::optional<StreamPlan> PlanStream(const StencilLoop& loop, const ParsedScop& scop,
                                     const isl::set& values) {
  return StreamPlanning(loop, scop, values).Plan();
}

}  // namespace tune
