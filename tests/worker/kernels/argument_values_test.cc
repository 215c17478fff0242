#include "worker/kernels/argument_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace tune {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;

v1::KernelArgument Argument(v1::NumberType type, const std::string& count) {
  v1::KernelArgument argument;
  argument.set_name("x");
  argument.set_type(type);
  argument.set_count(count);
  return argument;
}

template <typename T>
std::vector<T> Numbers(const absl::StatusOr<std::string>& bytes) {
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  std::vector<T> numbers(bytes.value_or("").size() / sizeof(T));
  if (bytes.ok()) std::memcpy(numbers.data(), bytes->data(), bytes->size());
  return numbers;
}

class FillTest : public ::testing::Test {
 protected:
  FillTest() {
    context_.study["n"] = Value::Integer(4);
    context_.program = &program_;
  }
  absl::StatusOr<std::string> Fill(const v1::KernelArgument& argument) {
    return FillBytes(argument, argument.fill(), context_);
  }

  v1::Program program_;
  FillContext context_;
};

TEST_F(FillTest, Zeros) {
  EXPECT_THAT(Numbers<int>(Fill(Argument(v1::NUMBER_INT32, "n"))), ElementsAre(0, 0, 0, 0));
}

TEST_F(FillTest, Constants) {
  v1::KernelArgument argument = Argument(v1::NUMBER_FLOAT, "n // 2");
  argument.set_lanes(2);
  argument.mutable_fill()->set_constant("n / 8");
  EXPECT_THAT(Numbers<float>(Fill(argument)), ElementsAre(0.5f, 0.5f, 0.5f, 0.5f));
  argument = Argument(v1::NUMBER_BOOL, "2");
  argument.mutable_fill()->set_constant("True");
  EXPECT_EQ(*Fill(argument), std::string("\1\1"));
  argument = Argument(v1::NUMBER_CUSTOM, "2");
  argument.set_custom_bytes(3);
  argument.mutable_fill()->set_constant("0");
  EXPECT_EQ(*Fill(argument), std::string(6, '\0'));
}

TEST_F(FillTest, RandomNumbersFollowFromSeedAndName) {
  v1::KernelArgument argument = Argument(v1::NUMBER_DOUBLE, "1000");
  argument.mutable_fill()->mutable_random()->set_low("-n");
  const std::vector<double> numbers = Numbers<double>(Fill(argument));
  EXPECT_THAT(numbers, Each(::testing::AllOf(Ge(-4.0), Le(1.0))));
  EXPECT_EQ(numbers, Numbers<double>(Fill(argument)));
  context_.seed = 1;
  EXPECT_NE(numbers, Numbers<double>(Fill(argument)));
  context_.seed = 0;
  argument.set_name("y");
  EXPECT_NE(numbers, Numbers<double>(Fill(argument)));
}

TEST_F(FillTest, RandomWholeNumbersReachBothEnds) {
  v1::KernelArgument argument = Argument(v1::NUMBER_INT8, "1000");
  argument.mutable_fill()->mutable_random()->set_low("-2");
  argument.mutable_fill()->mutable_random()->set_high("1");
  const std::vector<int8_t> numbers = Numbers<int8_t>(Fill(argument));
  EXPECT_EQ(*std::min_element(numbers.begin(), numbers.end()), -2);
  EXPECT_EQ(*std::max_element(numbers.begin(), numbers.end()), 1);
}

TEST_F(FillTest, GeneratedNumbers) {
  v1::KernelArgument argument = Argument(v1::NUMBER_INT64, "n");
  argument.mutable_fill()->set_generator("n * i + 1");
  EXPECT_THAT(Numbers<int64_t>(Fill(argument)), ElementsAre(1, 5, 9, 13));
}

TEST_F(FillTest, AGeneratorSaysWhichElementHasNoValue) {
  v1::KernelArgument argument = Argument(v1::NUMBER_UINT8, "n");
  argument.mutable_fill()->set_generator("2 - i");
  EXPECT_THAT(std::string(Fill(argument).status().message()),
              ::testing::AllOf(HasSubstr("argument x: element 3: "), HasSubstr("does not fit into uint8")));
}

TEST_F(FillTest, AGeneratorEndsAtTheDeadlineAndWhenItIsCancelled) {
  v1::KernelArgument argument = Argument(v1::NUMBER_INT64, "n");
  argument.mutable_fill()->set_generator("i");
  Cancellation cancellation;
  cancellation.Cancel();
  context_.cancellation = &cancellation;
  EXPECT_EQ(Fill(argument).status().code(), absl::StatusCode::kCancelled);
  context_.cancellation = nullptr;
  context_.deadline = absl::InfinitePast();
  EXPECT_EQ(Fill(argument).status().code(), absl::StatusCode::kDeadlineExceeded);
}

TEST_F(FillTest, Files) {
  v1::SourceFile& file = *program_.add_files();
  file.set_path("x.raw");
  file.set_content("abcd");
  v1::KernelArgument argument = Argument(v1::NUMBER_INT8, "n");
  argument.mutable_fill()->mutable_file()->set_path("x.raw");
  EXPECT_EQ(*Fill(argument), "abcd");
  argument.set_count("n + 1");
  EXPECT_THAT(std::string(Fill(argument).status().message()), HasSubstr("it has 4 bytes; 5 elements have 5"));
  argument.mutable_fill()->mutable_file()->set_path("y.raw");
  EXPECT_THAT(std::string(Fill(argument).status().message()), HasSubstr("y.raw: it is not among the files"));
  argument.mutable_fill()->mutable_file()->set_format(v1::FILE_HDF5);
  EXPECT_THAT(std::string(Fill(argument).status().message()), HasSubstr("HDF5; store the data set as raw"));
}

}  // namespace
}  // namespace tune
