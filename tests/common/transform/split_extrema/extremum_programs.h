// Regions in C that keep a largest or smallest value: needs tune-extract.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/base/file.h"
#include "tests/common/testing/programs.h"
#include "tests/common/transform/expansion/expansion_check.h"

namespace tune::testing {

// The scop of one region of a function that has these variables. Fails the test where it is refused.
inline v1::Scop RegionScop(const std::string& region) {
  const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Make();
  const std::string path = folder->path() + "/region.c";
  const std::string text = absl::StrCat(
      "#include <math.h>\n"
      "double v; int w;\n"
      "void f(int n, float *restrict a, float *restrict b, double d[restrict n][n], int *restrict p,\n"
      "       signed char *restrict c, unsigned *restrict u,\n"
      "       float g[n], short t[n]) {\n"
      "  float m = b[0]; double e = b[1]; int k = 0, l = 0, q = p[0]; signed char s = 0; unsigned r = u[0];\n"
      "#pragma scop\n",
      region,
      "\n#pragma endscop\n"
      "  b[2] = m + e + k + l + q + s + r;\n"
      "}\n");
  EXPECT_TRUE(WriteFile(path, text).ok());
  const absl::StatusOr<v1::Extraction> extraction = ExtractFile(path);
  EXPECT_TRUE(extraction.ok()) << extraction.status() << region;
  return extraction.ok() ? extraction->scops(0) : v1::Scop();
}

struct Region {
  std::string name, text;
  std::string found;  // "S0 > S1 S2/1": condition, comparison, statements that keep something, loops
};
inline std::ostream& operator<<(std::ostream& out, const Region& region) { return out << region.name; }

// Those that are running extrema.
inline const std::vector<Region>& ExtremumRegions() {
  static const auto* const regions = new std::vector<Region>{
      {"First", "for (int i = 1; i < n; i++) if (a[i] > m) { m = a[i]; k = i; }", "S0 > S1 S2/1"},
      {"Last", "for (int i = 1; i < n; i++) if (a[i] >= m) { k = i; m = a[i]; }", "S0 >= S2 S1/1"},
      {"Least", "for (int i = 1; i < n; i++) if (a[i] < m) { m = a[i]; k = i; }", "S0 < S1 S2/1"},
      {"Mirrored", "for (int i = n - 1; i >= 0; i -= 2) if (m <= a[i]) { m = a[i]; k = i; }",
       "S0 >= S1 S2/1"},
      {"Several", "for (int i = 0; i < n; i++) if (a[i] > m) { l = 2 * i; m = a[i]; k = p[i]; }",
       "S0 > S2 S1 S3/1"},
      {"Nest",
       "for (int i = 0; i < n; i++) for (int j = i; j < n; j++) if (d[i][j] > e) { e = d[i][j]; k = i; l = "
       "j; }",
       "S0 > S1 S2 S3/2"},
      {"Product", "for (int i = 0; i < n; i++) if (a[i] * b[i + 1] > m) { m = a[i] * b[i + 1]; k = i; }",
       "S0 > S1 S2/1"},
      {"Magnitude", "for (int i = 0; i < n; i++) if (fabs(a[i]) > m) { m = fabs(a[i]); k = i; }",
       "S0 > S1 S2/1"},
      {"Beside", "for (int i = 0; i < n; i++) if (p[i] > 0 && a[i] > m) { m = a[i]; k = i; }",
       "S0 > S1 S2/1"},
      {"Inside", "for (int i = 0; i < n; i++) if (p[i] > 0) if (a[i] > m) { m = a[i]; k = i; }",
       "S0 > S1 S2/1"},
      {"NotLess", "for (int i = 0; i < n; i++) if (!(p[i] <= q)) { q = p[i]; k = i; }", "S0 > S1 S2/1"},
      {"Narrow", "for (int i = 0; i < n; i++) if (c[i] > s) { s = c[i]; k = i; }", "S0 > S1 S2/1"},
      {"Widened", "for (int i = 0; i < n; i++) if (c[i] > q) { q = c[i]; k = i; }", "S0 > S1 S2/1"},
      {"FloatsInADouble", "for (int i = 0; i < n; i++) if (a[i] < e) { e = a[i]; k = i; }", "S0 < S1 S2/1"},
      {"Unsigned", "for (int i = 0; i < n; i++) if (u[i] * 3u > r) { r = u[i] * 3u; k = i; }",
       "S0 > S1 S2/1"},
      {"OnlySome", "for (int i = 0; i < n; i++) if (i != 7 && a[i] > m) { m = a[i]; k = i; }",
       "S0 > S1 S2/1"},
      {"BothEnds",
       "for (int i = 0; i < n; i++) { if (a[i] > m) { m = a[i]; k = i; } if (b[i] < e) { e = b[i]; l = i; } "
       "}",
       "S0 > S1 S2/1; S3 < S4 S5/1"},
      {"WithOthers", "for (int i = 0; i < n; i++) { b[i] = a[i]; if (a[i] > m) { m = a[i]; k = i; } }",
       "S1 > S2 S3/1"},
      {"BeforeAndBehind",
       "m = a[0]; k = 0; for (int i = 1; i < n; i++) if (a[i] > m) { m = a[i]; k = i; } e = m;",
       "S2 > S3 S4/1"},
  };
  return *regions;
}

template <typename T>
void Fill(const std::vector<T>& choices, uint64_t* state, ArrayMemory* array) {
  for (size_t at = 0; at + sizeof(T) <= array->bytes.size(); at += sizeof(T)) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    const T value = choices[(*state >> 33) % choices.size()];
    std::memcpy(&array->bytes[at], &value, sizeof value);
  }
}

