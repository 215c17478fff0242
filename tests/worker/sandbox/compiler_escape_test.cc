// Compilers that attack the machine, and sources that want to read it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "common/base/launched_process.h"
#include "common/base/subprocess.h"
#include "tests/worker/sandbox/escape_attempts.h"
#include "worker/build/host_compiler.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class CompilerEscapeTest : public ::testing::Test {
 protected:
  void SetUp() override { folder_.emplace(*TemporaryFolder::Make()); }
  void TearDown() override { unsetenv("CC"); }

  CompileResult Compile(HostCompiler& compiler, const std::string& source, const v1::Program& program = {}) {
    const auto result = compiler.CompileCandidate(source, program, {});
    EXPECT_TRUE(result.ok()) << result.status();
    return result.value_or(CompileResult());
  }
  std::unique_ptr<HostCompiler> Compiler() { return HostCompiler::Make(folder_->path() + "/cache").value(); }

  Host host_;
  std::optional<TemporaryFolder> folder_;
};

// As one would that a source has taken over.
TEST_F(CompilerEscapeTest, ReachesNothingOfTheHost) {
  SKIP_WITHOUT_SANDBOX();
  const std::string cc = FindInPath("cc").value(), evil = folder_->path() + "/bin/evil";
  ASSERT_TRUE(MakeFolder(folder_->path() + "/bin").ok());
  ASSERT_TRUE(WriteFile(folder_->path() + "/evil.c",
                        host_.Attempts() +
                            "int main(int argc, char **argv) {\n"
                            "  if (strcmp(argv[1], \"--version\") != 0) {\n"
                            "    attempt_all();\n    leave_daemon();\n    fputs(\"tried\\n\", stderr);\n"
                            "  }\n  argv[0] = \"cc\";\n  execv(\"" +
                            cc + "\", argv);\n  return 1;\n}\n")
                  .ok());
  const auto built = RunSubprocess({cc, "-w", folder_->path() + "/evil.c", "-o", evil});
  ASSERT_TRUE(built.ok() && built->ok()) << built->standard_error;
  setenv("CC", evil.c_str(), 1);
  const CompileResult result = Compile(*Compiler(), "int one(void) { return 1; }\n");
  EXPECT_TRUE(result.ok) << result.log;
  EXPECT_THAT(result.log, HasSubstr("tried"));
  EXPECT_THAT(Reached(result.log), IsEmpty());
  EXPECT_TRUE(host_.Untouched());
  EXPECT_EQ(host_.DaemonsLeft(), 0);
}

TEST_F(CompilerEscapeTest, SourcesIncludeNoFileOfTheHost) {
  SKIP_WITHOUT_SANDBOX();
  const auto compiler = Compiler();
  const std::string token = host_.token();
  for (const std::string& path : {token, std::string("/etc/passwd"), std::string("/proc/1/environ")}) {
    for (const std::string& source :
         {"#include \"" + path + "\"\n", "__asm__(\".incbin \\\"" + path + "\\\"\");\n"}) {
      const CompileResult result = Compile(*compiler, source);
      EXPECT_FALSE(result.ok) << source;
      EXPECT_THAT(result.log, Not(HasSubstr("secret"))) << source;
      EXPECT_THAT(result.log, Not(HasSubstr("root:"))) << source;
    }
  }
}

TEST_F(CompilerEscapeTest, FlagsThatRunCommandsAreRefused) {
  const auto compiler = Compiler();
  v1::Program program;
  program.add_compile_flags("-wrapper");
  program.add_compile_flags("touch," + folder_->path() + "/touched");
  EXPECT_EQ(compiler->CompileCandidate("int x;\n", program, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(compiler->CompileProgram(folder_->path(), {"x.c"}, program, "x", {}, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tune
