#include "common/transform/blocked_loops/block_pieces.h"

#include <optional>

#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/transform/block_iterator.h"
#include "common/transform/blocked_loops/loop_time.h"

namespace tune {
namespace {

struct Part {
  isl::set instances;
  bool inside = true;  // of its own block, as far as it was cut
};

}  // namespace

BlockPieces::BlockPieces(const ParsedScop& scop, const std::vector<SerialLoop>& loops, int64_t size) {
  int statements = static_cast<int>(scop.statements.size());
  for (size_t i = 0; i < scop.statements.size(); ++i) {
    for (const SerialLoop& loop : loops) {
      const auto time = loop.times.find(scop.statements[i].name);
      if (time != loop.times.end()) Cut(time->second, scop, static_cast<int>(i), size, &statements);
    }
  }
}

void BlockPieces::Cut(const isl::pw_aff& own_time, const ParsedScop& scop, int statement, int64_t size,
                      int* statements) {
  const isl::set& domain = scop.statements[statement].domain;  // S[b, x]
  const std::string& name = scop.statements[statement].name;
  const std::optional<LoopTime> time = LoopTimeOf(own_time);
  if (!time) {
    names_[name] = {name};
    return;
  }
  const isl::space space = domain.space();
  const isl::aff rest = time->rest.pullback(WithoutBlock(domain, name));  // S[b, x] -> [rest]
  const auto stands_for = [&](int iterator) {  // S[b, x] -> [sign x_iterator + rest]
    const isl::aff value = VariableOn(space, iterator + 1);
    return isl::pw_aff((time->sign > 0 ? value : value.neg()).add(rest));
  };
  const isl::pw_aff own = stands_for(time->iterator);
  const isl::val length(domain.ctx(), size);
  const isl::pw_aff next(
      VariableOn(space, 0).scale(length).add_constant(length));  // S[b, x] -> [size (b + 1)]
  std::vector<Part> parts = {{domain}};
  bool all_stand_for = true;
  for (int d = 0; d + 1 < Dimensions(domain, isl_dim_set); ++d) {
    if (d == time->iterator) continue;
    const isl::pw_aff value = stands_for(d);
    if (!value.lt_set(own).intersect(domain).is_empty()) {
      all_stand_for = false;
      continue;
    }
    std::vector<Part> finer;
    for (const Part& part : parts) {
      const isl::set inside = part.instances.intersect(value.lt_set(next)).coalesce();
      const isl::set beyond = part.instances.intersect(value.ge_set(next)).coalesce();
      if (!inside.is_empty()) finer.push_back({inside, part.inside});
      if (!beyond.is_empty()) finer.push_back({beyond, false});
    }
    parts = finer;
  }
  StatementSplit split{statement, {}};
  for (size_t p = 0; p < parts.size(); ++p) {
    split.pieces.push_back(parts[p].instances);
    const std::string piece = p == 0 ? name : absl::StrCat("S", (*statements)++);
    names_[name].push_back(piece);
    if (parts[p].inside && all_stand_for) bounded_.insert(piece);
  }
  if (split.pieces.size() > 1) splits_.push_back(split);
}

}  // namespace tune
