"""Tests of what is read from PolyBench's folder: python3 tests/bench/polybench_test.py"""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import polybench

# As PolyBench's headers are written, with other numbers.
HEADER = """
# if !defined(MINI_DATASET) && !defined(LARGE_DATASET) && !defined(EXTRALARGE_DATASET)
#  define LARGE_DATASET
# endif
# if !defined(M) && !defined(N)
#  ifdef MINI_DATASET
#   define M 5
#   define N 7
#  endif

#  ifdef LARGE_DATASET
#   define M 50
#   define N 70
#  endif

#  ifdef EXTRALARGE_DATASET
#   define M 500
#   define N 700
#  endif
#endif
# define _PB_M POLYBENCH_LOOP_BOUND(M,m)
"""


class Polybench(unittest.TestCase):
    def test_sizes_are_those_of_the_data_set(self):
        self.assertEqual(polybench.sizes_in(HEADER, "LARGE"), {"M": 50, "N": 70})
        self.assertEqual(polybench.sizes_in(HEADER, "EXTRALARGE"), {"M": 500, "N": 700})
        with self.assertRaisesRegex(ValueError, "SMALL_DATASET"):
            polybench.sizes_in(HEADER, "SMALL")

    def test_programs_are_those_of_the_list(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "utilities"))
            with open(os.path.join(folder, "utilities", "benchmark_list"), "w", encoding="utf-8") as file:
                file.write("./stencils/adi/adi.c\n\n./blas/gemm/gemm.c\n")
            found = polybench.programs_in(folder)
            self.assertEqual(list(found), ["adi", "gemm"])
            self.assertEqual(found["adi"].source, os.path.join(folder, "stencils", "adi", "adi.c"))

    def test_exact_is_for_floats(self):
        self.assertTrue(polybench.needs_exact("durbin", "float"))
        self.assertFalse(polybench.needs_exact("durbin", "double"))
        self.assertFalse(polybench.needs_exact("gemm", "float"))


if __name__ == "__main__":
    unittest.main()
