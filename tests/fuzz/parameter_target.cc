// Parameters and constraints of hand-written kernels: a line `name = list` for each parameter, other lines
// are constraints.
#include <algorithm>

#include "absl/strings/str_split.h"
#include "common/expression/compiled_expression.h"
#include "common/parameters/parameter_space.h"
#include "tests/fuzz/targets.h"

namespace tune::testing {
namespace {

// Little, so that one input takes little time.
constexpr EvaluationLimits kEvaluation = {.steps = 10'000, .list_length = 1'000, .string_length = 100};
constexpr ParameterSpaceLimits kSpaceLimits = {
    .parameters = 20, .states = 1'000, .trials = 10'000, .evaluation = kEvaluation};

void FuzzParameters(absl::string_view input) {
  ParameterSpaceDescription description;
  for (const absl::string_view line : absl::StrSplit(input, '\n', absl::SkipEmpty())) {
    const size_t equals = line.find(" = ");
    const bool is_parameter = equals != absl::string_view::npos;
    const auto expression = Expression::Parse(is_parameter ? line.substr(equals + 3) : line);
    if (!expression.ok()) continue;
    if (!is_parameter) {
      description.constraints.push_back(*expression);
      continue;
    }
    const auto values = Evaluate(*expression, description.constants, kEvaluation);
    if (!values.ok()) continue;
    if (values->IsList()) {
      description.parameters.push_back({std::string(line.substr(0, equals)), values->list()});
    } else {
      description.constants.insert_or_assign(std::string(line.substr(0, equals)), *values);
    }
  }
  const auto space = ParameterSpace::Make(std::move(description), kSpaceLimits);
  if (!space.ok()) return;
  Random random(1);
  if (!space->IndexOf(space->Draw(random)).has_value()) std::abort();
}

std::vector<std::string> ParameterSeeds() {
  return {
      "x = [2**i for i in range(0, 6)]\ny = list(range(32, 129, 32)) + [1, 0x10, 1_0]\n"
      "32 <= x*y <= 1024 and y % x == 0\n(x if y > 64 else -x) // 3 != ~y | x & 7 ^ y << 1\n",
      "n = 4096\np = ['half', \"float\"]\nt = (True, False)\nk = [0.5, 1e3, 2]\n"
      "p == 'half' || !t && k > 1\nnot (k in [1, 2] or str(k) != '0.5') or n / k >= 4\n"
      "any(i * j > k for i in range(3) if i for j in [1, n])\nmax(min(k, 2), abs(-1)) < math.ceil(2.5)\n",
      "a = [0, 1, 2]\nb = [0, 1, 2]\nc = [1, 2, 3]\na % (b + 1) == 0\nb == 0 or c // b > 0\na + b + c <= 5\n"
      "a * b * c >> 1 <= 3 ** a\n[1, 2, 4][-a] * len('abc') == sum([a, b]) or a < b < c\n"};
}

}  // namespace

FuzzTarget ParametersTarget() { return {"parameters", FuzzParameters, ParameterSeeds}; }

}  // namespace tune::testing
