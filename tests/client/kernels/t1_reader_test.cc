// Golden pairs: golden/NAME.json is read as golden/NAME.tune says, notes first. TUNE_UPDATE_GOLDEN=1 writes
// the .tune files anew, to be reviewed.
#include "client/kernels/t1_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "absl/strings/str_join.h"
#include "client/exchange/bounded_json.h"
#include "client/kernels/short_form.h"
#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const char kGoldenFolder[] = TUNE_SOURCE_DIR "/tests/client/kernels/golden";

class T1GoldenTest : public ::testing::TestWithParam<const char*> {};

TEST_P(T1GoldenTest, IsReadAsWritten) {
  const std::string stem = absl::StrCat(kGoldenFolder, "/", GetParam());
  const auto reading = ReadT1(ParseBoundedJson(ReadFile(stem + ".json").value()).value());
  ASSERT_TRUE(reading.ok()) << reading.status();
  std::string text;
  for (const std::string& note : reading->notes) absl::StrAppend(&text, "# ", note, "\n");
  absl::StrAppend(&text, text.empty() ? "" : "\n", WriteShortForm(reading->definition));
  if (std::getenv("TUNE_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(WriteFile(stem + ".tune", text).ok());
  }
  const auto golden = ReadFile(stem + ".tune");
  ASSERT_TRUE(golden.ok()) << golden.status();
  EXPECT_EQ(text, *golden);
  const auto read = ReadShortForm(*golden, "golden");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->DebugString(), reading->definition.DebugString());
}

INSTANTIATE_TEST_SUITE_P(Files, T1GoldenTest,
                         ::testing::Values("smooth_ktt", "smooth_kernel_tuner", "disagreeing_dialects"),
                         [](const auto& info) { return std::string(info.param); });

