// Trade-off carving: configurations that no other one surpasses in everything.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace tune {

// Both are better when larger, and at least 0.
struct TradeOff {
  double efficiency = 0;
  double utilization = 0;
};

// For each point whether, and by which one, it is surpassed: by one that has more than 1 + `margin` times its
// efficiency, and more than 1 + `margin` times its utilisation. So a point that is as good as the best in one
// of them stays, and with a margin also what is that near to staying; with 0 it is the paper's rule
// ("inferior in every dimension"). The one that is named is itself surpassed by none: of all that surpass the
// point it has the most utilisation, then the most efficiency, then the lowest index.
std::vector<std::optional<size_t>> SurpassedBy(const std::vector<TradeOff>& points, double margin);

}  // namespace tune
