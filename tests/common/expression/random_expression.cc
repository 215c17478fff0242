#include "tests/common/expression/random_expression.h"

#include <vector>

#include "absl/strings/str_cat.h"

namespace tune::testing {
namespace {

// How tightly the text's outermost operator binds, in Python.
enum Precedence {
  kConditional,
  kOr,
  kAnd,
  kNot,
  kCompare,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kAdd,
  kMultiply,
  kUnary,
  kPower,
  kOperand
};

struct Text {
  RandomExpression text;
  Precedence ours = kOperand;
  Precedence python = kOperand;
};

class Generator {
 public:
  explicit Generator(Random& random) : random_(random) {}

  Text Any(int depth) {
    const uint64_t kind = random_.Below(10);
    if (kind == 9 && depth > 0) return Of("[$, $]", {Any(depth - 1), Any(depth - 1)});
    return kind < 7 ? Number(depth) : kind < 8 ? String(depth) : List(depth);
  }

 private:
  bool Chance(int percent) { return random_.Below(100) < static_cast<uint64_t>(percent); }
  template <size_t count>
  const char* OneOf(const char* const (&texts)[count]) {
    return texts[random_.Below(count)];
  }

  static Text Plain(const std::string& text) { return {{text, text, text}}; }
  // The same pattern of all three: "$" stands for the next of the operands.
  Text Of(const std::string& pattern, const std::vector<Text>& operands, Precedence precedence = kOperand,
          const std::vector<Precedence>& wanted = {}) {
    Text made{{Fill(pattern, operands, wanted, &RandomExpression::ours, &Text::ours),
               Fill(pattern, operands, wanted, &RandomExpression::python, &Text::python),
               Fill(pattern, operands, std::vector<Precedence>(operands.size(), kConditional),
                    &RandomExpression::checked, &Text::python)},
              precedence,
              precedence};
    return made;
  }
  std::string Fill(const std::string& pattern, const std::vector<Text>& operands,
                   const std::vector<Precedence>& wanted, std::string RandomExpression::*which,
                   Precedence Text::*binds) {
    const bool checked = which == &RandomExpression::checked;
    std::string filled;
    size_t next = 0;
    for (const char c : pattern) {
      if (c != '$') {
        filled += c;
        continue;
      }
      const Text& operand = operands[next];
      const bool parenthesised = checked || (!wanted.empty() && operand.*binds < wanted[next]);
      absl::StrAppend(&filled, parenthesised ? "(" : "", operand.text.*which, parenthesised ? ")" : "");
      ++next;
    }
    return filled;
  }
  // Of a number: what `_c` sees.
  static Text Checked(Text text) {
    text.text.checked = absl::StrCat("_c(", text.text.checked, ")");
    return text;
  }
  Text Parenthesised(Text text) { return Chance(10) ? Of("($)", {text}) : text; }

  Text Small() {
    if (!variables_.empty() && Chance(30))
      return Checked(Of(absl::StrCat("$ % ", 1 + random_.Below(8)), {Variable()}, kMultiply, {kMultiply}));
    return Plain(absl::StrCat(random_.Below(8)));
  }
  Text Variable() { return Plain(variables_[random_.Below(variables_.size())]); }

  Text NumberLeaf() {
    if (!variables_.empty() && Chance(40)) return Variable();
    switch (random_.Below(8)) {
      case 0:
        return Plain(OneOf({"9223372036854775807", "4611686018427387904", "0x7fff_ffff", "1_000_003",
                            "3037000500", "4294967296", "9007199254740992", "9007199254740993"}));
      case 1:
        return Plain(OneOf({"0.5", "1.0", "2.5", "1e3", ".25", "3.", "1e18", "9.223372036854775807e18",
                            "1e-7", "0.1", "0.0", "9007199254740992.0", "1e300"}));
      case 2:
        return Plain(OneOf({"True", "False"}));
      case 3:
      case 4:
        return Plain(OneOf({"p", "q", "r", "t", "z", "m"}));
      case 5:
        return Of("-$", {Plain(absl::StrCat(random_.Below(100)))}, kUnary);
      default:
        return Plain(absl::StrCat(random_.Below(20)));
    }
  }

  Text Number(int depth) {
    if (depth <= 0) return NumberLeaf();
    const uint64_t kind = random_.Below(20);
    Text made = kind < 7    ? Binary(depth)
                : kind < 9  ? Unary(depth)
                : kind < 12 ? Comparison(depth)
                : kind < 14 ? Logical(depth, 0)
                : kind < 15 ? Conditional(depth, 0)
                : kind < 16 ? Of("$[$]", {List(depth - 1), Index()}, kOperand, {kOperand, kConditional})
                            : NumberCall(depth);
    return Parenthesised(Checked(made));
  }
  Text Index() { return Chance(30) ? Of("-$", {Small()}, kUnary, {kUnary}) : Small(); }

