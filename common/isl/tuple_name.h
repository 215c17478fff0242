// The names of tuples. isl has no text for a tuple without one.
#pragma once

#include <string>

#include "common/isl/isl.h"

namespace tune {

// "" for a tuple without a name. Throw isl::exception for a null object only.
inline std::string TupleName(const isl::set& set) {
  if (set.is_null()) isl::exception::throw_invalid("the name of no set", __FILE__, __LINE__);
  const char* const name = isl_set_get_tuple_name(set.get());
  return name == nullptr ? "" : name;
}

}  // namespace tune
