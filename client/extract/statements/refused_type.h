// Types of numbers that tuned code does not have.
#pragma once

#include <string>

namespace clang {
class QualType;
}

namespace tune {

// Whether it is a floating type other than _Float16, float and double: `long double`, which a GPU computes as
// double, and others of 16 bits, in which few compilers compute.
bool IsOtherFloat(clang::QualType type);

// Whether it is _Complex float or _Complex double, of complex types those that tuned code has.
bool IsComplexOfFloats(clang::QualType type);

// Whether it is an instance of std::complex, or a reference to one.
bool IsStdComplex(clang::QualType type);

// What to write in place of elements or values of the type: one clause in the imperative.
std::string InsteadOf(clang::QualType type);

}  // namespace tune
