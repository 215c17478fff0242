// Parts of statements by whether what they touch is of the block that they run in, or of later ones.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/transform/blocked_loops/serial_loops.h"
#include "common/transform/index_split/statement_pieces.h"

namespace tune {

// A statement of WithBlockIterators, S[b, x], at time t = s x_e + c. The iterators x_d with s x_d + c >= t at
// all of its instances say which iteration of the loop they stand for, too: of block b, or of a later one.
// For each such iterator the statement is cut in two.
class BlockPieces {
 public:
  // `loops`: of the scop before WithBlockIterators; `scop`: after it. Throws isl::exception.
  BlockPieces(const ParsedScop& scop, const std::vector<SerialLoop>& loops, int64_t size);

  const std::vector<StatementSplit>& splits() const { return splits_; }
  // Of each statement of a loop its pieces in SplitStatements(scop, splits()).
  const std::map<std::string, std::vector<std::string>>& names() const { return names_; }
  // Those of the pieces all of whose iterators stand for iterations of their own block, so
  // that a block has no more than a fixed number of instances.
  const std::set<std::string>& bounded() const { return bounded_; }

 private:
  // Of one statement, at `time`, { S[x] -> [t] }; `statements`: how many there are, pieces included.
  void Cut(const isl::pw_aff& time, const ParsedScop& scop, int statement, int64_t size, int* statements);

  std::vector<StatementSplit> splits_;
  std::map<std::string, std::vector<std::string>> names_;
  std::set<std::string> bounded_;
};

}  // namespace tune