template <typename T>
std::vector<T> Numbers(uint64_t kind) {
  const T nan = std::numeric_limits<T>::quiet_NaN(), infinite = std::numeric_limits<T>::infinity();
  switch (kind % 4) {
    case 0:
      return {-2, -1, 0, 1, 2, 3};
    case 1:
      return {T(-0.0), T(0.0)};
    case 2:
      return {nan, nan, 1, 2, -1};
    default:
      return {nan, infinite, -infinite, T(-0.0), 0, 7};
  }
}

// Few different numbers, so that many are equal; zeros of both signs; some that are none.
inline void FillWithTies(uint64_t seed, Memory* memory) {
  uint64_t state = seed * 77 + 1;
  for (auto& [name, array] : *memory) {
    if (array.type == v1::ELEMENT_TYPE_FLOAT) Fill(Numbers<float>(seed), &state, &array);
    if (array.type == v1::ELEMENT_TYPE_DOUBLE) Fill(Numbers<double>(seed), &state, &array);
    if (array.type == v1::ELEMENT_TYPE_INT) Fill<int>({-3, 0, 1, 2}, &state, &array);
    if (array.type == v1::ELEMENT_TYPE_SIGNED_CHAR) Fill<signed char>({-128, -1, 0, 127}, &state, &array);
    if (array.type == v1::ELEMENT_TYPE_UNSIGNED_INT) Fill<unsigned>({0, 1, 0x80000000u, ~0u}, &state, &array);
  }
}

// Both compute the same numbers of the inputs of this seed.
inline void ExpectSameNumbers(const v1::Scop& original, const v1::Scop& split, const Values& values,
                              uint64_t seed) {
  const v1::Reference reference = MakeReference(original, values);
  Memory expected = MakeInputs(original, reference, seed);
  FillWithTies(seed, &expected);
  Memory found = expected;
  ASSERT_TRUE(Interpret(original, reference, expected).ok());
  const absl::Status status = Interpret(split, MakeReference(split, values), found);
  ASSERT_TRUE(status.ok()) << status;
  for (const auto& [name, memory] : expected)
    EXPECT_TRUE(SameNumbers(found.at(name), memory)) << name << ", seed " << seed;
}

}  // namespace tune::testing
