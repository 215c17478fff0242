#include "common/expression/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/expression/compiled_expression.h"
#include "common/expression/value_text.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The names that the tests' expressions may use.
std::map<std::string, Value> Names() {
  return {{"block_x", Value::Integer(64)},
          {"tile", Value::Integer(3)},
          {"scale", Value::Float(0.5)},
          {"precision", Value::String("half")},
          {"ProblemSize", Value::List({Value::Integer(4096), Value::Integer(100)})}};
}

// The value as text, or what is wrong.
std::string ValueOf(const std::string& text, const EvaluationLimits& limits = {}) {
  const absl::StatusOr<Expression> expression = Expression::Parse(text);
  if (!expression.ok()) return std::string(expression.status().message());
  const absl::StatusOr<Value> value = Evaluate(*expression, Names(), limits);
  return value.ok() ? PrintValue(*value) : std::string(value.status().message());
}

struct Case {
  const char* text;
  const char* value;
};

void ExpectAll(const std::vector<Case>& cases) {
  for (const Case& one : cases) EXPECT_EQ(ValueOf(one.text), one.value) << one.text;
}

TEST(ExpressionTest, ReadsLiterals) {
  ExpectAll({{"12", "12"},
             {"0x_fF", "255"},
             {"0b1010", "10"},
             {"0o17", "15"},
             {"1_000_000", "1000000"},
             {"9223372036854775807", "9223372036854775807"},
             {"-9223372036854775808", "-9223372036854775808"},
             {"- 0x8000000000000000", "-9223372036854775808"},
             {"00", "0"},
             {"1.", "1.0"},
             {".5e1", "5.0"},
             {"1e16", "1e+16"},
             {"0.0001", "0.0001"},
             {"0.00001", "1e-05"},
             {"1e400", "inf"},
             {"True", "True"},
             {"'it'", "'it'"},
             {"\"it's\"", "\"it's\""},
             {R"('a\'b"\n')", R"('a\'b"\n')"},
             {"[1, 2.5, 'x', []]", "[1, 2.5, 'x', []]"},
             {"(1, 2,)", "[1, 2]"},
             {"(1,)", "[1]"},
             {"()", "[]"},
             {"(1)", "1"}});
}

TEST(ExpressionTest, ComputesAsPythonDoes) {
  ExpectAll({{"-7 // 2", "-4"},
             {"-7 % 3", "2"},
             {"7 % -3", "-2"},
             {"-7.5 // 2", "-4.0"},
             {"-0.5 % 2", "1.5"},
             {"7 / 2", "3.5"},
             {"4 / 2", "2.0"},
             {"9223372036854775807 / 3", "3.0744573456182584e+18"},
             {"2 ** 10", "1024"},
             {"2 ** -1", "0.5"},
             {"-2 ** 2", "-4"},
             {"2 ** 3 ** 2", "512"},
             {"(-1) ** 9223372036854775807", "-1"},
             {"~5 & 0xff", "250"},
             {"1 << 62", "4611686018427387904"},
             {"-1 << 63", "-9223372036854775808"},
             {"-5 >> 100", "-1"},
             {"6 ^ 3 | 8", "13"},
             {"True + True", "2"},
             {"True & False", "False"},
             {"not 0", "True"},
             {"0 or 'x' and 5", "5"},
             {"[] or 0", "0"},
             {"32 <= block_x * tile <= 1024", "True"},
             {"1 < 2 > 3", "False"},
             {"9007199254740993 == 9007199254740992.0", "False"},
             {"9223372036854775807 < 9223372036854775808.0", "True"},
             {"[1, 2] < [1, 3]", "True"},
             {"'a' < 'b'", "True"},
             {"1 == '1'", "False"},
             {"True == 1.0", "True"},
             {"tile in (1, 2, 3)", "True"},
             {"tile not in [1, 2]", "True"},
             {"'al' in precision", "True"},
             {"1 if tile > 5 else 2 if tile > 2 else 3", "2"},
             {"ProblemSize[0] + ProblemSize[-1]", "4196"},
             {"'abc'[-1]", "'c'"},
             {"[1] * 3 + [2]", "[1, 1, 1, 2]"},
             {"'ab' * 2", "'abab'"}});
}

