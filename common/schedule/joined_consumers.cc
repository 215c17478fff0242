#include "common/schedule/joined_consumers.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "common/isl/functions.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/coincidence.h"
#include "common/schedule/legality.h"
#include "common/schedule/schedule_copy.h"

namespace tune {
namespace {

// A part of the outermost sequence: loops that all of its statements share, and no others.
struct LoopsOfPart {
  isl::schedule schedule;  // of the part alone
  bool is_band = false;    // and there is no other band below
  int members = 0, parallel = 0;
};

bool HasInnerBand(const isl::schedule_node& node) {
  bool has = false;
  node.foreach_descendant_top_down([&](const isl::schedule_node& inner) {
    has = has || inner.isa<isl::schedule_node_band>();
    return !has;
  });
  return has;
}

LoopsOfPart Describe(const isl::schedule& part) {
  LoopsOfPart loops{part};
  const isl::schedule_node node = part.root().child(0);
  if (!node.isa<isl::schedule_node_band>() || HasInnerBand(node.child(0))) return loops;
  const auto band = node.as<isl::schedule_node_band>();
  loops.is_band = true;
  loops.members = static_cast<int>(band.n_member());
  for (int m = 0; m < loops.members; ++m) loops.parallel += band.member_get_coincident(m) ? 1 : 0;
  return loops;
}

// None where there is no outermost sequence.
std::vector<LoopsOfPart> LoopsOfParts(const isl::schedule& schedule) {
  const isl::schedule_node node = schedule.root().child(0);
  std::vector<LoopsOfPart> parts;
  if (!node.isa<isl::schedule_node_sequence>() && !node.isa<isl::schedule_node_set>()) return parts;
  for (unsigned i = 0; i < node.n_children(); ++i) {
    const isl::union_set instances = NodeDomain(node.child(static_cast<int>(i)).child(0));  // S
    parts.push_back(Describe(IntersectDomain(schedule, instances)));
  }
  return parts;
}

isl::schedule_node_band BandOf(const LoopsOfPart& part) {
  return part.schedule.root().child(0).as<isl::schedule_node_band>();
}

// What stands inside the part's loops.
isl::schedule Inside(const LoopsOfPart& part) {
  return WithoutNode(part.schedule.root().child(0)).schedule();
}

class ConsumerJoining {
 public:
  ConsumerJoining(IslContext& context, const ParsedScop& scop, const Dependences& dependences)
      : context_(context), scop_(scop), dependences_(dependences) {}

  // The schedule with some consumer joined to its producer; nothing where none can be.
  absl::StatusOr<std::optional<isl::schedule>> Once(const isl::schedule& schedule) {
    std::vector<LoopsOfPart> parts;
    TUNE_RETURN_IF_ERROR(context_.Run("looking for loops to join", [&]() -> absl::Status {
      parts = LoopsOfParts(schedule);
      return absl::OkStatus();
    }));
    for (size_t consumer = 1; consumer < parts.size(); ++consumer) {
      if (!parts[consumer].is_band || parts[consumer].parallel < parts[consumer].members) continue;
      for (size_t producer = consumer; producer-- > 0;) {
        if (!MayJoin(parts[producer], parts[consumer])) continue;
        TUNE_ASSIGN_OR_RETURN(const std::optional<isl::schedule> joined, Join(parts, producer, consumer));
        if (joined) return joined;
      }
    }
    return std::nullopt;
  }

 private:
  using Found = std::optional<isl::schedule>;

  static bool MayJoin(const LoopsOfPart& producer, const LoopsOfPart& consumer) {
    return producer.is_band && producer.members == consumer.members && producer.parallel > 0 &&
           producer.parallel < producer.members;
  }

  absl::StatusOr<Found> Join(const std::vector<LoopsOfPart>& parts, size_t producer, size_t consumer) {
    Found joined;
    TUNE_RETURN_IF_ERROR(context_.Run("joining loops", [&]() -> absl::Status {
      joined = JoinedLoops(parts[producer], parts[consumer]);
      return absl::OkStatus();
    }));
    if (!joined) return joined;
    for (const size_t place : {consumer, producer}) {
      Found whole;
      TUNE_RETURN_IF_ERROR(context_.Run("joining loops", [&]() -> absl::Status {
        whole = WithJoined(parts, producer, consumer, place, *joined);
        return absl::OkStatus();
      }));
      const absl::Status legal = CheckLegal(context_, *whole, scop_, dependences_);
      if (legal.ok()) return whole;
      if (!absl::IsFailedPrecondition(legal)) return legal;
    }
    return std::nullopt;
  }

