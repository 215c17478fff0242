// The scop's arrays as a device's memory holds them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tune/v1/scop.pb.h"

namespace tune {

struct DeviceArray {
  int index = 0;          // in Scop::arrays, and in the launch sequence's memory
  std::string scop_name;  // the user's
  std::string name;       // in CUDA text: the user's, unless C++ or CUDA has another use for it
  v1::ElementType type = v1::ELEMENT_TYPE_UNSPECIFIED;
  std::vector<int64_t> extents;  // empty: a scalar
  bool by_value = false;         // a scalar that the scop never writes
  bool local = false;            // declared inside the region: nothing comes in, nothing goes out
  bool written = false;          // somewhere in the scop
  // More than 0: its first subscripts, so many, are those of the tiles' loops of one merged launch, which
  // alone uses it, and each block has what the others say in shared memory.
  int64_t of_block = 0;
  // More than 0: moreover its last subscripts, so many, are the coordinates of the block's thread, and each
  // thread has what those between say in registers.
  int64_t of_thread = 0;
  bool contracted = false;  // variables of threads stand for it (worker/passes/private_elements.h)
  bool texture = false;     // some kernel reads it through a texture object
  // Of a program for all sizes, parallel to `extents`: names of what the extents are, of which `extents` has
  // divisors: 1 where nothing is known. Empty: `extents` are numbers.
  std::vector<std::string> extent_names = {};
  bool operator==(const DeviceArray&) const = default;
};

// Bytes of device memory; 0 for what is passed by value, or stands in shared memory or variables.
int64_t DeviceBytes(const DeviceArray& array);

// Whether a texture object can stand for the array: elements of 4 or 8 bytes, and no more than 2^27 of them
// (CUDA C++ Programming Guide, table of technical specifications).
bool FitsTexture(const DeviceArray& array);

// Bytes of an array, at the same place on both sides: `planes` times `rows` pieces of `width` bytes.
struct ArraySlice {
  int64_t offset = 0;  // of the first piece
  int64_t width = 0;   // 0: nothing
  int64_t rows = 1, pitch = 0;
  int64_t planes = 1, plane = 0;

  int64_t bytes() const { return width * rows * planes; }
  bool operator==(const ArraySlice&) const = default;
};

// What a region needs of an array on the device before it, and leaves there to be fetched.
struct ArrayTransfer {
  ArraySlice in;
  std::vector<ArraySlice> out;
};

}  // namespace tune
