// Subscripts as affine forms of a kernel's loops.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/scop/scop.h"

namespace tune {

// Of one reference: each subscript in terms of the values of the bands' members above the statement.
struct AccessForm {
  std::string array;
  std::vector<isl::aff> subscripts;  // { T -> [e] }
};

// `schedule`: { S -> T }, of the reference's statement. Nothing where a subscript is no affine form with
// integer coefficients. Throws isl::exception.
std::optional<AccessForm> MakeAccessForm(const ParsedAccess& access, const isl::map& schedule);

// The same but for their constants.
bool SameUpToConstants(const AccessForm& left, const AccessForm& right);

int64_t CoefficientOf(const isl::aff& form, isl_dim_type type, int position);
int64_t ConstantOf(const isl::aff& form);

}  // namespace tune
