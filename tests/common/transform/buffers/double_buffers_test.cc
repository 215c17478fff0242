#include "common/transform/buffers/double_buffers.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

TEST(DoubleBuffers, EachFillChangesTheCopyThatIsFilledAndRead) {
  DeviceKernel kernel = testing::KernelOf(R"(kernel f of k[S0]
  tile float A_shared0[8][9], of A, row 9, shared
  tile float s_shared1, of s, shared
  tile float C_registers[4], of C, row 4
  body
    transfer C_registers[0] = C[0]
    for i = 0; i < 4; i += 1
      fill
        tile A_shared0, from [0][i]
        tile s_shared1
      run S0(A_shared0[i][0], s_shared1, C_registers[i], B[i])
      transfer A_shared0[i][1] += s_shared1
)");
  DoubleBuffers(HelperNames(), &kernel);
  EXPECT_EQ(testing::TextOf(kernel), R"(kernel f of k[S0]
  tile float A_shared0[8][9], of A, row 9, shared, copies 2
  tile float s_shared1, of s, shared, copies 2
  tile float C_registers[4], of C, row 4
  body
    define int tune_buffer = 0, variable
    transfer C_registers[0] = C[0]
    for i = 0; i < 4; i += 1
      swap tune_buffer
      fill
        tile A_shared0[tune_buffer], from [0][i]
        tile s_shared1[tune_buffer]
      run S0(A_shared0[tune_buffer][i][0], s_shared1[tune_buffer], C_registers[i], B[i])
      transfer A_shared0[tune_buffer][i][1] += s_shared1[tune_buffer]
)");
}

// Another call may still read the copy that is filled first.
TEST(DoubleBuffers, FunctionsBeginWithABarrier) {
  DeviceKernel kernel = testing::KernelOf(R"(kernel f of k[S0], function
  tile float A_shared0[8], of A, row 8, shared
  body
    fill
      tile A_shared0, from [0]
)");
  DoubleBuffers(HelperNames("other_"), &kernel);
  EXPECT_EQ(PrintBlockText(kernel.body), R"(define int other_buffer = 0, variable
barrier block
swap other_buffer
fill
  tile A_shared0[other_buffer], from [0]
)");
}

TEST(DoubleBuffers, WithoutSharedTilesNothingChanges) {
  DeviceKernel kernel = testing::KernelOf(R"(kernel f of k[S0], function
  tile float C_registers[4], of C, row 4
  body
    transfer C_registers[0] = C[0]
)");
  const DeviceKernel before = kernel;
  DoubleBuffers(HelperNames(), &kernel);
  EXPECT_EQ(kernel, before);
}

}  // namespace
}  // namespace tune
