// Inputs that nobody wrote on purpose: every one ends in an answer.
#include <gtest/gtest.h>

#include "common/base/file.h"
#include "common/base/random.h"
#include "common/scop/scop.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

std::string Sample() { return *ReadFile(TUNE_SOURCE_DIR "/tests/client/extract/golden/sweep.c"); }

// Either scops that ParseScop accepts, or diagnostics.
void ExpectAnswer(const std::string& text) {
  v1::Extraction extraction = Extract(text);
  EXPECT_TRUE(extraction.scops_size() > 0 || extraction.diagnostics_size() > 0) << text;
  EXPECT_EQ(Problems(extraction).find("crashed"), std::string::npos) << text;
  for (const v1::Scop& scop : extraction.scops()) {
    IslContext context;
    EXPECT_TRUE(ParseScop(context, scop).ok()) << ParseScop(context, scop).status() << "\n" << text;
  }
}

TEST(Robustness, TruncatedFiles) {
  std::string text = Sample();
  for (size_t size = 0; size < text.size(); size += 7) ExpectAnswer(text.substr(0, size));
}

TEST(Robustness, TokensSwapped) {
  std::string text = Sample();
  Random random(20240611);
  for (int round = 0; round < 150; ++round) {
    std::string changed = text;
    for (int i = 0; i < 2; ++i) {
      size_t from = random.Below(changed.size()), to = random.Below(changed.size());
      std::swap(changed[from], changed[to]);
    }
    ExpectAnswer(changed);
  }
}

TEST(Robustness, CharactersReplaced) {
  std::string text = Sample();
  const std::string kSet = "ijn+-*/%<>=!&|()[]{};0129.,?:#";
  Random random(7);
  size_t region = text.find("#pragma");
  for (int round = 0; round < 300; ++round) {
    std::string changed = text;
    changed[region + random.Below(changed.size() - region)] = kSet[random.Below(kSet.size())];
    ExpectAnswer(changed);
  }
}

TEST(Robustness, DeepNests) {
  std::string body = "A[0] = 1;";
  for (int i = 0; i < 30; ++i)
    body = "for (int i" + std::to_string(i) + " = 0; i" + std::to_string(i) + " < n; i" + std::to_string(i) +
           "++) " + body;
  ExpectAnswer(Function("void f(int n, double A[1])", body));
  ExpectAnswer(Function("void f(int n, double A[1])",
                        "A[0] = " + std::string(5000, '(') + "1" + std::string(5000, ')') + ";"));
  ExpectAnswer(Function("void f(int n, double A[1])", std::string(1000, '{') + std::string(1000, '}')));
}

TEST(Robustness, HugeNumbers) {
  ExpectAnswer(Function("void f(double A[10])", "for (long i = 0; i < 9223372036854775807; i++) A[0] = i;"));
  ExpectAnswer(Function("void f(double A[10])",
                        "for (unsigned long i = 0; i < 18446744073709551615u; i += 4294967296) A[0] = i;"));
  ExpectAnswer(Function("void f(int n, double A[10])",
                        "for (int i = 0; i < n * 2147483647; i++) A[i % 2147483647] = -2147483647 - 1;"));
}

}  // namespace
}  // namespace tune::testing
