#include "common/program/program_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/program/block_reader.h"
#include "common/program/program_reader.h"
#include "tests/common/testing/random_nodes.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

using E = IndexExpression;

// One node of each kind, no field with its default.
Block EveryNode() {
  Loop loop;
  loop.iterator = "i";
  loop.first = E::Constant(1);
  loop.condition = E::Of(E::Op::kLess, {E::Name("i"), E::Name("n")});
  loop.step = E::Constant(2);
  loop.unroll = Loop::kWhole;
  loop.points = 4;
  loop.parallel = loop.simd = true;
  loop.threads = 8;
  loop.local = {"t", "u"};
  loop.last = {"v"};
  loop.ahead = 8;
  loop.fetched = {{{"A", {E::Name("i"), E::Constant(0)}}, v1::ELEMENT_TYPE_FLOAT}, {{"x", {E::Name("i")}}}};
  loop.collected = {{{"p", {E::Name("i")}}, v1::ELEMENT_TYPE_FLOAT, 4}};
  loop.phase = 3;
  const Instance instance{"S0",
                          {{"C", {E::Name("i"), E::Name("j")}}, {"s", {}}},
                          {E::Name("i") + E::Constant(1)},
                          true,
                          true,
                          {"S0", {E::Name("i"), E::Constant(3)}}};
  loop.body = {{instance}};
  Condition branch{E::Name("x"), {{Scope{{{Barrier{}}}}}}, {{Barrier{Barrier::Of::kGrid}}}};
  const Transfer transfer{{"T", {E::Name("k")}},
                          {"A", {E::Name("i"), E::Name("k")}},
                          v1::ELEMENT_TYPE_UNSIGNED_INT,
                          v1::MIN,
                          /*atomic=*/true,
                          {"Load0", {E::Name("w")}}};
  Fill fill;
  fill.tiles = {{{"T", {E::Name("b")}},
                 {E::Constant(32) * E::Name("i"), E::Constant(0)},
                 {true, false},
                 {false},
                 true,
                 4,
                 true}};
  fill.zero_outside = true;
  fill.threads = 224;
  fill.lane = "tune_lane";
  fill.ahead = true;
  fill.origin = {"Fill", {}};
  const Launch launch{2, {E::Name("h")}, {E::Constant(0), E::Constant(1)}, {E::Name("n"), E::Constant(7)}};
  Product product;
  product.blocks = {6, 2, 96, 128, 256};
  product.parallel = product.triangular = true;
  product.threads = 3;
  product.sum = {"k", E::Constant(0), E::Name("n")};
  product.row = {"i", E::Constant(1), E::Name("n") - E::Constant(1), true};
  product.column = {"j", E::Name("i"), E::Name("n")};
  product.instance = instance;
  product.plain = {{loop}};
  return {{loop},
          {branch},
          {Definition{"unsigned int", "x", E::Name("y"), /*constant=*/false}},
          {transfer},
          {fill},
          {CommitFills{}},
          {AwaitFills{2}},
          {BlockReduction{"T", 1, {"Combine", {E::Name("p")}}}},
          {launch},
          {BlockTurns{launch, 4}},
          {product}};
}

constexpr char kEveryNode[] =
    R"(for i = 1; i < n; i += 2, unroll whole, points 4, parallel, threads 8, simd, local t u, last v, ahead 8, phase 3
  fetch A[i][0], type float
  fetch x[i]
  collect p[i], type float, width 4
  run S0(C[i][j], s), with [i + 1], atomic, guarded, of S0, at [i][3]
if x
  scope
    barrier block
else
  barrier grid
define unsigned int x = y, variable
transfer T[k] min= A[i][k], type unsigned int, atomic, of Load0, at [w]
fill, zero outside, threads 224, lane tune_lane, ahead, of Fill
  tile T[b], from [32 * i][0], before yes no, behind no, unroll, width 4, asynchronous
