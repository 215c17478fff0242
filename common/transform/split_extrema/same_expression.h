// Expressions of different statements that are worth the same.
#pragma once

#include "common/dependence/dependence.h"

namespace tune {

// { A -> B }: of equal iterators. Precondition: they have as many. Throws isl::exception.
isl::map SameIterations(const ParsedStatement& a, const ParsedStatement& b);

class SameExpressions {
 public:
  // Both must outlive this object.
  SameExpressions(const ParsedScop& scop, const Dependences& dependences)
      : scop_(scop), dependences_(dependences) {}

  // Whether `first`, of `a`, and `second`, of `b`, have the same text in equal iterations, and read values
  // that the same instances wrote: nothing writes what they read between the two. Precondition: both
  // statements have the same iterations. Throws isl::exception.
  bool Are(const ParsedStatement& a, const v1::Expression& first, const ParsedStatement& b,
           const v1::Expression& second) const;

 private:
  bool ReadSame(const ParsedStatement& a, int first, const ParsedStatement& b, int second) const;

  const ParsedScop& scop_;
  const Dependences& dependences_;
};

}  // namespace tune
