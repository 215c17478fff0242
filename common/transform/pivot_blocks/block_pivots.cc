#include "common/transform/pivot_blocks/block_pivots.h"

#include <vector>

#include "common/transform/blocked_loops/block_domains.h"
#include "common/transform/blocked_loops/loop_blocking.h"
#include "common/transform/pivot_blocks/pivot_copies.h"
#include "common/transform/pivot_blocks/pivot_dependences.h"
#include "common/transform/pivot_blocks/pivot_pieces.h"

namespace tune {
namespace {

class PivotBlocking {
 public:
  PivotBlocking(IslContext& context, const ParsedScop& scop, const Dependences& dependences,
                const isl::set& values, int64_t most_bytes, int64_t size, int64_t fewest)
      : context_(context),
        scop_(scop),
        dependences_(dependences),
        values_(values),
        most_bytes_(most_bytes),
        size_(size),
        fewest_(fewest) {}

  bool Accepts(const SerialLoop& loop) const {
    return HasIterations(loop, scop_, values_, fewest_ * size_) && FindPivots(loop, scop_).has_value();
  }

  absl::StatusOr<std::optional<CutLoops>> Cut(const std::vector<SerialLoop>& serial) const {
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> blocked,
                          ParseScop(context_, WithBlockIterators(scop_, serial, size_)));
    std::vector<PivotLoop> loops;
    for (const SerialLoop& loop : serial) loops.push_back(*FindPivots(loop, scop_));
    const PivotCut cut = CutAtPivots(*blocked, loops, size_);
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> pieces,
                          ParseScop(context_, SplitStatements(*blocked, cut.splits)));
    const std::optional<CopiedPivots> copied =
        CopyPivots(*pieces, dependences_, cut.pieces, size_, values_, most_bytes_);
    if (!copied) return std::nullopt;
    std::vector<PivotPiece> all = cut.pieces;
    all.insert(all.end(), copied->copies.begin(), copied->copies.end());
    CutLoops result;
    const auto parsed = ParseScop(context_, copied->scop);
    if (absl::IsInvalidArgument(parsed.status())) return std::nullopt;  // it is too long
    TUNE_ASSIGN_OR_RETURN(result.scop, parsed);
    TUNE_ASSIGN_OR_RETURN(result.dependences, PivotDependences(context_, *pieces, cut.pieces, *result.scop,
                                                               *copied, dependences_));
    result.statements.resize(loops.size());
    for (const PivotPiece& piece : all) {
      result.statements[piece.loop].push_back(piece.name);
      if (piece.bounded) result.bounded.insert(piece.name);
    }
    return result;
  }

 private:
  IslContext& context_;
  const ParsedScop& scop_;
  const Dependences& dependences_;
  const isl::set values_;
  const int64_t most_bytes_;
  const int64_t size_;
  const int64_t fewest_;  // blocks
};

}  // namespace

absl::StatusOr<std::optional<v1::Scop>> BlockPivots(AnalysedScop& analysed,
                                                    const std::map<std::string, int64_t>& values,
                                                    int64_t most_bytes, int64_t size, int64_t fewest) {
  const absl::StatusOr<isl::schedule> schedule = analysed.Schedule();
  if (!schedule.ok()) return std::nullopt;
  IslContext& context = analysed.context();
  return context.Run("blocking loops with pivots", [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    const PivotBlocking blocking(context, analysed.scop(), analysed.dependences(),
                                 ParameterValues(context, values), most_bytes, size, fewest);
    TUNE_ASSIGN_OR_RETURN(
        const std::optional<v1::Scop> blocked,
        BlockSerialLoops(
            context, *schedule, [&](const SerialLoop& loop) { return blocking.Accepts(loop); },
            [&](const std::vector<SerialLoop>& loops) { return blocking.Cut(loops); }));
    if (!blocked || absl::IsInvalidArgument(ParseScop(context, *blocked).status())) return std::nullopt;
    return blocked;
  });
}

}  // namespace tune
