// What carving made of a study's configurations, and whether that was right.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/report/json.h"
#include "tune/v1/state_service.pb.h"

namespace tune {

struct CarvingFigures {
  int inspected = 0;
  int failed = 0;            // cannot be built
  int unknown = 0;           // nothing is known of them
  int kept = 0;              // of the inspected
  int measured = 0;          // CORRECT
  int measured_removed = 0;  // of these, those that carving removes
  // Index of the view with the shortest time of all, and of those that are kept.
  std::optional<size_t> best, best_kept;

  double ShareKept() const { return inspected > 0 ? static_cast<double>(kept) / inspected : 0; }
};

CarvingFigures FiguresOf(const std::vector<v1::InspectionView>& views);
// Speed of the best of those that are kept over that of the best of all; no value while nothing is measured.
std::optional<double> BestKeptOverBest(const CarvingFigures& figures,
                                       const std::vector<v1::InspectionView>& views);

// Both figures of the paper's table 4, with what they are made of.
std::string CarvingReport(const std::string& study_id, const std::vector<v1::InspectionView>& views);
// One line for each: metrics, verdict, time.
std::string CarvingTable(const std::vector<v1::InspectionView>& views);
// Why it was removed or kept, with its kernels' metrics.
std::string InspectionText(const v1::InspectionView& view);

Json ToJson(const v1::InspectionView& view);
Json CarvingJson(const std::vector<v1::InspectionView>& views);

}  // namespace tune
