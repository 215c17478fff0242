// Which parts of a region are evaluated when it is executed.
#pragma once

namespace clang {
class Stmt;
}  // namespace clang

namespace tune {

// When a part of the region is evaluated, as often as the region is executed: at least once; so where the
// `for` loops around it have iterations; not known.
enum class Reach { kCertain, kInLoops, kMaybe };

// Of `part`, the child of that number of `whole`, whose reach that is. Jumps are not looked for.
Reach ReachOf(const clang::Stmt& whole, const clang::Stmt& part, int place, Reach reach);

// Whether the statement leaves out what stands behind it, so that loops around it with iterations do not say
// that this is evaluated.
bool IsJump(const clang::Stmt& statement);

}  // namespace tune