commit
await 2
reduce T along 1, of Combine, at [p]
launch 2, host [h], first [0][1], count [n][7]
turns 2, host [h], first [0][1], count [n][7], at once 4
product, rows 6, vectors 2, i block 96, j block 128, k block 256, parallel, threads 3, triangular
  sum k = 0; k < n
  row i = 1; i <= n - 1
  column j = i; j < n
  run S0(C[i][j], s), with [i + 1], atomic, guarded, of S0, at [i][3]
  plain
    for i = 1; i < n; i += 2, unroll whole, points 4, parallel, threads 8, simd, local t u, last v, ahead 8, phase 3
      fetch A[i][0], type float
      fetch x[i]
      collect p[i], type float, width 4
      run S0(C[i][j], s), with [i + 1], atomic, guarded, of S0, at [i][3]
)";

constexpr char kDeviceProgram[] = R"(device program, host index long long, graph
array 3 unsigned char int[40], named int_, by value, local, of block 2, of thread 1, written, texture
array 0 A
kernel gemm_kernel0 of k[S0,S1]@2, threads 32 8 1, min blocks 2, carveout 50, host depth 1, linear grid, index long, function, given shared bytes 4352
  array 3, writes, shared, loads texture
  array 0, loads plain
  axis most 17, first -3, constant first
  axis most 1
  tile float A_shared0[32][33], of A, row 34, shared, transposed, copies 2, offset 4096, zeroed, combined by max
  tile s_registers, of s
  coordinates
    define int tune_b0 = blockIdx.x
  body
    barrier block
host
  for tune_c0 = 0; tune_c0 <= 3; tune_c0 += 1
    launch 0, host [tune_c0], first [0], count [17]
    merged gemm_persistent, threads 256, blocks 8, per processor 2, within tune_c0
      turns 0, host [tune_c0], first [0], count [17]
)";

TEST(ProgramText, EveryNodeIsPrintedAndReadBack) {
  EXPECT_EQ(PrintBlockText(EveryNode()), kEveryNode);
  const auto read = ReadBlock(kEveryNode);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, EveryNode());
}

TEST(ProgramText, EveryPartOfDeviceProgramsIsReadAndPrintedBack) {
  const auto read = ReadDeviceProgram(kDeviceProgram);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(PrintProgramText(*read), kDeviceProgram);
  EXPECT_EQ(read->host_index_type, "long long");
  EXPECT_TRUE(read->graph);
  const std::vector<DeviceArray> arrays = {
      {3, "int", "int_", v1::ELEMENT_TYPE_UNSIGNED_CHAR, {40}, true, true, true, 2, 1, false, true},
      {0, "A", "A", v1::ELEMENT_TYPE_UNSPECIFIED, {}}};
  EXPECT_EQ(read->arrays, arrays);
  ASSERT_EQ(read->kernels.size(), 1u);
  DeviceKernel kernel;
  kernel.function = "gemm_kernel0";
  kernel.name = "k[S0,S1]@2";
  kernel.threads = {32, 8, 1};
  kernel.min_blocks = 2;
  kernel.carveout = 50;
  kernel.arrays = {{3, true, true, ArrayLoads::kTexture}, {0, false, false, ArrayLoads::kPlain}};
  kernel.host_depth = 1;
  kernel.axes = {{true, -3, 17}, {}};
  kernel.linear_grid = true;
  kernel.index_type = "long";
  kernel.is_function = true;
  kernel.given_shared_bytes = 4352;
  kernel.tiles = {
      {"A_shared0", "A", v1::ELEMENT_TYPE_FLOAT, {32, 33}, 34, true, true, 2, 4096, true, v1::MAX},
      {"s_registers", "s", v1::ELEMENT_TYPE_UNSPECIFIED, {}}};
  kernel.coordinates = {{Definition{"int", "tune_b0", E::Name("blockIdx.x")}}};
  kernel.body = {{Barrier{}}};
  EXPECT_EQ(read->kernels[0], kernel);
  ASSERT_EQ(read->host.size(), 1u);
  EXPECT_NE(read->host[0].As<Loop>(), nullptr);
}

