#include "common/kernel/kernel.h"

#include <algorithm>
#include <functional>
#include <set>

#include "common/array/element_type.h"
#include "common/base/fingerprint.h"
#include "common/isl/dimensions.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/kernel/iteration_boxes.h"
#include "common/kernel/launch_elements.h"
#include "common/kernel/loop_reads.h"
#include "common/kernel/sum_bounds.h"
#include "common/kernel/trip_count.h"
#include "common/program/atomic_update.h"
#include "common/schedule/band_order.h"
#include "common/schedule/statement_graph.h"

namespace tune {
namespace {

// Rows of threads are for loops that are unrolled: their copies are program text.
constexpr int64_t kMostIterationsOfRows = 4096;

bool HasCoincidentMember(const isl::schedule_node_band& band) {
  for (unsigned i = 0; i < band.n_member(); ++i) {
    if (band.member_get_coincident(static_cast<int>(i))) return true;
  }
  return false;
}

bool HasBand(const isl::schedule_node& node, bool coincident_only) {
  if (node.isa<isl::schedule_node_band>() &&
      (!coincident_only || HasCoincidentMember(node.as<isl::schedule_node_band>()))) {
    return true;
  }
  for (unsigned i = 0; i < node.n_children(); ++i) {
    if (HasBand(node.child(static_cast<int>(i)), coincident_only)) return true;
  }
  return false;
}

// "S0", "S3" of the instances at `node`, in the scop's order.
std::vector<std::string> StatementsAt(const isl::schedule_node& node, const ParsedScop& scop) {
  std::set<std::string> present;
  const isl::union_set domain = NodeDomain(node);
  domain.foreach_set([&](const isl::set& set) { present.insert(TupleName(set)); });
  std::vector<std::string> names;
  for (const ParsedStatement& statement : scop.statements) {
    if (present.count(statement.name) > 0) names.push_back(statement.name);
  }
  return names;
}

class KernelSelection {
 public:
  KernelSelection(const ParsedScop& scop, const Dependences& dependences, const isl::set& values,
                  InnerReductions reductions)
      : scop_(scop), dependences_(dependences), values_(values), reductions_(reductions) {}

  // Marks the kernels at and below `node`; returns the node at the same place.
  isl::schedule_node Visit(isl::schedule_node node, int host_depth) {
    if (node.isa<isl::schedule_node_leaf>()) return MarkKernel(node, host_depth);
    if (node.isa<isl::schedule_node_mark>() && RegistersOfTileLoops(MarkId(node).name()))
      return VisitTiles(node, host_depth);
    if (host_depth == 0 && node.isa<isl::schedule_node_sequence>() &&
        !HasBand(node, /*coincident_only=*/false))
      return MarkKernel(node, host_depth);
    if (node.isa<isl::schedule_node_band>()) {
      const auto band = node.as<isl::schedule_node_band>();
      const int members = static_cast<int>(band.n_member());
      if (members > 0 && (HasCoincidentMember(band) || !HasBand(node.child(0), /*coincident_only=*/true))) {
        const std::optional<isl::schedule_node> inner = InnerReduction(node);
        if (inner) return InLoops([&] { return MarkKernel(*inner, host_depth + members - 1); }).parent();
        if (!HasReductionBelow(node)) return MarkKernel(node, host_depth);
      }
      return InLoops([&] { return VisitChildren(node, host_depth + members); });
    }
    return VisitChildren(node, host_depth);
  }

  // The band of the last member of `band`, split off, when that is a reduction of a band without coincident
  // members.
  std::optional<isl::schedule_node> InnerReduction(const isl::schedule_node& node) const {
    const auto band = node.as<isl::schedule_node_band>();
    const int members = static_cast<int>(band.n_member());
    if (reductions_ == InnerReductions::kInKernels || members < 2 || HasCoincidentMember(band))
      return std::nullopt;
    const isl::schedule_node last = band.split(members - 1).child(0);
    Kernel kernel;
    CollectFacts(last, kernel);
    if (!Reduction(last, kernel)) return std::nullopt;
    return last;
  }

