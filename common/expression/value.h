// What an expression of a tuning file is worth: the values of Python that such expressions have.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/base/status.h"

namespace tune {

// A boolean, an integer of 64 bits, a float, a string (UTF-8) or a list; tuples and ranges are lists, too.
// Numbers are held without memory of their own; copies of strings and lists share it. Immutable.
class Value {
 public:
  enum class Kind : uint8_t { kBoolean, kInteger, kFloat, kString, kList };

  Value() = default;  // the integer 0
  static Value Boolean(bool value);
  static Value Integer(int64_t value);
  static Value Float(double value);
  static Value String(std::string value);
  static Value List(std::vector<Value> items);

  Kind kind() const { return kind_; }
  bool IsBoolean() const { return kind_ == Kind::kBoolean; }
  bool IsFloat() const { return kind_ == Kind::kFloat; }
  bool IsString() const { return kind_ == Kind::kString; }
  bool IsList() const { return kind_ == Kind::kList; }
  // An integer or a boolean, which Python counts among the integers.
  bool IsWhole() const { return kind_ <= Kind::kInteger; }
  bool IsNumber() const { return kind_ <= Kind::kFloat; }

  // Of a whole number; a boolean is 0 or 1.
  int64_t whole() const { return whole_; }
  // Of any number; a whole one is rounded.
  double AsDouble() const { return IsFloat() ? float_ : static_cast<double>(whole_); }
  const std::string& string() const { return *static_cast<const std::string*>(shared_.get()); }
  const std::vector<Value>& list() const { return static_cast<const Items*>(shared_.get())->items; }

  // Python's truth: zero and what is empty are false.
  bool IsTrue() const;
  // How many values a list holds, in lists of lists, too, and itself; of a string: by 64 bytes. What a
  // comparison or a print has to look at.
  int64_t Extent() const;

 private:
  struct Items {
    std::vector<Value> items;
    int64_t extent = 1;
  };

  Kind kind_ = Kind::kInteger;
  union {
    int64_t whole_ = 0;
    double float_;
  };
  std::shared_ptr<const void> shared_;  // std::string or Items
};

// "int", "float", "bool", "str", "list": Python's names, for messages.
const char* KindName(Value::Kind kind);

}  // namespace tune
