#include "common/transform/split_extrema/split_extrema.h"

#include <set>

#include "common/decision/simple_choices.h"
#include "common/transform/split_extrema/split_nest.h"
#include "common/transform/split_extrema/value_of_index.h"
#include "common/transform/substitution/substitute.h"

namespace tune {
namespace {

bool IsLocal(const ParsedScop& scop, const std::string& array) {
  return scop.array(array).declared_inside() && scop.array(array).extents_size() == 0;
}

// Scalars of the region that may be flags of extrema.
std::set<std::string> Flags(const ParsedScop& scop) {
  std::set<std::string> flags;
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind != v1::Statement::ASSIGN) continue;
    for (const ParsedAccess& access : statement.accesses) {
      if (IsLocal(scop, access.array) && ReadKeepingForm(*statement.proto, access.array))
        flags.insert(access.array);
    }
  }
  return flags;
}

// Those that conditions may compare with extrema: `t = a[i]; flag = t > m;`.
std::set<std::string> ComparedScalars(const ParsedScop& scop) {
  const std::set<std::string> flags = Flags(scop);
  std::set<std::string> compared;
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind != v1::Statement::ASSIGN || flags.count(statement.target().array) == 0) continue;
    for (const ParsedAccess& access : statement.accesses) {
      if (IsLocal(scop, access.array) && flags.count(access.array) == 0) compared.insert(access.array);
    }
  }
  return compared;
}

// The scop with extrema as running_extremum.h has them, of other forms; nothing where it has none of these.
absl::StatusOr<std::optional<v1::Scop>> PlainForm(IslContext& context, const ParsedScop& scop,
                                                  const Dependences& dependences) {
  std::optional<v1::Scop> plain;
  const std::set<std::string> compared = ComparedScalars(scop);
  if (!compared.empty()) {
    TUNE_ASSIGN_OR_RETURN(plain, SubstituteScalars(context, scop, dependences, &compared));
  }
  std::shared_ptr<const ParsedScop> parsed;
  if (plain) {
    TUNE_ASSIGN_OR_RETURN(parsed, ParseScop(context, *plain));
  }
  const auto with_values = [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    return WithValuesOfIndices(parsed != nullptr ? *parsed : scop);
  };
  TUNE_ASSIGN_OR_RETURN(std::optional<v1::Scop> kept, context.Run("keeping values of indices", with_values));
  return kept ? kept : plain;
}

absl::StatusOr<std::optional<v1::Scop>> SplitAll(IslContext& context, const ParsedScop& scop,
                                                 const Dependences& dependences,
                                                 const std::map<std::string, int64_t>& values,
                                                 const PartLimits& limits) {
  return context.Run("splitting extrema", [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    const std::vector<RunningExtremum> extrema = FindRunningExtrema(scop, dependences);
    if (extrema.empty()) return std::nullopt;
    return SplitNests(scop, extrema, ParameterValues(context, values), limits);
  });
}

class SplitExtremaTransformation : public ScopTransformation {
  const char* name() const override { return "split_extrema"; }

  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits& limits) const override {
    IslContext& context = analysed.context();
    const ParsedScop& scop = analysed.scop();
    TUNE_ASSIGN_OR_RETURN(const std::optional<v1::Scop> plain,
                          PlainForm(context, scop, analysed.dependences()));
    if (!plain) return SplitAll(context, scop, analysed.dependences(), values, PartLimitsOf(limits.device));
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, *plain));
    TUNE_ASSIGN_OR_RETURN(const Dependences own, ComputeDependences(context, *parsed));
    return SplitAll(context, *parsed, own, values, PartLimitsOf(limits.device));
  }

  absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const override {
    return ChooseSwitch(chooser, "split_extrema", standard);
  }
};

}  // namespace

const ScopTransformation& SplitExtrema() {
  static const SplitExtremaTransformation transformation;
  return transformation;
}

}  // namespace tune
