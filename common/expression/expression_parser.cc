#include "common/expression/expression_parser.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "common/expression/expression.h"
#include "common/expression/function_names.h"
#include "common/expression/token.h"

namespace tune {
namespace {

using Kind = ExpressionNode::Kind;

struct InfixSymbol {
  absl::string_view symbol;
  BinaryOperator op;
  int precedence;
};
constexpr InfixSymbol kInfixSymbols[] = {
    {"|", BinaryOperator::kOr, 1},          {"^", BinaryOperator::kXor, 2},
    {"&", BinaryOperator::kAnd, 3},         {"<<", BinaryOperator::kShiftLeft, 4},
    {">>", BinaryOperator::kShiftRight, 4}, {"+", BinaryOperator::kAdd, 5},
    {"-", BinaryOperator::kSubtract, 5},    {"*", BinaryOperator::kMultiply, 6},
    {"/", BinaryOperator::kDivide, 6},      {"//", BinaryOperator::kFloorDivide, 6},
    {"%", BinaryOperator::kModulo, 6}};

struct ComparisonSymbol {
  absl::string_view symbol;
  Comparison comparison;
};
constexpr ComparisonSymbol kComparisonSymbols[] = {
    {"==", Comparison::kEqual},       {"!=", Comparison::kNotEqual}, {"<", Comparison::kLess},
    {"<=", Comparison::kLessOrEqual}, {">", Comparison::kGreater},   {">=", Comparison::kGreaterOrEqual},
    {"in", Comparison::kIn}};

// Python's words that are no names here.
constexpr absl::string_view kReserved[] = {"and",    "or",  "not", "in",    "is",    "if",    "else",
                                           "lambda", "for", "def", "class", "yield", "await", "import"};

bool IsReserved(absl::string_view word) {
  return std::find(std::begin(kReserved), std::end(kReserved), word) != std::end(kReserved);
}

// Recursive descent; operators by precedence climbing.
class Parser {
 public:
  explicit Parser(absl::string_view text) : lexer_(text) {}

  absl::StatusOr<ExpressionNode> Parse() {
    TUNE_RETURN_IF_ERROR(Advance());
    TUNE_ASSIGN_OR_RETURN(ExpressionNode root, ReadConditional());
    if (token_.kind != Token::Kind::kEnd) return Expected("an operator or the end");
    return root;
  }

 private:
  using Node = absl::StatusOr<ExpressionNode>;
  // Counts what the parser is inside of.
  struct Nesting {
    explicit Nesting(int* depth) : depth_(depth) { ++*depth_; }
    ~Nesting() { --*depth_; }
    int* depth_;
  };

  absl::Status Advance() {
    TUNE_ASSIGN_OR_RETURN(token_, lexer_.Next());
    return absl::OkStatus();
  }
  absl::Status Expected(absl::string_view what) const {
    return ExpressionError(token_.column, absl::StrCat("expected ", what, ", found ", Describe(token_)));
  }
  absl::Status Expect(absl::string_view symbol) {
    if (!token_.Is(symbol)) return Expected(absl::StrCat("\"", symbol, "\""));
    return Advance();
  }
  absl::StatusOr<bool> Take(absl::string_view symbol) {
    if (!token_.Is(symbol)) return false;
    TUNE_RETURN_IF_ERROR(Advance());
    return true;
  }
  absl::Status CheckNesting() const {
    if (nesting_ <= kMostExpressionNesting) return absl::OkStatus();
    return ExpressionError(token_.column, absl::StrCat("nested deeper than ", kMostExpressionNesting));
  }

  static ExpressionNode Make(Kind kind, int column) {
    ExpressionNode node;
    node.kind = kind;
    node.column = column;
    return node;
  }
  static absl::Status Add(ExpressionNode operand, ExpressionNode* node) {
    node->depth = std::max(node->depth, operand.depth + 1);
    node->operands.push_back(std::move(operand));
    if (node->depth <= kMostTreeDepth) return absl::OkStatus();
    return ExpressionError(node->column,
                           absl::StrCat("more than ", kMostTreeDepth, " operators in each other"));
  }
  template <typename... Operands>
  static Node Of(ExpressionNode node, Operands... operands) {
    absl::Status status;
    ((status.ok() ? status = Add(std::move(operands), &node) : status), ...);
    TUNE_RETURN_IF_ERROR(status);
    return node;
  }

