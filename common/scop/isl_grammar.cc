#include "common/scop/isl_grammar.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/scop/isl_bounds.h"
#include "common/scop/isl_words.h"

namespace tune {
namespace {

// What an expression is.
enum class Sort { kNumber, kAffine, kCondition };

constexpr absl::string_view kComparisons[] = {"=", "!=", "<", "<=", ">", ">="};

// Reads from the front of the words what it is asked for.
class IslReader {
 public:
  explicit IslReader(std::vector<IslWord> words) : words_(std::move(words)) {}

  absl::Status Whole(IslKind kind) {
    const bool has_parameters = Is("[") && !(kind == IslKind::kBand && !Maps(at_));
    if (has_parameters) TUNE_RETURN_IF_ERROR(Parameters());
    TUNE_RETURN_IF_ERROR(kind == IslKind::kBand ? Members() : Pieces(kind));
    return words_[at_].kind == IslToken::kEnd ? absl::OkStatus() : Expected("the end");
  }

 private:
  // One more level of brackets, as long as it lives.
  class Level {
   public:
    explicit Level(int* depth) : depth_(depth) { ++*depth_; }
    ~Level() { --*depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    int* const depth_;
  };

  absl::Status Expected(absl::string_view what) const {
    const IslWord& word = words_[at_];
    return absl::InvalidArgumentError(
        absl::StrCat("byte ", word.at, ": expected ", what, ", found ",
                     word.kind == IslToken::kEnd ? "the end" : absl::StrCat("\"", word.text, "\"")));
  }
  absl::Status TooMany(int most, absl::string_view what) const {
    return absl::InvalidArgumentError(
        absl::StrCat("byte ", words_[at_].at, ": more than ", most, " ", what,
                     "; this limit is fixed: write simpler bounds, conditions and subscripts"));
  }
  absl::Status CheckDepth() const {
    return depth_ > kDeepestIslText ? TooMany(kDeepestIslText, "brackets within each other")
                                    : absl::OkStatus();
  }

  const IslWord& Ahead() const { return words_[std::min(at_ + 1, words_.size() - 1)]; }
  bool Is(absl::string_view mark) const {
    return words_[at_].kind != IslToken::kName && words_[at_].text == mark;
  }
  bool IsName() const { return words_[at_].kind == IslToken::kName; }
  bool Accept(absl::string_view mark) {
    if (!Is(mark)) return false;
    ++at_;
    return true;
  }
  absl::Status Take(absl::string_view mark) {
    return Accept(mark) ? absl::OkStatus() : Expected(absl::StrCat("\"", mark, "\""));
  }

  // Whether "->" follows the brackets that open at this word.
  bool Maps(size_t open) const {
    int depth = 0;
    for (size_t at = open; words_[at].kind != IslToken::kEnd; ++at) {
      if (words_[at].text == "[") ++depth;
      if (words_[at].text == "]" && --depth == 0) return words_[at + 1].text == "->";
    }
    return false;
  }

  bool Knows(absl::string_view name) const { return std::count(names_.begin(), names_.end(), name) > 0; }

  absl::Status Parameters() {
    TUNE_RETURN_IF_ERROR(Take("["));
    if (!Is("]")) {
      do {
        if (!IsName() || Knows(words_[at_].text)) return Expected("the name of another parameter");
        names_.push_back(words_[at_++].text);
        if (names_.size() > kMostIslParameters) return TooMany(kMostIslParameters, "parameters");
      } while (Accept(","));
    }
    TUNE_RETURN_IF_ERROR(Take("]"));
    return Take("->");
  }

  // The functions of a band, each in braces.
  absl::Status Members() {
    if (IsName()) ++at_;
    TUNE_RETURN_IF_ERROR(Take("["));
    int members = 0;
    do {
      if (++members > kMostIslDimensions) return TooMany(kMostIslDimensions, "members");
      TUNE_RETURN_IF_ERROR(Pieces(IslKind::kAffine));
    } while (Accept(","));
    return Take("]");
  }

  absl::Status Pieces(IslKind kind) {
    TUNE_RETURN_IF_ERROR(Take("{"));
    const size_t parameters = names_.size();
    if (parameters == 0 && kind != IslKind::kContext && Accept("}")) return absl::OkStatus();
    do {
      if (++pieces_ > kMostIslPieces) return TooMany(kMostIslPieces, "pieces");
      TUNE_RETURN_IF_ERROR(Piece(kind));
      names_.resize(parameters);
    } while (kind != IslKind::kContext && Accept(";"));
    return Take("}");
  }

  absl::Status Piece(IslKind kind) {
    if (kind == IslKind::kSet || kind == IslKind::kRelation) TUNE_RETURN_IF_ERROR(Tuple());
    if (kind == IslKind::kRelation) {
      TUNE_RETURN_IF_ERROR(Take("->"));
      TUNE_RETURN_IF_ERROR(Tuple());
    }
    if (kind == IslKind::kAffine) TUNE_RETURN_IF_ERROR(Function());
    if (kind == IslKind::kContext && !Is(":")) return Expected("\":\", as in a set over parameters only");
    if (!Accept(":") || (kind == IslKind::kContext && Is("}"))) return absl::OkStatus();
    return Condition();
  }

