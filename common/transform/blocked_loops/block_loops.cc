#include "common/transform/blocked_loops/block_loops.h"

#include <algorithm>
#include <set>
#include <vector>

#include "common/transform/blocked_loops/block_domains.h"
#include "common/transform/blocked_loops/block_pieces.h"
#include "common/transform/blocked_loops/loop_blocking.h"

namespace tune {
namespace {

// Whether some statement may be a sum of a blocked loop: of those in `names` it updates an array that they
// read, too.
bool MayHaveSum(const std::set<std::string>& names, const ParsedScop& scop) {
  std::map<std::string, int> accesses;  // of each array
  for (const std::string& name : names) {
    for (const ParsedAccess& access : scop.statement(name).accesses) ++accesses[access.array];
  }
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const ParsedStatement& statement = scop.statement(name);
    return statement.kind == v1::Statement::ASSIGN && statement.proto->update() != v1::NONE &&
           accesses[statement.target().array] > 1;
  });
}

std::set<std::string> StatementsOf(const SerialLoop& loop) {
  std::set<std::string> names;
  for (const auto& [name, time] : loop.times) names.insert(name);
  return names;
}

std::set<std::string> StatementsOf(const ParsedScop& scop) {
  std::set<std::string> names;
  for (const ParsedStatement& statement : scop.statements) names.insert(statement.name);
  return names;
}

// By block_pieces.h.
absl::StatusOr<std::optional<CutLoops>> CutAtBlocks(IslContext& context, const ParsedScop& scop,
                                                    const std::vector<SerialLoop>& loops, int64_t size) {
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> blocked,
                        ParseScop(context, WithBlockIterators(scop, loops, size)));
  const BlockPieces pieces(*blocked, loops, size);
  CutLoops cut;
  TUNE_ASSIGN_OR_RETURN(cut.scop, ParseScop(context, SplitStatements(*blocked, pieces.splits())));
  TUNE_ASSIGN_OR_RETURN(cut.dependences, ComputeDependences(context, *cut.scop));
  cut.bounded = pieces.bounded();
  for (const SerialLoop& loop : loops) {
    std::set<std::string> own;
    for (const auto& [name, time] : loop.times)
      own.insert(pieces.names().at(name).begin(), pieces.names().at(name).end());
    std::vector<std::string>& ordered = cut.statements.emplace_back();
    for (const ParsedStatement& statement : cut.scop->statements) {
      if (own.count(statement.name) > 0) ordered.push_back(statement.name);
    }
  }
  return cut;
}

}  // namespace

absl::StatusOr<std::optional<v1::Scop>> BlockLoops(AnalysedScop& analysed,
                                                   const std::map<std::string, int64_t>& values,
                                                   int64_t size) {
  const ParsedScop& scop = analysed.scop();
  if (!MayHaveSum(StatementsOf(scop), scop)) return std::nullopt;
  const absl::StatusOr<isl::schedule> schedule = analysed.Schedule();
  if (!schedule.ok()) return std::nullopt;
  IslContext& context = analysed.context();
  return context.Run("blocking loops", [&] {
    const isl::set known = ParameterValues(context, values);
    const auto accept = [&](const SerialLoop& loop) {
      return MayHaveSum(StatementsOf(loop), scop) && HasIterations(loop, scop, known, 2 * size);
    };
    const auto cut = [&](const std::vector<SerialLoop>& loops) {
      return CutAtBlocks(context, scop, loops, size);
    };
    return BlockSerialLoops(context, *schedule, accept, cut);
  });
}

}  // namespace tune
