// Which places in structures an array of their members has.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Last subscripts of an array of structures that are values of its element type: what Structure.others leaves
// of `elements`, the last extent. In order, neighbours joined.
std::vector<v1::Places> OwnPlaces(const v1::Structure& structure, int64_t elements);

// Sets to zero what `bytes`, an array of structures of `elements` elements of `size` bytes, has at the places
// of Structure.others.
void ClearOthers(const v1::Structure& structure, int64_t elements, int64_t size, std::string* bytes);

// INVALID_ARGUMENT where arrays of one object are not of structures of one size, or two of them have the same
// bytes, or the object has the name of another array.
absl::Status CheckOneObjects(const v1::Scop& scop);

// INVALID_ARGUMENT where the region writes members of structures of which it uses members of other types as
// well: copies of whole structures would bring back old values of these.
absl::Status CheckWholeStructures(const v1::Scop& scop);

}  // namespace tune
