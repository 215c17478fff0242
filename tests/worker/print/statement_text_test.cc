// Statements of which data decide whether they change their targets.
#include "worker/print/statement_text.h"

#include <gtest/gtest.h>

#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using testing::Literal;
using testing::Operation;
using testing::Read;
using testing::ScopBuilder;

v1::Expression Choice(v1::Expression then, v1::Expression otherwise) {
  return Operation("?:", {Read(0, "int"), std::move(then), std::move(otherwise)});
}

// S0: if (c[i]) x[i] = 2; S1: if (c[i]) h[c[i]] += 3, of integers.
v1::Scop Guarded() {
  const v1::Expression zero = Literal("0", "int");
  v1::Scop scop =
      ScopBuilder("guarded", {}, "")
          .Array("x", {"9"})
          .Array("h", {"9"})
          .Array("c", {"9"})
          .Begin("i", "0 <= i < 9")
          .Assign({"x", "i"}, {{"c", "i"}, {"x", "i"}}, Choice(Literal("2", "int"), Read(1, "int")))
          .Update(v1::ADD, {"h", "o", "0 <= o < 9"}, {{"c", "i"}},
                  testing::UpdateOf(Choice(Literal("3", "int"), zero), {Choice(Read(0, "int"), zero)}))
          .End()
          .Build();
  for (v1::Array& array : *scop.mutable_arrays()) array.set_element_type(v1::ELEMENT_TYPE_INT);
  return scop;
}

Instance Store(const std::string& target = "x") {
  const IndexExpression i = IndexExpression::Name("i");
  return {"S0", {{"c", {i}}, {target, {i}}, {target, {i}}}, {}};
}
Instance Update() { return {"S1", {{"c", {IndexExpression::Name("i")}}, {"h", {}}}, {}}; }

std::string Text(Instance instance, bool for_device, bool guarded = false, bool atomic = false) {
  const v1::Scop scop = Guarded();
  IndexPrinter indices(ChooseHelperNames(scop), "int");
  StatementPrinter printer(scop, &indices);
  if (for_device) printer.PrintForDevice();
  instance.guarded = guarded;
  instance.atomic = atomic;
  return printer.Print(instance);
}

TEST(StatementText, HostChoosesWhereElementsAreThere) {
  EXPECT_EQ(Text(Store(), /*for_device=*/false), "x[i] = c[i] ? 2 : x[i];");
  EXPECT_EQ(Text(Store(), /*for_device=*/false, /*guarded=*/true), "if (c[i]) x[i] = 2;");
  EXPECT_EQ(Text(Update(), /*for_device=*/false), "h[c[i] ? c[i] : 0] += c[i] ? 3 : 0;");
  EXPECT_EQ(Text(Update(), /*for_device=*/false, /*guarded=*/true), "if (c[i]) h[c[i]] += 3;");
}

// `omp atomic` stands between the two.
TEST(StatementText, GuardsAndWhatTheyGuardApart) {
  const v1::Scop scop = Guarded();
  IndexPrinter indices(ChooseHelperNames(scop), "int");
  StatementPrinter printer(scop, &indices);
  Instance update = Update();
  EXPECT_EQ(printer.Guard(update), "");
  EXPECT_EQ(printer.Change(update), "h[c[i] ? c[i] : 0] += c[i] ? 3 : 0;");
  update.guarded = true;
  EXPECT_EQ(printer.Guard(update), "if (c[i])");
  EXPECT_EQ(printer.Change(update), "h[c[i]] += 3;");
}

TEST(StatementText, DevicesLeaveMemoryAlone) {
  EXPECT_EQ(Text(Store(), /*for_device=*/true), "if (c[i]) x[i] = 2;");
  EXPECT_EQ(Text(Store(), /*for_device=*/true, /*guarded=*/false, /*atomic=*/true),
            "if (c[i]) atomicExch(&x[i], 2);");
  EXPECT_EQ(Text(Store("x_registers"), /*for_device=*/true), "x_registers[i] = c[i] ? 2 : x_registers[i];");
  EXPECT_EQ(Text(Update(), /*for_device=*/true), "if (c[i]) atomicAdd(&h[c[i]], 3);");
}

// The device's _Float16 is a class that becomes a float, and of an integer and such a class C++ makes an
// integer.
TEST(StatementText, DevicesHaveNoIntegersOfHalves) {
  const v1::Expression half = Read(1, "_Float16");
  const auto text = [&](v1::Expression then, v1::Expression otherwise) {
    v1::Scop scop =
        ScopBuilder("halves", {}, "")
            .Array("x", {"9"})
            .Array("c", {"9"})
            .Begin("i", "0 <= i < 9")
            .Assign({"x", "i"}, {{"c", "i"}, {"x", "i + 1"}}, Choice(std::move(then), std::move(otherwise)))
            .End()
            .Build();
    scop.mutable_arrays(0)->set_element_type(v1::ELEMENT_TYPE_FLOAT16);
    IndexPrinter indices(ChooseHelperNames(scop), "int");
    StatementPrinter printer(scop, &indices);
    printer.PrintForDevice();
    const IndexExpression i = IndexExpression::Name("i");
    return printer.Print({"S0", {{"c", {i}}, {"x", {i + IndexExpression::Constant(1)}}, {"x", {i}}}, {}});
  };
  EXPECT_EQ(text(half, Literal("0", "int")), "x[i] = c[i] ? (float)x[i + 1] : 0;");
  EXPECT_EQ(text(Literal("0", "int"), half), "x[i] = c[i] ? 0 : (float)x[i + 1];");
  EXPECT_EQ(text(half, half), "x[i] = c[i] ? x[i + 1] : x[i + 1];");
}

}  // namespace
}  // namespace tune
