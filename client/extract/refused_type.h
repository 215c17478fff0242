// Types of numbers that tuned code does not have.
#pragma once

#include <string>

namespace clang {
class QualType;
}

namespace tune {

// Whether it is a floating type other than float and double: `long double`, which a GPU computes as double,
// and those of 16 bits, which compilers round at each operation or not.
bool IsOtherFloat(clang::QualType type);

// What to write in place of elements or values of the type: one clause in the imperative.
std::string InsteadOf(clang::QualType type);

}  // namespace tune
