#!/usr/bin/env python3
"""A program of PolyBench/C 4.2 by PyTorch, as its users would write it, timed over device memory.

    torch_peers.py POLYBENCH/linear-algebra/blas/gemm/gemm.c --size EXTRALARGE --type float

Runs under a Python that has PyTorch. Prints one line of JSON: the median of the runs in seconds with PyTorch's operators
as they are and as torch.compile makes them, and the largest relative difference of the results from those of the
program's own function, in C, at MINI. Arrays are written anew before each run, which is not timed. TF32 is off.

Exit codes: 1 PyTorch failed, or a result is wrong; 2 wrong arguments; 3 nobody would write the program with PyTorch's
operators, since each of its elements needs the one before.
"""
import argparse
import ctypes
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import types

import torch

import polybench

WARM_UP_SECONDS = 0.3  # until clocks are as high as they get
RUNS = 21
MOST_SECONDS = 4  # of all runs; there are at least three
TOLERANCE = 2e-4  # of the largest result, in float
SCALARS = {"alpha": 1.5, "beta": 1.2}
DOMINANT = {"cholesky", "lu", "ludcmp", "trisolv"}  # whose matrices need large diagonals


# The programs. Each takes its arrays and scalars by their names in C (v), changes or replaces arrays of v, and has what
# is computed of these done by op(function, name)(tensors...), so that it can be compiled.


def two_mm(v, op):
    v.D = op(lambda a, b, c, d: torch.addmm(d, v.alpha * (a @ b), c, beta=v.beta), "2mm")(v.A, v.B, v.C, v.D)


def three_mm(v, op):
    v.G = op(lambda a, b, c, d: (a @ b) @ (c @ d), "3mm")(v.A, v.B, v.C, v.D)


def gemm(v, op):
    v.C = op(lambda a, b, c: torch.addmm(c, a, b, beta=v.beta, alpha=v.alpha), "gemm")(v.A, v.B, v.C)


def lower_of(new, old):
    """The lower triangle of one, and the rest of the other: there is no product of a triangle alone."""
    return new.tril() + old.triu(1)


def syrk(v, op):
    v.C = op(lambda a, c: lower_of(torch.addmm(c, a, a.T, beta=v.beta, alpha=v.alpha), c), "syrk")(v.A, v.C)


def syr2k(v, op):
    def new(a, b, c):
        half = torch.addmm(c, a, b.T, beta=v.beta, alpha=v.alpha)
        return lower_of(torch.addmm(half, b, a.T, alpha=v.alpha), c)
    v.C = op(new, "syr2k")(v.A, v.B, v.C)


def symm(v, op):
    def new(a, b, c):
        return torch.addmm(c, a.tril() + a.tril(-1).T, b, beta=v.beta, alpha=v.alpha)
    v.C = op(new, "symm")(v.A, v.B, v.C)


def trmm(v, op):
    v.B = op(lambda a, b: torch.addmm(b, a.tril(-1).T, b, beta=v.alpha, alpha=v.alpha), "trmm")(v.A, v.B)


def covariance(v, op):
    v.cov = op(lambda data: torch.cov(data.T), "covariance")(v.data)


def correlation(v, op):
    def new(data):
        centred = data - data.mean(0)
        deviation = (centred * centred).mean(0).sqrt()
        deviation = torch.where(deviation <= 0.1, torch.ones_like(deviation), deviation)
        scaled = centred / (data.shape[0] ** 0.5 * deviation)
        return (scaled.T @ scaled).fill_diagonal_(1)
    v.corr = op(new, "correlation")(v.data)


def doitgen(v, op):
    v.A = op(lambda a, c4: a @ c4, "doitgen")(v.A, v.C4)


def gemver(v, op):
    def new(a, u1, v1, u2, v2, w, x, y, z):
        a = a + torch.outer(u1, v1) + torch.outer(u2, v2)
        x = x + v.beta * (a.T @ y) + z
        return a, x, w + v.alpha * (a @ x)
    v.A, v.x, v.w = op(new, "gemver")(v.A, v.u1, v.v1, v.u2, v.v2, v.w, v.x, v.y, v.z)


def gesummv(v, op):
    v.y = op(lambda a, b, x: v.alpha * (a @ x) + v.beta * (b @ x), "gesummv")(v.A, v.B, v.x)


def mvt(v, op):
    v.x1, v.x2 = op(lambda a, x1, x2, y1, y2: (x1 + a @ y1, x2 + a.T @ y2), "mvt")(v.A, v.x1, v.x2, v.y_1, v.y_2)


def atax(v, op):
    v.y = op(lambda a, x: a.T @ (a @ x), "atax")(v.A, v.x)


def bicg(v, op):
    v.s, v.q = op(lambda a, p, r: (a.T @ r, a @ p), "bicg")(v.A, v.p, v.r)


def cholesky(v, op):
    v.A = op(lambda a: lower_of(torch.linalg.cholesky(a), a), "cholesky")(v.A)


def factors(a):
    return torch.linalg.lu_factor_ex(a, pivot=False)[0]


def lu(v, op):
    v.A = op(factors, "lu")(v.A)


