#include "common/transform/wide_loads/wide_loops.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"
#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

// A, x and the doubles d are read, y is written; `body`: of the kernel, from its second level on.
std::string After(const std::string& body, const std::string& loads = "", const v1::Scop& scop = {}) {
  std::vector<DeviceArray> arrays;
  for (const char* name : {"A", "x", "y", "d"}) {
    DeviceArray array;
    array.name = array.scop_name = name;
    array.type = array.name == "d" ? v1::ELEMENT_TYPE_DOUBLE : v1::ELEMENT_TYPE_FLOAT;
    array.extents.assign(array.name == "A" ? 2 : 1, 100);
    arrays.push_back(array);
  }
  DeviceKernel kernel =
      testing::KernelOf(absl::StrCat("kernel f of k, threads 32 1 1\n  array 0", loads,
                                     "\n  array 1\n  array 2, writes\n  array 3\n  body\n", body));
  WidenLoops(scop, arrays, &kernel);
  return testing::TextOf(kernel).substr(testing::TextOf(kernel).find("  body\n") + 7);
}

TEST(WideLoops, LoadNeighboursThatAreRead) {
  EXPECT_EQ(After("    for c = t; c <= 24; c += 8\n"
                  "      for p = 0; p <= 3; p += 1, unroll whole\n"
                  "        run S0(y[c], A[t][4 * c + p], x[4 * c + p], A[p][c])\n"
                  "        run S1(y[c], x[4 * c + p])\n"),
            "    for c = t; c <= 24; c += 8\n"
            "      for p = 0; p <= 3; p += 1, unroll whole, ahead 4, wide\n"
            "        fetch A[t][4 * c + p], type float\n"
            "        fetch x[4 * c + p], type float\n"
            "        run S0(y[c], A[t][4 * c + p], x[4 * c + p], A[p][c])\n"
            "        run S1(y[c], x[4 * c + p])\n");
  EXPECT_EQ(After("    for p = 0; p < 2; p += 1, unroll whole\n      run S0(y[2 * c], d[2 * c + p])\n"),
            "    for p = 0; p < 2; p += 1, unroll whole, ahead 2, wide\n"
            "      fetch d[2 * c + p], type double\n"
            "      run S0(y[2 * c], d[2 * c + p])\n");
}

void ExpectSame(const std::string& body, const std::string& loads = "") {
  EXPECT_EQ(After(body, loads), body);
}

TEST(WideLoops, OthersStayAsTheyAre) {
  const std::string run = "      run S0(y[c], A[t][4 * c + p])\n";
  ExpectSame("    for p = 0; p <= 3; p += 1\n" + run);                // not unrolled
  ExpectSame("    for p = 0; p <= 2; p += 1, unroll whole\n" + run);  // three iterations
  ExpectSame("    for p = 1; p <= 4; p += 1, unroll whole\n" + run);
  ExpectSame("    for p = 0; p <= min(3, n); p += 1, unroll whole\n" + run);
  ExpectSame("    for p = 0; p <= 6; p += 2, unroll whole\n" + run);
  ExpectSame("    for p = 0; p <= 3; p += 1, unroll whole\n" + run, ", loads texture");
  ExpectSame("    for p = 0; p <= 3; p += 1, unroll whole\n      run S0(x[c], y[4 * c + p])\n");  // written
  ExpectSame("    for p = 0; p <= 3; p += 1, unroll whole\n      run S0(y[c], A[t][c + p])\n");
  // Elements that perhaps no iteration reads.
  ExpectSame("    for p = 0; p <= 3; p += 1, unroll whole\n      if c\n  " + run);
}

// S0: y[i] = x[i] + y[i], S1: y[i] = x[i], S2: y[i] += x[i]
v1::Scop Updates() {
  using testing::Read;
  return testing::ScopBuilder("updates", {"n"}, "n >= 0")
      .Array("y", {"n"})
      .Array("x", {"n"})
      .Begin("i", "0 <= i < n")
      .Assign({"y", "i"}, {{"x", "i"}, {"y", "i"}}, testing::Add(Read(0), Read(1)))
      .Assign({"y", "i"}, {{"x", "i"}}, Read(0))
      .Update(v1::ADD, {"y", "i"}, {{"x", "i"}}, Read(0))
      .End()
      .Build();
}

TEST(WideLoops, StoreWhatTheyUpdate) {
  const std::string loop = "    for p = 0; p <= 3; p += 1, unroll whole";
  const std::string x = "x[4 * c + p]", y = "y[4 * c + p]";
  const std::string first = absl::StrCat("      run S0(", x, ", ", y, ", ", y, ")\n");
  const std::string second = absl::StrCat("      run S2(", x, ", ", y, ")\n");
  const std::string fetch_x = "      fetch x[4 * c + p], type float\n";
  const std::string all = absl::StrCat(loop, ", ahead 4, wide\n", fetch_x,
                                       "      fetch y[4 * c + p], type float\n"
                                       "      collect y[4 * c + p], type float, width 4\n");
  EXPECT_EQ(After(absl::StrCat(loop, "\n", first, second), "", Updates()), absl::StrCat(all, first, second));
  EXPECT_EQ(After(absl::StrCat(loop, "\n", second), "", Updates()), absl::StrCat(all, second));
  // Written before it is read; another element is read; another iteration's; a store that is atomic.
  for (const std::string& body : {absl::StrCat("      run S1(", x, ", ", y, ")\n"),
                                  absl::StrCat("      run S0(", x, ", y[4 * c + p + 4], ", y, ")\n"),
                                  absl::StrCat("      run S0(", x, ", y[4 * c + 3 - p], y[4 * c + 3 - p])\n"),
                                  absl::StrCat("      run S2(", x, ", ", y, "), atomic\n")}) {
    EXPECT_EQ(After(absl::StrCat(loop, "\n", body), "", Updates()),
              absl::StrCat(loop, ", ahead 4, wide\n", fetch_x, body));
  }
}

}  // namespace
}  // namespace tune