  // All parts in their order, with `joined` at one of two places. Each stays a part, also one that is itself
  // a sequence.
  isl::schedule WithJoined(const std::vector<LoopsOfPart>& parts, size_t producer, size_t consumer,
                           size_t place, const isl::schedule& joined) const {
    std::vector<isl::schedule> wanted;
    isl::union_set domain = isl::union_set::empty(context_.ctx());
    isl::union_set_list filters(context_.ctx(), static_cast<int>(parts.size()));
    for (size_t i = 0; i < parts.size(); ++i) {
      if (i != place && (i == producer || i == consumer)) continue;
      wanted.push_back(i == place ? joined : parts[i].schedule);
      domain = domain.unite(wanted.back().domain());
      filters = filters.add(wanted.back().domain());
    }
    if (wanted.size() == 1) return joined;
    isl::schedule_node node = isl::schedule::from_domain(domain).root().child(0).insert_sequence(filters);
    for (size_t i = 0; i < wanted.size(); ++i) {
      const isl::schedule_node leaf = node.child(static_cast<int>(i)).child(0);
      node = CopySubtree(wanted[i].root().child(0), leaf, [](const isl::union_map& same) {
               return same;
             }).ancestor(2);
    }
    return node.schedule();
  }

  // The producer's loops with the consumer's statements last in them.
  Found JoinedLoops(const LoopsOfPart& producer, const LoopsOfPart& consumer) const {
    const isl::schedule_node_band band = BandOf(producer);
    const auto times = TimesOf(consumer, producer);
    if (!times) return std::nullopt;
    const isl::multi_union_pw_aff members = band.partial_schedule().union_add(*times);
    const isl::schedule inside = ScheduleSequence(Inside(producer), Inside(consumer));
    const isl::schedule joined = InsertBandLike(band, members, inside.root().child(0)).schedule();
    if (!IsAsParallel(joined, band)) return std::nullopt;
    return joined;
  }

  // { S -> [producer's members] } of the consumer's statements: of each instance the last iteration in which
  // a value is made that it reads, and no other part. Nothing where some read none.
  std::optional<isl::multi_union_pw_aff> TimesOf(const LoopsOfPart& consumer,
                                                 const LoopsOfPart& producer) const {
    const isl::union_set both = producer.schedule.domain().unite(consumer.schedule.domain());
    const isl::union_map made = isl::union_map::from(BandOf(producer).partial_schedule())
                                    .intersect_domain(OwnWriters(producer, both));  // S' -> [t]
    std::optional<isl::multi_union_pw_aff> times;
    bool all = true;
    consumer.schedule.domain().foreach_set([&](const isl::set& instances) {
      const auto own = all ? TimesOf(isl::union_set(instances), made) : std::nullopt;
      all = all && own.has_value();
      if (own) times = times ? times->union_add(*own) : *own;
    });
    return all ? times : std::nullopt;
  }
  // { S' }: the producer's statements whose values only instances of `both` read, and that leave none behind.
  isl::union_set OwnWriters(const LoopsOfPart& producer, const isl::union_set& both) const {
    isl::union_set writers = isl::union_set::empty(context_.ctx());
    producer.schedule.domain().foreach_set([&](const isl::set& instances) {
      const isl::union_set statement(instances);
      const bool own = dependences_.live_out.intersect_domain(statement).is_empty() &&
                       dependences_.flow.intersect_domain(statement).range().is_subset(both);
      if (own) writers = writers.unite(statement);
    });
    return writers;
  }
  // Of one statement; `made`: { S' -> [t] }.
  std::optional<isl::multi_union_pw_aff> TimesOf(const isl::union_set& instances,
                                                 const isl::union_map& made) const {
    const isl::union_map flow = dependences_.flow.intersect_range(instances);  // S' -> S
    const isl::union_map last = flow.reverse().apply_range(made).lexmax();     // S -> [t]
    if (last.is_empty() || !instances.is_subset(last.domain())) return std::nullopt;
    return last.coalesce().as_multi_union_pw_aff().gist(instances);
  }

  // The band that `joined` begins with is permutable, and parallel where `like` is.
  bool IsAsParallel(const isl::schedule& joined, const isl::schedule_node_band& like) const {
    const isl::union_set domain = joined.domain();
    const isl::union_map inside =
        dependences_.validity().intersect_domain(domain).intersect_range(domain);  // S -> S
    const isl::schedule checked = WithCoincidenceOf(inside, joined);
    const auto band = checked.root().child(0).as<isl::schedule_node_band>();
    const isl::multi_union_pw_aff members = band.partial_schedule();
    const isl::union_set forwards(context_.ctx(), "{ [d] : d >= 0 }");
    for (int m = 0; m < static_cast<int>(band.n_member()); ++m) {
      if (like.member_get_coincident(m) && !band.member_get_coincident(m)) return false;
      const isl::union_map member = members.at(m).as_union_map().intersect_domain(domain);  // S -> [t]
      if (!like.permutable()) continue;
      const isl::union_set distances = inside.apply_domain(member).apply_range(member).deltas();  // [t' - t]
      if (!distances.is_subset(forwards)) return false;
    }
    return true;
  }

  IslContext& context_;
  const ParsedScop& scop_;
  const Dependences& dependences_;
};

}  // namespace

absl::StatusOr<std::optional<isl::schedule>> JoinConsumers(IslContext& context, const isl::schedule& schedule,
                                                           const ParsedScop& scop,
                                                           const Dependences& dependences) {
  ConsumerJoining joining(context, scop, dependences);
  std::optional<isl::schedule> joined;
  while (true) {
    TUNE_ASSIGN_OR_RETURN(const std::optional<isl::schedule> further,
                          joining.Once(joined.value_or(schedule)));
    if (!further) return joined;
    joined = further;
  }
}

}  // namespace tune