TEST(ExpressionTest, CallsFunctions) {
  ExpectAll({{"min(3, 1.0, 2)", "1.0"},
             {"max([1, 5, 2])", "5"},
             {"abs(-3)", "3"},
             {"sum(range(5))", "10"},
             {"len('h\xc3\xa9')", "2"},
             {"list(range(32, 64+1, 32))", "[32, 64]"},
             {"list(range(5, 0, -2))", "[5, 3, 1]"},
             {"list('ab')", "['a', 'b']"},
             {"int(-2.7)", "-2"},
             {"int(' 1_0 ')", "10"},
             {"float('1e3')", "1000.0"},
             {"round(2.5)", "2"},
             {"round(2.675, 2)", "2.67"},
             {"round(15, -1)", "20"},
             {"round(25, -1)", "20"},
             {"str(1.0) + str([1, 'a'])", "\"1.0[1, 'a']\""},
             {"bool([])", "False"},
             {"any([0, 1]) and all([])", "True"},
             {"pow(2, 5)", "32"},
             {"math.ceil(block_x / 60) + ceil(0.1)", "3"},
             {"math.floor(-0.5)", "-1"},
             {"math.log2(block_x)", "6.0"},
             {"sqrt(16)", "4.0"},
             {"sum(i * i for i in range(4))", "14"}});
}

TEST(ExpressionTest, ReadsComprehensions) {
  ExpectAll({{"[2**i for i in range(0, 6)]", "[1, 2, 4, 8, 16, 32]"},
             {"[x for x in range(1, 20) if x % 3 == 0 if x % 2]", "[3, 9, 15]"},
             {"[(a, b) for a in range(3) for b in range(a)]", "[[1, 0], [2, 0], [2, 1]]"},
             {"[[tile for tile in range(tile)] for tile in range(3)]", "[[], [0], [0, 1]]"},
             {"[x for x in [1, 2] for x in [x, x * 10]]", "[1, 10, 2, 20]"},
             {"[c for c in 'ab']", "['a', 'b']"},
             {"[i if i else -1 for i in (0, 1)]", "[-1, 1]"}});
}

TEST(ExpressionTest, ReadsSpellingsOfC) {
  ExpectAll({{"block_x == 64 && tile == 3", "True"},
             {"0 || tile", "3"},
             {"!tile == 1", "False"},  // (!tile) == 1
             {"!(tile == 0)", "True"},
             {"!!tile", "True"},
             {"1 != 2", "True"}});
}

TEST(ExpressionTest, SaysWhatIsNotUnderstood) {
  ExpectAll(
      {{"", "column 1: expected a number, a name, a string, \"(\" or \"[\", found the end"},
       {"1 +", "column 4: expected a number, a name, a string, \"(\" or \"[\", found the end"},
       {"(1 2)", "column 4: expected \",\" or \")\", found the number 2"},
       {"1 2", "column 3: expected an operator or the end, found the number 2"},
       {"a = 1", "column 3: \"=\" begins no number, name, string or operator"},
       {"1 if 2", "column 7: expected \"else\", found the end"},
       {"1 not 2", "column 7: expected \"in\", found the number 2"},
       {"[1 for 2 in x]", "column 8: expected a variable, found the number 2"},
       {"[1 for x of y]", "column 10: expected \"in\", found \"of\""},
       {"lambda: 1", "column 1: expected a number, a name, a string, \"(\" or \"[\", found \"lambda\""},
       {"x.y", "column 2: expected an operator or the end, found \".\""},
       {"[1][0:1]", "column 6: expected \"]\", found \":\""},
       {"'abc", "column 1: this string has no closing quote"},
       {"'\\q'", "column 2: after a backslash in a string comes one of \\ ' \" n t r"},
       {"1__0", "column 2: an underscore stands between two digits"},
       {"012", "column 1: a number begins with no zero; octal ones with 0o"},
       {"12ab", "column 3: \"a\" follows a number"},
       {"0x", "column 3: expected a digit of base 16 here"},
       {"9223372036854775808", "column 1: 9223372036854775808 does not fit into 64 bits"},
       {"-(9223372036854775808)", "column 3: 9223372036854775808 does not fit into 64 bits"},
       {"-9223372036854775808 ** 1", "column 2: 9223372036854775808 does not fit into 64 bits"},
       {"18446744073709551616", "column 1: 18446744073709551616 does not fit into 64 bits"},
       {"max()", "column 1: max has 0 arguments, but takes at least 1"},
       {"range(1, 2, 3, 4)", "column 1: range has 4 arguments, but takes 1 to 3"},
       {"abs(1, 2)", "column 1: abs has 2 arguments, but takes 1"},
       {"math.max(1)", "column 6: \"max\" is no function of math here; there are: ceil, floor, log2, sqrt"},
       {"tile +\x1b[2J", "column 7: \"\\x1b\" begins no number, name, string or operator"}});
  EXPECT_THAT(ValueOf("open('x')"),
              HasSubstr("column 1: \"open\" is no function here; there are: abs, all, "));
}

