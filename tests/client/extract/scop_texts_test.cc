// The grammar of isl's texts takes what the front end writes of real programs.
#include "common/scop/scop_texts.h"

#include <gtest/gtest.h>

#include "client/extract/scop_extractor.h"
#include "common/scop/scop.h"
#include "tests/common/testing/c_files.h"

namespace tune::testing {
namespace {

TEST(ScopTexts, TakesAllProgramsAsExtracted) {
  int scops = 0;
  for (const std::string& name : NamesOfCFiles(TUNE_SOURCE_DIR "/tests/programs")) {
    ExtractionRequest request;
    request.file = absl::StrCat(TUNE_SOURCE_DIR "/tests/programs/", name, ".c");
    const v1::Extraction extraction = ExtractScops(request);
    for (const v1::Scop& scop : extraction.scops()) {
      EXPECT_EQ(CheckScopTexts(scop), absl::OkStatus()) << name;
      std::map<std::string, int64_t> values;
      for (const v1::Parameter& parameter : scop.parameters()) values[parameter.name()] = 100;
      EXPECT_EQ(CheckScopTexts(WithParameterFacts(scop, values)), absl::OkStatus()) << name;
      ++scops;
    }
  }
  EXPECT_GE(scops, 30);
}

}  // namespace
}  // namespace tune::testing
