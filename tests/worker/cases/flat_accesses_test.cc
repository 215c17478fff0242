#include "worker/cases/flat_accesses.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "common/base/random.h"

namespace tune {
namespace {

IndexExpression Number(int64_t value) { return IndexExpression::Constant(value); }

// Instances with accesses a[i + c][j + d] and t[i + c][j + d], of which t begins at (f0, f1).
Block RandomInstances(Random& random) {
  Block block;
  for (uint64_t i = 1 + random.Below(3); i > 0; --i) {
    Instance instance;
    instance.statement = "S0";
    for (uint64_t k = 1 + random.Below(4); k > 0; --k) {
      const auto subscript = [&](const char* name) {
        const int64_t constant = static_cast<int64_t>(random.Below(5)) - 2;
        const IndexExpression iterator = IndexExpression::Name(name);
        if (constant == 0) return iterator;
        return constant < 0 ? iterator - Number(-constant) : iterator + Number(constant);
      };
      instance.accesses.push_back({random.Below(2) == 0 ? "a" : "t", {subscript("i"), subscript("j")}});
    }
    block.push_back({std::move(instance)});
  }
  return block;
}

// Values of the accesses' only subscripts, in order, with the names that definitions gave.
void Collect(const Block& block, std::map<std::string, int64_t> values, std::vector<int64_t>* found) {
  const auto value_of = [&values](const std::string& name) { return values.at(name); };
  for (const Node& node : block) {
    if (const auto* definition = node.As<Definition>())
      values[definition->name] = Evaluate(definition->value, value_of);
    if (const auto* scope = node.As<Scope>()) Collect(scope->body, values, found);
    if (const auto* instance = node.As<Instance>()) {
      for (const ElementAccess& access : instance->accesses) {
        ASSERT_EQ(access.subscripts.size(), 1);
        found->push_back(Evaluate(access.subscripts[0], value_of));
      }
    }
  }
}

TEST(FlatAccesses, AreAtTheSamePlacesHoweverAddressesAreShared) {
  const std::map<std::string, FlatMemory> memory = {
      {"a", {"a", {}, {"n0", "n1"}}},
      {"t", {"tile", {{IndexExpression::Name("f0"), 3}, {IndexExpression::Name("f1"), -2}}, {"m0", "m1"}}}};
  const std::map<std::string, int64_t> values = {{"i", 7},  {"j", 11}, {"n0", 40}, {"n1", 50},
                                                 {"f0", 5}, {"f1", 9}, {"m0", 6},  {"m1", 8}};
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const Block block = RandomInstances(random);
    std::vector<int64_t> expected;
    for (const Node& node : block) {
      for (const ElementAccess& access : node.As<Instance>()->accesses) {
        const auto value_of = [&](const std::string& name) { return values.at(name); };
        const int64_t row = Evaluate(access.subscripts[0], value_of),
                      column = Evaluate(access.subscripts[1], value_of);
        expected.push_back(access.array == "a" ? row * 50 + column : (row - 5) * 8 + column - 9);
      }
    }
    for (int shared = 0; shared <= 2; ++shared) {
      KernelVariant variant;
      variant.shared_addresses = shared;
      std::vector<int64_t> found;
      Collect(FlattenAccesses(block, memory, variant, "int", "x"), values, &found);
      EXPECT_EQ(found, expected) << shared;
    }
  }
}

// Else they would not fit into an int, although places in a tile do.
TEST(FlatAccesses, NamedPartsOfTilesHaveNoLargeConstants) {
  const int64_t far = int64_t{1} << 40;
  const std::map<std::string, FlatMemory> memory = {
      {"t", {"tile", {{IndexExpression::Name("f0"), far}, {IndexExpression::Name("f1"), 0}}, {"m0", "m1"}}}};
  Instance instance;
  instance.accesses = {{"t", {IndexExpression::Name("i") + Number(far + 1), IndexExpression::Name("j")}}};
  KernelVariant variant;
  variant.shared_addresses = 1;
  const Block flat = FlattenAccesses({{instance}}, memory, variant, "int", "x");
  const Block& body = flat.at(0).As<Scope>()->body;
  std::map<std::string, int64_t> values = {{"i", 7}, {"j", 11}, {"f0", 5 + far}, {"f1", 9}, {"m1", 8}};
  const auto value_of = [&values](const std::string& name) { return values.at(name); };
  const auto* const named = body.at(0).As<Definition>();
  values[named->name] = Evaluate(named->value, value_of);
  EXPECT_EQ(values[named->name], 2 * 8 + 2);
  EXPECT_EQ(Evaluate(body.at(1).As<Instance>()->accesses[0].subscripts[0], value_of), 3 * 8 + 2);
}

TEST(FlatAccesses, SoAreThoseOfTransfers) {
  const std::map<std::string, FlatMemory> memory = {{"a", {"a", {}, {"n0", "n1"}}}};
  Transfer transfer;
  transfer.to = {"a", {IndexExpression::Name("i"), IndexExpression::Name("j")}};
  transfer.from = {"sum", {}};
  KernelVariant variant;
  const Block flat = FlattenAccesses({{transfer}}, memory, variant, "int", "x");
  ASSERT_EQ(flat.size(), 1);
  const auto* const found = flat[0].As<Transfer>();
  EXPECT_EQ(found->to.subscripts,
            (std::vector<IndexExpression>{IndexExpression::Name("i") * IndexExpression::Name("n1") +
                                          IndexExpression::Name("j")}));
  EXPECT_EQ(found->from, transfer.from);
}

TEST(FlatAccesses, NeighboursShareAddresses) {
  const std::map<std::string, FlatMemory> memory = {{"a", {"a", {}, {"n0"}}}};
  Instance one, other;
  one.accesses = {{"a", {IndexExpression::Name("i") + Number(1)}}, {"a", {IndexExpression::Name("i")}}};
  other.accesses = {{"a", {IndexExpression::Name("i") - Number(1)}}};
  EXPECT_EQ(CountAddresses(one.accesses), 1);
  const Block block = {{one}, {other}};
  KernelVariant variant;
  variant.shared_addresses = 1;
  EXPECT_EQ(FlattenAccesses(block, memory, variant, "int", "x").size(), 2);
  variant.shared_addresses = 2;
  const Block shared = FlattenAccesses(block, memory, variant, "int", "x");
  ASSERT_EQ(shared.size(), 1);
  EXPECT_EQ(shared[0].As<Scope>()->body.size(), 3);  // a definition and two instances
}

}  // namespace
}  // namespace tune
