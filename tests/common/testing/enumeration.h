// Turns isl relations into plain sets of integer pairs, and executes a scop's order by hand: the oracle that
// the exact analyses are compared with.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/array/element_type.h"
#include "common/isl/dimensions.h"
#include "common/isl/points.h"
#include "common/program/atomic_update.h"
#include "common/scop/scop.h"

namespace tune::testing {

using Tuple = std::pair<std::string, std::vector<int64_t>>;  // name, coordinates
using Pairs = std::set<std::pair<Tuple, Tuple>>;

inline std::vector<int64_t> Coordinates(const isl::point& point, int begin, int end) {
  std::vector<int64_t> coordinates;
  for (int i = begin; i < end; ++i) {
    const isl::val value = CoordinateOf(point, isl_dim_set, i);
    coordinates.push_back(value.num_si());
  }
  return coordinates;
}

// All pairs of `relation` at the parameter values `values`; both must be finite.
inline Pairs Enumerate(const isl::union_map& relation, const isl::set& values) {
  Pairs pairs;
  relation.intersect_params(values).foreach_map([&](const isl::map& map) {
    const int inputs = Dimensions(map, isl_dim_in);
    const int outputs = Dimensions(map, isl_dim_out);
    const std::string source = map.has_domain_tuple_id() ? map.domain_tuple_id().name() : "";
    const std::string sink = map.has_range_tuple_id() ? map.range_tuple_id().name() : "";
    const isl::set points = map.project_out_all_params().wrap();
    const isl::set flat = points.flatten();
    flat.foreach_point([&](const isl::point& point) {
      pairs.insert(
          {{source, Coordinates(point, 0, inputs)}, {sink, Coordinates(point, inputs, inputs + outputs)}});
    });
  });
  return pairs;
}

// Time of each instance under { S -> [t] } at `values`.
inline std::map<Tuple, std::vector<int64_t>> Times(const isl::union_map& schedule, const isl::set& values) {
  std::map<Tuple, std::vector<int64_t>> times;
  for (const auto& [instance, time] : Enumerate(schedule, values)) times[instance] = time.second;
  return times;
}

// What ComputeDependences must find, and all memory dependences without hiding.
struct ExpectedDependences {
  Pairs flow, false_dependences, all_false, live_in, live_out;
  Pairs
      memory;  // every pair of accesses to one element of which one writes, in order, except undefined reads
};

// Executes the instances of `scop` in their original order at `values`; `rounding`: as ComputeDependences.
class Interpreter {
 public:
  Interpreter(const ParsedScop& scop, const isl::set& values, bool rounding = false) : scop_(scop) {
    for (const auto& [instance, time] : Times(scop.schedule.map().intersect_domain(scop.domain), values))
      ordered_.push_back({time, instance});
    std::sort(ordered_.begin(), ordered_.end());
    for (const ParsedStatement& statement : scop.statements) {
      for (size_t i = 0; i < statement.accesses.size(); ++i) {
        if (statement.kind == v1::Statement::KILL) continue;
        const isl::map relation = statement.accesses[i].relation.intersect_domain(statement.domain);
        for (const auto& [instance, element] : Enumerate(relation, values)) {
          elements_[{instance, static_cast<int>(i)}].push_back(element);
          states_[element];
        }
      }
      if (statement.kind == v1::Statement::KILL || !IsAtomicUpdate(scop.proto, *statement.proto)) continue;
      if (!rounding && IsFloating(TargetType(scop.proto, *statement.proto))) continue;
      free_[statement.name] = absl::StrCat(statement.target().array, " ", statement.proto->update());
    }
  }

  ExpectedDependences Run() {
    for (const auto& [time, instance] : ordered_) Execute(instance);
    for (const auto& [element, state] : states_) {
      for (const Access& writer : state.writers)
        if (!IsLocal(element)) result_.live_out.insert({writer.instance, element});
    }
    return result_;
  }

