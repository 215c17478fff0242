// Decisions by draws, which can be written down.
#pragma once

#include <string>
#include <vector>

#include "common/base/random.h"
#include "server/search/draw_record.h"

namespace tune {

// Draws options with weights that each kind of walk has for them.
class DrawingChooser : public Chooser {
 public:
  // `record` (null: nothing is written down) takes what is drawn. Nothing is owned.
  DrawingChooser(Random* random, std::vector<DrawRecord>* record) : random_(random), record_(record) {}

  // Draws among `open`, of which one at least is true.
  int DrawFrom(const DecisionPoint& point, std::vector<bool> open);
  // Of what was not drawn.
  void WriteDown(const DecisionPoint& point, int chosen, const std::string& reason);
  bool records() const { return record_ != nullptr; }

 protected:
  // One an option; 0 where not open.
  virtual std::vector<double> WeightsOf(const DecisionPoint& point, const std::vector<bool>& open) const = 0;

 private:
  Random* const random_;
  std::vector<DrawRecord>* const record_;
};

bool Any(const std::vector<bool>& flags);

// The allowed option next to the position `wanted`; of two the earlier.
int NearestAllowed(const DecisionPoint& point, double wanted);

}  // namespace tune
