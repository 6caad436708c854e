#!/usr/bin/env python3
"""Solve a file of Sudokus on a Spark cluster with sudoku-bench.

Every task runs the program on its part of the rows, and ends what it writes with a record of what it
did. The records stand in OUTPUT, where Spark keeps exactly one attempt of each task. At the end they are
added up and held against number and sum of the rows as Spark itself finds them: docs/scale-out.md.

Exit codes: 0 every row is answered once; 1 failed; 2 usage; 4 rows are missing or too many.
"""

import argparse
import glob
import itertools
import os
import queue
import re
import shlex
import shutil
import subprocess
import sys
import threading
from functools import partial, reduce
from operator import or_

from pyspark import SparkFiles, TaskContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StringType, StructType

# How a record begins.
RECORD = r"^#partial,[0-9]{1,9},\{"
# Malformed rows are answers.
DONE = (0, 5)
# The names that the program knows.
PUZZLES = ["puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "grid", "board"]
# Lines of the file in which its header is looked for.
HEAD = 1000
# The program trims white space of ASCII, and a byte order mark.
SPACE = " \t\n\f\r\ufeff"
# What the program says of the columns: how many between what, that of the puzzles and its name, and the
# header's line.
LAYOUT = re.compile(r"^-: csv, (\d+) columns?(?: between (\w+))?, puzzles in column (\d+)(?: `(.*?)`)?, "
                    r"(?:no solutions|solutions in column .*), (?:no header|header on line (\d+))$", re.M)
DELIMITERS = {None: ",", "commas": ",", "tabs": "\t", "semicolons": ";", "bars": "|"}
# Bytes of a line that the program keeps; a longer one is malformed.
KEPT = 65_536
# Bytes of a puzzle in Parquet. A longer one is no grid, and could be too long for a field.
LONGEST = 32_000
# The column with what the program reads of a row of Parquet.
FIELD = "_sudoku_bench_field"


def stop(code, message):
    print(f"spark_solve: {message}", file=sys.stderr)
    sys.exit(code)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    add = parser.add_argument
    add("input", metavar="INPUT", help="a file or folder that all workers can read")
    add("output", metavar="OUTPUT", help="a folder, which must not exist")
    add("--format", choices=["csv", "parquet"],
        help="what INPUT is [default: parquet if its name ends so, else csv]")
    add("--binary", metavar="PROGRAM", default="sudoku-bench",
        help="a path that is the same on all machines, or the bare name of a file that --files shipped "
        "or that is in PATH [default: %(default)s]")
    add("--partitions", metavar="N", type=int, help="at least so many tasks; of Parquet, exactly")
    add("--shards", metavar="N", type=int,
        help="N tasks that read and write the files themselves: INPUT is one file of CSV, and OUTPUT "
        "a folder, of a file system that all machines share")
    add("--multiline", action="store_true",
        help="with --shards: rows may have line ends within quotes, and Spark does not count them; "
        "that every shard is there once is still checked")
    add("--column", metavar="COLUMN", help="the column of the puzzles")
    add("--variant", "-t", metavar="NAME", help="what solves [default: lanes]")
    add("--max-nodes", metavar="N", help="the most nodes of a search")
    add("--unique", action="store_true", help="also whether there is another solution")
    add("--rate", action="store_true", help="also how hard the puzzle is for `mrv`")
    args = parser.parse_args()
    if args.format is None:
        args.format = "parquet" if args.input.rstrip("/").endswith(".parquet") else "csv"
    if args.shards and (args.format == "parquet" or args.partitions):
        parser.error("--shards is for one file of CSV, without --partitions")
    if args.multiline and not args.shards:
        parser.error("--multiline takes --shards: Spark hands out lines")
    return args


def locate(context, name):
    """Where the program is for this process, and for the tasks."""
    shipped = SparkFiles.get(name)
    if os.path.basename(name) == name and os.path.exists(shipped):
        # Executors find it where they run, but for those within this process.
        return shipped, shipped if re.match(r"local(\[|$)", context.master) else f"./{name}"
    path = shutil.which(name)
    if path is None:
        stop(1, f"there is no program `{name}` that can be run")
    return (os.path.abspath(path),) * 2


def solve(program, args, source, *more):
    """The command that solves, with those of the arguments that are the program's."""
    valued = {"--variant": args.variant, "--max-nodes": args.max_nodes}
    # Of Parquet the program sees the puzzles alone.
    valued["--column"] = args.column if args.format == "csv" else None
    given = [f"{option}={value}" for option, value in valued.items() if value is not None]
    given += ["--unique"] * args.unique + ["--rate"] * args.rate
    return [program, "solve", source, "--format=csv", *given, *more]


def ask(program, args, text):
    """The lines that the program answers to a text, in this process, and what else it says."""
    command = solve(program, args, "-", "--verbose")
    asked = subprocess.run(command, input=text.encode(), capture_output=True)
    told = asked.stderr.decode()
    if asked.returncode not in DONE:
        stop(1, f"{shlex.join(command)}: {told.strip()}")
    return asked.stdout.decode().removesuffix("\n").split("\n"), told


def head_of(context, source, args, program):
    """The lines at the start of a file that are no rows, which are its header and comments above it;
    the header, or nothing; and the match of LAYOUT."""
    lines = context.textFile(source).take(HEAD)
    answers, told = ask(program, args, "".join(f"{line}\n" for line in lines))
    rows = {int(answer.split(",")[0]) for answer in answers[1:]}
    if len(lines) == HEAD and not rows:
        stop(1, f"the first {HEAD} lines of `{source}` have no row")
    layout = LAYOUT.search(told)
    if layout is None:
        stop(1, f"`{program}` does not say which columns there are: {told.strip()}")
    at = int(layout[5] or 0)
    header = lines[at - 1].strip(SPACE) if at else ""
    # Above the header may be text that is a row.
    end = at or min(rows, default=len(lines) + 1) - 1
    others = [(number, line) for number, line in enumerate(lines, 1)
              if number not in rows and line.strip(SPACE) and not re.match(RECORD, line)]
    # Once each, as they may be repeated.
    head = list(dict.fromkeys(line for number, line in others if number <= end))
    for number, line in others:
        is_head = line in head or line.strip(SPACE).lower() == header.lower()
        if number > end and not is_head and not re.fullmatch("(?i)sep=.", line):
            stop(2, f"line {number} of `{source}` continues the one above: for line ends within quotes, "
                 "take --shards with --multiline")
    return head, header, layout


def settle_columns(args, head, header, layout):
    """What tasks read before their rows, its header, and what they are told, so that each finds the
    columns of the whole file, whatever its own first rows are."""
    width, between, puzzle, name, _ = layout.groups()
    if not header:
        names = [f"column{number}" for number in range(1, int(width) + 1)]
        names[int(puzzle) - 1:int(puzzle)] = ["puzzle"]
        header = DELIMITERS[between].join(names)
        return [*head, header], header, []
    # A name that it knows, or is told, it finds by itself.
    is_known = args.column is not None or (name or "").strip().lower() in PUZZLES
    return head, header, [] if is_known else [f"--column={puzzle}"]


def is_row(line, head, header):
    """Whether a line is a row: not blank, no record, and not of the head, wherever that is repeated."""
    bare = F.lower(F.btrim(line, F.lit(SPACE)))
    separator = (F.octet_length(line) == 5) & bare.rlike("^sep=.$")
    # Most lines are too long for that, and begin and end like a row, which is found out faster.
    edges = [edge for end in SPACE for edge in (line.startswith(end), line.endswith(end))]
    short = F.octet_length(line) <= max(5, len(header.encode()))
    head_like = F.when(reduce(or_, edges, short), bare.isin("", header.lower()) | separator)
    is_record = line.startswith("#") & line.rlike(RECORD)
    return ~(is_record | line.isin(head) | F.coalesce(head_like, F.lit(False)))


def sums_of(rows, column):
    """How many rows there are, and the sum of their hashes as the program forms it."""
    # A sum of `bigint` could overflow, which is an error.
    kept = F.substring(F.col(column).cast("binary"), 1, KEPT)
    total = F.sum(F.xxhash64(kept).cast("decimal(38,0)"))
    count, total = rows.agg(F.count("*"), total).first()
    return count, f"{int(total or 0) % 2**64:016x}"


def records_of(rows, column):
    return [row[0] for row in rows.select(column).where(F.col(column).rlike(RECORD)).collect()]


def solve_lines(spark, args, here, there):
    """Lines in, lines out, through the program."""
    context = spark.sparkContext
    head, header, told = settle_columns(args, *head_of(context, args.input, args, here))
    command = solve(there, args, "-", "--quiet", "--keep-columns", "--partial", "-j", args.cores, *told)
    # Malformed rows are no failure of a task.
    command = shlex.join(["sh", "-c", '"$@" || [ $? -eq 5 ]', "sh", *command])
    lines = context.textFile(args.input, args.partitions)
    # The program takes the head for no row again.
    parts = lines.mapPartitions(lambda part: itertools.chain(head, part))
    parts.pipe(command, checkCode=True).saveAsTextFile(args.output)
    # Java has replaced bytes that are no UTF-8 on their way to the tasks: here, too, and the same ones.
    spark.conf.set("spark.sql.legacy.codingErrorAction", "true")
    replaced = F.decode(F.col("value").cast("binary"), "UTF-8")
    line = F.when(F.is_valid_utf8("value"), F.col("value")).otherwise(replaced)
    rows = spark.read.text(args.input).select(line.alias("value"))
    rows = rows.where(is_row(F.col("value"), head, header))
    return records_of(spark.read.text(args.output), "value"), sums_of(rows, "value")


def solve_shards(spark, args, here, there):
    """Each task reads a range of the file's bytes, and nothing goes through Spark."""
    source, folder, shards = os.path.abspath(args.input), os.path.abspath(args.output), args.shards
    if not args.multiline:
        head, header, _ = head_of(spark.sparkContext, f"file://{source}", args, here)
        rows = spark.read.text(f"file://{source}").where(is_row(F.col("value"), head, header))
    os.makedirs(folder)
    command = solve(there, args, source, "--quiet", "--keep-columns", "--partial", "-j", args.cores)

    def run(shard):
        # Two attempts may run at the same time: each has a file of its own, and either may stay.
        part = f"part-{shard:05}.csv"
        own = f"{folder}/.{part}.{TaskContext.get().taskAttemptId()}"
        code = subprocess.call([*command, f"--shard={shard}/{shards}", "-o", own])
        if code not in DONE:
            raise RuntimeError(f"shard {shard}/{shards}: exit code {code} of {shlex.join(command)}")
        os.replace(own, f"{folder}/{part}")

    spark.sparkContext.parallelize(range(1, shards + 1), shards).foreach(run)
    # The program hides what is not complete behind one more dot.
    for hidden in (".part-*", "..part-*"):
        for left_behind in glob.glob(f"{glob.escape(folder)}/{hidden}"):
            os.remove(left_behind)
    records = records_of(spark.read.text(f"file://{folder}"), "value")
    return records, None if args.multiline else sums_of(rows, "value")


def solve_parquet(spark, args, here, there):
    """Columns in, the same columns and the answers out."""
    rows = spark.read.parquet(args.input)
    if args.partitions:
        rows = rows.repartition(args.partitions)
    taken = {name.strip().lower(): name for name in rows.columns}
    wanted = [args.column.strip().lower()] if args.column else PUZZLES
    puzzle = next((taken[name] for name in wanted if name in taken), None)
    if puzzle is None:
        stop(1, f"`{args.input}` has no column {' or '.join(wanted)}: {rows.columns}")
    text = F.coalesce(F.col("`" + puzzle.replace("`", "``") + "`").cast("string"), F.lit(""))
    text = F.when(F.octet_length(text) <= LONGEST, text).otherwise("")
    # What the program reads is what Spark hashes: the text as a quoted field.
    quoted = F.concat(F.lit('"'), F.replace(text, F.lit('"'), F.lit('""')), F.lit('"'))
    rows = rows.withColumn(FIELD, quoted.cast("binary"))

    columns = ask(here, args, "puzzle\n")[0][0].split(",")
    schema = StructType(rows.schema.fields[:-1])
    for name in [*columns[2:], "partial"]:
        kind = StringType() if name in ("solution", "status", "partial") else LongType()
        while name in taken:
            name += "_found"
        taken[name] = name
        schema = schema.add(name, kind)
    command = solve(there, args, "-", "--quiet", "--partial", "-j", args.cores)
    answered = rows.mapInArrow(partial(answer, command, columns, schema.names), schema)
    answered.write.parquet(args.output)
    return records_of(spark.read.parquet(args.output), schema.names[-1]), sums_of(rows, FIELD)


def answer(command, columns, names, batches):
    """Sends FIELD, the last column, through the program, and puts its answers there. The last row of
    all has the record beside it."""
    import pyarrow as pa
    from pyarrow import csv

    texts = ("puzzle", "solution", "status")
    types = {name: pa.string() if name in texts else pa.int64() for name in columns}
    read = csv.ReadOptions(column_names=columns, use_threads=False)
    convert = csv.ConvertOptions(column_types=types, include_columns=columns[2:], null_values=[""],
                                 strings_can_be_null=True)
    batches = (batch for batch in batches if batch.num_rows > 0)
    first = next(batches, None)
    if first is None:
        return
    # What is fed and not answered is in the program, which holds a fixed number of rows.
    fed, failures = queue.SimpleQueue(), []
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def feed():
        try:
            with process.stdin as stdin:
                stdin.write(b"puzzle\n")
                for batch in itertools.chain([first], batches):
                    fed.put(batch)
                    stdin.write(b"\n".join(batch.column(batch.num_columns - 1).to_pylist()) + b"\n")
        except BaseException as failure:
            failures.append(failure)
        fed.put(None)

    def answered(batch, lines):
        table = csv.read_csv(pa.py_buffer(b"".join(lines)), read, convert_options=convert)
        return [*batch.columns[:-1], *table.combine_chunks().to_batches()[0].columns]

    def whole(arrays, record):
        records = pa.array([None] * (len(arrays[0]) - 1) + [record], pa.string())
        return pa.RecordBatch.from_arrays([*arrays, records], names)

    try:
        threading.Thread(target=feed, daemon=True).start()
        process.stdout.readline()
        held = None
        while (batch := fed.get()) is not None:
            lines = list(itertools.islice(process.stdout, batch.num_rows))
            if len(lines) < batch.num_rows:
                break
            if held is not None:
                yield whole(held, None)
            held = answered(batch, lines)
        rest = process.stdout.read().decode()
        code = process.wait()
        if code in DONE and failures:
            raise failures[0]
        if code not in DONE or not re.match(RECORD, rest):
            raise RuntimeError(f"exit code {code} of {shlex.join(command)}")
        yield whole(held, rest.rstrip("\n"))
    finally:
        process.kill()
        process.wait()


def settle(program, args, records, expected):
    """Adds the records up, holds them against the expected, and returns the exit code."""
    if not records:
        if expected and expected[0] == 0:
            print("spark_solve: there are no rows", file=sys.stderr)
            return 0
        stop(4, f"`{args.output}` has no records")
    command = [program, "merge", "-", "--json"]
    if expected:
        command += [f"--expect-rows={expected[0]}", f"--expect-sum={expected[1]}"]
    code = subprocess.run(command, input="".join(f"{record}\n" for record in records).encode()).returncode
    if code == 4 and expected and args.format == "csv":
        print("spark_solve: if rows have line ends within quotes, take --shards with --multiline",
              file=sys.stderr)
    return code


def main():
    args = arguments()
    spark = SparkSession.builder.appName("sudoku-bench").getOrCreate()
    try:
        here, there = locate(spark.sparkContext, args.binary)
        args.cores = spark.conf.get("spark.task.cpus", "1")
        run = solve_lines if args.format == "csv" else solve_parquet
        run = solve_shards if args.shards else run
        records, expected = run(spark, args, here, there)
        return settle(here, args, records, expected)
    finally:
        spark.stop()


if __name__ == "__main__":
    sys.exit(main())
