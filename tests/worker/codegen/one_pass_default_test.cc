// Sums of a matrix's rows and of its columns in one pass, where that is the default: whatever the sizes,
// there is code.
#include <gtest/gtest.h>

#include "common/space/cuda_space.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/scop_builder.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "tests/worker/codegen/setting_chooser.h"
#include "worker/codegen/cuda_generator.h"

namespace tune {
namespace {

// r[i] is the sum of a part of row i, y[j] that of column j with the weights r.
v1::Scop RowsThenColumns(const std::string& part) {
  using testing::Literal, testing::Multiply, testing::Read;
  testing::ScopBuilder builder("rows_then_columns", {"m", "n"}, "m >= 0 and n >= 0");
  builder.Array("A", {"m", "n"}).Array("x", {"n"}).Array("y", {"n"}).Array("r", {"m"});
  builder.Begin("i", "0 <= i < m").Assign({"r", "i"}, {}, Literal("0.0")).Begin("j", part);
  builder.Update(v1::ADD, {"r", "i"}, {{"A", "i, j"}, {"x", "j"}}, Multiply(Read(0), Read(1))).End().End();
  builder.Begin("k", "0 <= k < n").Begin("l", "0 <= l < m");
  builder.Update(v1::ADD, {"y", "k"}, {{"A", "l, k"}, {"r", "l"}}, Multiply(Read(0), Read(1))).End().End();
  return builder.Build();
}

TEST(OnePassDefault, HasCode) {
  for (const char* part : {"0 <= j < n", "0 <= j < n and j <= i"}) {
    const v1::Scop scop = RowsThenColumns(part);
    for (const auto& [m, n] : {std::pair<int64_t, int64_t>{400, 8000}, {1800, 2200}, {130, 9000}, {33, 70}}) {
      const std::map<std::string, int64_t> values = {{"m", m}, {"n", n}};
      const auto space =
          CudaSpace::Make(WithParameterFacts(scop, values), values, testing::H200Options()).value();
      for (const char* option : {"", "on", "off"}) {
        std::map<std::string, std::string> settings;
        if (*option != 0) settings["one_pass"] = option;
        testing::SettingChooser chooser(settings);
        const absl::StatusOr<CudaPlan> plan = space->Walk(chooser);
        if (*option != 0 && absl::IsInvalidArgument(plan.status())) continue;  // it is not offered
        ASSERT_TRUE(plan.ok()) << plan.status();
        const auto program = GenerateCuda(*plan, space->options(), testing::MakeReference(scop, values));
        const bool none = *option != 0 && absl::IsInvalidArgument(program.status());
        EXPECT_TRUE(program.ok() || none) << part << ", " << m << " x " << n << option << program.status();
      }
    }
  }
}

}  // namespace
}  // namespace tune
