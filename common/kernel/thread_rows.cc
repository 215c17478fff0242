#include "common/kernel/thread_rows.h"

#include <algorithm>
#include <set>

#include "common/array/element_type.h"
#include "common/isl/relations.h"
#include "common/isl/schedule_node.h"
#include "common/kernel/element_box.h"

namespace tune {
namespace {

constexpr int64_t kWord = 4;  // bytes of a register
// Iterations for each element of a row: a recurrence, which has one, carries what it needs from one to the
// next without.
constexpr int64_t kLeastUses = 2;

class RowFinder {
 public:
  RowFinder(const isl::schedule_node_band& band, const std::vector<bool>& coincident,
            const std::vector<std::string>& statements, const std::vector<ReferenceName>& constant_reads,
            const ParsedScop& scop, const isl::set& values)
      : statements_(statements), constant_reads_(constant_reads), scop_(scop) {
    const isl::union_set domain = NodeDomain(band).intersect_params(values);
    launches_ = band.prefix_schedule_union_map().intersect_domain(domain);
    threads_ = launches_;
    iterations_ = isl::union_map::from_domain(domain);
    const isl::multi_union_pw_aff members = band.partial_schedule();
    for (size_t m = 0; m < coincident.size(); ++m) {
      isl::union_map& side = coincident[m] ? threads_ : iterations_;
      side = FlatRangeProduct(side, members.at(static_cast<int>(m)).as_union_map().intersect_domain(domain));
    }
  }

  std::optional<ThreadRows> Find(int64_t most_iterations) {
    if (threads_.is_empty()) return std::nullopt;
    const std::optional<ElementBox> times = BoxAround(threads_.reverse().apply_range(iterations_).as_map());
    if (!times || times->Elements() > most_iterations) return std::nullopt;
    ThreadRows rows;
    rows.iterations = times->Elements();
    bool pays = false;
    for (const std::string& array : WrittenArrays()) {
      const std::vector<isl::union_map> uses = Uses(array);
      const std::optional<ElementBox> box = RowOf(uses);
      if (!box || !AreAtOnePlace(uses, *box, *times)) continue;
      const auto bytes = static_cast<int64_t>(ElementSize(scop_.array(array).element_type()));
      rows.arrays.push_back(array);
      rows.words += box->Elements() * ((bytes + kWord - 1) / kWord);
      pays = pays || (box->Elements() > 1 && rows.iterations >= kLeastUses * box->Elements());
    }
    if (!pays) return std::nullopt;
    return rows;
  }

 private:
  std::vector<std::string> WrittenArrays() const {
    std::vector<std::string> written;
    for (const v1::Array& array : scop_.proto.arrays()) {
      bool writes = false, of_data = false;
      for (const std::string& name : statements_) {
        for (const ParsedAccess& access : scop_.statement(name).accesses) {
          if (access.array != array.name()) continue;
          writes = writes || access.writes();
          of_data = of_data || access.of_data;
        }
      }
      if (writes && !of_data && array.extents_size() > 0) written.push_back(array.name());
    }
    return written;
  }

  // { S -> A } of each reference to the array that is to go through registers.
  std::vector<isl::union_map> Uses(const std::string& array) const {
    std::vector<isl::union_map> uses;
    for (const std::string& name : statements_) {
      const std::vector<ParsedAccess>& accesses = scop_.statement(name).accesses;
      for (size_t a = 0; a < accesses.size(); ++a) {
        const ReferenceName reference(name, static_cast<int>(a));
        if (accesses[a].array != array ||
            std::find(constant_reads_.begin(), constant_reads_.end(), reference) != constant_reads_.end())
          continue;
        const isl::union_map use = isl::union_map(accesses[a].relation).intersect_domain(threads_.domain());
        if (!use.is_empty()) uses.push_back(use);
      }
    }
    return uses;
  }

  static isl::union_map United(const std::vector<isl::union_map>& uses) {
    isl::union_map all = uses[0];
    for (const isl::union_map& use : uses) all = all.unite(use);
    return all;
  }

  // Around a thread's elements, where they are its own in the launch; nullopt: there is no box.
  std::optional<ElementBox> RowOf(const std::vector<isl::union_map>& uses) const {
    if (uses.empty()) return std::nullopt;
    const isl::union_map all = United(uses);
    const isl::union_map owned =  // [p] -> [[h] -> A]
        threads_.reverse().apply_range(launches_.intersect_domain(all.domain()).range_product(all));
    if (!owned.is_injective()) return std::nullopt;
    return BoxAround(threads_.reverse().apply_range(all).as_map());
  }

  // Whether the place in the box follows from the iterations, counted from the first of the thread.
  bool AreAtOnePlace(const std::vector<isl::union_map>& uses, const ElementBox& box,
                     const ElementBox& times) const {
    bool at_one = true;
    for (const isl::union_map& use : uses) {
      const isl::map access = use.as_map();                                            // S -> A
      const isl::map thread = threads_.intersect_domain(use.domain()).as_map();        // S -> [p]
      const isl::map iteration = iterations_.intersect_domain(use.domain()).as_map();  // S -> [s]
      const isl::map place = PlaceInBox(access, thread, box).as_map();                 // S -> A[place]
      const isl::map number = PlaceInBox(iteration, thread, times).as_map();           // S -> [number]
      at_one = at_one && number.reverse().apply_range(place).is_single_valued();
    }
    return at_one;
  }

  const std::vector<std::string>& statements_;
  const std::vector<ReferenceName>& constant_reads_;
  const ParsedScop& scop_;
  isl::union_map launches_;    // { S -> [h] }
  isl::union_map threads_;     // { S -> [p] }: h and the coincident members
  isl::union_map iterations_;  // { S -> [s] }: the other members
};

}  // namespace

std::optional<ThreadRows> FindThreadRows(const isl::schedule_node_band& band,
                                         const std::vector<bool>& coincident,
                                         const std::vector<std::string>& statements,
                                         const std::vector<ReferenceName>& constant_reads,
                                         const ParsedScop& scop, const isl::set& values,
                                         int64_t most_iterations) {
  return RowFinder(band, coincident, statements, constant_reads, scop, values).Find(most_iterations);
}

}  // namespace tune