def ludcmp(v, op):
    def new(a, b):
        both = factors(a)
        y = torch.linalg.solve_triangular(both, b[:, None], upper=False, unitriangular=True)
        return both, y[:, 0], torch.linalg.solve_triangular(both, y, upper=True)[:, 0]
    v.A, v.y, v.x = op(new, "ludcmp")(v.A, v.b)


def trisolv(v, op):
    def new(matrix, b):
        return torch.linalg.solve_triangular(matrix, b[:, None], upper=False)[:, 0]
    v.x = op(new, "trisolv")(v.L, v.b)


def jacobi_1d(v, op):
    def step(a, b):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
    for _ in range(v.tsteps):
        op(step, "jacobi-1d")(v.A, v.B)


def jacobi_2d(v, op):
    def half(to, a):
        to[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])

    def step(a, b):
        half(b, a)
        half(a, b)
    for _ in range(v.tsteps):
        op(step, "jacobi-2d")(v.A, v.B)


def heat_3d(v, op):
    def half(to, a):
        c, m = a[1:-1, 1:-1, 1:-1], slice(1, -1)
        to[1:-1, 1:-1, 1:-1] = (0.125 * (a[2:, m, m] - 2 * c + a[:-2, m, m]) + 0.125 * (a[m, 2:, m] - 2 * c + a[m, :-2, m])
                                + 0.125 * (a[m, m, 2:] - 2 * c + a[m, m, :-2]) + c)

    def step(a, b):
        half(b, a)
        half(a, b)
    for _ in range(v.tsteps):
        op(step, "heat-3d")(v.A, v.B)


def fdtd_2d(v, op):
    def step(ex, ey, hz, source):
        ey[0] = source
        ey[1:] -= 0.5 * (hz[1:] - hz[:-1])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    for source in v._fict_:
        op(step, "fdtd-2d")(v.ex, v.ey, v.hz, source)


def floyd_warshall(v, op):
    def step(path, column, row):
        path[:] = torch.minimum(path, column + row)
    for k in range(v.n):
        op(step, "floyd-warshall")(v.path, v.path[:, k:k + 1].clone(), v.path[k:k + 1].clone())


PROGRAMS = {"2mm": two_mm, "3mm": three_mm, "fdtd-2d": fdtd_2d, "floyd-warshall": floyd_warshall, "heat-3d": heat_3d,
            "jacobi-1d": jacobi_1d, "jacobi-2d": jacobi_2d,
            **{f.__name__: f for f in [atax, bicg, cholesky, correlation, covariance, doitgen, gemm, gemver, gesummv,
                                       lu, ludcmp, mvt, symm, syr2k, syrk, trisolv, trmm]}}
# gramschmidt is left out: its matrices have more columns than rows, for which torch.linalg.qr does less than the program.
# Arrays of the programs that are no results, such as temporaries.
SCRATCH = {"tmp", "mean", "stddev", "sum", "E", "F", "data"}


def signature(text, name):
    """The parameters of the program's function: (name, None) of an integer, (name, ()) of a scalar, (name, the macros of
    the extents) of an array."""
    parameters = re.search(rf"void\s+kernel_{name.replace('-', '_')}\s*\((.*?)\)\s*\{{", text, re.DOTALL).group(1)
    found = []
    for match in re.finditer(r"int\s+(\w+)|DATA_TYPE\s+POLYBENCH_(\d)D\s*\(([^()]*)\)|DATA_TYPE\s+(\w+)", parameters):
        if match.group(1):
            found.append((match.group(1), None))
        elif match.group(4):
            found.append((match.group(4), ()))
        else:
            words = [word.strip() for word in match.group(3).split(",")]
            found.append((words[0], tuple(words[1:1 + int(match.group(2))])))
    return found


def inputs(name, parameters, sizes, element):
    """The values that the program starts with, by name, on the host."""
    random = torch.Generator().manual_seed(1)
    values = types.SimpleNamespace()
    for parameter, extents in parameters:
        if extents is None:
            setattr(values, parameter, sizes[parameter.upper()])
        elif not extents:
            value = SCALARS.get(parameter, float(sizes.get("N", 0)))  # float_n is the number of rows
            setattr(values, parameter, value)
        else:
            array = torch.rand([sizes[extent] for extent in extents], generator=random, dtype=element)
            if name in DOMINANT and array.dim() == 2:
                array = (array + array.T) / 2 + array.shape[0] * torch.eye(array.shape[0], dtype=element)
            setattr(values, parameter, array)
    return values


def copy_of(values, device):
    return types.SimpleNamespace(**{name: value.detach().clone().to(device) if torch.is_tensor(value) else value
                                    for name, value in vars(values).items()})


def restore(values, kept):
    """Arrays of `values` hold what they held at first, in the memory that they had where it is still theirs."""
    for name, value in vars(kept).items():
        if torch.is_tensor(value):
            present = getattr(values, name, None)
            if present is not None and present.shape == value.shape and present.is_contiguous():
                present.copy_(value)
            else:
                setattr(values, name, value.clone())


