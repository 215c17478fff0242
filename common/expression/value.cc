#include "common/expression/value.h"

#include <algorithm>
#include <limits>

namespace tune {

Value Value::Boolean(bool value) {
  Value made;
  made.kind_ = Kind::kBoolean;
  made.whole_ = value ? 1 : 0;
  return made;
}

Value Value::Integer(int64_t value) {
  Value made;
  made.whole_ = value;
  return made;
}

Value Value::Float(double value) {
  Value made;
  made.kind_ = Kind::kFloat;
  made.float_ = value;
  return made;
}

Value Value::String(std::string value) {
  Value made;
  made.kind_ = Kind::kString;
  made.shared_ = std::make_shared<const std::string>(std::move(value));
  return made;
}

Value Value::List(std::vector<Value> items) {
  Value made;
  made.kind_ = Kind::kList;
  auto shared = std::make_shared<Items>();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 2;
  for (const Value& item : items) shared->extent = std::min(kMost, shared->extent + item.Extent());
  shared->items = std::move(items);
  made.shared_ = std::move(shared);
  return made;
}

bool Value::IsTrue() const {
  switch (kind_) {
    case Kind::kFloat:
      return float_ != 0;
    case Kind::kString:
      return !string().empty();
    case Kind::kList:
      return !list().empty();
    default:
      return whole_ != 0;
  }
}

int64_t Value::Extent() const {
  if (IsList()) return static_cast<const Items*>(shared_.get())->extent;
  return IsString() ? 1 + static_cast<int64_t>(string().size() / 64) : 1;
}

const char* KindName(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::kBoolean:
      return "bool";
    case Value::Kind::kInteger:
      return "int";
    case Value::Kind::kFloat:
      return "float";
    case Value::Kind::kString:
      return "str";
    case Value::Kind::kList:
      return "list";
  }
  return "";
}

}  // namespace tune
