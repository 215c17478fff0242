// Copies between host and device of arrays that are of one object's memory: members of structures, of a type
// each.
#pragma once

#include <vector>

#include "tune/v1/scop.pb.h"
#include "worker/print/cuda_program.h"

namespace tune {

// Of an array, an index in CudaProgram::arrays, at the same place on both sides.
struct PlacedSlice {
  int array = 0;
  ArraySlice slice = {};
};

// At the same place of the memory of two arrays on the device.
struct MemberMove {
  int from = 0, to = 0;
  ArraySlice slice = {};
};

struct ObjectCopies {
  std::vector<PlacedSlice> in, out;  // from the host before a run, and back to it
  // Behind what comes in, and before what goes out. Narrow pieces of the host's memory take several times as
  // long as all of it, and on the device next to nothing: the largest array of an object comes and goes for
  // all of them, with all that lies between.
  std::vector<MemberMove> spread, gathered;
};

// The copies that the transfers of the program say.
ObjectCopies CopiesOf(const CudaProgram& program, const v1::Scop& scop);

}  // namespace tune
