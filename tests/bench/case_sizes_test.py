#!/usr/bin/env python3
"""Tests of case_sizes.py that need neither compiler nor device."""
import unittest

import case_sizes


class Sizes(unittest.TestCase):
    def test_are_drawn_from_the_seed_within_their_limits(self):
        sizes = case_sizes.draw_sizes("gemm", 50, 24)
        self.assertEqual(sizes, case_sizes.draw_sizes("gemm", 50, 24))
        self.assertNotEqual(sizes, case_sizes.draw_sizes("gemm", 50, 25))
        self.assertEqual(len({tuple(size) for size in sizes}), 50)
        for size in sizes:
            for value, limit in zip(size, (2000, 2300, 2600)):
                self.assertTrue(16 <= value <= limit, size)
        self.assertLess(min(size[0] for size in sizes), 60)  # evenly in logarithms, not in values
        self.assertGreater(max(size[0] for size in sizes), 1000)

    def test_that_are_taken_are_not_drawn(self):
        sizes = case_sizes.draw_sizes("mvt", 5, 1, largest=24)
        others = case_sizes.draw_sizes("mvt", 9, 1, taken=sizes, largest=24)
        self.assertFalse({tuple(size) for size in sizes} & {tuple(size) for size in others})
        self.assertTrue(all(16 <= size[0] <= 24 for size in others))


class Headers(unittest.TestCase):
    def test_the_order_of_arguments_is_that_of_the_entry_point(self):
        header = ("size_t syrk_workspace_bytes(void);\n"
                  "cudaError_t syrk_device(const float *A, float *C, int m, int n, void *workspace, cudaStream_t stream);")
        self.assertEqual(case_sizes.signature_of(header, "syrk"), (["A", "C"], ["m", "n"]))
        text = case_sizes.problem_header("syrk", ["A", "C"], ["m", "n"])
        self.assertIn("return {{n, m}, {n, n}};", text)
        self.assertIn("(a[0], a[1], int(m), int(n), workspace, stream)", text)
        self.assertIn("syrk(int(parameters[0]), int(parameters[1]), a[1], a[0]);", text)

    def test_a_header_without_it_is_refused(self):
        with self.assertRaises(case_sizes.Failure):
            case_sizes.signature_of("", "syrk")


class Rows(unittest.TestCase):
    def test_are_summed_up(self):
        rows = case_sizes.parse_rows("16,20,yes,10.0,11.0,9.5\n30,40,not as the original,10.0,9.0,\n", 2)
        self.assertEqual(rows[0], ((16, 20), "yes", 10.0, 11.0, 9.5))
        self.assertIsNone(rows[1][4])
        self.assertEqual(case_sizes.summary("syrk", rows),
                         "syrk: 1 of 2 right; default / cases from 0.90 to 1.10, median 1.10, 1 slower by more than 2 %; "
                         "of 1 tuned ones 1 within 10 %")
        self.assertEqual(case_sizes.summary("syrk", []), "syrk: 0 of 0 right")


if __name__ == "__main__":
    unittest.main()
