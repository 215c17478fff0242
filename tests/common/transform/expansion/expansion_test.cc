#include "common/transform/expansion/expansion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "common/transform/expansion/live_range.h"
#include "tests/common/testing/random_scops.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune {
namespace {

using testing::Analysis;
using testing::ExpectExpansionsKeepResults;
using testing::Values;

TEST(ExpansionTest, SampleScops) {
  std::map<std::string, std::string> expanded;
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    const std::string found = ExpectExpansionsKeepResults(sample.make(), sample.small);
    if (!found.empty()) expanded[sample.name] = found;
  }
  const std::map<std::string, std::string> expected = {
      {"scalar_temp", "s 1 32"},
      {"local_kill", "t 1 40"},
      {"local_array", "row 1 96"},
  };
  EXPECT_EQ(expanded, expected);
}

TEST(ExpansionTest, SampleScopsOfDegenerateSize) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    for (const int64_t size : {0, 1}) {
      Values values = sample.small;
      for (auto& [name, value] : values) value = size;
      ExpectExpansionsKeepResults(sample.make(), values);
    }
  }
}

// Reads of undefined elements: the interpreter's result then depends on where the array is.
bool ReadsUndefined(const v1::Scop& proto) {
  const auto analysis = Analysis::Make(proto, {{"n", 4}}).value();
  for (const v1::Array& array : proto.arrays()) {
    for (const LiveRange& range : LiveRanges(*analysis->scop, analysis->dependences, array.name())) {
      if (range.undefined) return true;
    }
  }
  return false;
}

bool Kills(const v1::Scop& scop) {
  return std::any_of(scop.statements().begin(), scop.statements().end(),
                     [](const v1::Statement& statement) { return statement.kind() == v1::Statement::KILL; });
}

// The same with "t" an array of the caller's.
v1::Scop WithoutLocals(v1::Scop scop) {
  for (v1::Array& array : *scop.mutable_arrays()) array.set_declared_inside(false);
  return scop;
}

TEST(ExpansionTest, RandomScopsKeepTheirResults) {
  int expanded = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const v1::Scop scop = testing::MakeRandomScop(seed);
    for (const v1::Scop& variant : {scop, WithoutLocals(scop)}) {
      if (ReadsUndefined(variant)) continue;
      if (Kills(variant) && !variant.arrays(3).declared_inside()) continue;
      expanded += !ExpectExpansionsKeepResults(variant, {{"n", 4 + static_cast<int64_t>(seed % 2)}}).empty();
    }
  }
  EXPECT_GT(expanded, 12);
}

}  // namespace
}  // namespace tune
