// One pass over a matrix for sums of its rows and sums of its columns.
//
// Asks `one_pass`, where one kernel adds up what it reads of a matrix along rows, and another one along
// columns, as y = A^T (A x) and the pair A p, A^T r do: off, or on, where the matrix is read once
// (passed_scop.h). A block has some rows: it adds up each, and then what its rows contribute to the sums of
// columns, for which the multiprocessor's cache still holds them. Another launch adds up these partial sums.
// The second sums may need what a row's sum was, but not that of other rows. By default on where that is
// faster by an estimate (pass_tiles.h): on an H200, floats, launches in a graph, atax of 1800 x 2200
// takes 7.5 to 8.1 us in place of 9.0; two products that can run at once, 2200 x 1800, 8.9 for 6.7, and 4000
// x 4000 41.5 for 26.2. Not with `exact`: the columns' sums get another order. The order is then given:
// nothing else is asked of the schedule.
#pragma once

#include "common/transform/scop_transformation.h"

namespace tune {

const ScopTransformation& OnePass();

}  // namespace tune
