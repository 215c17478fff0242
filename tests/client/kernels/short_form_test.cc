#include "client/kernels/short_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/kernels/value_list.h"
#include "common/kernel_definition/definition_check.h"
#include "common/kernel_definition/tuning_value.h"
#include "tests/common/kernel_definition/sample_definitions.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string ErrorOf(const std::string& content) {
  const auto read = ReadShortForm(content, "k.tune");
  return read.ok() ? "it can be read" : std::string(read.status().message());
}

std::string Values(const std::string& text) {
  const auto values = ReadValueList(text);
  if (!values.ok()) return std::string(values.status().message());
  std::string printed;
  for (const v1::TuningValue& value : *values) absl::StrAppend(&printed, PrintTuningValue(value), " ");
  return printed;
}

// Every word, and every part of arguments.
constexpr char kAll[] = R"(file stencil.cu
flags -use_fast_math '-DNAME=a b'

problem n=4096, m=n // 2
parameter block_x=16,32,64
parameter tile=1..8
parameter scale=0.5,1.0
parameter fast=True,False
parameter type=float,double,unsigned int,'a # b'
default block_x=32, type=double
constraint block_x * tile <= 1024
constraint (fast or tile > 1) and type != 'a # b'
define WIDTH=n
define HALF=block_x // 2

kernel grid::smooth
template block_x, 'float', tile == 1
block block_x, 4
grid ceil(n / block_x), m // 4
shared 4 * block_x
takes in, out, width

kernel sum
block 256
threads n * m
launch grid::smooth
launch sum times tile + 1

argument in:float4[n * m]:in:copy-to=d_in:random=-1..1:seed=7
argument out:float[n * m]:out
argument width:int32:value=n
argument weights:float[25]:symbol:file=w.raw
argument table:double[4]:in:hdf5='my data.h5':dataset=/a/b
argument line:half[n]:inout:generator=(i % 7) / 7
argument picture:uint8[n * m]:texture:extents=n,m:linear:normalized:address=mirror:random=255
argument scratch:float[block_x]:local
argument pair:custom[8]:bytes=12:value=0

reference kernel grid::plain:file=plain.cu:block=16, 16:grid=n // 16, m // 16:takes=in, out, width
check out:each=0.1:generator=2 * i + 3
check line:none

strategy random
evaluations 100
fraction 0.25
seconds 60.0
count-all
)";

TEST(ShortFormTest, EveryWordIsReadAndWritten) {
  const auto definition = ReadShortForm(kAll, "stencil.tune");
  ASSERT_TRUE(definition.ok()) << definition.status();
  EXPECT_EQ(WriteShortForm(*definition), kAll);
  EXPECT_EQ(definition->language(), v1::KERNEL_LANGUAGE_CUDA);
  EXPECT_EQ(definition->arguments(0).lanes(), 4);
  EXPECT_EQ(definition->arguments(0).fill().random().low(), "-1");
  EXPECT_EQ(definition->parameters(4).values(3).text(), "a # b");
  EXPECT_EQ(definition->compiler_options(1), "-DNAME=a b");
  EXPECT_EQ(definition->reference().plain_kernel().kernel().name(), "grid::plain");
  EXPECT_THAT(FaultsOf(*definition), IsEmpty());
}

TEST(ShortFormTest, WhatIsWrittenIsReadAgain) {
  for (const std::string& more :
       {std::string(), std::string("reference { default_configuration: true }"),
        std::string("reference { host_function { file: 'a.c' name: 'f' arguments { names: 'in' } } "
                    "checks { argument: 'out' threshold: 0.5 } }"),
        std::string("kernels { name: 'b' block: '1' arguments { names: 'in' } } launches { kernel: 'b' "
                    "times: '2' }")}) {
    v1::KernelDefinition definition = testing::ConvolutionWith(more);
    const auto read = ReadShortForm(WriteShortForm(definition), "k.tune");
    ASSERT_TRUE(read.ok()) << read.status();
    // A threshold without a method is written with the default one.
    if (definition.reference().checks_size() > 0)
      definition.mutable_reference()->mutable_checks(0)->set_method(v1::CHECK_RELATIVE_NORM);
    EXPECT_EQ(read->DebugString(), definition.DebugString());
  }
}

TEST(ShortFormTest, ValuesAreRangesExpressionsAndTexts) {
  EXPECT_EQ(Values("16,32, 64"), "16 32 64 ");
  EXPECT_EQ(Values("1..4"), "1 2 3 4 ");
  EXPECT_EQ(Values("8..64..16, 100"), "8 24 40 56 100 ");
  EXPECT_EQ(Values("4..1..-2"), "4 2 ");
  EXPECT_EQ(Values("[2**i for i in range(3)], 9"), "1 2 4 9 ");
  EXPECT_EQ(Values("0.5, -1, True"), "0.5 -1 True ");
  EXPECT_EQ(Values("float, unsigned int, '1..2'"), "'float' 'unsigned int' '1..2' ");
}

