"""What others need for a program: the libraries of a GPU's vendor, and PyTorch."""
import json
import os
import shutil
import subprocess

FOLDER = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(FOLDER, "library_peers.cu")
LIBRARY_OF = {"cholesky": "cusolver", "lu": "cusolver",
              **{name: "cublas" for name in ["2mm", "3mm", "correlation", "covariance", "gemm", "symm", "syr2k", "syrk",
                                             "trmm"]}}


def nvcc_program():
    """nvcc in CUDACXX, PATH or its usual folder, or None."""
    usual = "/usr/local/cuda/bin/nvcc"
    return os.environ.get("CUDACXX") or shutil.which("nvcc") or (usual if os.access(usual, os.X_OK) else None)


class LibraryPeers:
    """By tests/bench/library_peers.cu. The program library_peers, built in a folder. missing: why there is none, in a few words, or ""."""

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


class TorchPeers:
    """PyTorch's operators as they are and compiled, by tests/bench/torch_peers.py under a Python that has PyTorch.
    missing: why there is none, in a few words, or ""."""
    COLUMNS = ["torch", "torch_compile"]
    MOST_SECONDS = 300  # of a program, which is compiled twice

    def __init__(self, python, wanted):
        self.python = python
        self.wanted = [column for column in self.COLUMNS if column in wanted]
        self.missing = ""
        try:
            found = subprocess.run([python, "-c", "import torch"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.missing = "" if found.returncode == 0 else "no torch"
        except OSError:
            self.missing = "no python"

    def measure(self, source, element_type, size):
        """column -> seconds, or words; and the version of PyTorch."""
        if self.missing:
            return dict.fromkeys(self.wanted, self.missing), ""
        try:
            done = subprocess.run([self.python, os.path.join(FOLDER, "torch_peers.py"), source, "--size", size, "--type",
                                   element_type, "--columns", ",".join(self.wanted)], timeout=self.MOST_SECONDS,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        except subprocess.TimeoutExpired:
            return dict.fromkeys(self.wanted, f"over {self.MOST_SECONDS} s"), ""
        if done.returncode == 3:
            return dict.fromkeys(self.wanted, "-"), ""
        if done.returncode != 0:
            why = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
            return dict.fromkeys(self.wanted, "failed: " + why[-1]), ""
        told = json.loads(done.stdout)
        return {column: told[column] for column in self.wanted}, told["how"]
