// Small spaces with known optimum.
#pragma once

#include <string>
#include <vector>

#include "server/search/space.h"

namespace tune {

// A product of independent decisions d0, d1, ... with options "0", "1", ...; optionally a decision "extra"
// that is asked only when d0 is "1", options of d1 masked by d0, and a failing corner.
class SyntheticSpace : public Space {
 public:
  explicit SyntheticSpace(std::vector<int> sizes) : sizes_(std::move(sizes)) {}

  absl::Status Walk(Chooser& chooser) override {
    ++walks;
    std::vector<int> chosen;
    for (size_t i = 0; i < sizes_.size(); ++i) {
      DecisionPoint point;
      point.key = absl::StrCat("d", i);
      for (int option = 0; option < sizes_[i]; ++option) {
        point.options.push_back(absl::StrCat(option));
        // With masks, option o of d1 is allowed only up to what d0 chose.
        point.allowed.push_back(!masked || i != 1 || option <= chosen[0]);
      }
      TUNE_ASSIGN_OR_RETURN(const int answer, chooser.Choose(point));
      if (!point.allowed[answer]) return absl::InternalError("a masked option was chosen");
      chosen.push_back(answer);
      if (failing && chosen.size() == 2 && chosen[0] == 1 && chosen[1] == 1) {
        return absl::ResourceExhaustedError("no schedule for d0 = d1 = 1");
      }
    }
    if (conditional && chosen[0] == 1) {
      TUNE_RETURN_IF_ERROR(chooser.Choose({"extra", {"a", "b", "c"}, {true, true, true}, 0}).status());
    }
    return absl::OkStatus();
  }

  bool masked = false;
  bool conditional = false;
  bool failing = false;
  int walks = 0;

 private:
  std::vector<int> sizes_;
};

}  // namespace tune
