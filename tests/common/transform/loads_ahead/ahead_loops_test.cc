#include "common/transform/loads_ahead/ahead_loops.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

// A and x are read, y is written, s is a scalar; `body`: of the kernel, from its second level on.
std::string KernelText(const std::string& body) {
  return absl::StrCat(
      "kernel f of k, threads 32 1 1\n  array 0\n  array 1\n  array 2, writes\n  array 3\n  body\n", body);
}

std::string After(const std::string& body, int64_t iterations) {
  std::vector<DeviceArray> arrays;
  for (const char* name : {"A", "x", "y", "s"}) {
    DeviceArray array;
    array.name = array.scop_name = name;
    array.type = v1::ELEMENT_TYPE_FLOAT;
    if (array.name != "s") array.extents.assign(array.name == "A" ? 2 : 1, 100);
    arrays.push_back(array);
  }
  DeviceKernel kernel = testing::KernelOf(KernelText(body));
  LoadAhead(arrays, iterations, &kernel);
  return testing::TextOf(kernel);
}

void ExpectSame(const std::string& body, int64_t iterations) {
  EXPECT_EQ(After(body, iterations), testing::TextOf(testing::KernelOf(KernelText(body))));
}

TEST(LoadAhead, WhatEachIterationReadsOfArraysThatAreNotWritten) {
  EXPECT_EQ(After(R"(    for i = 1; i <= n; i += 1
      run S0(y[i], A[i][b], A[i - 1][b], y[i - 1], x[b], s)
      run S1(y[b], A[i][b])
)",
                  8),
            KernelText(R"(    for i = 1; i <= n; i += 1, ahead 8
      fetch A[i][b], type float
      fetch A[i - 1][b], type float
      run S0(y[i], A[i][b], A[i - 1][b], y[i - 1], x[b], s)
      run S1(y[b], A[i][b])
)"));
}

TEST(LoadAhead, NotWhatSomeIterationsReadAlone) {
  ExpectSame(R"(    for i = 0; i < 100; i += 1
      if i > 3
        run S0(y[i], x[i])
)",
             8);
}

TEST(LoadAhead, OnlyInnermostLoopsThatAreLongAndNotUnrolled) {
  const std::string body = "\n      run S0(y[i], x[i])\n";
  EXPECT_NE(After("    for i = 0; i < 16; i += 1" + body, 8),
            KernelText("    for i = 0; i < 16; i += 1" + body));
  ExpectSame("    for i = 0; i < 15; i += 1" + body, 8);
  ExpectSame("    for i = 0; i < n; i += 2" + body, 8);
  ExpectSame("    for i = 0; i < n; i += 1, unroll 4" + body, 8);
  ExpectSame("    for i = 0; i < n; i += 1, unroll whole" + body, 8);
  ExpectSame("    for i = 0; i < n && i < m; i += 1" + body, 8);
  EXPECT_EQ(After(R"(    for j = 0; j < n; j += 1
      run S0(y[j], x[j])
      for i = 0; i < n; i += 1
        run S1(y[i], A[j][i])
)",
                  4),
            KernelText(R"(    for j = 0; j < n; j += 1
      run S0(y[j], x[j])
      for i = 0; i < n; i += 1, ahead 4
        fetch A[j][i], type float
        run S1(y[i], A[j][i])
)"));
}

}  // namespace
}  // namespace tune
