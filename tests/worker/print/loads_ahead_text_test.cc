#include "worker/print/loads_ahead_text.h"

#include <gtest/gtest.h>

#include "absl/strings/str_join.h"
#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

// What a loop becomes.
std::string ChunksOf(const std::string& loop) {
  const Block block = ReadBlock(loop).value();
  const LoopInChunks chunks = InChunks(*block[0].As<Loop>(), "int", HelperNames("t_"));
  return absl::StrCat(absl::StrJoin(chunks.declarations, "\n"), "\nbefore\n", PrintBlockText(chunks.before),
                      "body\n", PrintBlockText(chunks.body), "rest\n", PrintBlockText(chunks.rest));
}

TEST(LoadsAheadText, OneElementAtATime) {
  EXPECT_EQ(ChunksOf(R"(for i = 1; i <= n; i += 1, ahead 4
  fetch x[i], type float
  run S(y[i], x[i])
)"),
            R"(float t_ahead0[4];
before
define int t_ahead = 1, variable
if t_ahead + 3 <= n
  for t_q = 0; t_q < 4; t_q += 1, unroll whole
    define int i = t_ahead + t_q
    transfer t_ahead0[t_q] = x[i], type float
body
define bool t_next = t_ahead + 7 <= n
for t_q = 0; t_q < 4; t_q += 1, unroll whole
  define int i = t_ahead + t_q
  run S(y[i], t_ahead0[t_q])
  if t_next
    define int i = t_ahead + 4 + t_q
    transfer t_ahead0[t_q] = x[i], type float
rest
for i = t_ahead; i <= n; i += 1
  run S(y[i], x[i])
)");
}

TEST(LoadsAheadText, PiecesForward) {
  EXPECT_EQ(ChunksOf(R"(for i = 1; i <= n; i += 1, ahead 8
  fetch x[i], type float, width 4
  fetch z[i][t], type float
  collect y[t][i], type double, width 2
  run S(y[t][i], y[t][i - 2], x[i], z[i][t])
)"),
            R"(__align__(16) float t_ahead0[8];
float t_ahead1[8];
__align__(16) double t_stored0[8];
before
define int t_ahead = 4, variable
for i = 1; i <= n && i < t_ahead; i += 1
  run S(y[t][i], y[t][i - 2], x[i], z[i][t])
if t_ahead + 7 <= n
  transfer t_stored0[7] = y[t][t_ahead - 1], type double
  transfer t_stored0[6] = y[t][t_ahead - 2], type double
  for t_q = 0; t_q < 8; t_q += 1, unroll whole
    define int i = t_ahead + t_q
    transfer t_ahead1[t_q] = z[i][t], type float
  for t_q = 0; t_q < 8; t_q += 4, unroll whole
    define int i = t_ahead + t_q
    transfer t_ahead0[t_q] = x[i], type float, width 4
body
define bool t_next = t_ahead + 15 <= n
for t_q = 0; t_q < 8; t_q += 1, unroll whole
  define int i = t_ahead + t_q
  run S(t_stored0[t_q], t_stored0[(t_q + 6) % 8], t_ahead0[t_q], t_ahead1[t_q])
  if t_q % 2 == 1
    transfer y[t][i - 1] = t_stored0[t_q - 1], type double, width 2
  if t_next
    define int i = t_ahead + 8 + t_q
    transfer t_ahead1[t_q] = z[i][t], type float
  if t_q % 4 == 3 && t_next
    define int i = t_ahead + 5 + t_q
    transfer t_ahead0[t_q - 3] = x[i], type float, width 4
rest
for i = t_ahead; i <= n; i += 1
  run S(y[t][i], y[t][i - 2], x[i], z[i][t])
)");
}

// The variables stand as the elements do: the last iteration's is the first.
TEST(LoadsAheadText, PiecesBack) {
  EXPECT_EQ(ChunksOf(R"(for i = 3; i < n; i += 1, ahead 4, phase 3
  fetch x[-i + 98], type float, width 4
  collect y[t][-i + 98], type float, width 4
  run S(y[t][-i + 98], y[t][-i + 99], x[-i + 98])
)"),
            R"(__align__(16) float t_ahead0[4];
__align__(16) float t_stored0[4];
before
define int t_ahead = 3, variable
if t_ahead + 3 < n
  transfer t_stored0[0] = y[t][-(t_ahead - 1) + 98], type float
  for t_q = 0; t_q < 4; t_q += 4, unroll whole
    define int i = t_ahead + t_q
    transfer t_ahead0[3 - (t_q + 3)] = x[-(i + 3) + 98], type float, width 4
body
define bool t_next = t_ahead + 7 < n
for t_q = 0; t_q < 4; t_q += 1, unroll whole
  define int i = t_ahead + t_q
  run S(t_stored0[3 - t_q], t_stored0[3 - (t_q + 3) % 4], t_ahead0[3 - t_q])
  if t_q % 4 == 3
    transfer y[t][-i + 98] = t_stored0[3 - t_q], type float, width 4
  if t_q % 4 == 3 && t_next
    define int i = t_ahead + 1 + t_q
    transfer t_ahead0[3 - (t_q - 3 + 3)] = x[-(i + 3) + 98], type float, width 4
rest
for i = t_ahead; i < n; i += 1
  run S(y[t][-i + 98], y[t][-i + 99], x[-i + 98])
)");
}

}  // namespace
}  // namespace tune
