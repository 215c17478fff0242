// What isl's C functions answer, or their error as an isl::exception.
#pragma once

#include <string>

#include "common/isl/isl.h"

namespace tune {

inline bool Checked(isl_bool answer, const isl::ctx& ctx) {
  if (answer == isl_bool_error) isl::exception::throw_last_error(ctx);
  return answer == isl_bool_true;
}

inline int Checked(isl_size size, const isl::ctx& ctx) {
  if (size < 0) isl::exception::throw_last_error(ctx);
  return size;
}

// "" for what has no name. Of a null object isl says the same.
template <typename T>
std::string NameOrEmpty(const T& object, const char* name) {
  if (object.is_null()) isl::exception::throw_invalid("the name of nothing", __FILE__, __LINE__);
  return name == nullptr ? "" : name;
}

}  // namespace tune