 private:
  struct Access {
    Tuple instance;
    std::string free;  // of a target: what it may change places with; empty: nothing
    bool MayChange(const Access& other) const { return !free.empty() && free == other.free; }
  };
  struct State {
    bool written = false;  // since the last kill, certainly
    bool killed = false;
    std::vector<Access> writers;  // the last certain write since the last kill, and later ones
    std::vector<Access> pending;  // since the last certain write, that write included; kills do not count
    std::vector<Access> reads, writes;  // all
  };

  bool IsLocal(const Tuple& element) const { return scop_.array(element.first).declared_inside(); }

  void Execute(const Tuple& instance) {
    const ParsedStatement& statement = scop_.statement(instance.first);
    if (statement.kind == v1::Statement::KILL) {
      for (auto& [element, state] : states_) {
        if (element.first != statement.accesses[0].array) continue;
        state.written = false;
        state.killed = true;
        state.writers.clear();
      }
      return;
    }
    // The reads of an instance come before its write.
    ForEachElement(instance, [&](const ParsedAccess& access, const Access& by, const Tuple& element) {
      if (access.reads()) ReadElement(by, element);
    });
    ForEachElement(instance, [&](const ParsedAccess& access, const Access& by, const Tuple& element) {
      if (access.writes()) WriteElement(by, element, !access.of_data);
    });
    ForEachElement(instance, [&](const ParsedAccess& access, const Access& by, const Tuple& element) {
      if (access.reads()) states_.at(element).reads.push_back(by);
      if (access.writes()) states_.at(element).writes.push_back(by);
    });
  }

  template <typename Visit>
  void ForEachElement(const Tuple& instance, const Visit& visit) {
    const ParsedStatement& statement = scop_.statement(instance.first);
    const auto free = free_.find(statement.name);
    for (size_t i = 0; i < statement.accesses.size(); ++i) {
      const bool is_free = statement.accesses[i].writes() && free != free_.end();
      for (const Tuple& element : elements_[{instance, static_cast<int>(i)}])
        visit(statement.accesses[i], Access{instance, is_free ? free->second : ""}, element);
    }
  }

  void ReadElement(const Access& access, const Tuple& element) {
    State& state = states_.at(element);
    for (const Access& writer : state.writers)
      if (!writer.MayChange(access)) result_.flow.insert({writer.instance, access.instance});
    if (!state.written && !state.killed && !IsLocal(element))
      result_.live_in.insert({access.instance, element});
    // An undefined value may be read at any time.
    for (const Access& writer : state.writes) {
      if (!state.killed && !writer.MayChange(access))
        result_.memory.insert({writer.instance, access.instance});
    }
    state.pending.push_back(access);
  }

  void WriteElement(const Access& access, const Tuple& element, bool certain) {
    State& state = states_.at(element);
    const auto insert = [&](const std::vector<Access>& earlier, Pairs* pairs) {
      for (const Access& other : earlier) {
        if (other.instance != access.instance && !other.MayChange(access))
          pairs->insert({other.instance, access.instance});
      }
    };
    insert(state.pending, &result_.false_dependences);
    insert(state.reads, &result_.all_false);
    insert(state.writes, &result_.all_false);
    insert(state.reads, &result_.memory);
    insert(state.writes, &result_.memory);
    if (certain) {
      state.pending.clear();
      state.writers.clear();
      state.written = true;
      state.killed = false;
    }
    state.pending.push_back(access);
    state.writers.push_back(access);
  }

  const ParsedScop& scop_;
  std::vector<std::pair<std::vector<int64_t>, Tuple>> ordered_;
  std::map<std::pair<Tuple, int>, std::vector<Tuple>> elements_;  // (instance, access) -> elements
  std::map<std::string, std::string> free_;                       // Access::free of the statement's target
  std::map<Tuple, State> states_;
  ExpectedDependences result_;
};

}  // namespace tune::testing
