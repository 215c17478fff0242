#include "worker/passes/register_subscripts.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

constexpr char kTiles[] =
    "kernel f of k[S0]\n  tile float C_registers[4][2], of C, row 2\n"
    "  tile float A_shared0[8], of A, row 8, shared\n  body\n";

std::string Rewritten(const std::string& body) {
  DeviceKernel kernel = testing::KernelOf(kTiles + body);
  LoopOverRegisterSubscripts(HelperNames("t_"), &kernel);
  return PrintBlockText(kernel.body);
}

// Where they are those of loops over points, or numbers, nothing changes; nor does it in shared memory.
TEST(LoopOverRegisterSubscripts, KnownOnesStay) {
  const std::string body = R"(    for n = 0; n < 9; n += 1
      for c = 0; c <= 3; c += 1, points 4
        run S0(C_registers[c][0], A_shared0[n])
        transfer C[n][c] = C_registers[c][1], type float
)";
  EXPECT_EQ(Rewritten(body), PrintBlockText(testing::KernelOf(kTiles + body).body));
}

// All uses of one value share the loop; each other value has one of its own.
TEST(LoopOverRegisterSubscripts, OthersBecomePointsOfLoops) {
  EXPECT_EQ(Rewritten(R"(    for n = 0; n < 9; n += 1
      for c = 0; c <= 1; c += 1, points 2
        run S0(C_registers[n - b][c], C_registers[n - b][c], A_shared0[n])
        run S0(C_registers[n][b], A_shared0[n])
)"),
            R"(for n = 0; n < 9; n += 1
  for c = 0; c <= 1; c += 1, points 2
    for t_c_0 = n - b; t_c_0 <= n - b; t_c_0 += 1, points 4
      run S0(C_registers[t_c_0][c], C_registers[t_c_0][c], A_shared0[n])
    for t_c_1 = n; t_c_1 <= n; t_c_1 += 1, points 4
      for t_c_2 = b; t_c_2 <= b; t_c_2 += 1, points 2
        run S0(C_registers[t_c_1][t_c_2], A_shared0[n])
)");
}

}  // namespace
}  // namespace tune
