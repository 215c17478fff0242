#include "client/submit/front_end.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

v1::Extraction OneRegion() {
  v1::Extraction extraction;
  v1::Scop* scop = extraction.add_scops();
  scop->set_name("gemm");
  scop->set_context("[n] -> { : n >= 1 }");
  scop->add_parameters()->set_name("n");
  v1::SourceFile* file = extraction.mutable_program()->add_files();
  file->set_path("gemm.c");
  file->set_content("int main(void) { /* \"quoted\" \xff */ }\n");
  extraction.mutable_program()->set_has_main(true);
  return extraction;
}

class FrontEndTest : public ::testing::Test {
 protected:
  // A program in place of tune-extract.
  std::string Script(const std::string& body) {
    const std::string path = folder_.path() + "/fake-extract";
    EXPECT_TRUE(WriteFile(path, "#!/bin/sh\n" + body).ok());
    chmod(path.c_str(), 0755);
    return path;
  }
  std::string File(const std::string& name, const std::string& content) {
    const std::string path = folder_.path() + "/" + name;
    EXPECT_TRUE(WriteFile(path, content).ok());
    return path;
  }
  FrontEndRequest Request(const std::string& file) {
    FrontEndRequest request;
    request.file = file;
    return request;
  }
  TemporaryFolder folder_ = TemporaryFolder::Make().value();
};

TEST_F(FrontEndTest, CommandCarriesEveryOption) {
  FrontEndRequest request;
  request.file = "gemm.c";
  request.include_directories = {"a", "b"};
  request.defines = {"N=1"};
  request.with = {"x.c"};
  request.compile_flags = {"-O2"};
  request.link_flags = {"-lm"};
  request.arguments = {"--fast"};
  request.constants = {{"m", 4}, {"n", -2}};
  request.standard_input = "in.txt";
  request.function = "main";
  EXPECT_EQ(FrontEndCommand("tune-extract", request),
            (std::vector<std::string>{"tune-extract", "gemm.c", "-I", "a", "-I", "b", "-D", "N=1", "--with",
                                      "x.c", "--cflag=-O2", "--ldflag=-lm", "--arg=--fast", "--constant=m=4",
                                      "--constant=n=-2", "--stdin", "in.txt", "--function=main"}));
}

TEST_F(FrontEndTest, ReadsWhatTheFrontEndWrites) {
  const std::string bytes = File("out.pb", OneRegion().SerializeAsString());
  const auto extraction = ReadProgram(Request(File("gemm.c", "x")), Script("cat " + bytes + "\n"));
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  EXPECT_EQ(extraction->SerializeAsString(), OneRegion().SerializeAsString());
}

TEST_F(FrontEndTest, LoopNestsAreAskedForByAnOption) {
  v1::LoopNests nests;
  nests.add_nests()->set_function("main");
  const std::string bytes = File("out.pb", nests.SerializeAsString());
  const std::string program = Script("[ \"$2\" = --regions ] && cat " + bytes + "\n");
  const auto read = ReadLoopNests(Request(File("gemm.c", "x")), program);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->SerializeAsString(), nests.SerializeAsString());
  ASSERT_TRUE(StoreExtraction(OneRegion(), folder_.path() + "/gemm.scop").ok());
  EXPECT_THAT(std::string(ReadLoopNests(Request(folder_.path() + "/gemm.scop"), program).status().message()),
              HasSubstr("stored extraction"));
}

