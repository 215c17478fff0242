// What a thread loads ahead along a row, and stores there, are pieces of 16 bytes.
//
// Threads that run a recurrence along rows, each in its own, load and store 4 or 8 bytes at a time that lie a
// row apart: each takes a sector of 32 bytes. Where the elements of consecutive iterations are neighbours,
// and rows begin at multiples of 16 bytes, four floats or two doubles are loaded at once, and what so many
// iterations have written is stored at once. Asks `.row_pieces`: off or on, where loops load ahead
// (loads_ahead.h) and some elements lie so. Values are the same: stores come some iterations later, and who
// reads the elements in the loop reads variables.
//
// On by default: every device loads so much at once. Measured on an H200 with the sweeps of adi, 2000 lines
// of 2000 floats, blocks of 8 threads, 16 or 32 iterations ahead (graphs of ten runs, median of 15): rows
// forward 156 -> 134 us (its loads alone 148, its stores alone 144), back 64 -> 46; columns, whose p and q
// lie along rows, forward 154 -> 150, back 62 -> 49. A recursive filter along the 7680 rows of 4320 floats of
// deriche: 288 -> 131.
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct RowPieces {
  bool on = false;
};

// Loops that load ahead (KeptElement::width, Loop::collected). After loads_ahead.
const CudaTransformation& PiecesOfRows();

}  // namespace tune
