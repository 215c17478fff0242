// The values of statements as residues.
#pragma once

#include <functional>
#include <vector>

#include "tests/program_interpreter/residue.h"
#include "tune/v1/scop.pb.h"

namespace tune::testing {

// What reads the element of an access, whose subscripts are `by_data` where data decide them.
using ElementReader = std::function<Residue(int access, const std::vector<Residue>& by_data)>;

// `affine`: an affine expression's value. Sums, products and quotients are
// exact, comparisons are of residues, other operations and functions are some function of their operands.
Residue ValueOf(const v1::Expression& expression, const ElementReader& read,
                const std::function<int64_t(const v1::Expression&)>& affine);

// target op value
Residue Updated(v1::UpdateOperator update, Residue target, Residue value);

// What leaves values as they are.
Residue IdentityOf(v1::UpdateOperator update);

}  // namespace tune::testing
