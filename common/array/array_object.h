// C text of the objects that a region's arrays are, where the region stands.
#pragma once

#include <string>

#include "tune/v1/scop.pb.h"

namespace tune {

// The name of the C object whose elements the array has, or some of them: its own, but for arrays of members
// of one type.
const std::string& ObjectName(const v1::Array& array);
// Whether they are some of the same object's.
bool HaveOneObject(const v1::Array& a, const v1::Array& b);

// How many dimensions the C object has: fewer than the scop's array where it is flat, or of structures.
int ObjectDimensions(const v1::Array& array);

// The C object's first element: "A[0][0]", "*p" of a pointer to a scalar; of structures one of them, "p[0]".
std::string FirstElement(const v1::Array& array);

// What C calls the members that an array of structures has.
std::string MemberType(const v1::Array& array, bool cpp);

// What can be indexed as the scop's array: its name, and of structures a pointer to their elements,
// "((float (*)[4])p)". Flat arrays of other types have the rows of C. With `is_const` nothing is written
// through it. Structures are looked at by the type of their members alone.
std::string IndexedObject(const v1::Array& array, bool is_const = false);

// Lines of C that make what IndexedObject says known by the array's name: `array` in a block inside of that
// of `elements`, which stands where the name still is the object's.
struct StructureView {
  std::string elements, array;
};
// `elements`: a name that nothing else has.
StructureView ViewOfStructures(const v1::Array& array, const std::string& elements);

}  // namespace tune
