#include "common/program/attribute_reader.h"

#include <limits>

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/program/expression_reader.h"

namespace tune {
namespace {

// Puts what `take` takes where `place` is.
template <typename T, typename Taken>
auto Setter(T* place, absl::StatusOr<Taken> (*take)(TextCursor* cursor)) {
  return [place, take](TextCursor* cursor) -> absl::Status {
    TUNE_ASSIGN_OR_RETURN(*place, take(cursor));
    return absl::OkStatus();
  };
}

absl::StatusOr<std::string> TakeName(TextCursor* cursor) { return cursor->TakeName(); }
absl::StatusOr<std::string> TakeTypeName(TextCursor* cursor) { return cursor->TakeTypeName(); }
absl::StatusOr<int64_t> TakeNumber(TextCursor* cursor) { return cursor->TakeNumber(); }

absl::StatusOr<v1::ElementType> TakeElementType(TextCursor* cursor) {
  const TextCursor begin = *cursor;
  TUNE_ASSIGN_OR_RETURN(const std::string name, cursor->TakeTypeName());
  if (const std::optional<v1::ElementType> type = FindElementType(name)) return *type;
  *cursor = begin;
  return cursor->Expected("a type of elements");
}

absl::StatusOr<std::vector<std::string>> TakeNames(TextCursor* cursor) {
  std::vector<std::string> names;
  do {
    TUNE_ASSIGN_OR_RETURN(names.emplace_back(), cursor->TakeName());
  } while (cursor->AtName());
  return names;
}

absl::StatusOr<int64_t> TakeUnrolling(TextCursor* cursor) {
  if (cursor->TakeWords("whole")) return Loop::kWhole;
  if (cursor->TakeWords("never")) return Loop::kNever;
  if (!cursor->AtNumber()) return cursor->Expected("whole, never or a number");
  return cursor->TakeNumber();
}

absl::StatusOr<std::vector<bool>> TakeFlags(TextCursor* cursor) {
  std::vector<bool> flags;
  while (cursor->AtName() || flags.empty()) {
    const bool yes = cursor->TakeWords("yes");
    if (!yes && !cursor->TakeWords("no")) return cursor->Expected("yes or no");
    flags.push_back(yes);
  }
  return flags;
}

absl::StatusOr<std::array<int64_t, 3>> TakeNumbers(TextCursor* cursor) {
  std::array<int64_t, 3> numbers;
  for (int64_t& number : numbers) {
    TUNE_ASSIGN_OR_RETURN(number, cursor->TakeNumber());
  }
  return numbers;
}

absl::StatusOr<std::vector<IndexExpression>> TakeSubscripts(TextCursor* cursor) {
  if (cursor->Next() != '[') return cursor->Expected("\"[\"");
  return ReadSubscripts(cursor);
}

}  // namespace

absl::StatusOr<int> TakeInt(TextCursor* cursor) {
  const TextCursor begin = *cursor;
  TUNE_ASSIGN_OR_RETURN(const int64_t number, cursor->TakeNumber());
  if (number >= std::numeric_limits<int>::min() && number <= std::numeric_limits<int>::max())
    return static_cast<int>(number);
  *cursor = begin;
  return cursor->Expected("a number that fits 32 bits");
}

absl::StatusOr<TypedName> TakeTypedName(TextCursor* cursor) {
  TypedName typed;
  TUNE_ASSIGN_OR_RETURN(typed.name, cursor->TakeName());
  while (cursor->AtName()) {
    absl::StrAppend(&typed.type, typed.type.empty() ? "" : " ", typed.name);
    TUNE_ASSIGN_OR_RETURN(typed.name, cursor->TakeName());
  }
  return typed;
}

std::optional<v1::ElementType> FindElementType(absl::string_view name) {
  for (int type = v1::ELEMENT_TYPE_UNSPECIFIED + 1; type <= v1::ElementType_MAX; ++type) {
    if (name == ElementCType(static_cast<v1::ElementType>(type))) return static_cast<v1::ElementType>(type);
  }
  return std::nullopt;
}

void AttributeReader::Flag(const char* words, bool& flag, bool standard) {
  Add(words, [&flag, standard](TextCursor*) {
    flag = !standard;
    return absl::OkStatus();
  });
}

void AttributeReader::Number(const char* words, int64_t& number, int64_t) {
  Add(words, Setter(&number, TakeNumber));
}

void AttributeReader::Number(const char* words, int& number, int) { Add(words, Setter(&number, TakeInt)); }

void AttributeReader::Numbers(const char* words, std::array<int64_t, 3>& numbers) {
  Add(words, Setter(&numbers, TakeNumbers));
}

void AttributeReader::Name(const char* words, std::string& name, const std::string& standard) {
  name = standard;
  Add(words, Setter(&name, TakeName));
}

void AttributeReader::Type(const char* words, std::string& type, const std::string&) {
  Add(words, Setter(&type, TakeTypeName));
}

void AttributeReader::Element(const char* words, v1::ElementType& type) {
  Add(words, Setter(&type, TakeElementType));
}

void AttributeReader::Unrolling(const char* words, int64_t& factor) {
  Add(words, Setter(&factor, TakeUnrolling));
}

void AttributeReader::Subscripts(const char* words, std::vector<IndexExpression>& subscripts) {
  Add(words, Setter(&subscripts, TakeSubscripts));
}

void AttributeReader::Names(const char* words, std::vector<std::string>& names) {
  Add(words, Setter(&names, TakeNames));
}

void AttributeReader::Flags(const char* words, std::vector<bool>& flags) {
  Add(words, Setter(&flags, TakeFlags));
}

absl::Status AttributeReader::Read(TextCursor* cursor) const {
  std::vector<std::pair<const char*, Take>> left = attributes_;
  const auto take = [&]() -> absl::Status {
    for (auto attribute = left.begin(); attribute != left.end(); ++attribute) {
      if (!cursor->TakeWords(attribute->first)) continue;
      TUNE_RETURN_IF_ERROR(attribute->second(cursor));
      left.erase(attribute);
      return absl::OkStatus();
    }
    const auto append = [](std::string* text, const auto& attribute) { *text += attribute.first; };
    return cursor->Expected(left.empty() ? "the end of the line"
                                         : absl::StrCat("one of ", absl::StrJoin(left, ", ", append)));
  };
  while (cursor->Take(",")) TUNE_RETURN_IF_ERROR(take());
  return cursor->ExpectEnd();
}

absl::StatusOr<size_t> AttributeReader::TakeOption(const std::vector<const char*>& names,
                                                   TextCursor* cursor) {
  for (size_t place = 0; place < names.size(); ++place) {
    if (cursor->TakeWords(names[place])) return place;
  }
  return cursor->Expected(absl::StrCat("one of ", absl::StrJoin(names, ", ")));
}

}  // namespace tune
