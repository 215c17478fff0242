// golden/NAME.c against golden/NAME.stages: the default configuration's decisions, the tree after each stage
// of mapping, the program, the kernels and the plan of their launches. The first line of NAME.c has the
// sizes. TUNE_UPDATE_GOLDEN=1 writes the .stages files anew, to be reviewed.
#include <gtest/gtest.h>

#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/decision/configuration.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/programs.h"
#include "tests/worker/codegen/printed_trees.h"
#include "tests/worker/codegen/scop_interpreter.h"

namespace tune::testing {
namespace {

const char kFolder[] = TUNE_SOURCE_DIR "/tests/worker/codegen/golden";

struct GoldenSizes {
  std::map<std::string, int64_t> values;
  bool exact = false;
};

// Of "// n=100 exact: what it shows" and what follows.
GoldenSizes ReadSizes(const std::string& text) {
  GoldenSizes sizes;
  const std::string line = text.substr(3, text.find(':') - 3);
  for (const std::string& word : std::vector<std::string>(absl::StrSplit(line, ' '))) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(word, '=');
    if (word == "exact") {
      sizes.exact = true;
    } else {
      EXPECT_TRUE(absl::SimpleAtoi(parts.second, &sizes.values[parts.first])) << word;
    }
  }
  return sizes;
}

std::string Stages(const v1::Scop& scop, const GoldenSizes& sizes) {
  CudaSpaceOptions options = testing::H200Options();
  options.device.multiprocessors = 1;
  options.device.l2_bytes = 450 << 10;  // of such a device
  options.exact = sizes.exact;
  const auto space = CudaSpace::Make(WithParameterFacts(scop, sizes.values), sizes.values, options).value();
  DefaultChooser standard;
  RecordingChooser chooser(&standard);
  const CudaPlan plan = space->Walk(chooser).value();
  std::string text = "# decisions\n" + PrintConfiguration(chooser.configuration());
  v1::Diagnosis diagnosis;
  diagnosis.add_stages("schedule");
  for (const std::string& stage : MappingStages()) diagnosis.add_stages(stage);
  diagnosis.add_stages("program");
  const v1::Reference reference = MakeReference(scop, sizes.values);
  const std::vector<v1::Finding> findings = DiagnoseCuda(plan, options, reference, diagnosis).value();
  for (const v1::Finding& finding : findings) text += PrintTreeText(finding.title(), finding.text());
  EXPECT_EQ(CheckCuda(plan, options, reference), absl::OkStatus());
  const CudaProgram program = GenerateCuda(plan, options, reference).value();
  return absl::StrCat(text, "# kernels\n", program.kernels, "# launches\n", program.launches);
}

class GoldenStages : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenStages, Agree) {
  const std::string base = std::string(kFolder) + "/" + GetParam();
  const auto extraction = ExtractFile(base + ".c");
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  ASSERT_EQ(extraction->scops_size(), 1);
  const std::string found = Stages(extraction->scops(0), ReadSizes(ReadFile(base + ".c").value()));
  if (std::getenv("TUNE_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(WriteFile(base + ".stages", found).ok());
  }
  const auto expected = ReadFile(base + ".stages");
  ASSERT_TRUE(expected.ok()) << expected.status();
  EXPECT_EQ(found, *expected);
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenStages, ::testing::ValuesIn(NamesOfCFiles(kFolder)),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tune::testing
