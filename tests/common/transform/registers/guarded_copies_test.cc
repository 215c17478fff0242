#include "common/transform/registers/guarded_copies.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"
#include "tests/common/transform/sample_kernels.h"

namespace tune {
namespace {

constexpr char kHead[] =
    "kernel f of k\n  array 0, writes\n  tile float C_registers[4], of C, row 4\n  body\n";
constexpr char kLoad[] = R"(    for i = 0; i < 4; i += 1
      if i <= t
        transfer C_registers[i] = C[i], type float
)";
constexpr char kStore[] = R"(    for i = 0; i < 4; i += 1
      transfer C[i] = C_registers[i], type float
)";
constexpr char kWork[] = R"(    if b >= 1
      barrier block
      run S0(C_registers[0])
)";

std::string Inside(const std::string& body) {
  DeviceKernel kernel = testing::KernelOf(kHead + body);
  CopyInsideCondition(&kernel);
  return PrintBlockText(kernel.body);
}

TEST(GuardedCopies, CopiesGoWhereAllInstancesAre) {
  EXPECT_EQ(Inside(std::string(kLoad) + "    define int lane = t + 1\n" + kWork + kStore),
            R"(define int lane = t + 1
if b >= 1
  for i = 0; i < 4; i += 1
    if i <= t
      transfer C_registers[i] = C[i], type float
  barrier block
  run S0(C_registers[0])
  for i = 0; i < 4; i += 1
    transfer C[i] = C_registers[i], type float
)");
}

void ExpectTheSame(const std::string& body) {
  EXPECT_EQ(Inside(body), PrintBlockText(testing::KernelOf(kHead + body).body));
}

TEST(GuardedCopies, OtherInstancesNeedThemToo) {
  ExpectTheSame(std::string(kLoad) + kWork + "    run S1(C_registers[1])\n" + kStore);
  ExpectTheSame(std::string(kLoad) + kWork + "    else\n      run S1(C_registers[1])\n" + kStore);
  ExpectTheSame(std::string(kLoad) + kWork + "    barrier block\n" + kStore);
  ExpectTheSame(std::string(kLoad) + kStore);
}

}  // namespace
}  // namespace tune
