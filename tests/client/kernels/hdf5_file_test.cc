// golden/numbers.h5 has /x, two rows of three floats (most significant byte first), and /deep/y, four ints.
#include "client/kernels/hdf5_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "client/kernels/hdf5_fills.h"
#include "client/kernels/short_form.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr char kFolder[] = TUNE_SOURCE_DIR "/tests/client/kernels/golden";
constexpr char kFile[] = TUNE_SOURCE_DIR "/tests/client/kernels/golden/numbers.h5";

template <typename T>
std::vector<T> NumbersIn(const std::string& bytes) {
  std::vector<T> numbers(bytes.size() / sizeof(T));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

std::string ErrorOf(const std::string& file, const std::string& dataset, v1::NumberType type,
                    int64_t numbers) {
  return std::string(ReadHdf5(file, dataset, type, numbers).status().message());
}

TEST(Hdf5FileTest, WithoutTheLibraryALineSaysWhatToDo) {
  if (ReadsHdf5()) GTEST_SKIP() << "the library is there";
  EXPECT_THAT(ErrorOf(kFile, "x", v1::NUMBER_FLOAT, 6),
              HasSubstr("was built without HDF5's library; build it where libhdf5-dev is installed"));
}

TEST(Hdf5FileTest, ReadsNumbersOfTheArgumentsType) {
  if (!ReadsHdf5()) GTEST_SKIP() << "built without HDF5's library";
  const auto x = ReadHdf5(kFile, "x", v1::NUMBER_FLOAT, 6);
  ASSERT_TRUE(x.ok()) << x.status();
  EXPECT_THAT(NumbersIn<float>(*x), ::testing::ElementsAre(1, 2, 3, 4, 5, 6.5));
  const auto y = ReadHdf5(kFile, "/deep/y", v1::NUMBER_INT32, 4);
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_THAT(NumbersIn<int>(*y), ::testing::ElementsAre(-1, 2, -3, 4));
}

TEST(Hdf5FileTest, SaysWhatDoesNotFit) {
  if (!ReadsHdf5()) GTEST_SKIP() << "built without HDF5's library";
  EXPECT_EQ(ErrorOf(kFile, "x", v1::NUMBER_DOUBLE, 6),
            "data set x holds floating-point numbers of 4 bytes, and the argument is of floating-point "
            "numbers of 8 "
            "bytes");
  EXPECT_THAT(ErrorOf(kFile, "deep/y", v1::NUMBER_UINT32, 4),
              HasSubstr("of unsigned whole numbers of 4 bytes"));
  EXPECT_EQ(ErrorOf(kFile, "x", v1::NUMBER_FLOAT, 7), "data set x holds 6 numbers, and the argument has 7");
  EXPECT_THAT(ErrorOf(kFile, "z", v1::NUMBER_FLOAT, 6),
              HasSubstr("has no data set z; name one with dataset="));
  EXPECT_THAT(ErrorOf(std::string(kFolder) + "/none.h5", "x", v1::NUMBER_FLOAT, 6),
              HasSubstr("there is no file"));
  EXPECT_THAT(ErrorOf(__FILE__, "x", v1::NUMBER_FLOAT, 6), HasSubstr("is no HDF5 file"));
  EXPECT_THAT(ErrorOf(kFile, "x", v1::NUMBER_HALF, 6), HasSubstr("no numbers of this type"));
}

TEST(Hdf5FillsTest, BecomeFilesOfRawBytes) {
  auto definition = ReadShortForm(
      "file k.cu\nproblem n=2\nargument x:float3[n]:in:hdf5=numbers.h5\n"
      "argument again:float[3 * n]:in:hdf5=numbers.h5:dataset=x\nargument y:int[2 * "
      "n]:in:hdf5=numbers.h5:dataset=deep/y\n"
      "argument raw:int[n]:in:file=k.raw\n",
      "k.tune");
  ASSERT_TRUE(definition.ok()) << definition.status();
  v1::Program program;
  const absl::Status taken = TakeHdf5Fills(kFolder, &*definition, &program);
  if (!ReadsHdf5()) {
    EXPECT_THAT(std::string(taken.message()), HasSubstr("argument x: "));
    return;
  }
  ASSERT_TRUE(taken.ok()) << taken;
  EXPECT_EQ(definition->arguments(0).fill().file().path(), "numbers.h5.x.raw");
  EXPECT_EQ(definition->arguments(0).fill().file().format(), v1::FILE_RAW);
  EXPECT_EQ(definition->arguments(2).fill().file().path(), "numbers.h5.deep_y.raw");
  EXPECT_EQ(definition->arguments(3).fill().file().path(), "k.raw");
  ASSERT_EQ(program.files_size(), 2) << "a data set of two arguments is one file";
  EXPECT_EQ(program.files(0).content().size(), 24u);
  definition->mutable_arguments(0)->mutable_fill()->mutable_file()->set_format(v1::FILE_HDF5);
  definition->mutable_arguments(0)->mutable_fill()->mutable_file()->set_path("none.h5");
  EXPECT_THAT(std::string(TakeHdf5Fills(kFolder, &*definition, &program).message()),
              HasSubstr("argument x: there is no file"));
}

}  // namespace
}  // namespace tune