  // a if condition else b
  Node ReadConditional() {
    const Nesting nesting(&nesting_);
    TUNE_RETURN_IF_ERROR(CheckNesting());
    TUNE_ASSIGN_OR_RETURN(ExpressionNode then, ReadOr());
    const int column = token_.column;
    TUNE_ASSIGN_OR_RETURN(const bool conditional, Take("if"));
    if (!conditional) return then;
    TUNE_ASSIGN_OR_RETURN(ExpressionNode condition, ReadOr());
    TUNE_RETURN_IF_ERROR(Expect("else"));
    TUNE_ASSIGN_OR_RETURN(ExpressionNode otherwise, ReadConditional());
    return Of(Make(Kind::kConditional, column), std::move(condition), std::move(then), std::move(otherwise));
  }

  Node ReadOr() { return ReadLogical(Kind::kOr, "or", "||", &Parser::ReadAnd); }
  Node ReadAnd() { return ReadLogical(Kind::kAnd, "and", "&&", &Parser::ReadNot); }

  Node ReadLogical(Kind kind, absl::string_view word, absl::string_view symbol, Node (Parser::*read)()) {
    TUNE_ASSIGN_OR_RETURN(ExpressionNode first, (this->*read)());
    if (!token_.Is(word) && !token_.Is(symbol)) return first;
    ExpressionNode node = Make(kind, token_.column);
    TUNE_RETURN_IF_ERROR(Add(std::move(first), &node));
    while (token_.Is(word) || token_.Is(symbol)) {
      TUNE_RETURN_IF_ERROR(Advance());
      TUNE_ASSIGN_OR_RETURN(ExpressionNode next, (this->*read)());
      TUNE_RETURN_IF_ERROR(Add(std::move(next), &node));
    }
    return node;
  }

  Node ReadNot() {
    if (!token_.Is("not")) return ReadComparison();
    const Nesting nesting(&nesting_);
    TUNE_RETURN_IF_ERROR(CheckNesting());
    ExpressionNode node = Make(Kind::kUnary, token_.column);
    node.unary = UnaryOperator::kNot;
    TUNE_RETURN_IF_ERROR(Advance());
    TUNE_ASSIGN_OR_RETURN(ExpressionNode operand, ReadNot());
    return Of(std::move(node), std::move(operand));
  }

  Node ReadComparison() {
    TUNE_ASSIGN_OR_RETURN(ExpressionNode first, ReadBinary(1));
    ExpressionNode node = Make(Kind::kCompare, token_.column);
    TUNE_ASSIGN_OR_RETURN(std::optional<Comparison> comparison, TakeComparison());
    if (!comparison.has_value()) return first;
    TUNE_RETURN_IF_ERROR(Add(std::move(first), &node));
    while (comparison.has_value()) {
      node.comparisons.push_back(*comparison);
      TUNE_ASSIGN_OR_RETURN(ExpressionNode next, ReadBinary(1));
      TUNE_RETURN_IF_ERROR(Add(std::move(next), &node));
      TUNE_ASSIGN_OR_RETURN(comparison, TakeComparison());
    }
    return node;
  }

  absl::StatusOr<std::optional<Comparison>> TakeComparison() {
    for (const ComparisonSymbol& symbol : kComparisonSymbols) {
      if (!token_.Is(symbol.symbol)) continue;
      TUNE_RETURN_IF_ERROR(Advance());
      return symbol.comparison;
    }
    TUNE_ASSIGN_OR_RETURN(const bool negated, Take("not"));
    if (!negated) return std::nullopt;
    TUNE_RETURN_IF_ERROR(Expect("in"));
    return Comparison::kNotIn;
  }

  // Operators that bind at least as tightly.
  Node ReadBinary(int precedence) {
    TUNE_ASSIGN_OR_RETURN(ExpressionNode left, ReadUnary());
    for (const InfixSymbol* infix = FindInfix(precedence); infix != nullptr; infix = FindInfix(precedence)) {
      ExpressionNode node = Make(Kind::kBinary, token_.column);
      node.binary = infix->op;
      TUNE_RETURN_IF_ERROR(Advance());
      TUNE_ASSIGN_OR_RETURN(ExpressionNode right, ReadBinary(infix->precedence + 1));
      TUNE_ASSIGN_OR_RETURN(left, Of(std::move(node), std::move(left), std::move(right)));
    }
    return left;
  }

  const InfixSymbol* FindInfix(int precedence) const {
    for (const InfixSymbol& infix : kInfixSymbols) {
      if (infix.precedence >= precedence && token_.Is(infix.symbol)) return &infix;
    }
    return nullptr;
  }

