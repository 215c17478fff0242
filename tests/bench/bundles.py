#!/usr/bin/env python3
"""What a server holds in memory while many large programs are submitted: 500 of 60 MiB need 30 GB of disk.

Starts a server with a database of its own below --folder, submits --count studies of tests/end_to_end/small.c whose
standard input has --mebibytes random MiB, and prints the server's resident memory after each tenth of them and its peak.
"""
import argparse
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def program_at(name):
    return os.path.join(ROOT, "build", "bin", name)


def memory_of(process, field):
    with open(f"/proc/{process.pid}/status") as status:
        for line in status:
            if line.startswith(field + ":"):
                return int(line.split()[1]) // 1024
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--mebibytes", type=int, default=60)
    parser.add_argument("--folder", help="where the database is made; default: that of temporary files")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        data = os.path.join(folder, "input")
        with open(data, "wb") as file:
            for _ in range(arguments.mebibytes):
                file.write(os.urandom(1 << 20))
        address = "unix:" + os.path.join(folder, "socket")
        read_end, write_end = os.pipe()
        server = subprocess.Popen([program_at("tuned-server"), "--listen", address, "--http", "none", "--database",
                                   os.path.join(folder, "db"), "--log-level", "warn", "--ready-fd", str(write_end)],
                                  pass_fds=[write_end], stdout=subprocess.DEVNULL)
        try:
            os.close(write_end)
            with os.fdopen(read_end) as ready:
                if not ready.readline():
                    sys.exit("bundles.py: the server did not start")
            submit = [program_at("tunectl"), "--server", address, "submit",
                      os.path.join(ROOT, "tests", "end_to_end", "small.c"), "--stdin", data]
            for number in range(1, arguments.count + 1):
                subprocess.run(submit, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                if number % max(1, arguments.count // 10) == 0:
                    print(f"{number} programs of {arguments.mebibytes} MiB: {memory_of(server, 'VmRSS')} MiB resident, "
                          f"{memory_of(server, 'VmHWM')} MiB at most", flush=True)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
