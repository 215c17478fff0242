// How large isl's texts may be. Of the thirty programs of tests/programs no text comes near any of these.
#pragma once

#include <cstddef>

namespace tune {

inline constexpr size_t kLongestIslText = 64 << 10;  // bytes of a set or relation
inline constexpr size_t kLongestIslTree = 1 << 20;   // bytes of a schedule tree, its texts included
inline constexpr size_t kLongestIslName = 256;       // bytes
inline constexpr size_t kMostIslDigits = 40;         // of a number: what products of 64 bits have
inline constexpr int kDeepestIslText = 50;           // brackets and parentheses within each other
inline constexpr int kMostIslParameters = 64;
inline constexpr int kMostIslDimensions = 32;     // of a tuple
inline constexpr int kMostIslExists = 200;        // of a text
inline constexpr int kMostIslConstraints = 2000;  // comparisons of a text
inline constexpr int kMostIslPieces = 2000;       // of a text, what semicolons part

}  // namespace tune
