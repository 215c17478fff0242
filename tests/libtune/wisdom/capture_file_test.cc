#include "libtune/wisdom/capture_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/libtune/wisdom/temporary_folder.h"

namespace libtune {
namespace {

using testing::HasSubstr;

TEST(CaptureFile, HasEachLineOnce) {
  const TemporaryFolder folder;
  const std::string file = folder.File("capture");
  {
    CaptureFile capture(file);
    EXPECT_TRUE(capture.Add({"gemm", "cpu X, 2 cores", {10, 20}}, "double A[n][m], B[m]").ok());
    EXPECT_TRUE(capture.Add({"gemm", "cpu X, 2 cores", {10, 20}}, "double A[n][m], B[m]").ok());
    EXPECT_TRUE(capture.Add({"gemm", "cpu X, 2 cores", {11, 20}}, "double A[n][m], B[m]").ok());
  }
  CaptureFile again(file);
  EXPECT_TRUE(again.Add({"gemm", "cpu X, 2 cores", {10, 20}}, "double A[n][m], B[m]").ok());
  EXPECT_EQ(TemporaryFolder::Read(file),
            "capture\t1\tgemm\tcpu X%2c 2 cores\t10,20\tdouble A[n][m]%2c B[m]\n"
            "capture\t1\tgemm\tcpu X%2c 2 cores\t11,20\tdouble A[n][m]%2c B[m]\n");
}

TEST(CaptureFile, WhatCannotBeWrittenIsSaidOnce) {
  CaptureFile capture("/no/such/folder/capture");
  EXPECT_FALSE(capture.Add({"gemm", "d", {}}, "").ok());
  EXPECT_TRUE(capture.Add({"gemm", "d", {}}, "").ok());
}

TEST(CaptureFile, LinesReadBackAsTheyWere) {
  for (const Inputs& inputs : {Inputs{1000, -3, 0}, Inputs{9223372036854775807}, Inputs{}}) {
    const Captured captured = {{"odd=name,\t%\n:12ab", "cpu AMD, 2 cores", inputs}, "double A[n][m], B[m]"};
    const std::string line = CaptureLine(captured);
    Captured read;
    ASSERT_TRUE(ParseCaptureLine(line, &read).ok()) << line;
    EXPECT_EQ(read.key.region, captured.key.region);
    EXPECT_EQ(read.key.device, captured.key.device);
    EXPECT_EQ(read.key.inputs, inputs);
    EXPECT_EQ(read.arguments, captured.arguments);
  }
}

std::string WhyNot(const std::string& line) {
  Captured captured;
  const Status status = ParseCaptureLine(line, &captured);
  EXPECT_EQ(status.ok() ? TUNE_OK : status.code(), TUNE_REFUSED_FILE) << line;
  EXPECT_TRUE(captured.key.region.empty()) << line;
  return status.text();
}

TEST(CaptureFile, WhatIsNoLineIsRefused) {
  const std::string line = "capture\t1\tgemm\tgpu\t5,7\tdouble A[n]";
  Captured captured;
  ASSERT_TRUE(ParseCaptureLine(line, &captured).ok());
  for (const std::string& other :
       {std::string(), std::string("capture"), std::string("capture\t1"), "captured" + line.substr(7),
        std::string("capture\t0\tgemm\tgpu\t5\t"), std::string("capture\tx\tgemm\tgpu\t5\t"),
        std::string("capture\t1\t\tgpu\t5\t"), std::string("capture\t1\tgemm\tgpu\t5;7\t"),
        std::string("capture\t1\tgemm\tgpu\t5,\t"),
        std::string("capture\t1\tgemm\tgpu\t99999999999999999999\t"),
        std::string("capture\t1\tgemm%2\tgpu\t5\t"), line.substr(0, line.rfind('\t')), line + "\t",
        line.substr(0, 20) + line})
    EXPECT_THAT(WhyNot(other), HasSubstr("no line of a capture file")) << other;
}

TEST(CaptureFile, LinesOfANewerVersionAreToldFromOthers) {
  EXPECT_THAT(WhyNot("capture\t2\tgemm\tgpu\t5\twhat it has\tthen"),
              HasSubstr("written by a newer libtune (version 2 of the format; this one knows 1)"));
}

}  // namespace
}  // namespace libtune