  // Some band below `node`, none of whose bands has coincident members, is a reduction.
  bool HasReductionBelow(const isl::schedule_node& node) const {
    if (reductions_ == InnerReductions::kInKernels ||
        HasCoincidentMember(node.as<isl::schedule_node_band>())) {
      return false;
    }
    bool found = false;
    node.child(0).foreach_descendant_top_down([&](const isl::schedule_node& below) {
      if (found || !below.isa<isl::schedule_node_band>()) return !found;
      Kernel kernel;
      CollectFacts(below, kernel);
      found = Reduction(below, kernel).has_value();
      return !found;
    });
    return found;
  }

  std::vector<Kernel> TakeKernels() { return std::move(kernels_); }

 private:
  // Of tiles' loops, below their mark.
  isl::schedule_node VisitTiles(const isl::schedule_node& mark, int host_depth) {
    const auto band = mark.child(0).as<isl::schedule_node_band>();
    for (unsigned i = 0; i < band.n_member(); ++i) {
      if (!band.member_get_coincident(static_cast<int>(i))) return Visit(band, host_depth).parent();
    }
    tile_loops_ = {host_depth, static_cast<int>(band.n_member()), TilesOf(band),
                   *RegistersOfTileLoops(MarkId(mark).name())};
    const isl::schedule_node inside =
        InLoops([&] { return Visit(band.child(0), host_depth + tile_loops_.count); });
    tile_loops_ = {};
    return inside.parent().parent();
  }

  // -1: not known.
  int64_t TilesOf(const isl::schedule_node_band& band) const {
    int64_t tiles = 1;
    for (const int64_t along : TripCounts(band, values_)) {
      if (along < 0 || (along > 0 && tiles > INT32_MAX / along)) return -1;
      tiles *= along;
    }
    return tiles;
  }

  isl::schedule_node VisitChildren(isl::schedule_node node, int host_depth) {
    const int children = static_cast<int>(node.n_children());
    for (int i = 0; i < children; ++i) node = Visit(node.child(i), host_depth).parent();
    return node;
  }

  // Marks kernels in loops of the host, in which those before and behind them are not.
  isl::schedule_node InLoops(const std::function<isl::schedule_node()>& mark) {
    begins_group_ = true;
    const isl::schedule_node marked = mark();
    begins_group_ = true;
    return marked;
  }

  isl::schedule_node MarkKernel(const isl::schedule_node& node, int host_depth) {
    Kernel kernel;
    kernel.host_depth = host_depth;
    kernel.tile_loops = tile_loops_;
    CollectFacts(node, kernel);
    kernel.read_only_arrays = ReadOnlyArrays(kernel);
    size_t band = 0;
    if (!kernel.read_only_arrays.empty()) CountWordsRead(node, &band, &kernel);
    kernel.constant_reads = ConstantReads(node, kernel);
    kernel.constant_references = static_cast<int>(MostFrequentReads(kernel).size());
    kernel.constant_halves = ReadsHalves(kernel);
    for (const auto& [statement, access] : kernel.constant_reads) {
      const std::string& array = scop_.statement(statement).accesses[access].array;
      kernel.constant_bytes = std::max(kernel.constant_bytes,
                                       static_cast<int64_t>(ElementSize(scop_.array(array).element_type())));
    }
    kernel.writes_words = WritesWords(kernel);
    kernel.updates_of_data = UpdatesOfData(kernel);
    kernel.bytes_of_iteration = BytesOfIteration(kernel);
    if (!kernel.bands.empty() && node.isa<isl::schedule_node_band>())
      kernel.bounds_sums =
          MembersThatBoundSums(node.as<isl::schedule_node_band>(), kernel.bands[0].coincident, values_);
    kernel.reduction = Reduction(node, kernel);
    kernel.rows = Rows(node, kernel);
    kernel.name = absl::StrCat("k[", JoinStatements(kernel.statements), "]");
    if (host_depth > 0) absl::StrAppend(&kernel.name, "@", host_depth);
    const int seen = ++names_[kernel.name];
    if (seen > 1) absl::StrAppend(&kernel.name, "#", seen);
    kernel.launch_group = GroupOf(kernel, node);
    MarkSharedArrays(&kernel);
    kernels_.push_back(kernel);
    nodes_.push_back(node);
    // From the text "k[S0]" isl would only take the identifier "k".
    return node.insert_mark(NamedId(node.ctx(), kernel.name));
  }

