// What a transformation of the scop itself is, before it has a schedule.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "common/decision/chooser.h"
#include "common/dependence/dependence.h"

namespace tune {

// One for each folder of common/transform that makes other arrays or statements, in the list of
// transformations.h. It makes another form of the scop once, and decides for each candidate whether that is
// taken.
class ScopTransformation {
 public:
  virtual ~ScopTransformation() = default;
  virtual const char* name() const = 0;  // of its folder

  // A scop that computes the same; nothing where it has nothing to do. `values`: of all parameters. Errors:
  // those of IslContext::Run.
  virtual absl::StatusOr<std::optional<v1::Scop>> Make(IslContext& context, const ParsedScop& scop,
                                                       const Dependences& dependences,
                                                       const std::map<std::string, int64_t>& values,
                                                       int64_t most_bytes) const = 0;
  // Make takes the scop as it is, not what the transformations before it in the list made of it.
  virtual bool TakesOriginal() const { return false; }
  // The order of what Make makes is that in which it is to run: nothing is decided about its schedule.
  virtual bool HasOrder() const { return false; }
  // Whether a candidate takes what Make made. Errors: the chooser's.
  virtual absl::StatusOr<bool> Decide(Chooser& chooser) const = 0;
};

}  // namespace tune
