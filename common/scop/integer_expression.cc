#include "common/scop/integer_expression.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <vector>

#include "absl/strings/ascii.h"
#include "common/base/c_identifier.h"

namespace tune {
namespace {

using Value = std::optional<int64_t>;

bool StartsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }

bool IsTypeWord(absl::string_view word) {
  static const auto* const kWords = new std::set<std::string>{
      "char",      "short",   "int",   "long",    "signed",  "unsigned", "size_t",
      "ptrdiff_t", "ssize_t", "const", "int32_t", "int64_t", "uint32_t", "uint64_t"};
  return kWords->count(std::string(word)) > 0;
}

// Words, numbers, and operators of one or two characters.
std::vector<absl::string_view> Tokens(absl::string_view text) {
  std::vector<absl::string_view> tokens;
  for (size_t at = 0; at < text.size();) {
    if (absl::ascii_isspace(text[at])) {
      ++at;
      continue;
    }
    size_t end = at + 1;
    if (IsNameCharacter(text[at])) {
      while (end < text.size() && IsNameCharacter(text[end])) ++end;
    } else if (end < text.size() && (text[at] == '<' || text[at] == '>') && text[end] == text[at]) {
      ++end;
    }
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

Value Literal(absl::string_view text) {
  size_t end = text.size();
  while (end > 0 && std::string("uUlL").find(text[end - 1]) != std::string::npos) --end;
  const std::string digits(text.substr(0, end));
  char* rest = nullptr;
  errno = 0;
  const long long value = std::strtoll(digits.c_str(), &rest, 0);
  if (digits.empty() || *rest != '\0' || errno != 0) return std::nullopt;
  return value;
}

Value Apply(absl::string_view op, int64_t a, int64_t b) {
  int64_t result = 0;
  if (op == "+" && !__builtin_add_overflow(a, b, &result)) return result;
  if (op == "-" && !__builtin_sub_overflow(a, b, &result)) return result;
  if (op == "*" && !__builtin_mul_overflow(a, b, &result)) return result;
  if ((op == "/" || op == "%") && b != 0 && !(a == INT64_MIN && b == -1)) return op == "/" ? a / b : a % b;
  if (op == ">>" && b >= 0 && b < 63) return a >> b;
  if (op == "<<" && b >= 0 && b < 62 && !__builtin_mul_overflow(a, int64_t{1} << b, &result)) return result;
  return std::nullopt;
}

int Precedence(absl::string_view op) {
  if (op == "*" || op == "/" || op == "%") return 3;
  if (op == "+" || op == "-") return 2;
  if (op == "<<" || op == ">>") return 1;
  return 0;
}

// Recursive descent.
class Parser {
 public:
  Parser(std::vector<absl::string_view> tokens, const std::map<std::string, int64_t>& values)
      : tokens_(std::move(tokens)), values_(values) {}

  Value Whole() {
    const Value value = Binary(1);
    return next_ == tokens_.size() ? value : std::nullopt;
  }

 private:
  absl::string_view Peek(size_t ahead = 0) const {
    return next_ + ahead < tokens_.size() ? tokens_[next_ + ahead] : absl::string_view();
  }
  bool Take(absl::string_view token) {
    if (Peek() != token) return false;
    ++next_;
    return true;
  }

  Value Binary(int lowest) {
    Value left = Unary();
    while (left && Precedence(Peek()) >= lowest) {
      const absl::string_view op = tokens_[next_++];
      const Value right = Binary(Precedence(op) + 1);
      if (!right) return std::nullopt;
      left = Apply(op, *left, *right);
    }
    return left;
  }

  Value Unary() {
    if (Take("+")) return Unary();
    if (Take("-")) {
      const Value value = Unary();
      return value ? Apply("-", 0, *value) : std::nullopt;
    }
    if (!Take("(")) return Word();
    if (!IsTypeWord(Peek())) {
      const Value value = Binary(1);
      return Take(")") ? value : std::nullopt;
    }
    while (IsTypeWord(Peek())) ++next_;
    return Take(")") ? Unary() : std::nullopt;
  }

  Value Word() {
    if (next_ == tokens_.size()) return std::nullopt;
    const std::string word(tokens_[next_++]);
    if (!StartsName(word[0])) return Literal(word);
    const auto value = values_.find(word);
    return value == values_.end() ? Value() : Value(value->second);
  }

  const std::vector<absl::string_view> tokens_;
  const std::map<std::string, int64_t>& values_;
  size_t next_ = 0;
};

}  // namespace

std::set<std::string> NamesIn(absl::string_view text) {
  std::set<std::string> names;
  for (const absl::string_view token : Tokens(text)) {
    if (StartsName(token[0]) && !IsTypeWord(token) && token != "sizeof") names.emplace(token);
  }
  return names;
}

std::optional<int64_t> EvaluateInteger(absl::string_view text, const std::map<std::string, int64_t>& values,
                                       std::set<std::string>* unknown) {
  const std::vector<absl::string_view> tokens = Tokens(text);
  const Value value = Parser(tokens, values).Whole();
  const bool sized = std::find(tokens.begin(), tokens.end(), "sizeof") != tokens.end();
  if (value || unknown == nullptr || sized) return value;
  for (const std::string& name : NamesIn(text)) {
    if (values.count(name) == 0) unknown->insert(name);
  }
  return value;
}

}  // namespace tune
