// Prints what lines of the text of a program say behind their begin.
#pragma once

#include <string>

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"
#include "common/program/expression_text.h"
#include "common/program/name_text.h"
#include "common/program/program_attributes.h"

namespace tune {

// A form of ListAttributes.
class AttributePrinter {
 public:
  template <typename T>
  using Of = const T&;

  // `, unroll whole, points 4`.
  const std::string& text() const { return text_; }

  void Flag(const char* words, bool flag, bool standard = false) {
    if (flag != standard) Add(words);
  }
  void Number(const char* words, int64_t number, int64_t standard) {
    if (number != standard) Add(words, absl::StrCat(number));
  }
  void Numbers(const char* words, const std::array<int64_t, 3>& numbers) {
    if (numbers != std::array<int64_t, 3>{1, 1, 1})
      Add(words, absl::StrCat(numbers[0], " ", numbers[1], " ", numbers[2]));
  }
  void Name(const char* words, const std::string& name, const std::string& standard) {
    if (name != standard) Add(words, PrintName(name));
  }
  void Type(const char* words, const std::string& type, const std::string& standard) {
    if (type != standard) Add(words, PrintTypeName(type));
  }
  void Element(const char* words, v1::ElementType type) {
    if (type != v1::ELEMENT_TYPE_UNSPECIFIED) Add(words, ElementCType(type));
  }
  template <typename Enum>
  void Option(const char* words, Enum option, const std::vector<const char*>& names) {
    if (option != Enum()) Add(words, names[static_cast<size_t>(option)]);
  }
  void Unrolling(const char* words, int64_t factor) {
    if (factor == Loop::kCompilerDecides) return;
    Add(words, factor == Loop::kWhole ? "whole" : factor == Loop::kNever ? "never" : absl::StrCat(factor));
  }
  void Subscripts(const char* words, const std::vector<IndexExpression>& subscripts) {
    if (!subscripts.empty()) Add(words, PrintSubscripts(subscripts));
  }
  void Names(const char* words, const std::vector<std::string>& names) {
    if (names.empty()) return;
    Add(words);
    for (const std::string& name : names) absl::StrAppend(&text_, " ", PrintName(name));
  }
  void Flags(const char* words, const std::vector<bool>& flags) {
    if (flags.empty()) return;
    Add(words);
    for (const bool flag : flags) absl::StrAppend(&text_, flag ? " yes" : " no");
  }

 private:
  void Add(const char* words) { absl::StrAppend(&text_, ", ", words); }
  void Add(const char* words, absl::string_view value) { absl::StrAppend(&text_, ", ", words, " ", value); }

  std::string text_;
};

template <typename T>
std::string PrintAttributes(const T& what) {
  AttributePrinter printer;
  ListAttributes(printer, what);
  return printer.text();
}

}  // namespace tune