  Text Binary(int depth) {
    struct Operator {
      const char* symbol;
      Precedence precedence;
    };
    static constexpr Operator kOperators[] = {{"+", kAdd},      {"-", kAdd},       {"*", kMultiply},
                                              {"/", kMultiply}, {"//", kMultiply}, {"%", kMultiply},
                                              {"&", kBitAnd},   {"|", kBitOr},     {"^", kBitXor}};
    const std::string space = Chance(80) ? " " : "";
    if (Chance(10)) {
      return Of(absl::StrCat("$", space, "**", space, "$"), {Number(depth - 1), Exponent()}, kPower,
                {kOperand, kUnary});
    }
    if (Chance(8)) {
      return Of(absl::StrCat("$", space, OneOf({"<<", ">>"}), space,
                             OneOf({"0", "1", "5", "31", "62", "63", "70"})),
                {Number(depth - 1)}, kShift, {kShift});
    }
    const Operator& op = kOperators[random_.Below(std::size(kOperators))];
    // Sometimes of kinds that do not go together; `%` of strings would be another operator.
    const bool mixed = Chance(2) && op.symbol[0] != '%' && op.symbol[0] != '*';
    const Text left = mixed ? String(depth - 1) : Number(depth - 1);
    return Of(absl::StrCat("$", space, op.symbol, space, "$"), {left, Number(depth - 1)}, op.precedence,
              {op.precedence, static_cast<Precedence>(op.precedence + 1)});
  }
  Text Exponent() {
    if (Chance(20)) return Of("-$", {Small()}, kUnary, {kUnary});
    return Chance(20) ? Plain(OneOf({"0.5", "r", "2.0", "8", "t"})) : Small();
  }

  Text Unary(int depth) {
    if (Chance(25)) return Of("not $", {Any(depth - 1)}, kNot, {kNot});
    if (Chance(20)) {
      const Text operand = Number(depth - 1);
      Text made = Of("(not $)", {operand}, kOperand, {kNot});
      made.text.ours = Fill("!$", {operand}, {kUnary}, &RandomExpression::ours, &Text::ours);
      made.ours = kUnary;
      return made;
    }
    return Of(absl::StrCat(OneOf({"-", "+", "~"}), "$"), {Number(depth - 1)}, kUnary, {kUnary});
  }

  Text Comparison(int depth) {
    if (Chance(15)) {
      return Chance(80) ? Of(OneOf({"$ in $", "$ not in $"}), {Number(depth - 1), List(depth - 1)}, kCompare,
                             {kBitOr, kBitOr})
                        : Of("$ in $", {String(depth - 1), String(depth - 1)}, kCompare, {kBitOr, kBitOr});
    }
    std::string pattern = "$";
    std::vector<Text> operands;
    const uint64_t kind = random_.Below(20);
    const size_t count = 2 + (Chance(30) ? 1 : 0);
    for (size_t i = 0; i < count; ++i) {
      if (i > 0) absl::StrAppend(&pattern, " ", OneOf({"==", "!=", "<", "<=", ">", ">="}), " $");
      operands.push_back(kind == 0   ? Any(depth - 1)
                         : kind == 1 ? List(depth - 1)
                         : kind == 2 ? String(depth - 1)
                                     : Number(depth - 1));
    }
    return Of(pattern, operands, kCompare, std::vector<Precedence>(count, kBitOr));
  }

  Text OfKind(int depth, int kind) {
    return kind == 0 ? Number(depth) : kind == 1 ? String(depth) : List(depth);
  }
  // `kind`: 0 numbers, 1 strings, 2 lists.
  Text Logical(int depth, int kind) {
    const bool both = Chance(50);
    const Precedence precedence = both ? kAnd : kOr;
    const std::vector<Text> operands = {OfKind(depth - 1, kind), OfKind(depth - 1, kind)};
    const std::vector<Precedence> wanted = {precedence, static_cast<Precedence>(precedence + 1)};
    Text made = Of(both ? "$ and $" : "$ or $", operands, precedence, wanted);
    if (Chance(30))
      made.text.ours = Fill(both ? "$ && $" : "$||$", operands, wanted, &RandomExpression::ours, &Text::ours);
    return made;
  }
  Text Conditional(int depth, int kind) {
    return Of("$ if $ else $", {OfKind(depth - 1, kind), Number(depth - 1), OfKind(depth - 1, kind)},
              kConditional, {kOr, kOr, kConditional});
  }

