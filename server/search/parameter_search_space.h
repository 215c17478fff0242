// A space of tuning parameters, as strategies see it.
#pragma once

#include <memory>
#include <utility>

#include "common/parameters/parameter_space.h"
#include "server/search/space.h"

namespace tune {

// One decision for each parameter with several values; its key is the parameter's name. Walks never fail by
// themselves: what is allowed leads to a valid configuration.
class ParameterSearchSpace : public Space {
 public:
  // `defaults`: the default configuration, as indices of values, by parameter; empty: the middle one of each.
  // Where it is not valid, what walks give as default is next to it.
  ParameterSearchSpace(std::shared_ptr<const ParameterSpace> space, ParameterChoice defaults)
      : space_(std::move(space)), defaults_(std::move(defaults)) {}

  absl::Status Walk(Chooser& chooser) override;

 private:
  std::shared_ptr<const ParameterSpace> space_;
  ParameterChoice defaults_;
};

}  // namespace tune
