// Kernels at several sizes: what tells the sizes apart, the macros of each, and what launches the right one.
#include "common/tuned/kernel_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/file.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

v1::KernelArgument& AddArgument(const std::string& name, v1::NumberType type, const std::string& count,
                                const std::string& constant, v1::KernelDefinition* definition) {
  v1::KernelArgument& argument = *definition->add_arguments();
  argument.set_name(name);
  argument.set_type(type);
  argument.set_count(count);
  argument.set_access(v1::ARGUMENT_READ_WRITE);
  if (count.empty()) argument.mutable_fill()->set_constant(constant);
  return argument;
}

// Rows are told by an argument, columns are not; depth is equal in all.
v1::KernelDefinition SizedDefinition(int rows, int columns) {
  v1::KernelDefinition definition;
  definition.set_language(v1::KERNEL_LANGUAGE_CUDA);
  definition.add_parameters()->set_name("STEP");
  for (const auto& [name, size] :
       std::vector<std::pair<std::string, int>>{{"rows", rows}, {"", 3}, {"columns", columns}}) {
    v1::ProblemSize& added = *definition.add_problem();
    added.set_name(name);
    added.set_size(absl::StrCat(size));
  }
  definition.add_kernels()->set_name("filter::smooth");
  AddArgument("count", v1::NUMBER_INT32, "", "rows", &definition);
  AddArgument("last", v1::NUMBER_INT32, "", "columns - 1", &definition);
  AddArgument("step", v1::NUMBER_INT32, "", "STEP", &definition);
  AddArgument("x", v1::NUMBER_FLOAT, "rows", "", &definition);
  return definition;
}

TEST(KernelSizesTest, AreWhatDiffers) {
  const v1::KernelDefinition a = SizedDefinition(500, 7), b = SizedDefinition(500, 8),
                             c = SizedDefinition(20, 7);
  const auto sizes = FindKernelSizes({&a, &b, &c});
  ASSERT_TRUE(sizes.ok()) << sizes.status();
  EXPECT_EQ((*sizes)[0].tag, "rows500_columns7");
  EXPECT_EQ((*sizes)[2].tag, "rows20_columns7");
  EXPECT_EQ((*sizes)[1].text, "rows = 500, columns = 8");
  EXPECT_THAT(SizeMacrosOf(a, (*sizes)[0]), ElementsAre("-DTUNED_rows=500", "-DTUNED_columns=7"));
  EXPECT_EQ((*FindKernelSizes({&a, &c}))[1].tag, "rows20");
  EXPECT_FALSE(FindKernelSizes({&a, &b, &a}).ok());
  v1::KernelDefinition unnamed = a;
  unnamed.mutable_problem(1)->set_size("4");
  EXPECT_EQ((*FindKernelSizes({&a, &unnamed}))[1].tag, "size1_4");
}

TEST(KernelSizesTest, TheLaunchFunctionTakesTheRightOne) {
  const v1::KernelDefinition a = SizedDefinition(500, 7), b = SizedDefinition(20, 9);
  const std::vector<KernelSize> sizes = *FindKernelSizes({&a, &b});
  EXPECT_EQ(KernelDispatchDeclaration(a, sizes),
            "cudaError_t tuned_smooth(cudaStream_t stream, long long columns_size, int count, int last, "
            "float *x)");
  const std::string text = PrintKernelDispatch(a, sizes, "// of two\n");
  EXPECT_THAT(text, ::testing::StartsWith("// of two\n#include <cuda_runtime.h>\n"));
  EXPECT_THAT(text, HasSubstr("cudaError_t tuned_smooth_rows20_columns9(cudaStream_t stream, int count, int "
                              "last, float *x);\n"));
  EXPECT_THAT(text, HasSubstr("  if (count == 500 && columns_size == 7)\n"
                              "    return tuned_smooth_rows500_columns7(stream, count, last, x);\n"));
  EXPECT_THAT(text, HasSubstr("For rows = 500, columns = 7; or rows = 20, columns = 9."));
  EXPECT_THAT(text, HasSubstr("  return cudaErrorInvalidValue;\n}\n"));
}

// What the compiler makes of the header at a size; empty: it refuses.
std::string Preprocessed(const std::string& header, const std::string& macro) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string path = folder.path() + "/sized.h";
  EXPECT_TRUE(WriteFile(path, header + "value TILE\n").ok());
  const auto run = RunSubprocess({"cc", "-E", "-P", macro, path}, {});
  EXPECT_TRUE(run.ok());
  return run.ok() && run->ok() ? run->standard_output : "";
}

TEST(KernelSizesTest, TheHeaderHasTheMacrosOfTheSizeThatIsTold) {
  const v1::KernelDefinition a = SizedDefinition(500, 7), b = SizedDefinition(20, 7);
  const std::string header =
      PrintSizedHeaders(a, *FindKernelSizes({&a, &b}),
                        {"/* of 500 */\n#define TILE 32\n", "/* of 20 */\n#define TILE 4\n"}, "smooth.h");
  EXPECT_THAT(Preprocessed(header, "-DTUNED_rows=500"), HasSubstr("value 32"));
  EXPECT_THAT(Preprocessed(header, "-DTUNED_rows=20"), HasSubstr("value 4"));
  EXPECT_EQ(Preprocessed(header, "-DTUNED_rows=21"), "");
  EXPECT_EQ(Preprocessed(header, "-DNOTHING"), "");
  EXPECT_THAT(header, HasSubstr("#error smooth.h has macros of some sizes alone: say one with "
                                "-DTUNED_rows=500 or -DTUNED_rows=20\n"));
}

}  // namespace
}  // namespace tune
