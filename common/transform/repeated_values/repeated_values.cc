#include "common/transform/repeated_values/repeated_values.h"

#include "common/decision/simple_choices.h"
#include "common/transform/repeated_values/single_values.h"

namespace tune {
namespace {

class RepeatedValuesTransformation : public ScopTransformation {
  const char* name() const override { return "repeated_values"; }

  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits&) const override {
    return ComputeOnce(analysed.context(), analysed.scop(), analysed.dependences(), values);
  }

  absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const override {
    return ChooseSwitch(chooser, "repeated_values", standard);
  }
};

}  // namespace

const ScopTransformation& RepeatedValues() {
  static const RepeatedValuesTransformation transformation;
  return transformation;
}

}  // namespace tune
