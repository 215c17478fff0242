// Products in register tiles against the same products as plain loops.
#include "worker/print/product_printer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "common/decision/configuration.h"
#include "common/space/cpu_space.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/codegen/region_library.h"
#include "worker/codegen/code_generator.h"
#include "worker/codegen/openmp_generator.h"
#include "worker/mapping/cpu_mapper.h"
#include "worker/print/region_function.h"

namespace tune {
namespace {

using testing::Add;
using testing::Element;
using ::testing::HasSubstr;
using testing::Multiply;
using testing::Negate;
using ::testing::Not;
using testing::Read;
using testing::Subtract;

// With distributed loops, register tiles of that form and small blocks.
class TileChooser : public DefaultChooser {
 public:
  explicit TileChooser(const std::string& tile) : tile_(tile) {}
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    std::string wanted;
    if (point.key == "loops") wanted = "distributed";
    if (point.key.ends_with(".register_tile")) wanted = tile_;
    if (point.key.ends_with(".k_block") || point.key.ends_with(".j_block")) wanted = "64";
    if (point.key.ends_with(".i_block")) wanted = "24";
    if (point.key.ends_with(".parallel")) return point.allowed[1] ? 1 : 0;
    for (size_t i = 0; i < point.options.size(); ++i) {
      if (point.options[i] == wanted && point.allowed[i]) return static_cast<int>(i);
    }
    return DefaultChooser::Choose(point);
  }

