"""Lower bounds of the run times of the thirty programs of PolyBench 4.2, from their texts and sizes.

A program can not take less time than
- its operations at the device's peak: those that the text writes, each +, -, *, /, square root, comparison or maximum
  as one, with what does not change in a loop taken out of it, and what occurs twice once;
- its bytes at the device's bandwidth: each element that the region needs is read once, each that it leaves is written
  once, however large caches are;
- its chain at the latency of one operation: operations of which each needs the one before, where sums are trees.
Arrays of the region that a caller could read afterwards (tmp of 2mm, y1 and y2 of deriche) count as written.

A program with a loop over steps also has a swept bound, that of code which does not keep arrays on chip from one step
to the next: what a step reads of earlier ones and leaves for later ones goes through memory in each step. Code with time
tiles, or arrays that fit into a cache, may be faster than that; never than the first one.
"""
import collections
import math

# Formulas over the sizes in the program's header. elements: of the program's type, read and written; swept: the same if
# each step goes through memory; chain: dependent operations.
Work = collections.namedtuple("Work", "flops elements swept chain", defaults=(None, None))
Bound = collections.namedtuple("Bound", "seconds limit swept_seconds")

WORK = {
    "2mm": Work("2*NI*NJ*NK + NI*NK + 2*NI*NL*NJ + NI*NL", "NI*NK + NK*NJ + NI*NJ + NJ*NL + 2*NI*NL"),
    "3mm": Work("2*NI*NJ*NK + 2*NJ*NL*NM + 2*NI*NL*NJ", "NI*NK + NK*NJ + NJ*NM + NM*NL + NI*NJ + NJ*NL + NI*NL"),
    "adi": Work("TSTEPS * 26*(N-2)**2", "5*(N-2)**2", swept="TSTEPS * 4*(N-2)**2"),
    "atax": Work("4*M*N", "M*N + M + 2*N"),
    "bicg": Work("4*M*N", "M*N + 2*M + 2*N"),
    "cholesky": Work("N*(N-1)*(N-2)/3 + 3*N*(N-1)/2 + N", "N*(N+1)"),
    "correlation": Work("6*M*N + M*(M-1)*N", "2*M*N + M**2 + 2*M"),
    "covariance": Work("2*M*N + M*(M+1)/2*(2*N+1)", "2*M*N + M**2 + M"),
    "deriche": Work("32*W*H", "4*W*H"),
    "doitgen": Work("2*NR*NQ*NP**2", "2*NR*NQ*NP + NP**2 + NP"),
    # A step: a product, the sum's tree, r[k], the quotient, the update.
    "durbin": Work("2*N*(N-1) + 5*(N-1)", "3*N", chain="4*N + N*(log2(N) - 1.4427)"),
    "fdtd-2d": Work("TMAX * (3*(NX-1)*NY + 3*NX*(NY-1) + 5*(NX-1)*(NY-1))", "6*NX*NY + TMAX - 2*(NX+NY)",
                    swept="TMAX * 6*NX*NY"),
    "floyd-warshall": Work("2*N**3", "2*N**2", swept="N * 2*N**2"),
    "gemm": Work("2*NI*NJ*NK + NI*NJ + NI*NK", "NI*NK + NK*NJ + 2*NI*NJ"),
    "gemver": Work("8*N**2 + 3*N", "2*N**2 + 10*N"),
    "gesummv": Work("4*N**2 + 3*N", "2*N**2 + 3*N"),
    "gramschmidt": Work("3*M*N + N + 2*M*N*(N-1)", "3*M*N - M + N*(N+1)/2", swept="M*N**2"),
    "heat-3d": Work("TSTEPS * 26*(N-2)**3", "N**3 + 2*(N-2)**3", swept="TSTEPS * 4*(N-2)**3"),
    "jacobi-1d": Work("TSTEPS * 6*(N-2)", "N + 2*(N-2)", swept="TSTEPS * 4*(N-2)", chain="TSTEPS * 6"),
    "jacobi-2d": Work("TSTEPS * 10*(N-2)**2", "N**2 + 2*(N-2)**2", swept="TSTEPS * 4*(N-2)**2"),
    "lu": Work("N*(N-1)*(N-2)/3 + N*(N-1)/2 + (N-1)*N*(N+1)/3", "2*N**2 - N"),
    "ludcmp": Work("N*(N-1)*(N-2)/3 + N*(N-1)/2 + (N-1)*N*(N+1)/3 + 2*N*(N-1) + N", "2*N**2 + 3*N"),
    "mvt": Work("4*N**2", "N**2 + 6*N"),
    "nussinov": Work("N*(N-1)*(N-2)/3 + 2*N*(N-1) - (N-1)", "N*(N-1)"),
    "seidel-2d": Work("TSTEPS * 9*(N-2)**2", "N**2 + (N-2)**2", swept="TSTEPS * 2*(N-2)**2"),
    "symm": Work("2*N*M*(M-1) + 6*M*N", "M*(M+1)/2 + 3*M*N"),
    "syr2k": Work("N*(N+1)/2*(4*M+1) + 2*N*M", "N*(N+1) + 2*N*M"),
    "syrk": Work("N*(N+1)/2*(2*M+1) + N*M", "N*(N+1) + N*M"),
    "trisolv": Work("N**2", "N*(N+1)/2 + 2*N", chain="2*N"),
    "trmm": Work("M*(M-1)*N + M*N", "M*(M-1)/2 + 2*M*N"),
}


def value_of(formula, sizes):
    """The number that a formula of WORK has at the sizes, name -> number; ValueError names a size that is missing."""
    try:
        return eval(formula, {"__builtins__": {}, "log2": math.log2}, dict(sizes))
    except NameError as error:
        raise ValueError(f"{formula}: the header defines no {error.name}") from error


def bound_of(program, sizes, element_bytes, peak_flops, peak_bytes, latency):
    """Seconds that the program needs at least, what limits it (flops, bytes or chain), and the swept bound's seconds.

    Peaks are per second, the latency is in seconds. A program without steps has its bound as swept bound, too.
    """
    work = WORK[program]
    limits = {"flops": value_of(work.flops, sizes) / peak_flops,
              "bytes": value_of(work.elements, sizes) * element_bytes / peak_bytes}
    if work.chain:
        limits["chain"] = value_of(work.chain, sizes) * latency
    limit = max(limits, key=limits.get)
    swept = value_of(work.swept, sizes) * element_bytes / peak_bytes if work.swept else 0.0
    return Bound(limits[limit], limit, max(limits[limit], swept))
