// What a transformation of the scop itself is, before it has a schedule.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "common/decision/chooser.h"
#include "common/device/device_facts.h"
#include "common/schedule/analysed_scop.h"

namespace tune {

// What a form of the scop is made for.
struct FormLimits {
  DeviceFacts device;
  int64_t most_bytes = 0;  // of further arrays
};

// One for each folder of common/transform that makes other arrays or statements, in the list of
// transformations.h. It makes another form of the scop once, and decides for each candidate whether that is
// taken.
class ScopTransformation {
 public:
  virtual ~ScopTransformation() = default;
  virtual const char* name() const = 0;  // of its folder

  // A scop that computes the same; nothing where it has nothing to do. `values`: of all parameters. Errors:
  // those of IslContext::Run.
  virtual absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                                       const std::map<std::string, int64_t>& values,
                                                       const FormLimits& limits) const = 0;
  // Make takes the scop as it is, not what the transformations before it in the list made of it.
  virtual bool TakesOriginal() const { return false; }
  // Of the list. Where that one finds something to do, there is nothing to do for this one, and Make is not
  // asked; null: none.
  virtual const ScopTransformation* GivesWayTo() const { return nullptr; }
  // The order of what Make makes is that in which it is to run: nothing is decided about its schedule, and
  // no other transformation starts from it.
  virtual bool HasOrder() const { return false; }
  // What Make makes takes long to analyse: that is done for candidates which take it, and where it is too
  // much they are as if they did not.
  virtual bool IsAnalysedLate() const { return false; }
  // Sums get another order, which is not wanted everywhere (`exact`).
  virtual bool ReordersSums() const { return false; }
  // Whether what Make made of the same is taken by default. Errors: those of IslContext::Run.
  virtual absl::StatusOr<bool> IsStandard(AnalysedScop&, const std::map<std::string, int64_t>&,
                                          const FormLimits&) const {
    return true;
  }
  // Whether a candidate takes what Make made; `standard`: IsStandard. Errors: the chooser's.
  virtual absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const = 0;
};

}  // namespace tune
