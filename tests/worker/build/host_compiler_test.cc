#include "worker/build/host_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/base/subprocess.h"
#include "worker/build/compiler_process.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class HostCompilerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    unsetenv("CC");
    folder_.emplace(*TemporaryFolder::Make());
    auto compiler = HostCompiler::Make(folder_->path() + "/cache");
    ASSERT_TRUE(compiler.ok()) << compiler.status();
    compiler_ = *std::move(compiler);
  }
  CompileResult Candidate(const std::string& source, const v1::Program& program = {},
                          CompileLimits limits = {}) {
    auto result = compiler_->CompileCandidate(source, program, limits);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *result : CompileResult{};
  }

  std::optional<TemporaryFolder> folder_;
  std::unique_ptr<HostCompiler> compiler_;
};

// Each file by the compiler of its language, with the flags that are for it.
TEST_F(HostCompilerTest, ProgramsMayBeInTwoLanguages) {
  const std::string folder = folder_->path() + "/program";
  ASSERT_TRUE(MakeFolder(folder).ok());
  ASSERT_TRUE(WriteFile(folder + "/main.cu",
                        "#include <vector>\nextern \"C\" int class_of(int);\n"
                        "int main() { std::vector<int> v(NUMBER); return class_of(v.size()); }\n")
                  .ok());
  ASSERT_TRUE(WriteFile(folder + "/part.c", "int class_of(int class) { return class + 4; }\n").ok());
  v1::Program program;
  program.add_compile_flags("-std=c++17");
  program.add_compile_flags("-Werror");
  program.add_defines("NUMBER=3");
  const auto result = compiler_->CompileProgram(folder, {"main.cu", "part.c"}, program, "main", {}, {});
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_TRUE(result->ok) << result->log;
  EXPECT_EQ(RunSubprocess({result->binary}, {})->exit_code, 7);
  EXPECT_TRUE(Candidate("int f(int class) { return class; }\n", program).ok);
}

TEST_F(HostCompilerTest, SaysWhereAFileInCppDoesNotCompile) {
  const std::string folder = folder_->path() + "/program";
  ASSERT_TRUE(MakeFolder(folder).ok());
  ASSERT_TRUE(WriteFile(folder + "/main.cpp", "int main() { return nothing; }\n").ok());
  const auto result = compiler_->CompileProgram(folder, {"main.cpp"}, {}, "main", {}, {});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_FALSE(result->ok);
  EXPECT_THAT(result->message, HasSubstr("main.cpp:1:"));
  setenv("CXX", "no-such-compiler", 1);
  const auto missing = compiler_->CompileProgram(folder, {"main.cpp"}, {}, "main", {}, {});
  unsetenv("CXX");
  ASSERT_TRUE(missing.ok()) << missing.status();
  EXPECT_FALSE(missing->ok);
  EXPECT_THAT(missing->message, HasSubstr("no C++ compiler"));
}

TEST_F(HostCompilerTest, CompilesOnceAndKeepsTheBinary) {
  const std::string source = "#include <math.h>\ndouble f(double x) { return sqrt(x); }\n";
  const CompileResult first = Candidate(source);
  ASSERT_TRUE(first.ok) << first.log;
  EXPECT_FALSE(first.cached);
  EXPECT_EQ(first.command, "cc -O3 -march=native -w -fopenmp -shared -fPIC candidate.c -o candidate.so -lm");
  const CompileResult second = Candidate(source);
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(second.binary, first.binary);
  EXPECT_EQ(second.command, first.command);

  v1::Program other_flags;
  other_flags.add_compile_flags("-O0");
  const CompileResult third = Candidate(source, other_flags);
  EXPECT_FALSE(third.cached);
  EXPECT_NE(third.binary, first.binary);
}

TEST_F(HostCompilerTest, FailureIsAResultWithTheFirstError) {
  const CompileResult result = Candidate("int f(void) { return missing; }\n");
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.message, HasSubstr("candidate.c:1:"));
  EXPECT_THAT(result.message, HasSubstr("missing"));
  EXPECT_THAT(result.log, HasSubstr(result.message));
}

TEST_F(HostCompilerTest, WarningsAsErrorsOfTheUserDoNotCount) {
  v1::Program program;
  for (const char* flag : {"-Wall", "-Werror"}) program.add_compile_flags(flag);
  EXPECT_TRUE(Candidate("int f(void) { int unused; return 0; }\n", program).ok);
}

TEST_F(HostCompilerTest, TimeLimit) {
  CompileLimits limits;
  limits.wall = absl::Milliseconds(1);
  const CompileResult result = Candidate("int f(void) { return 1; }\n", {}, limits);
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.message, "the compiler had not ended after 0.001 s");
}

TEST_F(HostCompilerTest, Cancelled) {
  Cancellation cancellation;
  cancellation.Cancel();
  CompileLimits limits;
  limits.cancellation = &cancellation;
  EXPECT_TRUE(Candidate("int f(void) { return 2; }\n", {}, limits).cancelled);
}

TEST_F(HostCompilerTest, ManyThreadsShareTheCache) {
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; ++i) good += Candidate("int f(void) { return " + std::to_string(i) + "; }\n").ok;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 20);
}

TEST_F(HostCompilerTest, WholeProgram) {
  const std::string bundle = folder_->path() + "/bundle";
  ASSERT_TRUE(MakeFolder(bundle + "/src").ok() && MakeFolder(bundle + "/include").ok());
  ASSERT_TRUE(
      WriteFile(bundle + "/src/a.c", "#include \"b.h\"\nint main(void) { return twice(N) - 14; }\n").ok());
  ASSERT_TRUE(WriteFile(bundle + "/src/b.c", "#include \"b.h\"\nint twice(int x) { return 2 * x; }\n").ok());
  ASSERT_TRUE(WriteFile(bundle + "/include/b.h", "int twice(int x);\n").ok());
  v1::Program program;
  program.add_include_directories("include");
  program.add_defines("N=7");
  const auto result = compiler_->CompileProgram(bundle, {"src/a.c", "src/b.c"}, program, "program", {}, {});
  ASSERT_TRUE(result.ok() && result->ok) << result->log;
  EXPECT_TRUE(RunSubprocess({result->binary})->ok());
}

