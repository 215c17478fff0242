// Numbers that stand for values of arrays while programs are interpreted: integers modulo 2^61 - 1, a prime.
// Addition and multiplication are exact and may be done in any order, so that two programs agree in all
// elements or differ in what they compute.
#pragma once

#include <cstdint>
#include <string>

namespace tune::testing {

using Residue = uint64_t;
inline constexpr Residue kModulus = (uint64_t{1} << 61) - 1;

inline Residue FromInteger(int64_t value) {
  const auto modulus = static_cast<int64_t>(kModulus);
  return static_cast<Residue>((value % modulus + modulus) % modulus);
}
inline Residue Add(Residue a, Residue b) { return (a + b) % kModulus; }
inline Residue Negative(Residue a) { return a == 0 ? 0 : kModulus - a; }
inline Residue Multiply(Residue a, Residue b) {
  return static_cast<Residue>(static_cast<unsigned __int128>(a) * b % kModulus);
}
// By Fermat; of 0 it is 0.
inline Residue Inverse(Residue a) {
  Residue result = 1;
  for (uint64_t exponent = kModulus - 2; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = Multiply(result, a);
    a = Multiply(a, a);
  }
  return result;
}
// Another number for each text, and for each text and number.
inline Residue HashOf(const std::string& text, Residue seed = 14695981039346656037ull) {
  uint64_t hash = seed ^ 14695981039346656037ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  hash ^= hash >> 29;
  hash *= 0xbf58476d1ce4e5b9ull;
  return (hash ^ hash >> 32) % kModulus;
}

}  // namespace tune::testing