 private:
  const std::string tile_;
};

struct ProductProgram {
  std::string name;
  v1::Scop scop;
};

testing::ScopBuilder Builder() {
  testing::ScopBuilder builder("f", {"n", "m", "l"}, "n >= 0 and m >= 0 and l >= 0");
  builder.Array("x", {}).Array("C", {"n", "n + m"}).Array("A", {"n + m + l", "n + m + l"});
  builder.Array("B", {"n + m + l", "n + m + l"}).Array("T", {"3", "n", "m"}).Array("U", {"3", "n", "l"});
  return builder;
}

v1::Scop Nest(const std::string& columns, const std::vector<Element>& reads, const v1::Expression& value) {
  return Builder()
      .Begin("i", "0 <= i < n")
      .Begin("j", columns)
      .Begin("k", "0 <= k < l")
      .Update(v1::ADD, {"C", "i, j"}, reads, value)
      .End()
      .End()
      .End()
      .Build();
}

v1::Scop WithFloats(v1::Scop scop) {
  const std::function<void(v1::Expression&)> change = [&](v1::Expression& expression) {
    expression.set_c_type("float");
    if (expression.kind_case() != v1::Expression::kOperation) return;
    for (v1::Expression& operand : *expression.mutable_operation()->mutable_operands()) change(operand);
  };
  for (v1::Array& array : *scop.mutable_arrays()) array.set_element_type(v1::ELEMENT_TYPE_FLOAT);
  for (v1::Statement& statement : *scop.mutable_statements()) change(*statement.mutable_value());
  return scop;
}

std::vector<ProductProgram> Programs() {
  const std::vector<Element> scaled = {{"x", ""}, {"A", "i, k"}, {"B", "k, j"}};
  const v1::Expression product = Multiply(Multiply(Read(0), Read(1)), Read(2));
  const std::vector<Element> twice = {{"A", "j, k"}, {"B", "i, k"}, {"B", "j, k"}, {"A", "i, k"}};
  const v1::Expression square = Multiply(Subtract(Read(0), Read(1)), Subtract(Read(2), Read(3)));
  const v1::Scop batched =
      Builder()
          .Begin("b", "0 <= b < 3")
          .Begin("i", "0 <= i < n")
          .Begin("j", "0 <= j < m")
          .Begin("k", "0 <= k < l")
          .Update(v1::ADD, {"T", "b, i, j"}, {{"U", "b, i, k"}, {"B", "k, j"}}, Multiply(Read(0), Read(1)))
          .End()
          .End()
          .End()
          .End()
          .Build();
  return {
      {"subtracted", Nest("0 <= j < m", scaled, Negate(product))},
      {"floats", WithFloats(Nest("1 <= j < m", scaled, product))},
      {"transposed", Nest("0 <= j < m", {{"A", "k, i"}, {"B", "j, k"}}, Multiply(Read(0), Read(1)))},
      {"lower", Nest("0 <= j <= i", twice, Add(Multiply(Read(0), Read(1)), Multiply(Read(2), Read(3))))},
      {"upper", Nest("i + 3 <= j < n", {{"A", "k, i"}, {"A", "k, j"}}, Multiply(Read(0), Read(1)))},
      {"distances", Nest("0 <= j < m", {{"A", "i, k"}, {"B", "j, k"}, {"A", "i, k"}, {"B", "j, k"}}, square)},
      {"batched", batched}};
}

const std::map<std::string, int64_t> kSizes = {{"n", 43}, {"m", 37}, {"l", 71}};

absl::StatusOr<std::string> PrintTiled(const v1::Scop& scop, const v1::Reference& reference,
                                       const std::string& tile, int threads) {
  TUNE_ASSIGN_OR_RETURN(const auto space,
                        CpuSpace::Make(WithParameterFacts(scop, kSizes), kSizes, {threads}));
  TileChooser chooser(tile);
  TUNE_ASSIGN_OR_RETURN(const CpuPlan plan, space->Walk(chooser));
  TUNE_ASSIGN_OR_RETURN(const isl::schedule mapped, MapCpuPlan(space->context(), plan, kSizes));
  TUNE_ASSIGN_OR_RETURN(const std::string code,
                        PrintOpenMpBlock(space->context(), mapped, space->scop(), kSizes));
  return PrintRegionFunction(space->scop().proto, reference, code);
}

// Bit for bit: in each element the sum keeps its order.
TEST(ProductPrinter, AllTilesComputeWhatTheLoopsDo) {
  for (const ProductProgram& program : Programs()) {
    SCOPED_TRACE(program.name);
    const v1::Reference reference = testing::MakeReference(program.scop, kSizes);
    const auto sequential = GenerateSequential(program.scop, reference);
    ASSERT_TRUE(sequential.ok()) << sequential.status();
    std::vector<std::string> functions = {
        PrintRegionFunction(program.scop, reference, sequential->code).value()};
    for (const char* tile : {"4x2", "6x2", "8x2", "4x3", "8x3", "12x2", "14x2", "fitted"}) {
      for (const int threads : {1, 3}) {
        const auto function = PrintTiled(program.scop, reference, tile, threads);
        ASSERT_TRUE(function.ok()) << function.status();
        ASSERT_THAT(*function, HasSubstr("tune_p_vector"));
        functions.push_back(*function);
      }
    }
    const testing::Memory inputs = testing::MakeInputs(program.scop, reference, 7);
    for (const char* flags : {"-fopenmp -ffp-contract=off", "-O2 -march=native -ffp-contract=off -Wextra",
                              "-fopenmp -ffp-contract=off '-D__builtin_malloc(x)=0'"}) {
      SCOPED_TRACE(flags);
      const auto library = testing::RegionLibrary::Compile(functions, flags);
      ASSERT_TRUE(library.ok()) << library.status();
      testing::Memory expected = inputs;
      library->Run(0, program.scop, expected);
      EXPECT_NE(expected, inputs);
      for (size_t i = 1; i < functions.size(); ++i) {
        testing::Memory found = inputs;
        library->Run(static_cast<int>(i), program.scop, found);
        EXPECT_EQ(found, expected) << functions[i];
      }
    }
    EXPECT_EQ(testing::CheckWithClang({functions[0], functions[1], functions[4]}), absl::OkStatus());
  }
}

// Rows of a tile by what its machine has: two registers a row, two a term of columns and two for other terms.
TEST(ProductPrinter, FittedTilesFollowTheRegisters) {
  const auto rows_of = [](const ProductProgram& program) {
    const auto function =
        PrintTiled(program.scop, testing::MakeReference(program.scop, kSizes), "fitted", 2).value();
    return std::vector<bool>{
        function.find("#define tune_p_tile 14\n#else\n#define tune_p_tile 6\n") != std::string::npos,
        function.find("#define tune_p_tile 13\n#else\n#define tune_p_tile 5\n") != std::string::npos};
  };
  EXPECT_EQ(rows_of(Programs()[0]), (std::vector<bool>{true, false}));
  EXPECT_EQ(rows_of(Programs()[3]), (std::vector<bool>{false, true}));
}

// Rows of the larger tile on a machine with fewer registers: they are slower, and right.
TEST(ProductPrinter, TheLargerFittedTileIsRight) {
  for (const ProductProgram& program : Programs()) {
    SCOPED_TRACE(program.name);
    const v1::Reference reference = testing::MakeReference(program.scop, kSizes);
    const auto sequential = GenerateSequential(program.scop, reference);
    ASSERT_TRUE(sequential.ok()) << sequential.status();
    const auto tiled = PrintTiled(program.scop, reference, "fitted", 3);
    ASSERT_TRUE(tiled.ok()) << tiled.status();
    const auto library = testing::RegionLibrary::Compile(
        {PrintRegionFunction(program.scop, reference, sequential->code).value(), *tiled},
        "-fopenmp -ffp-contract=off -D__VSX__");
    ASSERT_TRUE(library.ok()) << library.status();
    const testing::Memory inputs = testing::MakeInputs(program.scop, reference, 7);
    testing::Memory expected = inputs, found = inputs;
    library->Run(0, program.scop, expected);
    library->Run(1, program.scop, found);
    EXPECT_EQ(found, expected);
  }
}

TEST(ProductPrinter, WithoutATileThereAreThePlainLoops) {
  const v1::Scop scop = Programs()[0].scop;
  const auto function = PrintTiled(scop, testing::MakeReference(scop, kSizes), "none", 4);
  ASSERT_TRUE(function.ok()) << function.status();
  EXPECT_THAT(*function, Not(HasSubstr("tune_p_")));
}

}  // namespace
}  // namespace tune
