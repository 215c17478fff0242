// Statements of which data decide whether they change their targets.
#include "worker/print/statement_text.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"
#include "common/scop/expression_parts.h"
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

// The host's text needs no <complex.h>; on the device complex numbers are a class.
TEST(StatementText, ComplexNumbers) {
  v1::Scop scop = ScopBuilder("complex", {}, "")
                      .Array("x", {"9"})
                      .Begin("i", "0 <= i < 9")
                      .Assign({"x", "i"}, {{"x", "i"}}, Literal("0", "int"))
                      .End()
                      .Build();
  scop.mutable_arrays(0)->set_element_type(v1::ELEMENT_TYPE_COMPLEX_FLOAT);
  const v1::Expression x = Read(0, kComplexFloatType);
  const auto text = [&](const v1::Expression& value, bool for_device) {
    *scop.mutable_statements(0)->mutable_value() = value;
    IndexPrinter indices(HelperNames("own_"), "int");
    StatementPrinter printer(scop, &indices);
    if (for_device) printer.PrintForDevice();
    const IndexExpression i = IndexExpression::Name("i");
    return printer.Print({"S0", {{"x", {i}}, {"x", {i}}}, {}});
  };
  v1::Expression call;
  call.set_c_type("float");
  call.mutable_call()->set_function("cabsf");
  *call.mutable_call()->add_arguments() = x;
  const auto both = [&](const v1::Expression& value, const std::string& host, const std::string& device) {
    EXPECT_EQ(text(value, false), absl::StrCat("x[i] = ", host, ";"));
    EXPECT_EQ(text(value, true), absl::StrCat("x[i] = ", device, ";"));
  };
  both(call, "__builtin_cabsf(x[i])", "own_complex_abs(x[i])");
  both(MakeOperation("float", kRealPart, {x}), "__real__(x[i])", "x[i].re");
  both(MakeOperation(kComplexFloatType, "~", {x}), "~x[i]", "~x[i]");
  both(ConvertedTo("int", x), "(int)x[i]", "(int)x[i].re");
  both(ConvertedTo(kComplexDoubleType, x), "(_Complex double)x[i]", "own_complex_of<double>(x[i])");
  both(Literal("0.5fi", kComplexFloatType), "0.5fi", "_Complex float{0, 0.5f}");
  both(MakeOperation(kComplexFloatType, "?:", {Literal("1", "int"), x, Literal("1", "int")}), "1 ? x[i] : 1",
       "1 ? x[i] : own_complex_of<float>(1)");
}

}  // namespace
}  // namespace tune