  // The number of the kernel before it or, where it has to be launched after one of those, the next.
  int GroupOf(const Kernel& kernel, const isl::schedule_node& node) {
    const int last = kernels_.empty() ? -1 : kernels_.back().launch_group;
    bool joins = last >= 0 && !begins_group_;
    begins_group_ = false;
    for (size_t i = 0; i < kernels_.size() && joins; ++i)
      joins = kernels_[i].launch_group != last || AreIndependent(kernel, node, kernels_[i], nodes_[i]);
    return joins ? last : last + 1;
  }

  // Of the kernel and of those of its group before it.
  void MarkSharedArrays(Kernel* kernel) {
    for (Kernel& other : kernels_) {
      if (other.launch_group != kernel->launch_group || SharedArrays(*kernel, other).empty()) continue;
      kernel->shares_arrays = other.shares_arrays = true;
    }
  }

  // Of arrays that both touch the elements are compared.
  bool AreIndependent(const Kernel& a, const isl::schedule_node& at_a, const Kernel& b,
                      const isl::schedule_node& at_b) const {
    const std::set<std::string> shared = SharedArrays(a, b);
    return shared.empty() || AreApart(ElementsOfLaunches(at_a, a.statements, shared, scop_, values_),
                                      ElementsOfLaunches(at_b, b.statements, shared, scop_, values_));
  }

  // Arrays that one of them writes and the other one touches.
  std::set<std::string> SharedArrays(const Kernel& a, const Kernel& b) const {
    std::set<std::string> shared = WrittenAndTouched(a, b);
    shared.merge(WrittenAndTouched(b, a));
    return shared;
  }

  std::set<std::string> WrittenAndTouched(const Kernel& writer, const Kernel& other) const {
    const std::set<std::string> written =
        ArraysOf(writer, [](const ParsedAccess& access) { return access.writes(); });
    std::set<std::string> both;
    for (const std::string& used : ArraysOf(other, [](const ParsedAccess&) { return true; })) {
      if (written.count(used) > 0) both.insert(used);
    }
    return both;
  }

  template <typename Predicate>
  std::set<std::string> ArraysOf(const Kernel& kernel, const Predicate& holds) const {
    std::set<std::string> arrays;
    for (const std::string& name : kernel.statements) {
      for (const ParsedAccess& access : scop_.statement(name).accesses) {
        if (holds(access)) arrays.insert(access.array);
      }
    }
    return arrays;
  }

  // Pre-order: bands outermost first, statements as the leaves come.
  void CollectFacts(const isl::schedule_node& node, Kernel& kernel) const {
    if (node.isa<isl::schedule_node_band>())
      kernel.bands.push_back(BandFacts(node.as<isl::schedule_node_band>()));
    if (node.isa<isl::schedule_node_leaf>()) {
      for (const std::string& name : StatementsAt(node, scop_)) {
        if (std::find(kernel.statements.begin(), kernel.statements.end(), name) == kernel.statements.end()) {
          kernel.statements.push_back(name);
        }
      }
    }
    const int children = static_cast<int>(node.n_children());
    for (int i = 0; i < children; ++i) CollectFacts(node.child(i), kernel);
  }

  // Of the bands at and below `node`; `*band`: the first's number.
  void CountWordsRead(const isl::schedule_node& node, size_t* band, Kernel* kernel) const {
    if (node.isa<isl::schedule_node_band>()) {
      KernelBand& facts = kernel->bands[(*band)++];
      bool serial = false;
      for (int m = 0; m < facts.member_count(); ++m)
        serial = serial || (!facts.coincident[m] && Repeats(facts.trip_counts[m]));
      const auto inner = node.as<isl::schedule_node_band>();
      if (facts.innermost && serial) {
        facts.words_read = WordsReadByIterations(inner, kernel->read_only_arrays, scop_, values_);
        facts.along_rows = AlongRows(inner, kernel->read_only_arrays, scop_, values_);
      } else if (facts.innermost) {
        facts.along_rows = ReadsAlongRows(inner, kernel->read_only_arrays, scop_, values_);
      }
    }
    const int children = static_cast<int>(node.n_children());
    for (int i = 0; i < children; ++i) CountWordsRead(node.child(i), band, kernel);
  }

