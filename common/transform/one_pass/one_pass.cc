#include "common/transform/one_pass/one_pass.h"

#include <map>
#include <set>

#include "common/array/element_type.h"
#include "common/decision/simple_choices.h"
#include "common/transform/one_pass/pass_pair.h"
#include "common/transform/one_pass/pass_tiles.h"
#include "common/transform/one_pass/passed_scop.h"
#include "common/transform/sum_kernels.h"

namespace tune {
namespace {

// Whether two statements that update something read one matrix.
bool MayHavePair(const ParsedScop& scop) {
  std::map<std::string, std::set<std::string>> readers;
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind != v1::Statement::ASSIGN || statement.proto->update() == v1::NONE) continue;
    for (const ParsedAccess& access : statement.accesses) {
      if (access.writes() || scop.array(access.array).extents_size() != 2) continue;
      std::set<std::string>& of_matrix = readers[access.array];
      of_matrix.insert(statement.name);
      if (of_matrix.size() > 1) return true;
    }
  }
  return false;
}

struct PairOfSchedule {
  isl::schedule schedule;
  isl::set values;  // of the parameters
  std::optional<PassPair> pair;
};

absl::StatusOr<PairOfSchedule> FindPair(AnalysedScop& analysed,
                                        const std::map<std::string, int64_t>& values) {
  TUNE_ASSIGN_OR_RETURN(const ScheduledSums sums, ScheduleSums(analysed, values));
  IslContext& context = analysed.context();
  PairOfSchedule found;
  found.schedule = sums.schedule;
  const auto find = [&]() -> absl::StatusOr<std::optional<PassPair>> {
    found.values = ParameterValues(context, values);
    return FindPassPair(*sums.scheduled, analysed.scop(), found.values);
  };
  TUNE_ASSIGN_OR_RETURN(found.pair, context.Run("looking for two passes over a matrix", find));
  return found;
}

class OnePassTransformation : public ScopTransformation {
  const char* name() const override { return "one_pass"; }
  bool HasOrder() const override { return true; }
  bool ReordersSums() const override { return true; }

  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits& limits) const override {
    if (!MayHavePair(analysed.scop())) return std::nullopt;
    auto made = MakePass(analysed, values, limits);
    // What isl cannot do is done in two passes.
    if (absl::IsInternal(made.status())) return std::nullopt;
    return made;
  }

  static absl::StatusOr<std::optional<v1::Scop>> MakePass(AnalysedScop& analysed,
                                                          const std::map<std::string, int64_t>& values,
                                                          const FormLimits& limits) {
    TUNE_ASSIGN_OR_RETURN(const PairOfSchedule found, FindPair(analysed, values));
    if (!found.pair) return std::nullopt;
    const PassTiles tiles = ChoosePassTiles(*found.pair, limits.device);
    if (tiles.count < 2) return std::nullopt;
    return PassScop(analysed.context(), analysed.scop(), found.schedule, *found.pair, tiles, found.values,
                    limits.most_bytes);
  }

  absl::StatusOr<bool> IsStandard(AnalysedScop& analysed, const std::map<std::string, int64_t>& values,
                                  const FormLimits& limits) const override {
    TUNE_ASSIGN_OR_RETURN(const PairOfSchedule found, FindPair(analysed, values));
    if (!found.pair) return false;
    const ParsedScop& scop = analysed.scop();
    const size_t bytes =
        ElementSize(scop.array(scop.statement(found.pair->columns.sum).target().array).element_type());
    return PassGains(*found.pair, ChoosePassTiles(*found.pair, limits.device), static_cast<int64_t>(bytes),
                     limits.device);
  }

  absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const override {
    return ChooseSwitch(chooser, "one_pass", standard);
  }
};

}  // namespace

const ScopTransformation& OnePass() {
  static const OnePassTransformation transformation;
  return transformation;
}

}  // namespace tune
