// Parameters of a space that its elements do not depend on.
#pragma once

#include "common/isl/checked.h"

namespace tune {

// The function without the parameters that it does not depend on.
inline isl::pw_aff DropUnusedParameters(isl::pw_aff value) {
  return isl::manage(isl_pw_aff_drop_unused_params(value.release()));
}

}  // namespace tune