TEST_F(FrontEndTest, RefusalIsPassedOn) {
  const auto extraction = ReadProgram(Request(File("gemm.c", "x")),
                                      Script("echo 'gemm.c:3:5: A[i*i]: not affine' >&2; exit 1\n"));
  EXPECT_EQ(extraction.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(extraction.status().message(), "gemm.c:3:5: A[i*i]: not affine");
}

TEST_F(FrontEndTest, MissingFrontEndTellsTheWaysOut) {
  const auto extraction = ReadProgram(Request(File("gemm.c", "x")), folder_.path() + "/none");
  EXPECT_EQ(extraction.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(extraction.status().message()), HasSubstr("libclang-cpp16"));
  EXPECT_THAT(std::string(extraction.status().message()), HasSubstr("--output FILE.scop"));
}

TEST_F(FrontEndTest, MissingLibraryTellsTheWaysOut) {
  const auto extraction =
      ReadProgram(Request(File("gemm.c", "x")),
                  Script("echo 'error while loading shared libraries: libclang-cpp.so.16' >&2; exit 127\n"));
  EXPECT_EQ(extraction.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(extraction.status().message()), HasSubstr("libclang-cpp.so.16"));
  EXPECT_THAT(std::string(extraction.status().message()), HasSubstr("--output FILE.scop"));
}

TEST_F(FrontEndTest, CrashIsNoRefusal) {
  const auto extraction = ReadProgram(Request(File("gemm.c", "x")), Script("kill -11 $$\n"));
  EXPECT_EQ(extraction.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(extraction.status().message()), HasSubstr("signal 11"));
}

TEST_F(FrontEndTest, GarbageIsNoExtraction) {
  const auto extraction = ReadProgram(Request(File("gemm.c", "x")), Script("echo garbage\n"));
  EXPECT_EQ(extraction.status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(FrontEndTest, MissingFile) {
  EXPECT_EQ(ReadProgram(Request(folder_.path() + "/none.c")).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(FrontEndTest, StoredExtractionNeedsNoFrontEnd) {
  for (const char* name : {"gemm.scop", "gemm.txt"}) {
    const std::string path = folder_.path() + "/" + name;
    ASSERT_TRUE(StoreExtraction(OneRegion(), path).ok());
    FrontEndRequest request = Request(path);
    request.link_flags = {"-lm"};
    request.arguments = {"7"};
    const auto extraction = ReadProgram(request, folder_.path() + "/none");
    ASSERT_TRUE(extraction.ok()) << extraction.status();
    EXPECT_EQ(extraction->program().files(0).content(), OneRegion().program().files(0).content());
    EXPECT_EQ(extraction->program().link_flags(0), "-lm");
    EXPECT_EQ(extraction->program().arguments(0), "7");
  }
}

TEST_F(FrontEndTest, StoredExtractionTakesNoPreprocessorOptions) {
  const std::string path = folder_.path() + "/gemm.scop";
  ASSERT_TRUE(StoreExtraction(OneRegion(), path).ok());
  FrontEndRequest request = Request(path);
  request.defines = {"N=1"};
  EXPECT_THAT(std::string(ReadProgram(request).status().message()), HasSubstr("stored extraction"));
  request.defines.clear();
  request.function = "main";
  EXPECT_THAT(std::string(ReadProgram(request).status().message()), HasSubstr("stored extraction"));
}

TEST_F(FrontEndTest, BrokenStoredExtractionNamesThePlace) {
  const auto extraction = ReadProgram(Request(File("x.scop", "# tune.v1.Extraction\nscops { nmae: 1 }\n")));
  EXPECT_EQ(extraction.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(extraction.status().message()), HasSubstr("line 2, column"));
}

TEST_F(FrontEndTest, NoRegionAndDiagnosticsAreRefused) {
  v1::Extraction none = OneRegion();
  none.clear_scops();
  EXPECT_THAT(
      std::string(ReadProgram(Request(File("x.c", "")), Script("cat " + File("o", none.SerializeAsString())))
                      .status()
                      .message()),
      HasSubstr("#pragma scop"));
  v1::Extraction refused = OneRegion();
  v1::Diagnostic* diagnostic = refused.add_diagnostics();
  diagnostic->set_file("x.c");
  diagnostic->set_line(7);
  diagnostic->set_reason("not affine");
  ASSERT_TRUE(StoreExtraction(refused, folder_.path() + "/r.scop").ok());
  EXPECT_THAT(std::string(ReadProgram(Request(folder_.path() + "/r.scop")).status().message()),
              HasSubstr("x.c:7"));
}

}  // namespace
}  // namespace tune
