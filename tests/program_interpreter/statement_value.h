// The values of statements as residues.
#pragma once

#include <functional>

#include "tests/program_interpreter/residue.h"
#include "tune/v1/scop.pb.h"

namespace tune::testing {

// `read`: the element of an access; `affine`: an affine expression's value. Sums, products and quotients are
// exact, comparisons are of residues, other operations and functions are some function of their operands.
Residue ValueOf(const v1::Expression& expression, const std::function<Residue(int access)>& read,
                const std::function<int64_t(const v1::Expression&)>& affine);

// target op value
Residue Updated(v1::UpdateOperator update, Residue target, Residue value);

// What leaves values as they are.
Residue IdentityOf(v1::UpdateOperator update);

}  // namespace tune::testing
