#include "worker/print/atomic_text.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"

namespace tune {
namespace {

// CUDA has atomic operations for long long, which has the size of long.
std::string WideCast(v1::UpdateOperator update, v1::ElementType type) {
  const bool is_long = type == v1::ELEMENT_TYPE_LONG;
  if (!is_long && type != v1::ELEMENT_TYPE_UNSIGNED_LONG) return "";
  return is_long && update != v1::ADD ? "(long long *)" : "(unsigned long long *)";
}

// "&x[0]"; "s" for "(*s)".
std::string AddressText(const std::string& element) {
  if (absl::StartsWith(element, "(*")) return element.substr(2, element.size() - 3);
  return absl::StrCat("&", element);
}

}  // namespace

std::string AtomicUpdateText(v1::UpdateOperator update, v1::ElementType type, const std::string& element,
                             const std::string& value) {
  const char* const function = update == v1::ADD   ? "atomicAdd"
                               : update == v1::MIN ? "atomicMin"
                                                   : "atomicMax";
  return absl::StrCat(function, "(", WideCast(update, type), AddressText(element), ", ", value, ");");
}

std::string AtomicStoreText(v1::ElementType type, const std::string& element, const std::string& value) {
  if (ElementSize(type) < 4) return absl::StrCat(element, " = ", value, ";");
  const std::string address = AddressText(element);
  switch (type) {
    case v1::ELEMENT_TYPE_DOUBLE:
      return absl::StrCat("atomicExch((unsigned long long *)", address, ", __double_as_longlong(", value,
                          "));");
    case v1::ELEMENT_TYPE_LONG:
    case v1::ELEMENT_TYPE_UNSIGNED_LONG:
      return absl::StrCat("atomicExch((unsigned long long *)", address, ", ", value, ");");
    default:
      return absl::StrCat("atomicExch(", address, ", ", value, ");");
  }
}

}  // namespace tune
