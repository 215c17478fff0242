#!/usr/bin/env python3
"""Product of matrices: the `cpu` target's default against OpenBLAS, on one thread and on all.

Prints the best times of several runs, in milliseconds, and their ratio. Says so where there is no OpenBLAS.
Usage: tests/bench/product_bench.py [--build build] [--size 700 800 900] [--runs 15]
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

PRODUCT = """#include "product.h"
void product(double alpha, double beta, double C[ROWS][COLUMNS], double A[ROWS][SUMS],
             double B[SUMS][COLUMNS]) {
#pragma scop
  for (int i = 0; i < ROWS; i++) {
    for (int j = 0; j < COLUMNS; j++) C[i][j] *= beta;
    for (int k = 0; k < SUMS; k++)
      for (int j = 0; j < COLUMNS; j++) C[i][j] += alpha * A[i][k] * B[k][j];
  }
#pragma endscop
}
"""

MAIN = """#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "product.h"
static double A[ROWS][SUMS], B[SUMS][COLUMNS], C[ROWS][COLUMNS], D[ROWS][COLUMNS];
void product(double alpha, double beta, double C[ROWS][COLUMNS], double A[ROWS][SUMS],
             double B[SUMS][COLUMNS]);
static double Now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec;
}
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  double tuned = 1e9, blas = 1e9, distance = 0;
  for (int i = 0; i < ROWS; i++) for (int k = 0; k < SUMS; k++) A[i][k] = sin(3 * i + k);
  for (int k = 0; k < SUMS; k++) for (int j = 0; j < COLUMNS; j++) B[k][j] = cos(3 * k + j);
  for (int run = 0; run < atoi(argv[1]); run++) {
    const double start = Now();
    product(1.5, 0.5, C, A, B);
    const double middle = Now();
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ROWS, COLUMNS, SUMS, 1.5, &A[0][0], SUMS,
                &B[0][0], COLUMNS, 0.5, &D[0][0], COLUMNS);
    const double end = Now();
    if (middle - start < tuned) tuned = middle - start;
    if (end - middle < blas) blas = end - middle;
  }
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) distance = fmax(distance, fabs(C[i][j] - D[i][j]));
  printf("tuned %8.2f ms   OpenBLAS %8.2f ms   ratio %.2f   largest difference %.1e\\n", tuned, blas,
         tuned / blas, distance);
  return distance > 1e-6;
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build")
    parser.add_argument("--size", type=int, nargs=3, default=[700, 800, 900], metavar=("ROWS", "COLUMNS", "SUMS"))
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    tunectl = pathlib.Path(options.build, "bin", "tunectl").resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows, columns, sums = options.size
        (folder / "product.h").write_text(f"#define ROWS {rows}\n#define COLUMNS {columns}\n#define SUMS {sums}\n")
        (folder / "product.c").write_text(PRODUCT)
        (folder / "main.c").write_text(MAIN)
        subprocess.run([tunectl, "generate", "--target", "cpu", "-o", "tuned.c", "product.c"], cwd=folder, check=True)
        built = subprocess.run(
            ["cc", "-O3", "-march=native", "-fopenmp", "-w", "tuned.c", "main.c", "-o", "bench", "-lopenblas", "-lm"],
            cwd=folder, capture_output=True, text=True)
        if built.returncode != 0:
            sys.exit("the bench needs OpenBLAS with its header cblas.h (libopenblas-dev):\n" + built.stderr)
        for threads in sorted({1, os.cpu_count()}):
            count = str(threads)
            environment = {**os.environ, "OMP_NUM_THREADS": count, "OPENBLAS_NUM_THREADS": count}
            print(f"{threads:3} threads   ", end="", flush=True)
            subprocess.run([folder / "bench", str(options.runs)], env=environment, check=True)


if __name__ == "__main__":
    main()