  absl::Status Function() {
    if (IsName()) {
      TUNE_RETURN_IF_ERROR(Tuple());
      TUNE_RETURN_IF_ERROR(Take("->"));
    }
    TUNE_RETURN_IF_ERROR(Take("["));
    TUNE_RETURN_IF_ERROR(Value());
    return Take("]");
  }

  // A[i, j = i, 2 + i], or one of two tuples: [A[i] -> B[j]].
  absl::Status Tuple() {
    const Level level(&depth_);
    TUNE_RETURN_IF_ERROR(CheckDepth());
    if (IsName()) ++at_;
    TUNE_RETURN_IF_ERROR(Take("["));
    if (Is("[") || (IsName() && Ahead().text == "[")) {
      TUNE_RETURN_IF_ERROR(Tuple());
      TUNE_RETURN_IF_ERROR(Take("->"));
      TUNE_RETURN_IF_ERROR(Tuple());
      return Take("]");
    }
    int dimensions = 0;
    if (!Is("]")) {
      do {
        if (++dimensions > kMostIslDimensions) return TooMany(kMostIslDimensions, "dimensions of a tuple");
        TUNE_RETURN_IF_ERROR(Dimension());
      } while (Accept(","));
    }
    return Take("]");
  }

  // A new name, a new name with its value, or a value.
  absl::Status Dimension() {
    const absl::string_view after = Ahead().text;
    if (IsName() && after == "=" && !Knows(words_[at_].text)) {
      const absl::string_view name = words_[at_].text;
      at_ += 2;
      TUNE_RETURN_IF_ERROR(Value());
      names_.push_back(name);
      return absl::OkStatus();
    }
    if (IsName() && (after == "," || after == "]") && !Knows(words_[at_].text)) {
      names_.push_back(words_[at_++].text);
      return absl::OkStatus();
    }
    return Value();
  }

  absl::Status Condition() {
    const size_t begin = at_;
    TUNE_ASSIGN_OR_RETURN(const Sort sort, Or());
    if (sort == Sort::kCondition) return absl::OkStatus();
    at_ = begin;
    return Expected("a condition");
  }

  absl::Status Value() {
    const size_t begin = at_;
    TUNE_ASSIGN_OR_RETURN(const Sort sort, Sum());
    if (sort != Sort::kCondition) return absl::OkStatus();
    at_ = begin;
    return Expected("a value");
  }

  absl::StatusOr<Sort> Or() { return Conditions("or", &IslReader::And); }
  absl::StatusOr<Sort> And() { return Conditions("and", &IslReader::Not); }

  // Several conditions with the word between them, or what one operand is.
  absl::StatusOr<Sort> Conditions(absl::string_view word, absl::StatusOr<Sort> (IslReader::*operand)()) {
    TUNE_ASSIGN_OR_RETURN(const Sort first, (this->*operand)());
    while (Is(word)) {
      if (first != Sort::kCondition) return Expected("a comparison");
      ++at_;
      const size_t begin = at_;
      TUNE_ASSIGN_OR_RETURN(const Sort next, (this->*operand)());
      if (next == Sort::kCondition) continue;
      at_ = begin;
      return Expected("a condition");
    }
    return first;
  }

  absl::StatusOr<Sort> Not() {
    if (Accept("true") || Accept("false")) return Sort::kCondition;
    if (Accept("exists")) return Exists();
    if (!Accept("not")) return Comparison();
    const size_t begin = at_;
    TUNE_ASSIGN_OR_RETURN(const Sort sort, Comparison());
    if (sort == Sort::kCondition) return sort;
    at_ = begin;
    return Expected("a condition");
  }

  // exists (e0, e1 = floor((i)/2): ...), with or without the parentheses.
  absl::StatusOr<Sort> Exists() {
    const Level level(&depth_);
    TUNE_RETURN_IF_ERROR(CheckDepth());
    const bool parentheses = Accept("(");
    const size_t outer = names_.size();
    do {
      if (!IsName() || Knows(words_[at_].text)) return Expected("a new name");
      if (++exists_ > kMostIslExists) return TooMany(kMostIslExists, "names after exists");
      const absl::string_view name = words_[at_++].text;
      if (Accept("=")) TUNE_RETURN_IF_ERROR(Value());
      names_.push_back(name);
    } while (Accept(","));
    TUNE_RETURN_IF_ERROR(Take(":"));
    TUNE_RETURN_IF_ERROR(Condition());
    if (parentheses) TUNE_RETURN_IF_ERROR(Take(")"));
    names_.resize(outer);
    return Sort::kCondition;
  }

