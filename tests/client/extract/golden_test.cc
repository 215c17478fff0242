// golden/NAME.c, and NAME.cpp, against golden/NAME.scop, compared by meaning where isl's notation is
// involved. TUNE_UPDATE_GOLDEN=1 writes the .scop files anew, to be reviewed.
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "common/base/file.h"
#include "tests/client/extract/extract_fixture.h"
#include "tests/common/testing/c_files.h"

namespace tune::testing {
namespace {

const char kFolder[] = TUNE_SOURCE_DIR "/tests/client/extract/golden";

void TakeAffine(v1::Expression* expression, std::vector<std::string>* texts) {
  if (expression->kind_case() == v1::Expression::kAffine) {
    texts->push_back(expression->affine());
    expression->set_affine("compared");
  }
  if (expression->has_cast()) TakeAffine(expression->mutable_cast()->mutable_operand(), texts);
  if (expression->has_operation()) {
    for (v1::Expression& operand : *expression->mutable_operation()->mutable_operands())
      TakeAffine(&operand, texts);
  }
  if (expression->has_call()) {
    for (v1::Expression& argument : *expression->mutable_call()->mutable_arguments())
      TakeAffine(&argument, texts);
  }
}

// Takes isl's texts out of the scop: what is left is compared as text.
struct IslTexts {
  std::vector<std::string> sets, maps, values, parameter_values;
  std::string schedule;

  explicit IslTexts(v1::Scop* scop) {
    sets.push_back(scop->context());
    scop->clear_context();
    schedule = scop->schedule();
    scop->clear_schedule();
    for (v1::Array& array : *scop->mutable_arrays()) {
      for (v1::Extent& extent : *array.mutable_extents()) {
        if (extent.accessed().empty()) continue;
        parameter_values.push_back(extent.accessed());
        extent.set_accessed("compared");
      }
    }
    for (v1::Statement& statement : *scop->mutable_statements()) {
      sets.push_back(statement.domain());
      statement.clear_domain();
      for (v1::Access& access : *statement.mutable_accesses()) {
        maps.push_back(access.relation());
        access.clear_relation();
      }
      TakeAffine(statement.mutable_value(), &values);
    }
  }
};

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, Agrees) {
  std::string base = std::string(kFolder) + "/" + GetParam();
  ExtractionRequest request;
  const bool is_c = std::filesystem::exists(base + ".c");
  request.file = base + (is_c ? ".c" : ".cpp");
  if (!is_c) request.compile_flags = {"-std=gnu++20"};  // std::span
  v1::Extraction extraction = ExtractScops(request);
  ASSERT_EQ(Problems(extraction), "");
  ASSERT_EQ(extraction.scops_size(), 1);
  v1::Scop actual = extraction.scops(0);
  if (std::getenv("TUNE_UPDATE_GOLDEN") != nullptr) {
    std::string text;
    ASSERT_TRUE(google::protobuf::TextFormat::PrintToString(actual, &text));
    ASSERT_TRUE(WriteFile(base + ".scop", text).ok());
  }
  absl::StatusOr<std::string> text = ReadFile(base + ".scop");
  ASSERT_TRUE(text.ok()) << text.status();
  v1::Scop expected;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(*text, &expected));

  IslTexts a(&actual), e(&expected);
  ASSERT_EQ(actual.DebugString(), expected.DebugString());
  ASSERT_EQ(a.sets.size(), e.sets.size());
  ASSERT_EQ(a.maps.size(), e.maps.size());
  for (size_t i = 0; i < a.sets.size(); ++i) EXPECT_TRUE(SameSet(a.sets[i], e.sets[i]));
  for (size_t i = 0; i < a.maps.size(); ++i) EXPECT_TRUE(SameMap(a.maps[i], e.maps[i]));
  for (size_t i = 0; i < a.values.size(); ++i) EXPECT_TRUE(SameValue(a.values[i], e.values[i]));
  for (size_t i = 0; i < a.parameter_values.size(); ++i) {
    EXPECT_TRUE(SamePwAff(a.parameter_values[i], e.parameter_values[i]));
  }
  EXPECT_TRUE(SameSchedule(a.schedule, e.schedule));
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, ::testing::ValuesIn(NamesOfCFiles(kFolder)),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(CppFiles, Golden, ::testing::ValuesIn(NamesOfFiles(kFolder, ".cpp")),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tune::testing