TEST(ExpressionTest, SaysWhichNameIsUnknown) {
  ExpectAll(
      {{"tile * b",
        "column 8: \"b\" is no parameter here; there are: ProblemSize, block_x, precision, scale, tile"},
       {"[x for y in [1] for x in [x]]", "column 27: \"x\" is used before its \"for\""}});
  const auto expression = Expression::Parse("b").value();
  EXPECT_EQ(Evaluate(expression, {}).status().message(),
            "column 1: \"b\" is no parameter here; there are none");
}

TEST(ExpressionTest, SaysWhatHasNoValue) {
  ExpectAll(
      {{"tile / 0", "column 6: division by zero"},
       {"tile // 0", "column 6: division by zero"},
       {"tile % (tile - 3)", "column 6: division by zero"},
       {"1.5 % 0.0", "column 5: division by zero"},
       {"0 ** -1", "column 3: zero to a negative power"},
       {"(-2) ** 0.5", "column 6: a negative number to a power that is not whole is no real number"},
       {"9223372036854775807 + tile",
        "column 21: the result of 9223372036854775807 + 3 does not fit into 64 bits"},
       {"-(-9223372036854775807 - 1)",
        "column 1: the result of 0 - -9223372036854775808 does not fit into 64 bits"},
       {"(-9223372036854775807 - 1) // -1",
        "column 28: the result of -9223372036854775808 // -1 does not fit into 64 bits"},
       {"(-9223372036854775807 - 1) % -1", "0"},
       {"1 << 63", "column 3: the result of 1 << 63 does not fit into 64 bits"},
       {"1 << -1", "column 3: the count of a shift is negative"},
       {"2 ** 63", "column 3: the result of 2 ** 63 does not fit into 64 bits"},
       {"int(1e19)", "column 1: the float does not fit into an integer of 64 bits"},
       {"1 < 'a'", "column 3: there is no order of int and str"},
       {"1 + 'a'", "column 3: \"+\" is not defined for int and str"},
       {"1.5 & 1", "column 5: \"&\" is not defined for float and int"},
       {"-'a'", "column 1: \"-\" is not defined for str"},
       {"ProblemSize[2]", "column 12: the subscript 2 is outside of a list of 2 values"},
       {"tile[0]", "column 5: a subscript of int, which is no list"},
       {"1 in 2", "column 3: \"in\" looks through a list or for a string in a string, not for int in int"},
       {"min([])", "column 1: min of nothing"},
       {"range(0, 1, 0)", "column 1: range with a step of 0"},
       {"int('x')", "column 1: \"x\" is no number"},
       {"sqrt(-1)", "column 1: sqrt takes a number that is not negative"},
       {"log2(0)", "column 1: log2 takes a positive number"}});
}

TEST(ExpressionTest, EvaluatesOnlyWhatPythonDoes) {
  ExpectAll({{"tile == 3 or 1 / 0", "True"},
             {"tile == 2 and 1 / 0", "False"},
             {"1 if True else 1 / 0", "1"},
             {"2 < 1 < 1 / 0", "False"}});
}

