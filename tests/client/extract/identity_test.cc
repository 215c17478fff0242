// The same computation under other names has the same identity: what look-ups depend on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "common/base/file.h"
#include "common/scop/scop_identity.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune {
namespace {

// Every name that the programs' regions use, as a macro for another name; later ones come first in the
// alphabet.
std::vector<std::string> OtherNames() {
  std::vector<std::string> defines;
  for (const char* name :
       {"A",   "B",    "C",    "D",    "E",   "F",      "G",     "L",      "Q",    "R",       "alpha", "beta",
        "a",   "b",    "c",    "x",    "y",   "z",      "u",     "v",      "w",    "r",       "s",     "p",
        "q",   "i",    "j",    "k",    "l",   "t",      "n",     "m",      "ni",   "nj",      "nk",    "nl",
        "nm",  "nx",   "ny",   "nr",   "nq",  "np",     "steps", "tsteps", "tmax", "path",    "table", "sum",
        "tmp", "mean", "data", "corr", "cov", "stddev", "ex",    "ey",     "hz",   "float_n", "eps"}) {
    defines.push_back(absl::StrCat(name, "=renamed_", 900 - defines.size()));
  }
  return defines;
}

class Identity : public ::testing::TestWithParam<std::string> {};

TEST_P(Identity, NamesDoNotMatter) {
  const std::string text = ReadFile(GetParam()).value();
  ExtractionRequest renamed;
  renamed.defines = OtherNames();
  const v1::Extraction before = testing::Extract(text), after = testing::Extract(text, renamed);
  ASSERT_EQ(testing::Problems(after), "");
  ASSERT_GE(before.scops_size(), 1);
  ASSERT_EQ(after.scops_size(), before.scops_size());
  for (int i = 0; i < before.scops_size(); ++i) {
    EXPECT_NE(after.scops(i).SerializeAsString(), before.scops(i).SerializeAsString());
    EXPECT_EQ(NormalisedScop(after.scops(i)).value(), NormalisedScop(before.scops(i)).value());
  }
}

std::vector<std::string> ProgramFiles() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(TUNE_SOURCE_DIR "/tests/programs")) {
    if (entry.path().extension() == ".c") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(OfTheTests, Identity, ::testing::ValuesIn(ProgramFiles()), [](const auto& info) {
  std::string name;
  for (const char c : std::filesystem::path(info.param).stem().string()) name += isalnum(c) ? c : '_';
  return name;
});

TEST(IdentityOfSizes, MacrosForSizesKeepTheShape) {
  const std::string text = R"(
double a[N][M], x[M], y[N];
void f(void) {
#pragma scop
  for (int i = 0; i < N; i++) {
    y[i] = 0;
    for (int j = 0; j < M; j++) y[i] += a[i][j] * x[M - 1 - j];
  }
#pragma endscop
}
)";
  const auto identity = [&](int n, int m) {
    ExtractionRequest request;
    request.defines = {absl::StrCat("N=", n), absl::StrCat("M=", m)};
    const v1::Extraction extraction = testing::Extract(text, request);
    EXPECT_EQ(extraction.scops_size(), 1) << testing::Problems(extraction);
    return IdentifyScop(extraction.scops(0));
  };
  const ScopIdentity one = identity(1000, 1200), other = identity(4000, 3000);
  EXPECT_EQ(one.shape, other.shape);
  EXPECT_EQ(one.sizes.size(), other.sizes.size());
  EXPECT_NE(one.fingerprint, other.fingerprint);
  EXPECT_EQ(one.fingerprint, identity(1000, 1200).fingerprint);
}

}  // namespace
}  // namespace tune