  KernelBand BandFacts(const isl::schedule_node_band& band) const {
    KernelBand facts;
    facts.permutable = band.permutable();
    facts.depth = ScheduleDepth(band);
    facts.innermost = !HasBand(band.child(0), /*coincident_only=*/false);
    for (unsigned i = 0; i < band.n_member(); ++i) {
      facts.coincident.push_back(band.member_get_coincident(static_cast<int>(i)));
    }
    facts.trip_counts = TripCounts(band, values_);
    facts.boxes = tile_loops_.count == 0 || AreBoxes(band, values_);
    const auto serial = std::count(facts.coincident.begin(), facts.coincident.end(), false);
    if (facts.permutable && facts.innermost && serial > 1) facts.sums = MembersOfSums(band, scop_);
    return facts;
  }

  std::optional<KernelReduction> Reduction(const isl::schedule_node& node, const Kernel& kernel) const {
    if (!node.isa<isl::schedule_node_band>() || !kernel.bands[0].innermost) return std::nullopt;
    std::vector<bool> repeats;
    for (const int64_t trip_count : kernel.bands[0].trip_counts) repeats.push_back(Repeats(trip_count));
    return FindReduction(node.as<isl::schedule_node_band>(), kernel.statements, repeats, scop_, dependences_,
                         values_);
  }

  std::optional<ThreadRows> Rows(const isl::schedule_node& node, const Kernel& kernel) const {
    if (!node.isa<isl::schedule_node_band>() || !kernel.bands[0].innermost) return std::nullopt;
    const KernelBand& band = kernel.bands[0];
    int64_t iterations = 1;
    for (int m = 0; m < band.member_count(); ++m) {
      if (band.coincident[m]) continue;
      if (band.trip_counts[m] < 0 || band.trip_counts[m] > kMostIterationsOfRows / iterations)
        return std::nullopt;
      iterations *= std::max<int64_t>(1, band.trip_counts[m]);
    }
    if (iterations < 2 || !HasCoincidentMember(node.as<isl::schedule_node_band>())) return std::nullopt;
    return FindThreadRows(node.as<isl::schedule_node_band>(), band.coincident, kernel.statements,
                          kernel.constant_reads, scop_, values_, kMostIterationsOfRows);
  }

  std::vector<std::string> ReadOnlyArrays(const Kernel& kernel) const {
    const std::set<std::string> written =
        ArraysOf(kernel, [](const ParsedAccess& access) { return access.writes(); });
    const std::set<std::string> read =
        ArraysOf(kernel, [](const ParsedAccess& access) { return !access.writes(); });
    std::vector<std::string> arrays;
    for (const v1::Array& array : scop_.proto.arrays()) {
      if (array.extents_size() > 0 && read.count(array.name()) > 0 && written.count(array.name()) == 0)
        arrays.push_back(array.name());
    }
    return arrays;
  }

  // Those of arrays that the kernel does not write, and those of other elements than it writes at the same
  // values of the host loops.
  std::vector<ReferenceName> ConstantReads(const isl::schedule_node& node, const Kernel& kernel) const {
    std::optional<isl::union_map> launches, written;       // [h] -> S and [h] -> A, once they are needed
    const auto is_apart = [&](const isl::map& relation) {  // S -> A
      if (!launches) {
        const isl::union_set domain = NodeDomain(node).intersect_params(values_);
        launches = node.prefix_schedule_union_map().intersect_domain(domain).reverse();
        written = launches->apply_range(WritesOf(kernel));
      }
      return launches->apply_range(isl::union_map(relation)).is_disjoint(*written);
    };
    std::vector<ReferenceName> constant;
    const auto is_read_only = [&](const std::string& array) {
      return std::count(kernel.read_only_arrays.begin(), kernel.read_only_arrays.end(), array) > 0;
    };
    for (const std::string& name : kernel.statements) {
      const ParsedStatement& statement = scop_.statement(name);
      for (size_t a = 0; a < statement.accesses.size(); ++a) {
        const ParsedAccess& access = statement.accesses[a];
        if (access.writes() || access.of_data || scop_.array(access.array).extents_size() == 0) continue;
        if (is_read_only(access.array) || is_apart(access.relation))
          constant.emplace_back(name, static_cast<int>(a));
      }
    }
    return constant;
  }