def utilities_of(source):
    """PolyBench's folder of that name, above the program's."""
    folder = os.path.dirname(os.path.abspath(source))
    while not os.path.isdir(os.path.join(folder, "utilities")) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return os.path.join(folder, "utilities")


def run_in_c(source, name, parameters, values, element_type, folder):
    """The program's own function on the values, which it changes."""
    text = os.path.join(folder, "program.c")
    with open(text, "w", encoding="utf-8") as file:
        # Its functions are static, what it includes has to keep its own.
        file.write("#include <stdio.h>\n#include <unistd.h>\n#include <string.h>\n#include <math.h>\n#include <polybench.h>\n"
                   f'#define static\n#define main program_main\n#include "{os.path.abspath(source)}"\n')
    library = os.path.join(folder, "program.so")
    utilities = utilities_of(source)
    macros = ["-D" + macro for macro in polybench.macros("MINI", element_type)]
    subprocess.run([os.environ.get("CC", "cc"), "-O1", "-w", "-ffp-contract=off", "-fPIC", "-shared", *macros, "-I", utilities,
                    "-I", os.path.dirname(source), text, os.path.join(utilities, "polybench.c"), "-lm", "-o", library],
                   check=True)
    scalar = ctypes.c_float if element_type == "float" else ctypes.c_double
    arguments = []
    for parameter, extents in parameters:
        value = getattr(values, parameter)
        arguments.append(ctypes.c_int(value) if extents is None else
                         scalar(value) if not extents else ctypes.c_void_p(value.data_ptr()))
    getattr(ctypes.CDLL(library), "kernel_" + name.replace("-", "_"))(*arguments)


def difference(expected, found):
    """The largest over the results, relative to the largest element of each."""
    worst = 0.0
    for name, value in vars(found).items():
        if torch.is_tensor(value) and name not in SCRATCH:
            reference = getattr(expected, name).double()
            worst = max(worst, float((value.double().cpu() - reference).abs().max() / reference.abs().max().clamp(min=1e-30)))
    return worst


def check(source, name, element_type, element, device, op):
    """The difference from the program in C at MINI."""
    program = polybench.Program(name, source)
    sizes = polybench.sizes_of(program, "MINI")
    with open(source, encoding="utf-8") as file:
        parameters = signature(file.read(), name)
    expected = inputs(name, parameters, sizes, element)
    found = copy_of(expected, device)
    with tempfile.TemporaryDirectory(prefix="torch_peers.") as folder:
        run_in_c(source, name, parameters, expected, element_type, folder)
    PROGRAMS[name](found, op)
    return difference(expected, found)


def seconds(program, kept, device, op):
    """The median of the runs; on a GPU with the launches, as a program that calls PyTorch sees it."""
    values = copy_of(kept, device)
    on_device = device.type == "cuda"

    def once():
        restore(values, kept)
        if not on_device:
            begin = time.perf_counter()
            program(values, op)
            return time.perf_counter() - begin
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda.synchronize()
        begin.record()
        program(values, op)
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1e3

    once()  # compiles
    warm = 0.0
    while warm < WARM_UP_SECONDS:
        warm += once()
    times = []
    while len(times) < 3 or (len(times) < RUNS and sum(times) < MOST_SECONDS):
        times.append(once())
    return statistics.median(times)


def compiled():
    """op() that compiles each function once."""
    known = {}

    def op(function, name):
        if name not in known:
            known[name] = torch.compile(function)
        return known[name]
    return op


def as_it_is(function, _name):
    return function


def measure(options):
    name = os.path.splitext(os.path.basename(options.source))[0]
    if name not in PROGRAMS:
        sys.exit(3)
    device = torch.device(options.device)
    element = {"float": torch.float32, "double": torch.float64}[options.type]
    with open(options.source, encoding="utf-8") as file:
        parameters = signature(file.read(), name)
    sizes = polybench.sizes_of(polybench.Program(name, options.source), options.size)
    kept = copy_of(inputs(name, parameters, sizes, element), device)
    told = {"how": f"PyTorch {torch.__version__}", "difference": 0.0}
    for column, make in [("torch", lambda: as_it_is), ("torch_compile", compiled)]:
        if column not in options.columns.split(","):
            continue
        wrong = check(options.source, name, options.type, element, device, make())
        if not wrong <= TOLERANCE:
            print(f"torch_peers.py: {name} with {column} differs from the program in C by {wrong:.3g}", file=sys.stderr)
            sys.exit(1)
        told["difference"] = max(told["difference"], wrong)
        told[column] = seconds(PROGRAMS[name], kept, device, make())
    print(json.dumps(told))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", help="the program's text, in PolyBench's folders")
    parser.add_argument("--size", choices=polybench.SIZES, default="EXTRALARGE", help="data set (EXTRALARGE)")
    parser.add_argument("--type", choices=polybench.TYPES, default="float", help="of the arrays' elements (float)")
    parser.add_argument("--device", default="cuda", help="as torch.device takes it (cuda)")
    parser.add_argument("--columns", default="torch,torch_compile", help="what is measured (torch,torch_compile)")
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    measure(parser.parse_args())


if __name__ == "__main__":
    main()
