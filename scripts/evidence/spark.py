"""What scripts/evidence/spark.sh needs beside a shell. Needs scripts/requirements.txt.

  spark.py write ROWS.csv FILE.parquet    the rows as Parquet, in four row groups, all columns as text
  spark.py read FOLDER                    a folder of Parquet as CSV without header and `partial`
  spark.py few SCRIPT PROGRAM             small and damaged runs of the script, see spark.sh
  spark.py cores COMMAND…                 runs it, and prints seconds of core time of all its processes
"""

import ctypes
import os
import resource
import subprocess
import sys


def write(rows, file):
    import pyarrow as pa
    from pyarrow import compute, csv, parquet

    with open(rows) as head:
        names = head.readline().rstrip("\n").split(",")
    convert = csv.ConvertOptions(column_types={name: pa.string() for name in names})
    table = csv.read_csv(rows, convert_options=convert)
    # The header may be repeated in a CSV file.
    table = table.filter(compute.not_equal(table[names[0]], names[0]))
    parquet.write_table(table, file, row_group_size=-(-table.num_rows // 4))


def read(folder):
    from pyarrow import csv, parquet

    table = parquet.read_table(folder).drop_columns("partial")
    options = csv.WriteOptions(include_header=False, quoting_style="none")
    csv.write_csv(table, sys.stdout.buffer, options)


def few(script, program):
    import contextlib
    import glob
    import io
    import runpy

    import pyarrow as pa
    from pyarrow import parquet

    def run(*arguments):
        """Exit code of the script, and what it says, on standard output and else."""
        sys.argv = [script, *arguments]
        sys.stdout.flush()
        stdout, stderr = os.dup(1), io.StringIO()
        with open("told", "w+b") as told, contextlib.redirect_stderr(stderr):
            os.dup2(told.fileno(), 1)
            try:
                runpy.run_path(script, run_name="__main__")
            except SystemExit as end:
                code = end.code
            except Exception as failure:
                code = f"{type(failure).__name__}: {failure}"
            finally:
                os.dup2(stdout, 1)
                os.close(stdout)
            told.seek(0)
            return code, told.read().decode(), stderr.getvalue()

    def lines(folder):
        """The rows of the output, without headers and records."""
        parts = sorted(glob.glob(f"{folder}/part-*"))
        found = [line for part in parts for line in open(part, "rb")]
        others = (b"nodes,time_ns", b"nodes;time_ns", b"}")
        return [line for line in found if not line.rstrip().endswith(others)]

    with open("one.csv") as file:
        _, grid, solution, *_ = file.read().split("\n")[1].split(",")
    # What Windows writes; bytes that are no UTF-8, a line that is too long, what only looks like a record,
    # and one.
    windows = f"\ufeffsep=;\r\n# made by\r\nid;puzzle\r\n1;{grid}\r\n\r\nID;Puzzle \r\n2;\r\n"
    strange = b"id,puzzle\n\xfc,\xe2\x82\n\xff\xed\xa0\x80,%s\n" % grid.encode()
    strange += b"3," + b"1" * 200_000 + b"\n#partial,4\n#partial,1,{}\n"
    for name, text in [("windows", windows.encode()), ("strange", strange)]:
        with open(f"{name}.csv", "wb") as file:
            file.write(text)
    for name, expected in [("empty", 0), ("header", 0), ("one", 1), ("windows", 2), ("strange", 4)]:
        ending = run(f"{name}.csv", f"few-{name}", "--partitions", "8", "--binary", program)
        assert ending[0] == 0 and len(lines(f"few-{name}")) == expected, (name, ending)
        print(f"{name}.csv: {expected} rows")
    ending = run("strange.csv", "few-shards", "--shards", "3", "--binary", program)
    assert ending[0] == 0 and len(lines("few-shards")) == 4, ending
    print("strange.csv: 4 rows in 3 shards")

    # The last rows have parts of their own, where only the solutions are grids.
    whole, damaged = f"{grid},{solution}", f"{grid[1:]},{solution}"
    for name, header, good, bad in [
        ("unnamed", "", [f"7,{whole}"] * 7, [f"7,{damaged}"]),
        ("unknown", "nr,start,end\n", [f"7,{whole}"] * 7, [f"7,{damaged}"]),
        ("bare", "", [grid] * 1200, [damaged] * 200),
    ]:
        with open(f"{name}.csv", "w") as file:
            file.write(header + "".join(f"{row}\n" for row in good + bad))
        command = [program, "solve", f"{name}.csv", "--format=csv", "--keep-columns", "--quiet"]
        alone = subprocess.run(command, capture_output=True).stdout.splitlines(True)[bool(header):]
        ending = run(f"{name}.csv", f"few-{name}", "--partitions", "20", "--binary", program)
        assert ending[0] == 0 and lines(f"few-{name}") == alone, (name, ending, lines(f"few-{name}"))
        assert sum(b",malformed," in line for line in alone) == len(bad), alone
        print(f"{name}.csv: {len(alone)} rows, all by the same columns")

    # Line ends within quotes: in the first lines, and where Spark alone sees them.
    nine = "\n".join(grid[line:line + 9] for line in range(0, 81, 9))
    for name, before in [("quoted", 1), ("late", 2000)]:
        with open(f"{name}.csv", "w") as file:
            file.write("id,puzzle\n" + f"1,{grid}\n" * before + f'2,"{nine}"\n')
    for name, wanted, *arguments in [("quoted", 2), ("quoted", 2, "--shards", "2"), ("late", 4),
                                     ("quoted", 0, "--shards", "2", "--multiline")]:
        folder = f"few-{name}{len(arguments)}"
        code, told, said = run(f"{name}.csv", folder, "--binary", program, *arguments)
        assert code == wanted and (code == 0) != ("--multiline" in said), (name, code, told, said)
        print(f"{name}.csv {' '.join(arguments)}: exit code {code}")

    # Text that would be no row, or several, if it were a line.
    texts = [grid, None, "", " ", 'a"b', "puzzle", "#partial,1,{}", "sep=;", "a\nb\r\nc\rd", "x" * 70_000]
    texts += ['"' * 32_000, "\0é", nine]
    statuses = ["solved"] + ["malformed"] * (len(texts) - 2) + ["solved"]
    for name, kept in [("odd", len(texts)), ("none", 0)]:
        table = pa.table({"Quiz ": pa.array(texts, pa.string()), "Status": pa.array(texts, pa.string())})
        parquet.write_table(table.slice(0, kept), f"{name}.parquet", row_group_size=2)
        ending = run(f"{name}.parquet", f"few-{name}", "--binary", program)
        found = parquet.read_table(f"few-{name}")
        assert ending[0] == 0 and found["status_found"].to_pylist() == statuses[:kept], (ending, found)
        assert found.select(table.column_names).equals(table.slice(0, kept)), found
        print(f"{name}.parquet: {kept} rows")

    for reason, arguments in [
        ("already exists", ["one.csv", "lines", "--binary", program]),
        ("no program `/nowhere`", ["one.csv", "none", "--binary", "/nowhere"]),
        ("PIPE_FUNCTION_EXITED", ["in.csv", "died", "--binary", f"{os.getcwd()}/dying"]),
        ("exit code -9", ["in.parquet", "died2", "--binary", f"{os.getcwd()}/dying"]),
        ("exit code -9", ["in.csv", "died3", "--shards", "2", "--binary", f"{os.getcwd()}/dying"]),
        (4, ["in.csv", "lost", "--binary", f"{os.getcwd()}/losing"]),
        (4, ["in.csv", "lost2", "--shards", "2", "--multiline", "--binary", f"{os.getcwd()}/forgetting"]),
    ]:
        code, told, said = run(*arguments)
        is_said = isinstance(reason, str) and (reason in str(code) or code == 1 and reason in said)
        assert code == reason or is_said, (arguments, code, told, said)
        print(f"{' '.join(arguments[:2])}: {reason}")


def cores(*command):
    # Processes whose parents end first come here, so that none is missed.
    is_subreaper = 36
    if ctypes.CDLL(None, use_errno=True).prctl(is_subreaper, 1, 0, 0, 0) != 0:
        sys.exit("this system has no subreapers")
    code = subprocess.Popen(command, stdout=sys.stderr).wait()
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{used.ru_utime + used.ru_stime:.2f}")
    return code


if __name__ == "__main__":
    sys.exit({"write": write, "read": read, "few": few, "cores": cores}[sys.argv[1]](*sys.argv[2:]))
