// Elements that a loop's iterations access one after the other along a row, as pieces that one load or store
// can have.
#pragma once

#include <optional>
#include <string>

#include "common/program/device_array.h"
#include "common/program/program_node.h"

namespace tune {

// Elements of the type that a thread can load or store at once, 16 bytes; 1: CUDA has no vectors of them.
int64_t ElementsOfPiece(v1::ElementType type);

// Whether the next value of `iterator` makes the access one to the next element of the same row (1), or to
// the one before (-1). 0: neither is known.
int64_t DirectionInRow(const ElementAccess& access, const std::string& iterator);

// Of an access with a direction: the remainder modulo `piece`, a power of two, of the iterations that begin
// pieces: `piece` iterations from there on access elements of which the one with the smallest subscript
// stands at a multiple of `piece` elements from the beginning of the array. None: it is not known.
std::optional<int64_t> PhaseInRow(const ElementAccess& access, const DeviceArray& array,
                                  const std::string& iterator, int64_t piece);

// `access` is to the element that `element` was so many iterations before; less than 0: will be. None: they
// are not known to be of one row and direction.
std::optional<int64_t> IterationsBehind(const ElementAccess& access, const ElementAccess& element,
                                        const std::string& iterator);

// The most elements that the loop loads ahead or stores at once (KeptElement::width).
int64_t WidestPiece(const Loop& loop);

// The first iteration that begins pieces (Loop::phase), of a loop that has so many.
IndexExpression FirstOfPieces(const Loop& loop);

}  // namespace tune
