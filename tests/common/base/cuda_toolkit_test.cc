#include "common/base/cuda_toolkit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "common/base/file.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

// Leaves the environment as it was.
class CudaToolkitTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"PATH", "CUDA_HOME", "CUDA_PATH"}) {
      if (const char* value = std::getenv(name); value != nullptr) before_[name] = value;
      unsetenv(name);
    }
    setenv("PATH", (root_.path() + "/path").c_str(), 1);
  }
  void TearDown() override {
    for (const char* name : {"PATH", "CUDA_HOME", "CUDA_PATH"}) {
      unsetenv(name);
      if (before_.count(name) > 0) setenv(name, before_[name].c_str(), 1);
    }
  }
  // A toolkit, or a folder of PATH, with an nvcc in `folder`.
  std::string MakeNvcc(const std::string& folder) {
    const std::string path = absl::StrCat(root_.path(), "/", folder, "/nvcc");
    EXPECT_TRUE(MakeFolder(fs::path(path).parent_path()).ok());
    EXPECT_TRUE(WriteFile(path, "#!/bin/sh\n").ok());
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  void SetHome(const char* name, const std::string& folder) {
    setenv(name, absl::StrCat(root_.path(), "/", folder).c_str(), 1);
  }

  TemporaryFolder root_ = *TemporaryFolder::Make();
  std::map<std::string, std::string> before_;
};

TEST_F(CudaToolkitTest, ThePathComesFirstThenTheHomes) {
  SetHome("CUDA_PATH", "second");
  const std::string second = MakeNvcc("second/bin");
  EXPECT_EQ(FindNvcc().value(), second);
  SetHome("CUDA_HOME", "first");
  EXPECT_EQ(FindNvcc().value(), second);  // nothing there
  const std::string first = MakeNvcc("first/bin");
  EXPECT_EQ(FindNvcc().value(), first);
  const std::string in_path = MakeNvcc("path");
  EXPECT_EQ(FindNvcc().value(), in_path);
}

TEST_F(CudaToolkitTest, NoneIsNotFound) {
  setenv("CUDA_HOME", "", 1);
  const absl::StatusOr<std::string> nvcc = FindNvcc();
  if (fs::exists("/usr/local/cuda/bin/nvcc")) {
    EXPECT_EQ(nvcc.value(), "/usr/local/cuda/bin/nvcc");
  } else {
    EXPECT_EQ(nvcc.status().code(), absl::StatusCode::kNotFound);
    EXPECT_THAT(nvcc.status().message(), ::testing::HasSubstr("set CUDA_HOME"));
  }
}

}  // namespace
}  // namespace tune
