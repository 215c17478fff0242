// Scops as a stranger may send them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "common/base/random.h"
#include "tests/common/testing/sample_scops.h"

namespace tune::testing {

inline constexpr const char* kHostileTokens[] = {"5",
                                                 "-1",
                                                 "{",
                                                 "}",
                                                 "[",
                                                 "]",
                                                 "(",
                                                 ")",
                                                 "->",
                                                 ",",
                                                 ":",
                                                 ";",
                                                 "\"",
                                                 " ",
                                                 "=",
                                                 "<=",
                                                 "and",
                                                 "or",
                                                 "exists",
                                                 "mod",
                                                 "floor",
                                                 "/0",
                                                 "nan",
                                                 "infty",
                                                 "S0",
                                                 "S9",
                                                 "n",
                                                 "n ->",
                                                 "*",
                                                 "child",
                                                 "domain",
                                                 "schedule",
                                                 "leaf",
                                                 "e0 ",
                                                 "A[",
                                                 "[A -> B]",
                                                 "99999999999999999999",
                                                 "not",
                                                 "implies",
                                                 "%"};

// Every text of the scop that isl reads.
inline std::vector<std::string*> TextsOfScop(v1::Scop* scop) {
  std::vector<std::string*> texts = {scop->mutable_schedule(), scop->mutable_schedule(),
                                     scop->mutable_context()};
  for (v1::Statement& statement : *scop->mutable_statements()) {
    texts.push_back(statement.mutable_domain());
    for (v1::Access& access : *statement.mutable_accesses()) texts.push_back(access.mutable_relation());
    if (statement.value().kind_case() == v1::Expression::kAffine)
      texts.push_back(statement.mutable_value()->mutable_affine());
  }
  for (v1::Array& array : *scop->mutable_arrays()) {
    for (v1::Extent& extent : *array.mutable_extents()) texts.push_back(extent.mutable_accessed());
  }
  return texts;
}

// One piece of the text goes, is doubled, or becomes a token.
inline void ChangeText(Random& random, std::string* text) {
  const size_t begin = text->empty() ? 0 : random.Below(text->size());
  const size_t length =
      std::min<size_t>(random.Below(4) == 0 ? random.Below(40) : random.Below(4), text->size() - begin);
  switch (random.Below(4)) {
    case 0:
      text->erase(begin, length);
      break;
    case 1:
      text->insert(begin, text->substr(begin, length));
      break;
    default:
      text->replace(begin, length, kHostileTokens[random.Below(std::size(kHostileTokens))]);
  }
}

// The scop of one of the samples with one to three changes of its texts.
inline v1::Scop MutatedScop(uint64_t seed) {
  Random random(seed);
  const std::vector<SampleScop> samples = SampleScops();
  v1::Scop scop = samples[random.Below(samples.size())].make();
  const std::vector<std::string*> texts = TextsOfScop(&scop);
  for (uint64_t changes = 1 + random.Below(3); changes > 0; --changes)
    ChangeText(random, texts[random.Below(texts.size())]);
  return scop;
}

}  // namespace tune::testing
