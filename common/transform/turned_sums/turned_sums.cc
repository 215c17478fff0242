#include "common/transform/turned_sums/turned_sums.h"

#include <algorithm>

#include "common/decision/simple_choices.h"
#include "common/transform/blocked_loops/block_loops.h"
#include "common/transform/turned_sums/turn_sums.h"

namespace tune {
namespace {

const v1::Statement& StatementOf(const v1::Scop& scop, const std::string& name) {
  return *std::find_if(scop.statements().begin(), scop.statements().end(),
                       [&](const v1::Statement& statement) { return statement.name() == name; });
}

// Whether a turned sum runs in blocks, whose number is one more iterator.
bool HasBlocks(const v1::Scop& blocked, const TurnedScop& turned) {
  return std::any_of(turned.statements.begin(), turned.statements.end(), [&](const std::string& name) {
    return StatementOf(blocked, name).iterators_size() > StatementOf(turned.scop, name).iterators_size();
  });
}

class TurnedSumsTransformation : public ScopTransformation {
  const char* name() const override { return "turned_sums"; }
  bool HasOrder() const override { return true; }
  bool ReordersSums() const override { return true; }

  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits&) const override {
    IslContext& context = analysed.context();
    const auto turn = [&]() -> absl::StatusOr<std::optional<TurnedScop>> {
      return TurnSums(analysed.scop(), analysed.dependences());
    };
    TUNE_ASSIGN_OR_RETURN(const std::optional<TurnedScop> turned, context.Run("turning sums", turn));
    if (!turned) return std::nullopt;
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, turned->scop));
    TUNE_ASSIGN_OR_RETURN(const Dependences own, ComputeDependences(context, *parsed, /*rounding=*/true));
    AnalysedScop with_turned(context, *parsed, own);
    TUNE_ASSIGN_OR_RETURN(std::optional<v1::Scop> blocked, BlockLoops(with_turned, values));
    if (!blocked || !HasBlocks(*blocked, *turned)) return std::nullopt;
    return blocked;
  }

  absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const override {
    return ChooseSwitch(chooser, "turned_sums", standard);
  }
};

}  // namespace

const ScopTransformation& TurnedSums() {
  static const TurnedSumsTransformation transformation;
  return transformation;
}

}  // namespace tune