TEST(ExpressionTest, RefusesWhatIsTooMuch) {
  EXPECT_EQ(ValueOf("range(10**9)"), "column 1: a range of more than 100000 values");
  EXPECT_EQ(ValueOf("range(-9223372036854775807, 9223372036854775807)"),
            "column 1: a range of more than 100000 values");
  EXPECT_EQ(ValueOf("[0] * 10**9"), "column 5: a list of more than 100000 values");
  EXPECT_EQ(ValueOf("[0, 0] * 9223372036854775807"), "column 8: a list of more than 100000 values");
  EXPECT_EQ(ValueOf("'ab' * 10**6"), "column 6: a string of more than 4096 bytes");
  EXPECT_EQ(ValueOf("[0 for i in range(1000) for j in range(1000)]"),
            "column 4: a list of more than 100000 values");
  const char* steps = "the evaluation takes more than 1000000 steps; shorten the lists that it goes through";
  EXPECT_THAT(ValueOf("sum([sum(range(10000)) for i in range(1000)])"), HasSubstr(steps));
  // Few values in memory, of which a comparison would look at 10^12.
  const std::string large = "[[[0] * 10000] * 10000] * 10000";
  EXPECT_THAT(ValueOf(large + " == " + large), HasSubstr(steps));
  EXPECT_THAT(ValueOf("str(" + large + ")"), HasSubstr(steps));
  EXPECT_EQ(ValueOf("1 + 1", {.steps = 2}),
            "column 5: the evaluation takes more than 2 steps; shorten the lists that it goes through");
}

TEST(ExpressionTest, RefusesWhatIsTooDeep) {
  const auto repeated = [](const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
  };
  for (const char* opening : {"(", "[", "-", "~", "!", "not ", "2**", "abs(", "[1][", "1 if 1 else ",
                              "[0 for x in [", "[0 for x in "}) {
    EXPECT_THAT(ValueOf(repeated(opening, 5000)), HasSubstr("nested deeper than 100")) << opening;
  }
  EXPECT_EQ(ValueOf(repeated("(", 90) + "1" + repeated(")", 90)), "1");
  EXPECT_EQ(ValueOf(repeated("1+", 400) + "1"), "401");
  EXPECT_THAT(ValueOf(repeated("1+", 600) + "1"), HasSubstr("more than 500 operators in each other"));
  EXPECT_THAT(ValueOf("[1]" + repeated("[0]", 600)), HasSubstr("more than 500 operators in each other"));
  EXPECT_THAT(ValueOf("[0" + repeated(" for x in [0]", 300) + "]"),
              HasSubstr("more than 100 \"for\" and \"if\" in one list"));
  EXPECT_EQ(ValueOf("1" + repeated(" and 1", 5000)), "1");
  EXPECT_THAT(ValueOf(repeated("1+", 40000) + "1"), HasSubstr("more than 65536"));
}

TEST(ExpressionTest, KnowsItsNames) {
  const auto names = [](const char* text) { return Expression::Parse(text).value().Names(); };
  EXPECT_THAT(names("b * a <= max(b, c[0]) and True"), ElementsAre("b", "a", "c"));
  EXPECT_THAT(names("[x + y for x in range(z)]"), ElementsAre("z", "y"));
  EXPECT_THAT(names("[x for x in x]"), ElementsAre("x"));
  EXPECT_THAT(names("[x for x in a] + x"), ElementsAre("a", "x"));
  EXPECT_THAT(names("math.ceil(2.5)"), ElementsAre());
}

TEST(ExpressionTest, CompiledOnceItTakesValuesByTheirPlaces) {
  const auto expression = Expression::Parse("32 <= x * y <= 1024 and x % y == 0").value();
  const std::vector<std::string> names = {"y", "x"};
  const auto compiled = CompiledExpression::Compile(expression, names).value();
  const auto holds = [&](Value y, Value x) { return compiled.Holds(std::vector<Value>{y, x}); };
  EXPECT_TRUE(holds(Value::Integer(4), Value::Integer(64)).value());
  EXPECT_FALSE(holds(Value::Integer(3), Value::Integer(64)).value());
  EXPECT_TRUE(holds(Value::Float(4), Value::Float(64)).value());
  EXPECT_EQ(holds(Value::Integer(1 << 30), Value::Integer(int64_t{1} << 40)).status().message(),
            "column 9: the result of 1099511627776 * 1073741824 does not fit into 64 bits");
  EXPECT_EQ(CompiledExpression::Compile(expression, std::vector<std::string>{"x"}).status().message(),
            "column 11: \"y\" is no parameter here; there are: x");
}

}  // namespace
}  // namespace tune
