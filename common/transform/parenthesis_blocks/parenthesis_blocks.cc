#include "common/transform/parenthesis_blocks/parenthesis_blocks.h"

#include "common/decision/simple_choices.h"
#include "common/transform/parenthesis_blocks/blocked_tables.h"
#include "common/transform/substitution/substitute.h"

namespace tune {
namespace {

// A scop whose scalars are substituted, where it has such ones.
struct ScopOfTables {
  const ParsedScop& given;
  std::shared_ptr<const ParsedScop> substituted;  // may be null

  const ParsedScop& Get() const { return substituted == nullptr ? given : *substituted; }
};

absl::StatusOr<ScopOfTables> WithoutScalars(AnalysedScop& analysed) {
  ScopOfTables scop{analysed.scop(), nullptr};
  TUNE_ASSIGN_OR_RETURN(const std::optional<v1::Scop> plain,
                        SubstituteScalars(analysed.context(), analysed.scop(), analysed.dependences()));
  if (plain) {
    TUNE_ASSIGN_OR_RETURN(scop.substituted, ParseScop(analysed.context(), *plain));
  }
  return scop;
}

class ParenthesisBlocksTransformation : public ScopTransformation {
  const char* name() const override { return "parenthesis_blocks"; }
  bool HasOrder() const override { return true; }
  bool TakesOriginal() const override { return true; }
  bool ReordersSums() const override { return true; }

  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits&) const override {
    return BlockTables(analysed, values);
  }

  absl::StatusOr<bool> IsStandard(AnalysedScop& analysed, const std::map<std::string, int64_t>& values,
                                  const FormLimits&) const override {
    TUNE_ASSIGN_OR_RETURN(const ScopOfTables scop, WithoutScalars(analysed));
    return analysed.context().Run("counting blocks of tables", [&]() -> absl::StatusOr<bool> {
      const isl::set known = ParameterValues(analysed.context(), values);
      const std::optional<TableNest> nest = FindTableNest(scop.Get(), known);
      return nest && BlocksAlong(*nest, kTableBlock) >= kManyTableBlocks;
    });
  }

  absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const override {
    return ChooseSwitch(chooser, "parenthesis_blocks", standard);
  }
};

// Whether some update is in a loop that its element does not depend on.
bool MaySplit(const v1::Scop& scop) {
  for (const v1::Statement& statement : scop.statements()) {
    if (statement.update() != v1::NONE && statement.iterators_size() == 3) return true;
  }
  return false;
}

}  // namespace

const ScopTransformation& ParenthesisBlocks() {
  static const ParenthesisBlocksTransformation transformation;
  return transformation;
}

absl::StatusOr<std::optional<v1::Scop>> BlockTables(AnalysedScop& analysed,
                                                    const std::map<std::string, int64_t>& values,
                                                    int64_t size, int64_t fewest) {
  if (!MaySplit(analysed.scop().proto)) return std::nullopt;
  IslContext& context = analysed.context();
  TUNE_ASSIGN_OR_RETURN(const ScopOfTables tables, WithoutScalars(analysed));
  return context.Run("blocking tables", [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    const ParsedScop& scop = tables.Get();
    const isl::set known = ParameterValues(context, values);
    const std::optional<TableNest> nest = FindTableNest(scop, known);
    if (!nest || BlocksAlong(*nest, size) < fewest) return std::nullopt;
    const std::optional<std::vector<BlockPiece>> pieces = PlaceInBlocks(*nest, scop, known, size);
    if (!pieces) return std::nullopt;
    return FillByBlocks(scop, *nest, *pieces, known);
  });
}

}  // namespace tune