TEST(ProgramText, EveryPartOfHostProgramsIsReadAndPrintedBack) {
  const std::string text =
      "host program, index long\n"
      "local double t[10][20], not read\n"
      "local int s\n"
      "body\n"
      "  transfer s = t[0][0]\n";
  const auto read = ReadOpenMpProgram(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(PrintProgramText(*read), text);
  OpenMpProgram program;
  program.index_type = "long";
  program.locals = {{"t", v1::ELEMENT_TYPE_DOUBLE, {10, 20}, false}, {"s", v1::ELEMENT_TYPE_INT, {}}};
  program.body = {{Transfer{{"s", {}}, {"t", {E::Constant(0), E::Constant(0)}}}}};
  EXPECT_EQ(*read, program);
}

TEST(ProgramText, DefaultsAreLeftOut) {
  EXPECT_EQ(PrintProgramText(DeviceProgram()), "device program\n");
  EXPECT_EQ(PrintProgramText(OpenMpProgram()), "host program\n");
  EXPECT_EQ(PrintBlockText({{Loop()}, {Definition()}, {Instance()}}),
            "for \"\" = 0; 0; \"\" += 0\n"
            "define \"\" = 0\n"
            "run \"\"()\n");
}

TEST(ProgramText, AttributesHaveAnyOrder) {
  EXPECT_EQ(ReadBlock("\n  \nfill , lane l,threads  4  \n\n").value(),
            ReadBlock("fill, threads 4, lane l").value());
}

TEST(ProgramText, RandomProgramsAreReadBack) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    testing::RandomNodes random(seed);
    const DeviceProgram device = random.Device();
    const std::string device_text = PrintProgramText(device);
    const auto device_read = ReadDeviceProgram(device_text);
    ASSERT_TRUE(device_read.ok()) << device_text << device_read.status();
    ASSERT_EQ(*device_read, device) << device_text;
    const OpenMpProgram host = random.OpenMp();
    const std::string host_text = PrintProgramText(host);
    const auto host_read = ReadOpenMpProgram(host_text);
    ASSERT_TRUE(host_read.ok()) << host_text << host_read.status();
    ASSERT_EQ(*host_read, host) << host_text;
  }
}

// A few of its bytes go, are doubled, or become something else.
void Change(Random& random, std::string* text) {
  const char* const pieces[] = {"  ", "\n", ",",   "(",           "\"",   "-", "[",
                                "x",  "9",  " = ", "99999999999", "else", "\\"};
  const size_t begin = random.Below(text->size() + 1);
  const size_t length = std::min<size_t>(random.Below(6), text->size() - begin);
  switch (random.Below(3)) {
    case 0:
      text->erase(begin, length);
      break;
    case 1:
      text->insert(begin, text->substr(begin, 3 * length));
      break;
    default:
      text->replace(begin, length, pieces[random.Below(std::size(pieces))]);
  }
}

