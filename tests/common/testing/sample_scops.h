// Small scops that every polyhedral stage is tested on, complete enough to generate code from.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/common/testing/scop_builder.h"

namespace tune::testing {

// C = alpha A B + beta C.
inline v1::Scop GemmScop() {
  return ScopBuilder("gemm", {"ni", "nj", "nk"}, "ni >= 0 and nj >= 0 and nk >= 0")
      .Array("alpha", {})
      .Array("beta", {})
      .Array("C", {"ni", "nj"})
      .Array("A", {"ni", "nk"})
      .Array("B", {"nk", "nj"})
      .Begin("i", "0 <= i < ni")
      .Begin("j", "0 <= j < nj")
      .Update(v1::MULTIPLY, {"C", "i, j"}, {{"beta", ""}}, Read(0))
      .End()
      .Begin("k", "0 <= k < nk")
      .Begin("j", "0 <= j < nj")
      .Update(v1::ADD, {"C", "i, j"}, {{"alpha", ""}, {"A", "i, k"}, {"B", "k, j"}},
              Multiply(Multiply(Read(0), Read(1)), Read(2)))
      .End()
      .End()
      .End()
      .Build();
}

// Three-point stencil between two arrays, with a time loop.
inline v1::Scop Jacobi1dScop() {
  const v1::Expression average = Multiply(Literal("0.33333"), Add(Add(Read(0), Read(1)), Read(2)));
  return ScopBuilder("jacobi_1d", {"steps", "n"}, "steps >= 0 and n >= 0")
      .Array("A", {"n"})
      .Array("B", {"n"})
      .Begin("t", "0 <= t < steps")
      .Begin("i", "1 <= i < n - 1")
      .Assign({"B", "i"}, {{"A", "i - 1"}, {"A", "i"}, {"A", "i + 1"}}, average)
      .End()
      .Begin("i", "1 <= i < n - 1")
      .Assign({"A", "i"}, {{"B", "i - 1"}, {"B", "i"}, {"B", "i + 1"}}, average)
      .End()
      .End()
      .Build();
}

// LU factorisation without pivoting: triangular loops, imperfect nest.
inline v1::Scop TriangularScop() {
  const v1::Expression product = Negate(Multiply(Read(0), Read(1)));
  return ScopBuilder("lu", {"n"}, "n >= 0")
      .Array("A", {"n", "n"})
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < i")
      .Begin("k", "0 <= k < j")
      .Update(v1::ADD, {"A", "i, j"}, {{"A", "i, k"}, {"A", "k, j"}}, product)
      .End()
      .Assign({"A", "i, j"}, {{"A", "i, j"}, {"A", "j, j"}}, Divide(Read(0), Read(1)))
      .End()
      .Begin("j", "i <= j < n")
      .Begin("k", "0 <= k < i")
      .Update(v1::ADD, {"A", "i, j"}, {{"A", "i, k"}, {"A", "k, j"}}, product)
      .End()
      .End()
      .End()
      .Build();
}

// Matrix-vector product that sums into one scalar for all rows.
inline v1::Scop ScalarTempScop() {
  return ScopBuilder("scalar_temp", {"n", "m"}, "n >= 0 and m >= 0")
      .Array("s", {})
      .Array("A", {"n", "m"})
      .Array("x", {"m"})
      .Array("y", {"n"})
      .Begin("i", "0 <= i < n")
      .Assign({"s", ""}, {}, Literal("0.0"))
      .Begin("j", "0 <= j < m")
      .Update(v1::ADD, {"s", ""}, {{"A", "i, j"}, {"x", "j"}}, Multiply(Read(0), Read(1)))
      .End()
      .Assign({"y", "i"}, {{"s", ""}}, Read(0))
      .End()
      .Build();
}

// The same with a local that is declared in the loop body, without initialiser.
inline v1::Scop LocalKillScop() {
  return ScopBuilder("local_kill", {"n"}, "n >= 0")
      .Array("t", {}, /*declared_inside=*/true)
      .Array("x", {"n"})
      .Array("y", {"n"})
      .Begin("i", "0 <= i < n")
      .Kill("t")
      .Assign({"t", ""}, {{"x", "i"}}, Multiply(Read(0), Read(0)))
      .Assign({"y", "i"}, {{"t", ""}, {"x", "i"}}, Add(Read(0), Read(1)))
      .End()
      .Build();
}

// A local array that is filled and used in every iteration.
inline v1::Scop LocalArrayScop() {
  return ScopBuilder("local_array", {"n", "m"}, "n >= 0 and m >= 0")
      .Array("row", {"m"}, /*declared_inside=*/true)
      .Array("A", {"n", "m"})
      .Begin("i", "0 <= i < n")
      .Kill("row", "0")
      .Begin("j", "0 <= j < m")
      .Assign({"row", "j"}, {{"A", "i, j"}}, Multiply(Read(0), Literal("2.0")))
      .End()
      .Begin("j", "0 <= j < m")
      .Assign({"A", "i, j"}, {{"row", "m - 1 - j"}}, Read(0))
      .End()
      .End()
      .Build();
}

// Back substitution: the outer loop counts down.
inline v1::Scop DecreasingScop() {
  return ScopBuilder("decreasing", {"n"}, "n >= 1")
      .Array("U", {"n", "n"})
      .Array("x", {"n"})
      .Begin("i", "0 <= i < n", /*decreasing=*/true)
      .Begin("j", "i + 1 <= j < n")
      .Update(v1::ADD, {"x", "i"}, {{"U", "i, j"}, {"x", "j"}}, Negate(Multiply(Read(0), Read(1))))
      .End()
      .Assign({"x", "i"}, {{"x", "i"}, {"U", "i, i"}}, Divide(Read(0), Read(1)))
      .End()
      .Build();
}

// Red-black relaxation: two loops of step 2.
inline v1::Scop StridedScop() {
  const v1::Expression average = Multiply(Literal("0.5"), Add(Read(0), Read(1)));
  return ScopBuilder("strided", {"n"}, "n >= 0")
      .Array("a", {"n"})
      .Begin("i", "1 <= i < n - 1 and i mod 2 = 1")
      .Assign({"a", "i"}, {{"a", "i - 1"}, {"a", "i + 1"}}, average)
      .End()
      .Begin("i", "2 <= i < n - 1 and i mod 2 = 0")
      .Assign({"a", "i"}, {{"a", "i - 1"}, {"a", "i + 1"}}, average)
      .End()
      .Build();
}

// y = A^T (A x): imperfect nest with two reductions.
inline v1::Scop ImperfectScop() {
  return ScopBuilder("atax", {"m", "n"}, "m >= 0 and n >= 0")
      .Array("A", {"m", "n"})
      .Array("x", {"n"})
      .Array("y", {"n"})
      .Array("tmp", {"m"})
      .Begin("j", "0 <= j < n")
      .Assign({"y", "j"}, {}, Literal("0.0"))
      .End()
      .Begin("i", "0 <= i < m")
      .Assign({"tmp", "i"}, {}, Literal("0.0"))
      .Begin("j", "0 <= j < n")
      .Update(v1::ADD, {"tmp", "i"}, {{"A", "i, j"}, {"x", "j"}}, Multiply(Read(0), Read(1)))
      .End()
      .Begin("j", "0 <= j < n")
      .Update(v1::ADD, {"y", "j"}, {{"A", "i, j"}, {"tmp", "i"}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .Build();
}

// Norm of a vector: statements without loops around one with a loop.
inline v1::Scop ZeroDimScop() {
  return ScopBuilder("norm", {"n"}, "n >= 0")
      .Array("s", {})
      .Array("r", {})
      .Array("x", {"n"})
      .Assign({"s", ""}, {}, Literal("0.0"))
      .Begin("i", "0 <= i < n")
      .Update(v1::ADD, {"s", ""}, {{"x", "i"}}, Multiply(Read(0), Read(0)))
      .End()
      .Assign({"r", ""}, {{"s", ""}}, Call("sqrt", {Read(0)}))
      .Build();
}

// In-place stencil: parallel only after skewing.
inline v1::Scop SeidelScop() {
  return ScopBuilder("seidel", {"steps", "n"}, "steps >= 0 and n >= 0")
      .Array("A", {"n", "n"})
      .Begin("t", "0 <= t < steps")
      .Begin("i", "1 <= i < n - 1")
      .Begin("j", "1 <= j < n - 1")
      .Assign({"A", "i, j"},
              {{"A", "i - 1, j"}, {"A", "i, j - 1"}, {"A", "i, j"}, {"A", "i, j + 1"}, {"A", "i + 1, j"}},
              Divide(Add(Add(Add(Add(Read(0), Read(1)), Read(2)), Read(3)), Read(4)), Literal("5.0")))
      .End()
      .End()
      .End()
      .Build();
}

// Two independent nests, one of them with a minimum.
inline v1::Scop IndependentScop() {
  return ScopBuilder("independent", {"n"}, "n >= 0")
      .Array("low", {"n"})
      .Array("A", {"n", "n"})
      .Array("x", {"n"})
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j <= i")
      .Update(v1::MIN, {"low", "i"}, {{"A", "i, j"}}, Read(0))
      .End()
      .End()
      .Begin("i", "0 <= i < n")
      .Update(v1::MULTIPLY, {"x", "i"}, {}, Literal("0.5"))
      .End()
      .Build();
}

// A = A + u v^T; x += A^T y, or where that takes the `next_row` of A, too.
inline v1::Scop UpdateAndProductScop(bool next_row = false) {
  std::vector<Element> terms = {{"A", "j, i"}, {"y", "j"}};
  if (next_row) terms.push_back({"A", "j + 1, i"});
  return ScopBuilder("gemver", {"n"}, "n >= 1")
      .Array("A", {"n + 1", "n"})
      .Array("u", {"n"})
      .Array("v", {"n"})
      .Array("x", {"n"})
      .Array("y", {"n"})
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < n")
      .Update(v1::ADD, {"A", "i, j"}, {{"u", "i"}, {"v", "j"}}, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .Begin("i", "0 <= i < n")
      .Begin("j", "0 <= j < n")
      .Update(v1::ADD, {"x", "i"}, terms, Multiply(Read(0), Read(1)))
      .End()
      .End()
      .Build();
}

struct SampleScop {
  std::string name;
  std::function<v1::Scop()> make;
  std::map<std::string, int64_t> small;  // parameter values for enumeration
};

// All of the above, with values for their parameters that are small enough to enumerate every instance.
inline std::vector<SampleScop> SampleScops() {
  return {{"gemm", GemmScop, {{"ni", 3}, {"nj", 4}, {"nk", 3}}},
          {"jacobi_1d", Jacobi1dScop, {{"steps", 3}, {"n", 7}}},
          {"lu", TriangularScop, {{"n", 5}}},
          {"scalar_temp", ScalarTempScop, {{"n", 4}, {"m", 3}}},
          {"local_kill", LocalKillScop, {{"n", 5}}},
          {"local_array", LocalArrayScop, {{"n", 3}, {"m", 4}}},
          {"decreasing", DecreasingScop, {{"n", 5}}},
          {"strided", StridedScop, {{"n", 9}}},
          {"atax", ImperfectScop, {{"m", 3}, {"n", 4}}},
          {"norm", ZeroDimScop, {{"n", 5}}},
          {"seidel", SeidelScop, {{"steps", 2}, {"n", 5}}},
          {"independent", IndependentScop, {{"n", 5}}}};
}

}  // namespace tune::testing
