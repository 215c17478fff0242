// Reads what lines of the text of a program say behind their begin.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/program/program_attributes.h"
#include "common/program/text_cursor.h"

namespace tune {

// A form of ListAttributes: the fields that it is told of must be there while it reads.
class AttributeReader {
 public:
  template <typename T>
  using Of = T&;

  void Flag(const char* words, bool& flag, bool standard = false);
  void Number(const char* words, int64_t& number, int64_t standard);
  // Of 32 bits.
  void Number(const char* words, int& number, int standard);
  void Numbers(const char* words, std::array<int64_t, 3>& numbers);
  void Name(const char* words, std::string& name, const std::string& standard);
  void Type(const char* words, std::string& type, const std::string& standard);
  void Element(const char* words, v1::ElementType& type);
  template <typename Enum>
  void Option(const char* words, Enum& option, const std::vector<const char*>& names) {
    Add(words, [&option, &names](TextCursor* cursor) -> absl::Status {
      TUNE_ASSIGN_OR_RETURN(const size_t place, TakeOption(names, cursor));
      option = static_cast<Enum>(place);
      return absl::OkStatus();
    });
  }
  void Unrolling(const char* words, int64_t& factor);
  void Subscripts(const char* words, std::vector<IndexExpression>& subscripts);
  void Names(const char* words, std::vector<std::string>& names);
  void Flags(const char* words, std::vector<bool>& flags);

  // The rest of the line: attributes in any order, each once. INVALID_ARGUMENT as TextCursor tells it.
  absl::Status Read(TextCursor* cursor) const;

 private:
  using Take = std::function<absl::Status(TextCursor* cursor)>;

  void Add(const char* words, Take take) { attributes_.emplace_back(words, std::move(take)); }
  static absl::StatusOr<size_t> TakeOption(const std::vector<const char*>& names, TextCursor* cursor);

  std::vector<std::pair<const char*, Take>> attributes_;
};

// A number of 32 bits.
absl::StatusOr<int> TakeInt(TextCursor* cursor);

// `unsigned int tune_b0`: a name with the words before it, which may be none.
struct TypedName {
  std::string type, name;
};
absl::StatusOr<TypedName> TakeTypedName(TextCursor* cursor);

// Of a name of C; nothing where no element has the type.
std::optional<v1::ElementType> FindElementType(absl::string_view name);

// Reads the rest of the line into `what`.
template <typename T>
absl::Status ReadAttributes(TextCursor* cursor, T* what) {
  AttributeReader reader;
  ListAttributes(reader, *what);
  return reader.Read(cursor);
}

}  // namespace tune