  Node ReadUnary() {
    static constexpr std::pair<absl::string_view, UnaryOperator> kSigns[] = {{"-", UnaryOperator::kNegate},
                                                                             {"+", UnaryOperator::kPlus},
                                                                             {"~", UnaryOperator::kInvert},
                                                                             {"!", UnaryOperator::kNot}};
    for (const auto& [symbol, op] : kSigns) {
      if (!token_.Is(symbol)) continue;
      const Nesting nesting(&nesting_);
      TUNE_RETURN_IF_ERROR(CheckNesting());
      ExpressionNode node = Make(Kind::kUnary, token_.column);
      node.unary = op;
      TUNE_RETURN_IF_ERROR(Advance());
      const bool smallest = op == UnaryOperator::kNegate && token_.integer > INT64_MAX;
      after_minus_ = smallest;
      TUNE_ASSIGN_OR_RETURN(ExpressionNode operand, ReadUnary());
      if (smallest && IsSmallest(operand)) return operand;
      return Of(std::move(node), std::move(operand));
    }
    return ReadPower();
  }

  // 2^63 is written only as the operand of a minus, and stands for what that makes of it.
  static bool IsSmallest(const ExpressionNode& node) {
    return node.kind == Kind::kLiteral && node.literal.kind() == Value::Kind::kInteger &&
           node.literal.whole() == INT64_MIN;
  }

  Node ReadPower() {
    const int begin = token_.column;
    TUNE_ASSIGN_OR_RETURN(ExpressionNode base, ReadSubscripts());
    if (!token_.Is("**")) return base;
    if (IsSmallest(base)) return ExpressionError(begin, "9223372036854775808 does not fit into 64 bits");
    ExpressionNode node = Make(Kind::kBinary, token_.column);
    node.binary = BinaryOperator::kPower;
    TUNE_RETURN_IF_ERROR(Advance());
    const Nesting nesting(&nesting_);
    TUNE_RETURN_IF_ERROR(CheckNesting());
    TUNE_ASSIGN_OR_RETURN(ExpressionNode exponent, ReadUnary());
    return Of(std::move(node), std::move(base), std::move(exponent));
  }

  Node ReadSubscripts() {
    TUNE_ASSIGN_OR_RETURN(ExpressionNode of, ReadOperand());
    while (token_.Is("[")) {
      ExpressionNode node = Make(Kind::kSubscript, token_.column);
      TUNE_RETURN_IF_ERROR(Advance());
      TUNE_ASSIGN_OR_RETURN(ExpressionNode which, ReadConditional());
      TUNE_RETURN_IF_ERROR(Expect("]"));
      TUNE_ASSIGN_OR_RETURN(of, Of(std::move(node), std::move(of), std::move(which)));
    }
    return of;
  }

  Node ReadOperand() {
    const bool after_minus = std::exchange(after_minus_, false);
    const Token token = token_;
    switch (token.kind) {
      case Token::Kind::kInteger:
        if (token.integer > INT64_MAX && !after_minus)
          return ExpressionError(token.column, absl::StrCat(token.text, " does not fit into 64 bits"));
        return ReadLiteral(Value::Integer(static_cast<int64_t>(token.integer)));
      case Token::Kind::kFloat:
        return ReadLiteral(Value::Float(token.number));
      case Token::Kind::kString:
        return ReadLiteral(Value::String(token.text));
      case Token::Kind::kName:
        return ReadNamed();
      default:
        break;
    }
    if (token.Is("[")) return ReadItems("]");
    if (token.Is("(")) return ReadItems(")");
    return Expected("a number, a name, a string, \"(\" or \"[\"");
  }

  Node ReadLiteral(Value value) {
    ExpressionNode node = Make(Kind::kLiteral, token_.column);
    node.literal = std::move(value);
    TUNE_RETURN_IF_ERROR(Advance());
    return node;
  }

  Node ReadNamed() {
    const Token name = token_;
    if (name.Is("True") || name.Is("False")) return ReadLiteral(Value::Boolean(name.Is("True")));
    if (IsReserved(name.text)) return Expected("a number, a name, a string, \"(\" or \"[\"");
    TUNE_RETURN_IF_ERROR(Advance());
    if (token_.Is("(")) return ReadCall(name, false);
    if (name.text == "math" && token_.Is(".")) {
      TUNE_RETURN_IF_ERROR(Advance());
      const Token function = token_;
      if (function.kind != Token::Kind::kName) return Expected("a function of math");
      TUNE_RETURN_IF_ERROR(Advance());
      if (!token_.Is("(")) return Expected("\"(\"");
      return ReadCall(function, true);
    }
    ExpressionNode node = Make(Kind::kName, name.column);
    node.name = name.text;
    return node;
  }

