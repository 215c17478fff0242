// What isl makes of a text that the grammar of isl_grammar.h has taken.
#pragma once

#include <string>

#include "common/isl/isl.h"
#include "common/scop/isl_grammar.h"

namespace tune::testing {

// OK when isl reads it as a text of that kind, within the limits; else what isl says.
inline absl::Status ReadByIsl(IslKind kind, const std::string& text, const IslContext::Limits& limits) {
  IslContext context(limits);
  return context.Run("reading", [&]() -> absl::Status {
    switch (kind) {
      case IslKind::kContext:
      case IslKind::kSet:
        isl::union_set(context.ctx(), text);
        break;
      case IslKind::kRelation:
        isl::union_map(context.ctx(), text);
        break;
      case IslKind::kAffine:
        isl::union_pw_aff(context.ctx(), text);
        break;
      case IslKind::kBand:
        isl::multi_union_pw_aff(context.ctx(), text);
    }
    return absl::OkStatus();
  });
}

}  // namespace tune::testing
