// Turns isl relations into plain sets of integer pairs, and executes a scop's order by hand: the oracle that
// the exact analyses are compared with.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/isl/dimensions.h"
#include "common/isl/points.h"
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
  Pairs flow, false_dependences, order, live_in, live_out;
  Pairs
      memory;  // every pair of accesses to one element of which one writes, in order, except undefined reads
};

// Executes the instances of `scop` in their original order at `values`.
class Interpreter {
 public:
  Interpreter(const ParsedScop& scop, const isl::set& values) : scop_(scop) {
    for (const auto& [instance, time] : Times(scop.schedule.map().intersect_domain(scop.domain), values))
      ordered_.push_back({time, instance});
    std::sort(ordered_.begin(), ordered_.end());
    for (const ParsedStatement& statement : scop.statements) {
      for (size_t i = 0; i < statement.accesses.size(); ++i) {
        if (statement.kind == v1::Statement::KILL) continue;
        const isl::map relation = statement.accesses[i].relation.intersect_domain(statement.domain);
        for (const auto& [instance, element] : Enumerate(relation, values)) {
          elements_[{instance, static_cast<int>(i)}] = element;
          states_[element];
        }
      }
    }
  }

  ExpectedDependences Run() {
    for (const auto& [time, instance] : ordered_) Execute(instance);
    for (const auto& [element, state] : states_) {
      if (state.written && !state.killed && !IsLocal(element))
        result_.live_out.insert({state.writer, element});
    }
    return result_;
  }

 private:
  struct State {
    bool written = false;  // since the last kill
    bool killed = false;
    Tuple writer;
    std::vector<Tuple> pending;  // accesses since the last write, that write included; kills do not count
    std::vector<Tuple> reads, writes;  // all
  };

  bool IsLocal(const Tuple& element) const { return scop_.array(element.first).declared_inside(); }

  void Execute(const Tuple& instance) {
    const ParsedStatement& statement = scop_.statement(instance.first);
    if (statement.kind == v1::Statement::KILL) {
      for (auto& [element, state] : states_) {
        if (element.first != statement.accesses[0].array) continue;
        state.written = false;
        state.killed = true;
      }
      return;
    }
    // The reads of an instance come before its write.
    for (size_t i = 0; i < statement.accesses.size(); ++i) {
      if (statement.accesses[i].reads()) ReadElement(instance, elements_.at({instance, static_cast<int>(i)}));
    }
    for (size_t i = 0; i < statement.accesses.size(); ++i) {
      if (statement.accesses[i].writes())
        WriteElement(instance, elements_.at({instance, static_cast<int>(i)}));
    }
    for (size_t i = 0; i < statement.accesses.size(); ++i) {
      State& state = states_.at(elements_.at({instance, static_cast<int>(i)}));
      if (statement.accesses[i].reads()) state.reads.push_back(instance);
      if (statement.accesses[i].writes()) state.writes.push_back(instance);
    }
  }

  void ReadElement(const Tuple& instance, const Tuple& element) {
    State& state = states_.at(element);
    if (state.written) {
      result_.flow.insert({state.writer, instance});
    } else if (!state.killed && !IsLocal(element)) {
      result_.live_in.insert({instance, element});
    }
    // An undefined value may be read at any time.
    for (const Tuple& writer : state.writes) {
      if (!state.killed) result_.memory.insert({writer, instance});
    }
    state.pending.push_back(instance);
  }

  void WriteElement(const Tuple& instance, const Tuple& element) {
    State& state = states_.at(element);
    for (const Tuple& access : state.pending) {
      if (access != instance) result_.false_dependences.insert({access, instance});
    }
    for (const Tuple& read : state.reads) result_.order.insert({read, instance});
    for (const Tuple& read : state.reads) result_.memory.insert({read, instance});
    for (const Tuple& write : state.writes) result_.memory.insert({write, instance});
    state.pending = {instance};
    state.written = true;
    state.killed = false;
    state.writer = instance;
  }

  const ParsedScop& scop_;
  std::vector<std::pair<std::vector<int64_t>, Tuple>> ordered_;
  std::map<std::pair<Tuple, int>, Tuple> elements_;  // (instance, access) -> element
  std::map<Tuple, State> states_;
  ExpectedDependences result_;
};

}  // namespace tune::testing
