"""Tests of the bounds: python3 tests/bench/program_bounds_test.py"""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import program_bounds

SIZES = {name: 5 + i for i, name in enumerate("M N NI NJ NK NL NM NP NQ NR NX NY W H TSTEPS TMAX".split())}


def operations(program, s):
    """Counted loop by loop, as the program's text has them; what does not change in a loop counts outside of it."""
    m, n = s["M"], s["N"]
    return {
        "syrk": lambda: sum(1 + 2 * m for i in range(n) for j in range(i + 1)) + n * m,
        "syr2k": lambda: sum(1 + 4 * m for i in range(n) for j in range(i + 1)) + 2 * n * m,
        "trmm": lambda: sum(2 * len(range(i + 1, m)) + 1 for i in range(m) for j in range(n)),
        "symm": lambda: sum(4 * i + 6 for i in range(m) for j in range(n)),
        "covariance": lambda: 2 * n * m + m + sum(2 * n + 1 for i in range(m) for j in range(i, m)) - m,
        "correlation": lambda: n * m + 3 * n * m + 2 * n * m + sum(2 * n for i in range(m) for j in range(i + 1, m)),
        "cholesky": lambda: sum(sum(2 * j + 1 for j in range(i)) + 2 * i + 1 for i in range(n)),
        "lu": lambda: sum(sum(2 * j + 1 for j in range(i)) + sum(2 * i for j in range(i, n)) for i in range(n)),
        "ludcmp": lambda: operations("lu", s) + 2 * sum(2 * i for i in range(n)) + n,
        "trisolv": lambda: sum(2 * i + 1 for i in range(n)),
        "durbin": lambda: sum(5 + 2 * k + 2 * k for k in range(1, n)),
        "gramschmidt": lambda: sum(2 * m + 1 + m + sum(4 * m for j in range(k + 1, n)) for k in range(n)),
        "nussinov": lambda: sum(3 + (i < j - 1) + 2 * len(range(i + 1, j)) for i in range(n) for j in range(i + 1, n)),
    }[program]()


class Bounds(unittest.TestCase):
    def test_operations_are_those_of_the_loops(self):
        for program in ["syrk", "syr2k", "trmm", "symm", "covariance", "correlation", "cholesky", "lu", "ludcmp", "trisolv",
                        "durbin", "gramschmidt", "nussinov"]:
            with self.subTest(program):
                self.assertAlmostEqual(program_bounds.value_of(program_bounds.WORK[program].flops, SIZES),
                                       operations(program, SIZES))

    def test_every_program_has_one_that_grows_with_its_sizes(self):
        self.assertEqual(len(program_bounds.WORK), 30)
        doubled = {name: 2 * number for name, number in SIZES.items()}
        for program in program_bounds.WORK:
            with self.subTest(program):
                small = program_bounds.bound_of(program, SIZES, 4, 1e12, 1e12, 1e-9)
                large = program_bounds.bound_of(program, doubled, 4, 1e12, 1e12, 1e-9)
                self.assertGreater(small.seconds, 0)
                self.assertGreater(large.seconds, small.seconds)
                self.assertGreaterEqual(small.swept_seconds, small.seconds)

    def test_longest_of_operations_bytes_and_chain_counts(self):
        sizes = {"TSTEPS": 10, "N": 100}
        elements, flops = 100 + 2 * 98, 10 * 6 * 98
        bound = program_bounds.bound_of("jacobi-1d", sizes, 4, 1.0, 1e9, 1e-9)
        self.assertEqual((bound.seconds, bound.limit), (flops, "flops"))
        bound = program_bounds.bound_of("jacobi-1d", sizes, 4, 1e9, 1.0, 1e-9)
        self.assertEqual((bound.seconds, bound.limit), (4 * elements, "bytes"))
        self.assertEqual(bound.swept_seconds, 4 * 10 * 4 * 98)
        bound = program_bounds.bound_of("jacobi-1d", sizes, 8, 1e9, 1e9, 2.0)
        self.assertEqual((bound.seconds, bound.limit), (2 * 60, "chain"))

    def test_gemm_of_a_known_device(self):
        sizes = {"NI": 2000, "NJ": 2300, "NK": 2600}
        bound = program_bounds.bound_of("gemm", sizes, 4, 50.8e12, 3.984e12, 2e-9)
        self.assertEqual(bound.limit, "flops")
        self.assertAlmostEqual(bound.seconds * 1e3, 0.471, places=3)

    def test_size_that_is_missing_is_named(self):
        with self.assertRaisesRegex(ValueError, "NK"):
            program_bounds.bound_of("gemm", {"NI": 1, "NJ": 1}, 4, 1, 1, 1)


if __name__ == "__main__":
    unittest.main()