TEST(ShortFormTest, ValuesThatCannotBe) {
  EXPECT_EQ(Values("1..1000000000"), "the range \"1..1000000000\" has 1000000000 values, more than 100000");
  EXPECT_EQ(Values("range(10**9)"), "\"range(10**9)\": column 1: a range of more than 100000 values");
  EXPECT_EQ(Values("4..1"), "the range \"4..1\" is empty");
  EXPECT_EQ(Values("1..4..0"),
            "\"1..4..0\": write FIRST..LAST or FIRST..LAST..STEP, with a step that is not 0");
  EXPECT_EQ(Values("1,,2"), "a value is missing between commas");
  EXPECT_EQ(Values(""), "there are no values");
  EXPECT_EQ(Values("[]"), "there are no values");
  EXPECT_EQ(Values("8 // 0"), "\"8 // 0\": column 3: division by zero");
  EXPECT_EQ(Values("block_x * 2"),
            "\"block_x * 2\": column 1: \"block_x\" is no parameter here; there are none");
  EXPECT_EQ(Values("[[1, 2]]"), "a list stands where one value is expected");
}

TEST(ShortFormTest, EveryLineThatCannotBeReadIsNamed) {
  EXPECT_EQ(
      ErrorOf("kernel a\nblok 3\nargument in\nparameter tile\n"),
      "k.tune:2: blok: there is no such word; there are: file, language, flags, problem, parameter, clocks, "
      "default, "
      "constraint, define, argument, kernel, template, block, grid, threads, shared, takes, launch, "
      "reference, "
      "check, strategy, evaluations, fraction, seconds, count-all\n"
      "k.tune:3: argument: write NAME:TYPE[COUNT]:..., such as in:float[n * n]:random\n"
      "k.tune:4: parameter: \"tile\": write NAME=...");
  EXPECT_EQ(ErrorOf("block 32"), "k.tune:1: block: name the kernel that this is of before it: kernel NAME");
  EXPECT_EQ(ErrorOf("argument in:float[?]:in"),
            "k.tune:1: argument: \"in:float[?]:in\": the ? is still to be replaced by what is meant");
  EXPECT_EQ(ErrorOf("kernel\n"), "k.tune:1: kernel: nothing stands behind it");
  EXPECT_EQ(ErrorOf("default tile=1"), "k.tune: default tile: there is no such parameter");
  EXPECT_EQ(ErrorOf("parameter tile=1,2\ndefault tile=1,2"), "k.tune: \"2\": write NAME=...");
  EXPECT_EQ(
      ErrorOf("argument in:floot[4]"),
      "k.tune:1: argument: in: \"floot\" is no type of elements here; there are: bool, int8, uint8, int16, "
      "uint16, int32, uint32, int64, uint64, half, float, double, custom, with 2, 3, 4, 8 or 16 behind them "
      "vectors of these, and C's names");
  EXPECT_THAT(ErrorOf("argument in:float[4]:fil=a.raw"),
              HasSubstr("in: \"fil=a.raw\": there is no such part; there"));
  EXPECT_EQ(ErrorOf("argument in:float[]"),
            "k.tune:1: argument: in: \"float[]\": write TYPE[COUNT], such as float[n * n]");
  EXPECT_THAT(ErrorOf("check out:exact"),
              HasSubstr("out: \"exact\": there is no such method; there are: norm, sum"));
  EXPECT_THAT(ErrorOf("reference plain"),
              HasSubstr("write default, kernel NAME:block=... or function NAME:file=..."));
  EXPECT_THAT(ErrorOf("reference kernel plain:blok=1"),
              HasSubstr("there is no such part; there are: file=, block="));
  EXPECT_THAT(ErrorOf("launch a 4"), HasSubstr("write NAME or NAME times EXPRESSION"));
  EXPECT_THAT(ErrorOf("evaluations many"), HasSubstr("\"many\" is no number"));
}

TEST(ShortFormTest, CommentsAndLongLines) {
  const auto definition = ReadShortForm(
      "# a kernel\nfile k.cu  # its file\nparameter mode='a#b',\\\n  'c' # two\n\nproblem 4, 4*2\n",
      "k.tune");
  ASSERT_TRUE(definition.ok()) << definition.status();
  EXPECT_EQ(definition->file(), "k.cu");
  EXPECT_EQ(definition->parameters(0).values_size(), 2);
  EXPECT_EQ(definition->problem(1).size(), "4*2");
  EXPECT_EQ(definition->problem(1).name(), "");
}

TEST(ShortFormTest, TypesAmongTemplateArgumentsNeedNoQuotes) {
  const auto definition = ReadShortForm(
      "file k.cu\nparameter T=1,2\nkernel f\ntemplate float, T, unsigned int\nblock 32", "k.tune");
  ASSERT_TRUE(definition.ok()) << definition.status();
  EXPECT_EQ(definition->kernels(0).template_arguments(0), "'float'");
  EXPECT_EQ(definition->kernels(0).template_arguments(1), "T");
  EXPECT_EQ(definition->kernels(0).template_arguments(2), "'unsigned int'");
}

TEST(ShortFormTest, ClocksAreAParameter) {
  const auto definition = ReadShortForm("file k.cu\nclocks 1980, 1200\n", "k.tune");
  ASSERT_TRUE(definition.ok()) << definition.status();
  ASSERT_EQ(definition->parameters_size(), 1);
  EXPECT_EQ(definition->parameters(0).name(), "nvml_gr_clock");
  EXPECT_EQ(definition->parameters(0).values(1).integer(), 1200);
}

}  // namespace
}  // namespace tune