// A file without faults that tests put some into.
Json File() {
  return Json::parse(R"({
    "ConfigurationSpace": {"TuningParameters": [{"Name": "b", "Type": "int", "Values": "[32, 64]"}],
                           "Conditions": [{"Parameters": ["b"], "Expression": "b > 1"}]},
    "KernelSpecification": {
      "Language": "CUDA", "KernelName": "f", "KernelFile": "f.cu", "GlobalSize": {"X": "64"}, "LocalSize": {"X": "b"},
      "Arguments": [{"Name": "x", "Type": "float", "MemoryType": "Vector", "Size": 64, "FillValue": 0},
                    {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": 64}]}})");
}

std::string ErrorOf(const Json& file) {
  const auto reading = ReadT1(file);
  return reading.ok() ? absl::StrCat("read; ", absl::StrJoin(reading->notes, "; "))
                      : std::string(reading.status().message());
}

// The error of the file with another value at a place.
std::string ErrorWith(const char* pointer, const Json& value) {
  Json file = File();
  file[Json::json_pointer(pointer)] = value;
  return ErrorOf(file);
}

std::string ErrorWithout(const char* pointer, const char* member) {
  Json file = File();
  file[Json::json_pointer(pointer)].erase(member);
  return ErrorOf(file);
}

TEST(T1ReaderTest, FieldsThatAreMissing) {
  EXPECT_EQ(ErrorOf(File()), "read; ");
  EXPECT_EQ(ErrorOf(Json::array()), "the file: expected an object, found an array");
  EXPECT_EQ(ErrorOf(Json::object()), "ConfigurationSpace: is missing\nKernelSpecification: is missing");
  EXPECT_EQ(ErrorWithout("/ConfigurationSpace", "TuningParameters"),
            "ConfigurationSpace.TuningParameters: is missing\n"
            "ConfigurationSpace.Conditions[0].Parameters[0]: there is no tuning parameter b");
  for (const char* field : {"Language", "KernelName", "KernelFile", "GlobalSize", "LocalSize"})
    EXPECT_EQ(ErrorWithout("/KernelSpecification", field),
              absl::StrCat("KernelSpecification.", field, ": is missing"));
  for (const char* field : {"Type", "MemoryType"}) {
    EXPECT_THAT(ErrorWithout("/KernelSpecification/Arguments/0", field),
                HasSubstr(absl::StrCat("KernelSpecification.Arguments[0].", field, ": is missing")));
  }
  EXPECT_EQ(ErrorWithout("/KernelSpecification/Arguments/0", "Size"),
            "KernelSpecification.Arguments[0].Size: is missing: the count of elements");
  EXPECT_EQ(ErrorWithout("/KernelSpecification/Arguments/1", "FillValue"),
            "KernelSpecification.Arguments[1].FillValue: is missing: the value of the scalar");
  EXPECT_EQ(ErrorWithout("/KernelSpecification/GlobalSize", "X"),
            "KernelSpecification.GlobalSize.X: is missing");
}

TEST(T1ReaderTest, FieldsThatDoNotFit) {
  EXPECT_EQ(ErrorWith("/KernelSpecification/Language", "OpenCL"),
            "KernelSpecification.Language: OpenCL is not built here; there are: CUDA, C");
  EXPECT_EQ(ErrorWith("/KernelSpecification/Language", "Fortran"),
            "KernelSpecification.Language: \"Fortran\" is none of: CUDA, C, OpenCL, Vulkan, Hypertuner");
  EXPECT_EQ(ErrorWith("/KernelSpecification/SharedMemory", "4096"),
            "KernelSpecification.SharedMemory: expected a whole number, found a string");
  EXPECT_EQ(ErrorWith("/KernelSpecification/Arguments/0/Type", "float3"),
            "KernelSpecification.Arguments[0].Type: \"float3\" is none of: bool, int8, uint8, int16, uint16, "
            "int32, "
            "uint32, int64, uint64, half, half2, half4, half8, half16, float, float2, float4, float8, "
            "float16, double, "
            "double2, double4, double8, double16, custom");
  EXPECT_EQ(ErrorWith("/KernelSpecification/Arguments/0/TypeSize", 8),
            "KernelSpecification.Arguments[0].TypeSize: 8, where float has 4 bytes");
  EXPECT_EQ(ErrorWith("/KernelSpecification/Arguments/0/FillType", "Script"),
            "KernelSpecification.Arguments[0].FillType: Script runs a program of the file's author, which is "
            "not done; "
            "write a Generator");
  EXPECT_EQ(ErrorWith("/KernelSpecification/Arguments/0/FillType", "BinaryRaw"),
            "KernelSpecification.Arguments[0].DataSource: is missing: the file's name");
  EXPECT_EQ(ErrorWith("/ConfigurationSpace/TuningParameters/0/Values", "[0.5]"),
            "ConfigurationSpace.TuningParameters[0].Values: 0.5 does not fit the type int");
  EXPECT_EQ(ErrorWith("/ConfigurationSpace/TuningParameters/0/Values", "32"),
            "ConfigurationSpace.TuningParameters[0].Values: \"32\" is int, no list of values");
  EXPECT_EQ(ErrorWith("/ConfigurationSpace/TuningParameters/0/Values", "range(10**9)"),
            "ConfigurationSpace.TuningParameters[0].Values: \"range(10**9)\": column 1: a range of more than "
            "100000 "
            "values");
  EXPECT_THAT(ErrorWith("/ConfigurationSpace/TuningParameters/0/Values", "__import__('os').system('true')"),
              HasSubstr("column 1: \"__import__\" is no function here; there are: abs, all"));
  EXPECT_EQ(ErrorWith("/ConfigurationSpace/TuningParameters/0/Values", "[8 // 0]"),
            "ConfigurationSpace.TuningParameters[0].Values: \"[8 // 0]\": column 4: division by zero");
  EXPECT_EQ(ErrorWith("/ConfigurationSpace/Conditions/0/Parameters/0", "c"),
            "ConfigurationSpace.Conditions[0].Parameters[0]: there is no tuning parameter c");
  EXPECT_EQ(ErrorWith("/Budget", Json::parse(R"([{"Type": "ConfigurationCount", "BudgetValue": 1.5}])")),
            "Budget[0].BudgetValue: is no whole number of configurations");
  EXPECT_EQ(
      ErrorWith("/Budget", Json::parse(R"([{"Type": "Hours", "BudgetValue": 1}])")),
      "Budget[0].Type: \"Hours\" is none of: TuningDuration, ConfigurationCount, ConfigurationFraction");
  EXPECT_EQ(
      ErrorWith("/KernelSpecification/ReferenceArguments",
                Json::parse(R"([{"Name": "r", "TargetName": "y", "FillType": "Constant", "FillValue": 1}])")),
      "check of y: there is no such output; there are: x");
  EXPECT_EQ(ErrorWith("/KernelSpecification/ProblemSize", Json::array({1, 2, 3, 4})),
            "KernelSpecification.ProblemSize: expected one to three sizes, found 4");
}

TEST(T1ReaderTest, WhatCannotBeTunedIsRefusedAsADefinitionIs) {
  EXPECT_EQ(ErrorWith("/ConfigurationSpace/Conditions/0/Expression", "b > limit"),
            "constraint: \"b > limit\": column 5: \"limit\" is no parameter here; there are: b");
  EXPECT_EQ(ErrorWith("/ConfigurationSpace/Conditions/0/Expression", "b > 64"),
            "no configuration is valid: constraint \"b > 64\" leaves b no value");
  EXPECT_EQ(ErrorWith("/KernelSpecification/Arguments/1/FillValue", 0.5),
            "argument n: 0.5 is no whole number; the type is int32 (at b=32)");
  EXPECT_EQ(ErrorWith("/KernelSpecification/Arguments/0/AccessType", "ReadOnly"),
            "no argument is written: there is nothing that the kernels compute");
}

TEST(T1ReaderTest, NamesOfTheProblemAreOurs) {
  Json file = File();
  file["KernelSpecification"]["ProblemSize"] = {64, 2};
  file["KernelSpecification"]["Arguments"][0]["Size"] =
      "ProblemSize[0] * ProblemSize[1] + len('ProblemSize')";
  file["ConfigurationSpace"]["Conditions"][0]["Expression"] = "b <= ProblemSize[0]";
  const auto reading = ReadT1(file);
  ASSERT_TRUE(reading.ok()) << reading.status();
  EXPECT_EQ(reading->definition.arguments(0).count(),
            "problem_size[0] * problem_size[1] + len('ProblemSize')");
  EXPECT_EQ(reading->definition.constraints(0), "b <= problem_size[0]");
}

}  // namespace
}  // namespace tune
