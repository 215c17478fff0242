#include "client/extract/forms/lowered_region.h"

#include <utility>

namespace tune {
namespace {

FoundRegion With(FoundRegion region, const Statements& statements) {
  region.statements = statements;
  return region;
}

}  // namespace

LoweredRegion::LoweredRegion(const clang::ASTContext& ast, const FoundRegion& marked)
    : choices_(ast, marked.statements),
      hinted_(ast, choices_.statements()),
      plain_(ast, hinted_.statements()),
      split_(ast, plain_.statements()),
      counting_(ast, With(marked, split_.statements())),
      entering_(ast, With(marked, counting_.statements())),
      walks_(ast, With(marked, entering_.statements())),
      loops_(ast, *marked.function, walks_.statements()),
      structures_(ast, *marked.function, loops_.statements()),
      found_(With(marked, structures_.statements())) {}

}  // namespace tune