  // From the parenthesis after the function's name.
  Node ReadCall(const Token& name, bool of_math) {
    const FunctionName* function = FindFunction(name.text);
    if (function == nullptr || (of_math && !function->is_of_math)) {
      return ExpressionError(name.column,
                             absl::StrCat("\"", name.text, "\" is no function ", of_math ? "of math " : "",
                                          "here; there are: ", FunctionNames(of_math)));
    }
    TUNE_ASSIGN_OR_RETURN(ExpressionNode arguments, ReadItems(")"));
    ExpressionNode node = Make(Kind::kCall, name.column);
    node.function = function->function;
    if (arguments.kind == Kind::kComprehension || !is_tuple_) {
      TUNE_RETURN_IF_ERROR(Add(std::move(arguments), &node));
    } else {
      for (ExpressionNode& argument : arguments.operands)
        TUNE_RETURN_IF_ERROR(Add(std::move(argument), &node));
    }
    const int count = static_cast<int>(node.operands.size());
    if (count >= function->least_arguments &&
        (function->most_arguments < 0 || count <= function->most_arguments)) {
      return node;
    }
    const std::string wanted =
        function->most_arguments < 0 ? "at least 1"
        : function->least_arguments == function->most_arguments
            ? absl::StrCat(function->least_arguments)
            : absl::StrCat(function->least_arguments, " to ", function->most_arguments);
    return ExpressionError(name.column,
                           absl::StrCat(name.text, " has ", count, " arguments, but takes ", wanted));
  }

  // A list, or what is between parentheses: a tuple, a comprehension, or one operand, which is itself.
  // Sets is_tuple_.
  Node ReadItems(absl::string_view close) {
    ExpressionNode list = Make(Kind::kList, token_.column);
    TUNE_RETURN_IF_ERROR(Advance());
    bool comma = false;
    while (!token_.Is(close)) {
      TUNE_ASSIGN_OR_RETURN(ExpressionNode item, ReadConditional());
      if (list.operands.empty() && token_.Is("for")) return ReadClauses(std::move(item), close);
      TUNE_RETURN_IF_ERROR(Add(std::move(item), &list));
      TUNE_ASSIGN_OR_RETURN(comma, Take(","));
      if (!comma && !token_.Is(close)) return Expected(absl::StrCat("\",\" or \"", close, "\""));
    }
    TUNE_RETURN_IF_ERROR(Advance());
    is_tuple_ = list.operands.size() != 1 || comma;
    if (close == ")" && !is_tuple_) return std::move(list.operands[0]);
    return list;
  }

  Node ReadClauses(ExpressionNode item, absl::string_view close) {
    const Nesting nesting(&nesting_);
    TUNE_RETURN_IF_ERROR(CheckNesting());
    ExpressionNode node = Make(Kind::kComprehension, token_.column);
    TUNE_RETURN_IF_ERROR(Add(std::move(item), &node));
    while (!token_.Is(close)) {
      ExpressionNode::Clause& clause = node.clauses.emplace_back();
      TUNE_ASSIGN_OR_RETURN(const bool condition, Take("if"));
      if (!condition) {
        if (!token_.Is("for")) return Expected(absl::StrCat("\"for\", \"if\" or \"", close, "\""));
        TUNE_RETURN_IF_ERROR(Advance());
        if (token_.kind != Token::Kind::kName || IsReserved(token_.text)) return Expected("a variable");
        clause.variable = token_.text;
        TUNE_RETURN_IF_ERROR(Advance());
        TUNE_RETURN_IF_ERROR(Expect("in"));
      }
      TUNE_ASSIGN_OR_RETURN(ExpressionNode operand, ReadOr());
      TUNE_RETURN_IF_ERROR(Add(std::move(operand), &node));
      if (node.clauses.size() > kMostExpressionNesting) {
        return ExpressionError(node.column, absl::StrCat("more than ", kMostExpressionNesting,
                                                         " \"for\" and \"if\" in one list"));
      }
    }
    TUNE_RETURN_IF_ERROR(Advance());
    is_tuple_ = false;
    return node;
  }

  Lexer lexer_;
  Token token_;
  int nesting_ = 0;
  bool after_minus_ = false;  // the operand that is read next stands directly after a minus
  bool is_tuple_ = false;     // what ReadItems read last had none or several items, or a comma at its end
};

}  // namespace

absl::StatusOr<ExpressionNode> ParseExpression(absl::string_view text) {
  if (text.size() > kMostExpressionLength) {
    return absl::InvalidArgumentError(
        absl::StrCat("the expression has ", text.size(), " bytes, more than ", kMostExpressionLength));
  }
  return Parser(text).Parse();
}

}  // namespace tune
