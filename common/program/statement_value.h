// Parts of the values of the scop's statements.
#pragma once

#include <vector>

#include "tune/v1/scop.pb.h"

namespace tune {

// The affine expressions in `value`, in preorder: Instance::affine is parallel to them.
std::vector<const v1::Expression*> AffineExpressions(const v1::Expression& value);

}  // namespace tune
