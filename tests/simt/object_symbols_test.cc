#include "tests/simt/object_symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/file.h"
#include "common/base/subprocess.h"

namespace tune::simt {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(ObjectSymbolsTest, VariablesWithTheirNamesInCppSizesAndSections) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string source = folder.path() + "/a.cc", object = folder.path() + "/a.so";
  ASSERT_TRUE(WriteFile(source, R"(
namespace area {
int table[5] = {1};
template <int n> __attribute__((used)) float *Row(int i) {
  static float row[n];
  return row + i;
}
template float *Row<3>(int);
}
extern "C" { __attribute__((section("own"))) double last; }
int undefined();
int function() { extern int elsewhere; return elsewhere; }
)")
                  .ok());
  const auto built = RunSubprocess({"g++", "-shared", "-fPIC", "-fno-weak", source, "-o", object});
  ASSERT_TRUE(built.ok() && built->ok()) << built->standard_error;
  const auto variables = ReadVariables(object);
  ASSERT_TRUE(variables.ok()) << variables.status();
  std::vector<std::string> found;
  for (const ObjectSymbol& variable : *variables)
    found.push_back(absl::StrCat(variable.name, " ", variable.bytes, " ", variable.section));
  EXPECT_THAT(found, Contains("area::table 20 .data"));
  EXPECT_THAT(found, Contains(HasSubstr("area::Row<3>(int)::row 12 ")));
  EXPECT_THAT(found, Contains("last 8 own"));
  for (const std::string& line : found) {
    EXPECT_THAT(line, Not(HasSubstr("elsewhere")));
    EXPECT_THAT(line, Not(HasSubstr("function")));
  }
}

TEST(ObjectSymbolsTest, OtherFilesAreRefused) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string path = folder.path() + "/text";
  for (const char* content : {"",
                              "\x7f"
                              "ELF",
                              "int x;"}) {
    ASSERT_TRUE(WriteFile(path, content).ok());
    EXPECT_TRUE(absl::IsInvalidArgument(ReadVariables(path).status())) << content;
  }
}

}  // namespace
}  // namespace tune::simt