  // { S -> A }
  isl::union_map WritesOf(const Kernel& kernel) const {
    isl::union_map writes = isl::union_map::empty(values_.ctx());
    for (const std::string& name : kernel.statements) {
      for (const ParsedAccess& access : scop_.statement(name).accesses) {
        if (access.writes()) writes = writes.unite(isl::union_map(access.relation));
      }
    }
    return writes;
  }

  int LoopsOf(const std::string& statement) const {
    return Dimensions(scop_.statement(statement).domain, isl_dim_set);
  }

  // Constant ones of the statements in the most loops, which run most often.
  std::vector<ReferenceName> MostFrequentReads(const Kernel& kernel) const {
    int most_loops = 0;
    for (const std::string& name : kernel.statements) most_loops = std::max(most_loops, LoopsOf(name));
    std::vector<ReferenceName> reads;
    for (const ReferenceName& read : kernel.constant_reads) {
      if (LoopsOf(read.first) == most_loops) reads.push_back(read);
    }
    return reads;
  }

  bool ReadsHalves(const Kernel& kernel) const {
    bool some = false;
    for (const auto& [statement, access] : MostFrequentReads(kernel)) {
      const v1::Array& array = scop_.array(scop_.statement(statement).accesses[access].array);
      if (array.extents().empty()) continue;
      if (array.element_type() != v1::ELEMENT_TYPE_FLOAT16) return false;
      some = true;
    }
    return some;
  }

  bool WritesWords(const Kernel& kernel) const {
    return std::any_of(kernel.statements.begin(), kernel.statements.end(), [&](const std::string& name) {
      const ParsedStatement& statement = scop_.statement(name);
      const std::string& target = statement.target().array;
      return HasExchange(scop_.array(target).element_type());
    });
  }

  bool UpdatesOfData(const Kernel& kernel) const {
    return std::any_of(kernel.statements.begin(), kernel.statements.end(),
                       [&](const std::string& name) { return scop_.statement(name).target().of_data; });
  }

  int64_t BytesOfIteration(const Kernel& kernel) const {
    if (kernel.bands.empty()) return 0;
    const std::vector<int64_t>& trip_counts = kernel.bands[0].trip_counts;
    const auto dimensions = std::count_if(trip_counts.begin(), trip_counts.end(), Repeats);
    int64_t bytes = 0;
    for (const std::string& name : ArraysOf(kernel, [](const ParsedAccess&) { return true; })) {
      const v1::Array& array = scop_.array(name);
      if (array.extents_size() >= dimensions)
        bytes += static_cast<int64_t>(ElementSize(array.element_type()));
    }
    return bytes;
  }

  const ParsedScop& scop_;
  const Dependences& dependences_;
  const isl::set values_;
  const InnerReductions reductions_;
  TileLoops tile_loops_;      // around the node
  bool begins_group_ = true;  // the next kernel is launched in other host loops than the last one
  std::map<std::string, int> names_;
  std::vector<Kernel> kernels_;
  std::vector<isl::schedule_node> nodes_;  // parallel, where each was found
};

}  // namespace

absl::StatusOr<std::shared_ptr<const ScheduledScop>> SelectKernels(
    IslContext& context, const isl::schedule& schedule, const ParsedScop& scop,
    const Dependences& dependences, const std::map<std::string, int64_t>& parameter_values,
    InnerReductions reductions) {
  return context.Run("selecting kernels", [&]() -> absl::StatusOr<std::shared_ptr<const ScheduledScop>> {
    KernelSelection selection(scop, dependences, ParameterValues(context, parameter_values), reductions);
    auto scheduled = std::make_shared<ScheduledScop>();
    scheduled->tree = selection.Visit(schedule.root(), 0).schedule();
    scheduled->kernels = selection.TakeKernels();
    scheduled->fingerprint = Fingerprint(IslText(scheduled->tree));
    return std::shared_ptr<const ScheduledScop>(std::move(scheduled));
  });
}

}  // namespace tune