TEST_F(HostCompilerTest, NamesOfFilesAreNoOptions) {
  const std::string bundle = folder_->path() + "/bundle";
  ASSERT_TRUE(MakeFolder(bundle).ok());
  ASSERT_TRUE(WriteFile(bundle + "/-x.c", "int other(void);\nint main(void) { return other(); }\n").ok());
  ASSERT_TRUE(WriteFile(bundle + "/@y.c", "int other(void) { return 0; }\n").ok());
  const auto result = compiler_->CompileProgram(bundle, {"-x.c", "@y.c"}, {}, "program", {}, {});
  ASSERT_TRUE(result.ok() && result->ok) << result->log;
}

TEST_F(HostCompilerTest, FirstErrorSkipsContext) {
  EXPECT_EQ(FirstError("In file included from a.c:1:\nb.h:3:2: error: no\nmore\n"), "b.h:3:2: error: no");
  EXPECT_EQ(
      FirstError("/usr/bin/ld: /tmp/x.o: in function `main':\nx.c:(.text+0x5): undefined reference to `f'\n"),
      "x.c:(.text+0x5): undefined reference to `f'");
  EXPECT_EQ(FirstError("/tmp/bundle/a.c:1:1: error: x"), "a.c:1:1: error: x");
  EXPECT_EQ(FirstError("strange\n"), "strange");
}

TEST(HostCompilerSearchTest, NoCompilerIsOneLineWithTheRemedy) {
  auto folder = TemporaryFolder::Make();
  setenv("CC", "no-such-compiler -O", 1);
  const auto compiler = HostCompiler::Make(folder->path());
  unsetenv("CC");
  ASSERT_EQ(compiler.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(std::string(compiler.status().message()),
            "no C compiler: no-such-compiler: no such program in PATH; install one (Debian, Ubuntu: apt "
            "install gcc "
            "libc6-dev), or set CC to the compiler's command");
}

TEST(HostCompilerSearchTest, CompilerWithoutOpenMp) {
  auto folder = TemporaryFolder::Make();
  const std::string fake = folder->path() + "/fakecc";
  ASSERT_TRUE(WriteFile(fake,
                        "#!/bin/sh\n[ \"$1\" = --version ] && echo fake 1.0 && exit 0\n"
                        "echo 'fatal error: cannot find -lomp' >&2\nexit 1\n")
                  .ok());
  std::filesystem::permissions(fake, std::filesystem::perms::owner_all);
  setenv("CC", fake.c_str(), 1);
  const auto compiler = HostCompiler::Make(folder->path() + "/cache");
  unsetenv("CC");
  ASSERT_EQ(compiler.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(compiler.status().message()),
              HasSubstr("cannot build OpenMP programs: fatal error: cannot find -lomp"));
}

TEST(BinaryCacheTest, RemovesWhatWasUsedLongestAgo) {
  auto folder = TemporaryFolder::Make();
  auto cache = BinaryCache::Open(folder->path() + "/cache", 250);
  ASSERT_TRUE(cache.ok());
  const std::string file = folder->path() + "/cache/new";
  const auto insert = [&](const std::string& key, int age_seconds) {
    ASSERT_TRUE(WriteFile(file, std::string(100, key[0])).ok());
    auto path = cache->Insert(key, file);
    ASSERT_TRUE(path.ok());
    std::filesystem::last_write_time(
        *path, std::filesystem::file_time_type::clock::now() - std::chrono::seconds(age_seconds));
  };
  insert("a", 30);
  insert("b", 20);
  EXPECT_NE(cache->Find("a"), "");  // used now
  insert("c", 0);
  EXPECT_NE(cache->Find("a"), "");
  EXPECT_EQ(cache->Find("b"), "");
  EXPECT_NE(cache->Find("c"), "");
}

// What somebody put in the place of a binary is never run.
TEST(BinaryCacheTest, ABinaryThatWasChangedIsNone) {
  auto folder = TemporaryFolder::Make();
  auto cache = BinaryCache::Open(folder->path() + "/cache");
  ASSERT_TRUE(cache.ok());
  const std::string file = folder->path() + "/new";
  ASSERT_TRUE(WriteFile(file, "good").ok());
  const auto path = cache->Insert("key", file);
  ASSERT_TRUE(path.ok()) << path.status();
  EXPECT_EQ(*path, absl::StrCat(cache->folder(), "/", Fingerprint("good"), ".bin"));
  EXPECT_EQ(cache->Find("key"), *path);
  ASSERT_TRUE(WriteFile(*path, "evil").ok());
  EXPECT_EQ(cache->Find("key"), "");
  EXPECT_FALSE(std::filesystem::exists(*path));
  ASSERT_TRUE(cache->Insert("key", file).ok());
  EXPECT_EQ(*ReadFile(cache->Find("key")), "good");
}

TEST(BinaryCacheTest, TakesRegularFilesAlone) {
  auto folder = TemporaryFolder::Make();
  auto cache = BinaryCache::Open(folder->path() + "/cache");
  const std::string pipe = folder->path() + "/pipe", link = folder->path() + "/link";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink("/etc/hostname", link);
  EXPECT_EQ(cache->Insert("key", pipe).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(cache->Insert("key", link).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(cache->Find("key"), "");
}

}  // namespace
}  // namespace tune
