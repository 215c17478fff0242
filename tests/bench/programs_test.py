"""Tests of what tests/bench/programs.py computes; no server, no device: python3 tests/bench/programs_test.py"""
import argparse
import csv
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import polybench
import program_bounds
import program_defaults
import program_peers
import program_report
import programs


def study(**changed):
    return {"id": "s7", "state": "done", "device": {"model": "GPU"}, "best": {"median": 2e-3}, "default": {"median": 6e-3},
            "best_index": 11, "evaluated": 50, "outcomes": {"correct": 45, "timeout": 3, "runtime": 2, "output": 0},
            "failure": "", **changed}


BOUND = program_bounds.Bound(1e-3, "flops", 1.5e-3)


class Defaults(unittest.TestCase):
    def test_times_are_told_from_what_the_program_prints(self):
        told = program_defaults.TOLD
        self.assertEqual(told.fullmatch("kernel_gemm: 575.072 us")["seconds"], "575.072")
        self.assertIsNone(told.fullmatch("kernel_gemm: kernel 1: 375.552 us in 1 launches")["seconds"])
        for line in ["==BEGIN DUMP_ARRAYS==", "begin dump: C9.78 10.14", "9.60 9.86", "A 1.3e+04"]:
            self.assertIsNone(told.fullmatch(line))

    def test_numbers_are_compared(self):
        with tempfile.TemporaryDirectory() as folder:
            code = program_defaults.DefaultCode(argparse.Namespace(folder=folder), {})
            program_defaults.checked(["cc", "-O2", program_defaults.COMPARISON, "-lm", "-o", code.comparison], "build")

            def error(expected, found):
                for suffix, text in [("expected", expected), ("found", found)]:
                    with open(code.path("p." + suffix), "w", encoding="utf-8") as file:
                        file.write(text)
                return code.compare(polybench.Program("p", "p.c"))

            self.assertEqual(error("A 3 4 nan", "A 3 4\nnan"), 0)
            self.assertAlmostEqual(error("A 3 4", "A 3 4.5"), 0.1)
            self.assertEqual(error("A 3 4", "B 3 4"), float("inf"))
            self.assertEqual(error("A 3 4", "A 3"), float("inf"))
            self.assertEqual(error("A 3", "A 3 4"), float("inf"))
            self.assertEqual(error("A 3 4", "A 3 nan"), float("inf"))

    def test_parameters_of_a_stored_region(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.scop")
            with open(path, "w", encoding="utf-8") as file:
                file.write('scops {\n  parameters {\n    name: "ni"\n    c_type: "int"\n  }\n  arrays {\n    name: "A"\n  }\n}\n')
            self.assertEqual(program_defaults.parameters_of(path), ["ni"])


class Report(unittest.TestCase):
    def test_row_of_a_study(self):
        row = program_report.row_of(study(), BOUND)
        self.assertEqual(row["evaluations_to_best"], 12)
        self.assertAlmostEqual(row["gain"], 3)
        self.assertAlmostEqual(row["percent_of_bound"], 50)
        self.assertAlmostEqual(row["percent_of_swept_bound"], 75)
        self.assertEqual((row["correct"], row["other_outcomes"]), (45, "runtime=2 timeout=3"))
        self.assertLessEqual(set(row), set(program_report.COLUMNS))

    def test_row_of_a_study_without_best(self):
        row = program_report.row_of(study(state="failed", device=None, best=None, default=None, best_index=None,
                                          outcomes={}, failure="no worker"), BOUND)
        self.assertIsNone(row["evaluations_to_best"])
        self.assertNotIn("percent_of_bound", row)
        self.assertEqual((row["failure"], row["bound_s"]), ("no worker", 1e-3))

    def test_best_known_is_of_both_studies(self):
        rows = [{"best_s": 2e-3, "long_s": 1e-3, "long_evaluations": 500}, {"best_s": 1e-3, "long_s": 2e-3}, {"best_s": 1e-3}]
        for row in rows:
            program_report.add_best_known(row)
        self.assertEqual([row.get("percent_of_best_known") for row in rows], [50, 100, None])
        self.assertIn("percent of the best known: 70.7; 1 of 2 programs reach 95", program_report.means_of(rows))
        self.assertIn("| 1 ms of 500 |", program_report.table_of([{"program": "lu", **rows[0]}], "heading"))

    def test_geometric_means_leave_words_out(self):
        self.assertAlmostEqual(program_report.geometric_mean([1, 100, "-", None]), 10)
        self.assertIsNone(program_report.geometric_mean(["no nvcc"]))
        rows = [{"best_s": 1.0, "cublas": 2.0, "gain": 4.0}, {"best_s": 1.0, "cublas": 8.0, "gain": 1.0},
                {"best_s": None, "cublas": 1.0}, {"best_s": 1.0, "cublas": "no nvcc"}]
        self.assertEqual(program_report.means_of(rows), ["gain over the default: 2 (2 programs)",
                                                         "cublas's time over the best: 4 (2 programs)"])

    def test_csv_is_read_back(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table.csv")
            program_report.write_csv(path, [{"program": "gemm", "best_s": 0.00123456789, "cublas": "failed: a, b"}])
            with open(path, newline="", encoding="utf-8") as file:
                row, = csv.DictReader(file)
            self.assertEqual((row["program"], row["best_s"], row["cublas"], row["ppcg"]),
                             ("gemm", "0.00123457", "failed: a, b", ""))
            self.assertEqual(os.listdir(folder), ["table.csv"])

    def test_table_has_times_and_words(self):
        row = {"program": "gemm", "cublas": 5.84e-4, "ppcg": "no ppcg", "builds": "yes",
               **program_report.row_of(study(), BOUND)}
        text = program_report.table_of([row], "heading")
        self.assertIn("| gemm | 6 ms | 2 ms | 12 of 50 | - | 1 ms (flops) | 50 | 75 | 584 us | - | no ppcg | - | - | yes |", text)
        self.assertIn("percent of the bound: 50 (1 programs)", text)
        self.assertIn("of nothing", program_report.table_of([{"program": "lu"}], "heading"))

    def test_chart_has_only_what_has_times(self):
        series = program_report.series_of([{"best_s": 1e-3, "cublas": "no nvcc"}, {"best_s": None, "default_s": 2e-3}])
        self.assertEqual(series, {"default": [0, 2.0], "best": [1.0, 0]})


class Command(unittest.TestCase):
    WORDS = ["--polybench", "pb", "--size", "LARGE", "--tunectl", "/bin/true"]

    def test_words_behind_dashes_go_to_submit(self):
        options = programs.parse(self.WORDS + ["--type", "double", "--", "--reference-time", "30m"])
        self.assertEqual(options.rest, ["--reference-time", "30m"])
        self.assertEqual(options.peak_tflops, programs.PEAK_TFLOPS["double"])
        self.assertEqual(programs.parse(self.WORDS + ["--peak-tflops", "67"]).peak_tflops, 67)

    def test_unknown_names_are_refused_with_what_there_is(self):
        self.assertEqual(programs.names_in("gemm,lu", ["gemm", "lu"], "program"), ["gemm", "lu"])
        with self.assertRaisesRegex(programs.Failure, "no program 'gem'; there are gemm"):
            programs.names_in("gem", ["gemm"], "program")

    def test_stored_program_of_another_size_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "gemm.scop")
            with self.assertRaisesRegex(programs.Failure, "extract-only"):
                programs.check_scop(path, [])
            with open(path, "w", encoding="utf-8") as file:
                file.write('defines: "EXTRALARGE_DATASET"\n  defines: "DATA_TYPE_IS_FLOAT"\n')
            programs.check_scop(path, polybench.macros("EXTRALARGE", "float"))
            with self.assertRaisesRegex(programs.Failure, "LARGE_DATASET"):
                programs.check_scop(path, polybench.macros("LARGE", "float"))

    def test_exact_programs_are_built_exactly(self):
        self.assertIn("-ffp-contract=off", programs.compiler_for([], "native", True))
        self.assertNotIn("-ffp-contract=off", programs.compiler_for([], "native", False))

    def test_pytorch_says_times_or_why_there_are_none(self):
        with tempfile.TemporaryDirectory() as folder:
            python = os.path.join(folder, "python")

            def measured(script):
                with open(python, "w", encoding="utf-8") as file:
                    file.write(f'#!/bin/sh\n[ "$1" = -c ] && exit 0\n{script}\n')
                os.chmod(python, 0o755)
                return program_peers.TorchPeers(python, ["cublas", "torch"]).measure("gemm.c", "float", "LARGE")

            self.assertEqual(measured("""echo '{"torch": 0.5, "how": "PyTorch 2"}'"""), ({"torch": 0.5}, "PyTorch 2"))
            self.assertEqual(measured("exit 3"), ({"torch": "-"}, ""))
            self.assertEqual(measured("echo trace >&2; echo 'no memory' >&2; exit 1"), ({"torch": "failed: no memory"}, ""))
            missing = program_peers.TorchPeers(os.path.join(folder, "none"), ["torch", "torch_compile"])
            self.assertEqual(missing.measure("gemm.c", "float", "LARGE"),
                             ({"torch": "no python", "torch_compile": "no python"}, ""))

    def test_programs_of_libraries_have_bounds(self):
        self.assertLessEqual(set(program_peers.LIBRARY_OF), set(program_bounds.WORK))


if __name__ == "__main__":
    unittest.main()
