// What expressions are worth is compared with what CPython says. TUNE_RANDOM_EXPRESSIONS and TUNE_RANDOM_SEED
// in the environment: other numbers of them, and others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "common/base/random.h"
#include "common/base/subprocess.h"
#include "common/expression/compiled_expression.h"
#include "common/expression/value_text.h"
#include "tests/common/expression/random_expression.h"
#include "tests/common/testing/sanitized.h"

namespace tune {
namespace {

constexpr int kExpressions = testing::kSanitized ? 8'000 : 80'000;
constexpr int kBatch = 20'000;  // of one process

// Lines of ours, Python's text, the checked text, our value ("refused": none), between tabs. Prints what
// differs; at the end how many did, and how many our values could not hold. Sums are made one by one, as
// Python did before 3.12.
constexpr const char* kScript = R"(
import math, sys, warnings
warnings.simplefilter('ignore')
class DoesNotFit(Exception): pass
def _c(x):
  if isinstance(x, complex) or x != x: raise DoesNotFit()
  if isinstance(x, int) and not -2**63 <= x < 2**63: raise DoesNotFit()
  return x
def _sum(items, check):
  total = 0
  for item in items: total = check(total + item)
  return total
functions = {f.__name__: f for f in (abs, all, any, bool, float, int, len, list, max, min, pow, range, round, str,
             math.ceil, math.floor, math.sqrt, math.log2)}
plain = {'__builtins__': {}, 'math': math, 'sum': lambda items: _sum(items, lambda x: x), **functions}
exec(NAMES, plain)
checked = dict(plain, _c=_c, sum=lambda items: _sum(items, _c))
def value(text, names):
  try: return repr(eval(text, names))
  except DoesNotFit: return 'does not fit'
  except (ArithmeticError, LookupError, TypeError, ValueError): return 'refused'
different = unfit = refused = 0
for number, line in enumerate(sys.stdin):
  ours, python, check, found = line.rstrip('\n').split('\t')
  wanted = value(python, plain)
  refused += wanted == 'refused'
  if wanted == found and number % 8: continue  # of each eighth also that the checked text is the same expression
  against = value(check, checked)
  if against == 'does not fit':
    unfit += 1
    continue
  if wanted == found == against: continue
  different += 1
  if different <= 5: print(ours, 'is', found, 'but in Python', wanted, 'and checked', against)
print('different', different, 'unfit', unfit, 'refused', refused)
)";

int64_t Setting(const char* name, int64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoll(value);
}

bool HasPython() {
  const auto result = RunSubprocess({"python3", "-c", "import math"});
  return result.ok() && result->ok();
}

struct NamedValues {
  std::vector<std::string> names;
  std::vector<Value> values;
};

NamedValues ReadNames() {
  NamedValues read;
  for (absl::string_view rest = testing::kRandomExpressionNames; !rest.empty();) {
    const size_t end = rest.find('\n');
    read.names.emplace_back(rest.substr(0, 1));
    read.values.push_back(Evaluate(Expression::Parse(rest.substr(4, end - 4)).value(), {}).value());
    rest.remove_prefix(end + 1);
  }
  return read;
}

// The value as text; "refused": there is none.
std::string ValueOf(const std::string& text, const NamedValues& names) {
  const auto expression = Expression::Parse(text);
  EXPECT_TRUE(expression.ok()) << text << "\n" << expression.status();
  if (!expression.ok()) return "refused";
  const auto compiled = CompiledExpression::Compile(*expression, names.names);
  EXPECT_TRUE(compiled.ok()) << text << "\n" << compiled.status();
  if (!compiled.ok()) return "refused";
  const auto value = compiled->Evaluate(names.values);
  const auto holds = compiled->Holds(names.values);
  EXPECT_EQ(value.ok(), holds.ok()) << text;
  if (value.ok() && holds.ok()) {
    EXPECT_EQ(value->IsTrue(), *holds) << text;
  }
  return value.ok() ? PrintValue(*value) : "refused";
}

TEST(PythonComparisonTest, RandomExpressionsAreWorthTheSame) {
  if (!HasPython()) GTEST_SKIP() << "there is no python3 here to compare with";
  const NamedValues names = ReadNames();
  const int64_t count = Setting("TUNE_RANDOM_EXPRESSIONS", kExpressions);
  const auto seed = static_cast<uint64_t>(Setting("TUNE_RANDOM_SEED", 1));
  const std::string script = absl::StrCat("NAMES = '''", testing::kRandomExpressionNames, "'''\n", kScript);
  for (int64_t first = 0; first < count; first += kBatch) {
    Random random(seed, static_cast<uint64_t>(first));
    SubprocessOptions options;
    for (int64_t i = first; i < std::min(first + kBatch, count); ++i) {
      const testing::RandomExpression made = testing::MakeRandomExpression(random);
      absl::StrAppend(&options.standard_input, made.ours, "\t", made.python, "\t", made.checked, "\t",
                      ValueOf(made.ours, names), "\n");
    }
    const auto result = RunSubprocess({"python3", "-c", script}, options);
    ASSERT_TRUE(result.ok() && result->ok()) << result.status() << result->standard_error;
    EXPECT_THAT(result->standard_output, ::testing::StartsWith("different 0 ")) << result->standard_output;
  }
}

// Texts with a few characters changed are values or refused, whatever they are.
TEST(PythonComparisonTest, ChangedTextsHarmNothing) {
  const NamedValues names = ReadNames();
  Random random(7);
  constexpr absl::string_view kCharacters =
      "()[]+-*/%<>=!&|^~.,:'\"\\ 0123456789eExXifornotabpqLs_\t\n\x01\xff";
  int understood = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = testing::MakeRandomExpression(random).ours;
    for (uint64_t changes = 1 + random.Below(3); changes > 0 && !text.empty(); --changes) {
      const size_t at = random.Below(text.size());
      const char c = kCharacters[random.Below(kCharacters.size())];
      if (random.Below(3) == 0) {
        text.erase(at, 1);
      } else {
        text.insert(at, 1, c);
      }
    }
    const auto expression = Expression::Parse(text);
    if (!expression.ok()) continue;
    ++understood;
    const auto compiled = CompiledExpression::Compile(*expression, names.names, {.steps = 10'000});
    if (!compiled.ok()) continue;
    EXPECT_EQ(compiled->Evaluate(names.values).ok(), compiled->Holds(names.values).ok()) << text;
  }
  EXPECT_GT(understood, 1'000);
}

}  // namespace
}  // namespace tune
