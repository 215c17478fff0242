#include "common/schedule/statement_graph.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_join.h"

namespace tune {
namespace {

using Reachability = std::vector<std::vector<bool>>;

// Warshall's closure: programs have few statements.
void CloseTransitively(Reachability& reaches) {
  const size_t count = reaches.size();
  for (size_t via = 0; via < count; ++via) {
    for (size_t from = 0; from < count; ++from) {
      if (!reaches[from][via]) continue;
      for (size_t to = 0; to < count; ++to) reaches[from][to] = reaches[from][to] || reaches[via][to];
    }
  }
}

}  // namespace

StatementGraph::StatementGraph(const std::vector<std::string>& statements,
                               const isl::union_map& dependences) {
  std::map<std::string, size_t> index;
  for (const std::string& name : statements) index.emplace(name, index.size());
  Reachability reaches(statements.size(), std::vector<bool>(statements.size()));
  dependences.foreach_map([&](const isl::map& map) {
    const auto source = index.find(map.domain_tuple_id().name());
    const auto sink = index.find(map.range_tuple_id().name());
    if (source == index.end() || sink == index.end() || map.is_empty()) return;
    reaches[source->second][sink->second] = true;
  });
  CloseTransitively(reaches);
  std::vector<size_t> first_of;  // a statement of each component
  for (size_t i = 0; i < statements.size(); ++i) {
    const auto same = std::find_if(first_of.begin(), first_of.end(),
                                   [&](size_t first) { return reaches[i][first] && reaches[first][i]; });
    if (same == first_of.end()) {
      first_of.push_back(i);
      components_.push_back({statements[i]});
    } else {
      components_[same - first_of.begin()].push_back(statements[i]);
    }
  }
  precedes_.assign(first_of.size(), std::vector<bool>(first_of.size()));
  for (size_t a = 0; a < first_of.size(); ++a) {
    for (size_t b = 0; b < first_of.size(); ++b) {
      precedes_[a][b] = a != b && reaches[first_of[a]][first_of[b]];
    }
  }
}

std::vector<size_t> StatementGraph::Order() const {
  const size_t count = components_.size();
  std::vector<size_t> order;
  std::vector<bool> placed(count);
  const auto is_ready = [&](size_t component) {
    for (size_t other = 0; other < count; ++other) {
      if (!placed[other] && Precedes(other, component)) return false;
    }
    return true;
  };
  while (order.size() < count) {
    size_t next = 0;
    while (placed[next] || !is_ready(next)) ++next;
    placed[next] = true;
    order.push_back(next);
  }
  return order;
}

size_t StatementGraph::ComponentOf(const std::string& statement) const {
  const auto has = [&](const std::vector<std::string>& component) {
    return std::find(component.begin(), component.end(), statement) != component.end();
  };
  return std::find_if(components_.begin(), components_.end(), has) - components_.begin();
}

std::string JoinStatements(const std::vector<std::string>& statements) {
  const auto number = [&](size_t i) { return std::stoi(statements[i].substr(1)); };
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < statements.size();) {
    size_t end = begin + 1;
    while (end < statements.size() && number(end) == number(end - 1) + 1) ++end;
    if (end - begin >= 3) {
      parts.push_back(absl::StrCat(statements[begin], "-", statements[end - 1]));
    } else {
      for (size_t i = begin; i < end; ++i) parts.push_back(statements[i]);
    }
    begin = end;
  }
  return absl::StrJoin(parts, ",");
}

}  // namespace tune
