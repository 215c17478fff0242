#include "worker/passes/loop_bounds.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

std::string Named(const std::string& nodes) {
  OpenMpProgram program;
  program.index_type = "long";
  program.body = ReadBlock(nodes).value();
  NameLoopBounds(HelperNames(), &program);
  return PrintBlockText(program.body);
}

TEST(NameLoopBounds, UnrolledLoopsCompareTwoNames) {
  EXPECT_EQ(Named(R"(for tune_c0 = 0; tune_c0 < n; tune_c0 += 1, parallel
  for tune_c1 = 0; tune_c1 <= min(n, tune_c0 + 3); tune_c1 += 1, unroll 4
    run S0()
)"),
            R"(for tune_c0 = 0; tune_c0 < n; tune_c0 += 1, parallel
  define long tune_last1 = min(n, tune_c0 + 3)
  for tune_c1 = 0; tune_c1 <= tune_last1; tune_c1 += 1, unroll 4
    run S0()
)");
}

TEST(NameLoopBounds, SeveralLoopsHaveScopes) {
  EXPECT_EQ(Named(R"(for tune_c0 = 0; tune_c0 < 2 * n; tune_c0 += 1, unroll 4
  run S0()
for tune_c0 = 0; tune_c0 < 3 * n; tune_c0 += 1, unroll 2
  run S1()
for tune_c0 = 0; tune_c0 < 4 * n; tune_c0 += 1
  run S1()
)"),
            R"(scope
  define long tune_last0 = 2 * n
  for tune_c0 = 0; tune_c0 < tune_last0; tune_c0 += 1, unroll 4
    run S0()
scope
  define long tune_last0 = 3 * n
  for tune_c0 = 0; tune_c0 < tune_last0; tune_c0 += 1, unroll 2
    run S1()
for tune_c0 = 0; tune_c0 < 4 * n; tune_c0 += 1
  run S1()
)");
}

TEST(NameLoopBounds, PlainBoundsStay) {
  const std::string text = R"(for tune_c0 = 0; tune_c0 < n; tune_c0 += 1, unroll 4
  for tune_c1 = 2 * n; tune_c1 <= 9; tune_c1 += 2, unroll 2, simd
    for tune_c2 = 0; tune_c2 < n - 1; tune_c2 += 1, unroll whole
      for tune_c3 = 0; tune_c3 < n - 1; tune_c3 += 1, unroll never
        run S0()
)";
  EXPECT_EQ(Named(text), text);
}

TEST(NameLoopBounds, WhatOpenMpDoesNotTakeIsPlain) {
  EXPECT_EQ(
      Named(
          R"(for tune_c0 = 0; tune_c0 < n && tune_c0 < m; tune_c0 += 1, unroll 4, parallel, threads 2, local x
  run S0()
for tune_c0 = 0; n > tune_c0; tune_c0 += 1, simd
  run S0()
for tune_c0 = 0; tune_c0 + 1 < n; tune_c0 += 1, parallel
  run S0()
)"),
      R"(for tune_c0 = 0; tune_c0 < n && tune_c0 < m; tune_c0 += 1, threads 2, local x
  run S0()
for tune_c0 = 0; n > tune_c0; tune_c0 += 1
  run S0()
for tune_c0 = 0; tune_c0 + 1 < n; tune_c0 += 1
  run S0()
)");
}

}  // namespace
}  // namespace tune