  // 0 <= i, j < n; or a value, or a condition in parentheses.
  absl::StatusOr<Sort> Comparison() {
    TUNE_ASSIGN_OR_RETURN(const Sort first, Sum());
    if (first == Sort::kCondition) return first;
    bool list = false, compared = false;
    while (true) {
      if (Accept(",")) {
        list = true;
      } else if (std::any_of(std::begin(kComparisons), std::end(kComparisons),
                             [this](absl::string_view mark) { return Accept(mark); })) {
        compared = true;
        if (++constraints_ > kMostIslConstraints) return TooMany(kMostIslConstraints, "comparisons");
      } else {
        break;
      }
      TUNE_RETURN_IF_ERROR(Value());
    }
    if (list && !compared) return Expected("a comparison");
    return compared ? Sort::kCondition : first;
  }

  absl::StatusOr<Sort> Sum() {
    TUNE_ASSIGN_OR_RETURN(Sort sort, Product());
    while (Is("+") || Is("-")) {
      if (sort == Sort::kCondition) return Expected("a value before it");
      ++at_;
      TUNE_ASSIGN_OR_RETURN(const Sort next, Product());
      if (next == Sort::kCondition) return Expected("a value before it");
      if (next == Sort::kAffine) sort = next;
    }
    return sort;
  }

  absl::StatusOr<Sort> Product() {
    TUNE_ASSIGN_OR_RETURN(Sort sort, Factor());
    while (true) {
      const bool times = Is("*"), part = Is("/") || Is("%") || Is("mod");
      if (!times && !part) return sort;
      if (sort == Sort::kCondition || (part && is_digits_)) return Expected("a value of names before it");
      ++at_;
      if (part) {
        TUNE_RETURN_IF_ERROR(PositiveNumber());
        continue;
      }
      TUNE_ASSIGN_OR_RETURN(const Sort next, Factor(/*coefficient=*/false));
      if (next == Sort::kCondition) return Expected("a value before it");
      if (next == Sort::kAffine && sort == Sort::kAffine) return Expected("a product with a number");
      if (next == Sort::kAffine) sort = next;
    }
  }

  absl::Status PositiveNumber() {
    const IslWord& word = words_[at_];
    if (word.kind != IslToken::kNumber || word.text.find_first_not_of('0') == absl::string_view::npos)
      return Expected("a positive number");
    ++at_;
    return absl::OkStatus();
  }

  // `coefficient`: whether "2i" and "-i" are possible here.
  absl::StatusOr<Sort> Factor(bool coefficient = true) {
    const Level level(&depth_);
    TUNE_RETURN_IF_ERROR(CheckDepth());
    if (coefficient && Accept("-")) {
      TUNE_ASSIGN_OR_RETURN(const Sort sort, Factor());
      if (sort == Sort::kCondition) return Expected("a value before it");
      return sort;
    }
    if (Accept("(")) {
      TUNE_ASSIGN_OR_RETURN(const Sort sort, Or());
      TUNE_RETURN_IF_ERROR(Take(")"));
      is_digits_ = false;
      return sort;
    }
    is_digits_ = words_[at_].kind == IslToken::kNumber;
    if (is_digits_) {
      ++at_;
      if (!coefficient || !IsName()) return Sort::kNumber;
      is_digits_ = false;
      return Name();
    }
    if (words_[at_].kind == IslToken::kKeyword) return Call();
    return Name();
  }

  absl::StatusOr<Sort> Name() {
    if (!IsName() || !Knows(words_[at_].text)) return Expected("a value of known names");
    ++at_;
    return Sort::kAffine;
  }

  absl::StatusOr<Sort> Call() {
    const bool one = Is("floor") || Is("ceil"), divided = Is("floord") || Is("ceild");
    if (!one && !divided && !Is("min") && !Is("max")) return Expected("a value");
    ++at_;
    TUNE_RETURN_IF_ERROR(Take("("));
    TUNE_RETURN_IF_ERROR(Value());
    if (divided) {
      TUNE_RETURN_IF_ERROR(Take(","));
      TUNE_RETURN_IF_ERROR(PositiveNumber());
    }
    while (!one && !divided && Accept(",")) TUNE_RETURN_IF_ERROR(Value());
    TUNE_RETURN_IF_ERROR(Take(")"));
    is_digits_ = false;
    return Sort::kAffine;
  }

  const std::vector<IslWord> words_;
  size_t at_ = 0;
  bool is_digits_ = false;  // the last factor is a number as written
  int depth_ = 0, pieces_ = 0, exists_ = 0, constraints_ = 0;
  std::vector<absl::string_view> names_;  // that are known here, the innermost last
};

}  // namespace

absl::Status CheckIslText(IslKind kind, absl::string_view text) {
  if (text.size() > kLongestIslText)
    return absl::InvalidArgumentError(absl::StrCat("longer than ", kLongestIslText, " bytes"));
  TUNE_ASSIGN_OR_RETURN(std::vector<IslWord> words, IslWords(text));
  return IslReader(std::move(words)).Whole(kind);
}

}  // namespace tune
