"""What the libraries of a GPU's vendor need for a program, by tests/bench/library_peers.cu."""
import json
import os
import shutil
import subprocess

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "library_peers.cu")
LIBRARY_OF = {"cholesky": "cusolver", "lu": "cusolver",
              **{name: "cublas" for name in ["2mm", "3mm", "correlation", "covariance", "gemm", "symm", "syr2k", "syrk",
                                             "trmm"]}}


def nvcc_program():
    """nvcc in CUDACXX, PATH or its usual folder, or None."""
    usual = "/usr/local/cuda/bin/nvcc"
    return os.environ.get("CUDACXX") or shutil.which("nvcc") or (usual if os.access(usual, os.X_OK) else None)


class LibraryPeers:
    """The program library_peers, built in a folder. missing: why there is none, in a few words, or ""."""

    def __init__(self, folder, arch):
        self.program = os.path.join(folder, "library_peers")
        self.missing = ""
        nvcc = nvcc_program()
        if nvcc is None:
            self.missing = "no nvcc"
            return
        built = subprocess.run([nvcc, "-O3", "-std=c++17", f"-arch={arch}", SOURCE, "-lcublas", "-lcusolver", "-o",
                                self.program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        with open(self.program + ".log", "w", encoding="utf-8") as log:
            log.write(built.stdout)
        if built.returncode != 0:
            self.missing = "does not build"

    def measure(self, name, element_type, sizes):
        """library -> seconds, or words; and the functions that were called."""
        library = LIBRARY_OF.get(name)
        cells = {"cublas": "-", "cusolver": "-"}
        if library is None:
            return cells, ""
        if self.missing:
            return {**cells, library: self.missing}, ""
        done = subprocess.run([self.program, name, element_type] + [f"{key}={value}" for key, value in sizes.items()],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            return {**cells, library: "failed: " + (done.stderr.strip() or f"exit code {done.returncode}")}, ""
        told = json.loads(done.stdout)
        return {**cells, library: told["seconds"]}, told["how"]
