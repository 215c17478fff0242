// tunectl describe: sources, short forms and T1 files. No server is involved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "client/cli/tunectl.h"
#include "client/report/json.h"
#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kAddSource[] = R"(
__global__ void add(float *out, const float *in, int n) {
  int i = blockIdx.x * block_x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void add_twice(float *out, const float *in, int n) {}
)";

class DescribeTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(WriteFile(Path("add.cu"), kAddSource).ok()); }

  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }

  int Describe(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"describe", Path("add.cu")});
    std::ostringstream out, err;
    const int code = RunTunectl(arguments, {&out, &err});
    out_ = out.str();
    err_ = err.str();
    return code;
  }

  // A whole definition, and more.
  int DescribeAdd(std::vector<std::string> more) {
    std::vector<std::string> arguments = {
        "--kernel",   "add",       "--block",    "block_x",          "--parameter", "block_x=64,128,256",
        "--problem",  "n=1000000", "--argument", "out:float[n]:out", "--argument",  "in:float[n]:in:random",
        "--argument", "n:int:n"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Describe(arguments);
  }

  TemporaryFolder folder_ = TemporaryFolder::Make().value();
  std::string out_, err_;
};

TEST_F(DescribeTest, WritesWhatTheSourceSays) {
  EXPECT_EQ(Describe({}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("# parameter block_x=?"));
  EXPECT_THAT(out_, HasSubstr("kernel add_twice"));
  EXPECT_EQ(Describe({"--kernel", "add"}), 0) << err_;
  EXPECT_THAT(out_, Not(HasSubstr("kernel add_twice")));
  EXPECT_EQ(Describe({"--kernel", "sub"}), 1);
  EXPECT_THAT(err_, HasSubstr("add.cu: there is no kernel sub in it; there are: add, add_twice"));
  EXPECT_EQ(Describe({"-o", Path("add.tune")}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("is to be filled in; then `tunectl describe "));
  EXPECT_EQ(Describe({"--definition", Path("add.tune")}), 1);
  EXPECT_THAT(err_, HasSubstr("add.tune:12: block: \"?\": the ? is still to be replaced"));
}

TEST_F(DescribeTest, OptionsAreADefinition) {
  EXPECT_EQ(DescribeAdd({}), 0) << err_;
  EXPECT_THAT(
      out_,
      HasSubstr("\nproblem n=1000000\nparameter block_x=64,128,256\n\nkernel add\nblock block_x\n\n"
                "argument out:float[n]:out\nargument in:float[n]:in:random\nargument n:int32:value=n\n"));
  EXPECT_EQ(DescribeAdd({"-o", Path("add.tune")}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("add.tune: 3 of 3 configurations are valid; the first is block_x=128."));
  EXPECT_EQ(Describe({"--definition", Path("add.tune"), "--constraint", "block_x > 64", "--json"}), 0)
      << err_;
  const Json json = Json::parse(out_);
  EXPECT_TRUE(json["complete"]);
  EXPECT_THAT(json["definition"].get<std::string>(), HasSubstr("constraint block_x > 64\n"));
}

TEST_F(DescribeTest, OptionsOfKernelsFollowTheirKernel) {
  EXPECT_EQ(DescribeAdd({"--takes", "out,in,n", "--kernel", "add_twice", "--block", "32", "--grid", "n // 32",
                         "--takes", "out,in,n", "--launch", "add_twice", "--launch", "add times 3"}),
            0)
      << err_;
  EXPECT_THAT(
      out_,
      HasSubstr("kernel add\nblock block_x\ntakes out, in, n\n\nkernel add_twice\nblock 32\ngrid n // 32\n"
                "takes out, in, n\nlaunch add_twice\nlaunch add times 3\n"));
}

// Each bad input has a line of its own.
TEST_F(DescribeTest, BadInput) {
  const auto error_of = [&](const std::vector<std::string>& more) {
    EXPECT_NE(DescribeAdd(more), 0);
    return err_;
  };
  EXPECT_THAT(error_of({"--constraint", "block_y > 1"}),
              HasSubstr("column 1: \"block_y\" is no parameter here; there are: block_x, n, problem_size\n"));
  EXPECT_THAT(error_of({"--constraint", "block_x > 256"}),
              HasSubstr("no configuration is valid: constraint \"block_x > 256\" leaves block_x no value\n"));
  EXPECT_THAT(
      error_of({"--parameter", "tile=1..4", "--constraint", "tile * 64 > block_x", "--constraint",
                "block_x > tile * 100"}),
      HasSubstr(
          "no configuration is valid: constraint \"tile * 64 > block_x\" and constraint \"block_x > tile * "
          "100\" contradict each other\n"));
  EXPECT_THAT(error_of({"--constraint", "n % (block_x - 64) == 0"}),
              HasSubstr("has no value at block_x = 64: column 3: division by zero"));
  EXPECT_THAT(error_of({"--kernel", "sub", "--block", "1"}),
              HasSubstr("add.cu does not have it; it has: add, add_twice\n"));
  EXPECT_THAT(
      error_of({"--argument", "m:int:4"}),
      HasSubstr(
          "has 3 parameters, add(float *out, const float *in, int n), and the arguments are 4: out, in, "
          "n, m\n"));
  EXPECT_THAT(error_of({"--takes", "out,n,in"}), HasSubstr("argument 2, n: it is a scalar, and"));
  EXPECT_THAT(
      error_of({"--parameter", "tile=1..1000000000"}),
      HasSubstr(
          "--parameter tile=1..1000000000: tile: the range \"1..1000000000\" has 1000000000 values, more "
          "than 100000\n"));
  EXPECT_THAT(error_of({"--argument", "w:float[4]:symbol:file=w.raw"}),
              HasSubstr("argument w: there is no file w.raw\n"));
  EXPECT_THAT(error_of({"--default", "block_x=100"}),
              HasSubstr("parameter block_x: the default 100 is none of its values\n"));
  EXPECT_EQ(Describe({"--definition", Path("missing.tune")}), 1);
  EXPECT_THAT(err_, HasSubstr("missing.tune"));
  EXPECT_EQ(Describe({"--block", "32"}), 2);
  EXPECT_THAT(err_, HasSubstr("--block 32: name the kernel that this is of before it: kernel NAME\n"));
}

constexpr char kT1[] = R"({
  "ConfigurationSpace": {"TuningParameters": [{"Name": "block_x", "Type": "int", "Values": "[64, 128]"}]},
  "General": {"OutputFile": "out"},
  "KernelSpecification": {
    "Language": "CUDA", "KernelName": "add", "KernelFile": "other.cu",
    "GlobalSize": {"X": "1024 // block_x"}, "LocalSize": {"X": "block_x"},
    "Arguments": [{"Name": "out", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly", "Size": 1024},
                  {"Name": "in", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly", "Size": 1024},
                  {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": 1024}]}})";

TEST_F(DescribeTest, T1FilesBecomeTheShortForm) {
  ASSERT_TRUE(WriteFile(Path("add.json"), kT1).ok());
  EXPECT_EQ(Describe({"--t1", Path("add.json")}), 0) << err_;
  EXPECT_THAT(out_, StartsWith("file " + Path("add.cu") + "\n"));
  EXPECT_THAT(out_, HasSubstr("grid 1024 // block_x\n"));
  EXPECT_THAT(err_, HasSubstr("add.json: General.OutputFile: is not taken"));
  EXPECT_THAT(err_, HasSubstr("KernelSpecification.KernelFile: other.cu is not taken, but "));
  ASSERT_TRUE(WriteFile(Path("add.json"), "{}").ok());
  EXPECT_EQ(Describe({"--t1", Path("add.json")}), 1);
  EXPECT_THAT(err_, HasSubstr("add.json: ConfigurationSpace: is missing\n"));
  ASSERT_TRUE(WriteFile(Path("add.json"), "{").ok());
  EXPECT_EQ(Describe({"--t1", Path("add.json")}), 1);
  EXPECT_THAT(err_, HasSubstr("add.json: this is no JSON"));
  EXPECT_EQ(Describe({"--t1", Path("add.json"), "--block", "1"}), 2);
  EXPECT_EQ(Describe({"--t1", Path("add.json"), "--definition", Path("add.json")}), 2);
}

// Paths of a definition are relative to its file.
TEST_F(DescribeTest, PathsAreSeenFromTheOutput) {
  ASSERT_TRUE(MakeFolder(Path("data")).ok() && MakeFolder(Path("out")).ok());
  ASSERT_TRUE(WriteFile(Path("data/in.raw"), std::string(4096, 'x')).ok());
  Json json = Json::parse(kT1);
  json["KernelSpecification"]["Arguments"][1]["FillType"] = "BinaryRaw";
  json["KernelSpecification"]["Arguments"][1]["DataSource"] = "in.raw";
  ASSERT_TRUE(WriteFile(Path("data/add.json"), json.dump()).ok());
  EXPECT_EQ(Describe({"--t1", Path("data/add.json"), "-o", Path("out/add.tune")}), 0) << err_;
  EXPECT_THAT(ReadFile(Path("out/add.tune")).value(), HasSubstr(":in:file=../data/in.raw\n"));
  EXPECT_EQ(Describe({"--definition", Path("out/add.tune"), "-o", Path("add.tune")}), 0) << err_;
  EXPECT_THAT(ReadFile(Path("add.tune")).value(), HasSubstr(":in:file=data/in.raw\n"));
}

TEST_F(DescribeTest, NeverWritesOverWhatItReads) {
  ASSERT_TRUE(WriteFile(Path("add.json"), kT1).ok());
  EXPECT_EQ(Describe({"-o", Path("add.cu"), "--force"}), 1);
  EXPECT_THAT(err_, HasSubstr("is read by this command; it is never overwritten"));
  EXPECT_EQ(Describe({"--t1", Path("add.json"), "-o", Path("add.json"), "--force"}), 1);
  EXPECT_EQ(ReadFile(Path("add.cu")).value(), kAddSource);
  EXPECT_EQ(ReadFile(Path("add.json")).value(), kT1);
  ASSERT_TRUE(WriteFile(Path("mine.tune"), "kernel mine\n").ok());
  EXPECT_EQ(Describe({"-o", Path("mine.tune")}), 1);
  EXPECT_EQ(ReadFile(Path("mine.tune")).value(), "kernel mine\n");
  EXPECT_EQ(Describe({"-o", Path("mine.tune"), "--force"}), 0) << err_;
  EXPECT_THAT(ReadFile(Path("mine.tune")).value(), HasSubstr("kernel add_twice"));
}

TEST_F(DescribeTest, OfCKernels) {
  ASSERT_TRUE(
      WriteFile(Path("sum.c"), "void sum(int n, const double *a, double *s) { *s = UNROLL; }\n").ok());
  std::ostringstream out, err;
  EXPECT_EQ(
      RunTunectl({"describe", Path("sum.c"), "--kernel", "sum", "--parameter", "UNROLL=1..8", "--argument",
                  "n:int:100", "--argument", "a:double[100]:in:random", "--argument", "s:double[1]:out"},
                 {&out, &err}),
      0)
      << err.str();
  EXPECT_THAT(out.str(), HasSubstr("parameter UNROLL=1..8\n\nkernel sum\n\nargument n:int32:value=100\n"));
}

}  // namespace
}  // namespace tune