TEST(ProgramText, ChangedTextsAreRefusedOrReadBack) {
  int refused = 0, read_back = 0;
  for (uint64_t seed = 0; seed < 6000; ++seed) {
    Random random(seed);
    std::string text = seed % 4 == 0 ? kDeviceProgram : PrintProgramText(testing::RandomNodes(seed).Device());
    for (uint64_t changes = 1 + random.Below(3); changes > 0; --changes) Change(random, &text);
    const auto read = ReadDeviceProgram(text);
    if (!read.ok()) {
      ++refused;
      ASSERT_TRUE(absl::IsInvalidArgument(read.status())) << text << read.status();
      ASSERT_EQ(read.status().message().find("line "), 0u) << read.status();
      continue;
    }
    ++read_back;
    ASSERT_EQ(ReadDeviceProgram(PrintProgramText(*read)).value(), *read) << text;
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(read_back, 400);
}

std::string BlockError(absl::string_view text) {
  const auto read = ReadBlock(text);
  EXPECT_TRUE(absl::IsInvalidArgument(read.status())) << text;
  return std::string(read.status().message());
}

std::string DeviceError(absl::string_view text) {
  const auto read = ReadDeviceProgram(text);
  EXPECT_TRUE(absl::IsInvalidArgument(read.status())) << text;
  return std::string(read.status().message());
}

TEST(ProgramText, ErrorsOfNodesSayWhatWasExpectedAndWhere) {
  EXPECT_THAT(BlockError("barrier block\nwhile x\n"),
              HasSubstr("line 2, column 1: expected a node: for, if, scope, define, run, transfer,"));
  EXPECT_EQ(BlockError("for i = 0; i < 4; j += 1"),
            "line 1, column 19: expected the loop's iterator i, not \"j += 1\"");
  EXPECT_EQ(BlockError("for i = 0; i < 4; i += 1, unroll often"),
            "line 1, column 34: expected whole, never or a number, not \"often\"");
  EXPECT_EQ(BlockError("run S0(A[i)"), "line 1, column 11: expected \"]\", not \")\"");
  EXPECT_EQ(BlockError("run S0(), atomic, atomic"),
            "line 1, column 19: expected one of with, guarded, of, at, not \"atomic\"");
  EXPECT_EQ(BlockError("barrier"), "line 1, column 8: expected block or grid, not the end of the line");
  EXPECT_EQ(BlockError("reduce T along 4294967296"),
            "line 1, column 16: expected a number that fits 32 bits, not \"4294967296\"");
  EXPECT_EQ(BlockError("transfer a - b"),
            "line 1, column 12: expected one of =, +=, *=, min=, max=, not \"- b\"");
  EXPECT_EQ(BlockError("transfer a = b, type size_t"),
            "line 1, column 22: expected a type of elements, not \"size_t\"");
  EXPECT_EQ(BlockError("fill\n  barrier block"),
            "line 2, column 3: expected \"tile\" behind 2 spaces, not \"barrier block\"");
  EXPECT_EQ(BlockError("product\n  sum k = 0; i < n"),
            "line 2, column 14: expected k < its bound, or <=, not \"i < n\"");
  EXPECT_EQ(BlockError("product\n  sum k = 0; k < n\n"),
            "line 3, column 1: expected \"row\" behind 2 spaces, not the end of the line");
}

TEST(ProgramText, ErrorsOfIndentationSayWhere) {
  EXPECT_EQ(BlockError("scope\n   barrier block"),
            "line 2, column 4: a line is indented by two spaces for each level, and by nothing else");
  EXPECT_EQ(BlockError("scope\n\tbarrier block"),
            "line 2, column 2: a line is indented by two spaces for each level, and by nothing else");
  EXPECT_EQ(BlockError("barrier block\n\n  barrier block"),
            "line 3, column 3: expected a line indented by 0 spaces at most");
  EXPECT_EQ(BlockError("if x\nscope\nelse"), "line 3, column 1: " + BlockError("else").substr(18));
}

TEST(ProgramText, ErrorsOfProgramsSayWhatWasExpectedAndWhere) {
  EXPECT_EQ(DeviceError(""),
            "line 1, column 1: expected \"device program\" behind 0 spaces, not the end of the line");
  EXPECT_EQ(DeviceError("host program"),
            "line 1, column 1: expected \"device program\" behind 0 spaces, not \"host program\"");
  EXPECT_EQ(DeviceError("device program\ngrid"),
            "line 2, column 1: expected array, kernel or host, not \"grid\"");
  EXPECT_EQ(DeviceError("device program\narray 0 real A[4]"),
            "line 2, column 9: expected a type of elements, not \"real A[4]\"");
  EXPECT_EQ(DeviceError("device program\nhost\nhost"), "line 3, column 1: there are two sections \"host\"");
  EXPECT_EQ(DeviceError("device program\nkernel f of k[S0], threads 1 1"),
            "line 2, column 31: expected a number, not the end of the line");
  EXPECT_EQ(DeviceError("device program\nkernel f of k[S0]\n  array 0, loads once"),
            "line 3, column 18: expected one of read only, plain, texture, streaming, not \"once\"");
  EXPECT_EQ(DeviceError("device program\nkernel f of k[S0]\n  grid"),
            "line 3, column 3: expected array, axis most, tile, coordinates or body, not \"grid\"");
  EXPECT_EQ(std::string(ReadOpenMpProgram("host program\narray 0 A").status().message()),
            "line 2, column 1: expected local or body, not \"array 0 A\"");
}

TEST(ProgramText, LevelsAreLimited) {
  const auto nested = [](int levels) {
    std::string text;
    for (int level = 0; level < levels; ++level) text += std::string(2 * level, ' ') + "scope\n";
    return text;
  };
  const auto allowed = ReadBlock(nested(kMostNodeLevels + 1));
  ASSERT_TRUE(allowed.ok()) << allowed.status();
  EXPECT_EQ(PrintBlockText(*allowed), nested(kMostNodeLevels + 1));
  EXPECT_EQ(BlockError(nested(3000)), "line 202, column 403: a program has no more than 200 levels");
}

}  // namespace
}  // namespace tune
