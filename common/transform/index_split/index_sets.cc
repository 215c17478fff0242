#include "common/transform/index_split/index_sets.h"

#include "common/decision/simple_choices.h"
#include "common/transform/index_split/index_split.h"

namespace tune {
namespace {

class IndexSetsTransformation : public ScopTransformation {
  const char* name() const override { return "index_split"; }

  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed, const std::map<std::string, int64_t>&,
                                               const FormLimits&) const override {
    return SplitIndexSets(analysed.context(), analysed.scop(), analysed.dependences());
  }

  absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const override {
    TUNE_ASSIGN_OR_RETURN(const int whole,
                          ChooseOption(chooser, "index_sets", {"split", "whole"}, standard ? 0 : 1));
    return whole == 0;
  }
};

}  // namespace

const ScopTransformation& IndexSets() {
  static const IndexSetsTransformation transformation;
  return transformation;
}

}  // namespace tune