  Text NumberCall(int depth) {
    switch (random_.Below(10)) {
      case 0:
        return Of(OneOf({"min($, $)", "max($, $)"}), {Number(depth - 1), Number(depth - 1)});
      case 1:
        return Of(OneOf({"min($)", "max($)", "any($)", "all($)", "len($)"}), {List(depth - 1)});
      case 2:
        return Sum(depth);
      case 3:
        return Of(OneOf({"len($)", "bool($)"}), {String(depth - 1)});
      case 4:
        return Of("int($)", {Chance(50) ? Number(depth - 1)
                                        : Plain(OneOf({"'12'", "' -5 '", "'1_000'", "'x'", "'1__0'", "''",
                                                       "'99999999999999999999'", "'+7'", "'1.5'", "'_1'"}))});
      case 5:
        return Of("float($)", {Chance(70) ? Number(depth - 1)
                                          : Plain(OneOf({"'12'", "' -.5e1 '", "'1_0.5'", "'0x10'", "'inf'",
                                                         "'e5'", "'-Infinity'", "'1e999'", "'5.'"}))});
      case 6:
        return Of(absl::StrCat("round($, ", random_.Below(5), ")"), {Number(depth - 1)});
      case 7:
        return Of(OneOf({"pow($, $)"}), {Number(depth - 1), Exponent()});
      case 8:
        return Of(OneOf({"ceil($)", "math.ceil($)", "floor($)", "math.floor($)", "math.sqrt($)", "sqrt($)",
                         "log2($)", "math.log2($)"}),
                  {Number(depth - 1)});
      default:
        return Of(OneOf({"abs($)", "bool($)", "round($)"}), {Number(depth - 1)});
    }
  }
  Text Sum(int depth) {
    if (Chance(50)) return Of("sum($)", {List(depth - 1)});
    Text made = Comprehension(depth);
    made.text.ours = absl::StrCat("sum(", made.text.ours.substr(1, made.text.ours.size() - 2), ")");
    made.text.python = absl::StrCat("sum(", made.text.python, ")");
    made.text.checked = absl::StrCat("sum(", made.text.checked, ")");
    return made;
  }

  Text String(int depth) {
    if (depth <= 0)
      return Plain(
          OneOf({"s", "'a'", "\"b'\"", "'ab'", "''", "'\\\\x\\n'", "'\xc3\xa9'", "\"float\"", "'12'"}));
    switch (random_.Below(7)) {
      case 0:
        return Of("$ + $", {String(depth - 1), String(depth - 1)}, kAdd, {kAdd, kMultiply});
      case 1:
        return Of("$ * $", {String(depth - 1), Small()}, kMultiply, {kMultiply, kUnary});
      case 2:
        return Of("str($)", {Any(depth - 1)});
      case 3:
        return Of("$[$]", {String(depth - 1), Index()}, kOperand, {kOperand, kConditional});
      case 4:
        return Chance(50) ? Logical(depth, 1) : Conditional(depth, 1);
      default:
        return String(0);
    }
  }

  // Of numbers: an item may be multiplied by any number.
  Text List(int depth) {
    if (depth <= 0) return Chance(30) ? Plain("L") : Of("[$, $]", {NumberLeaf(), NumberLeaf()});
    switch (random_.Below(10)) {
      case 0:
        return Of("$ + $", {List(depth - 1), List(depth - 1)}, kAdd, {kAdd, kMultiply});
      case 1:
        return Of("$ * $", {List(depth - 1), Small()}, kMultiply, {kMultiply, kUnary});
      case 2:
        return Of("list(range($))", {Small()});
      case 3:
        return Of("list(range($, $, $))", {Small(), Index(), Index()});
      case 4:
      case 5:
        return Comprehension(depth);
      case 6:
        return Chance(50) ? Logical(depth, 2) : Conditional(depth, 2);
      case 7:
        return Of("[$]", {Number(depth - 1)});
      case 8:
        return Of("[$, $, $]", {Number(depth - 1), Number(depth - 1), Number(depth - 1)});
      default:
        return List(0);
    }
  }

  Text Comprehension(int depth) {
    const size_t around = variables_.size();
    const Text first = List(depth - 1);
    const bool two = Chance(30);
    // With one loop the variable may hide a parameter or a variable around.
    const std::string variable = two ? absl::StrCat("x", next_++) : OneOf({"i", "j", "p"});
    variables_.push_back(variable);
    std::string pattern = absl::StrCat("[$ for ", variable, " in $");
    std::vector<Text> operands = {{}, first};
    if (Chance(30)) {
      pattern += " if $";
      operands.push_back(Number(depth - 1));
    }
    if (two) {
      const std::string inner = absl::StrCat("x", next_++);
      absl::StrAppend(&pattern, " for ", inner, " in $");
      operands.push_back(List(depth - 1));
      variables_.push_back(inner);
    }
    operands[0] = Number(depth - 1);
    variables_.resize(around);
    std::vector<Precedence> wanted(operands.size(), kOr);
    wanted[0] = kConditional;
    return Of(pattern + "]", operands, kOperand, wanted);
  }

  Random& random_;
  std::vector<std::string> variables_;  // of the comprehensions around
  int next_ = 0;
};

}  // namespace

RandomExpression MakeRandomExpression(Random& random) {
  Generator generator(random);
  const int depth = 1 + static_cast<int>(random.Below(4));
  return generator.Any(depth).text;
}

}  // namespace tune::testing
