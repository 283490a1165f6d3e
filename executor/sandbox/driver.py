# Runs the code of a Python tool, in any engine: a job comes on the first line of
# stdin, console output goes to 1, and what is said to this program to 2, in lines
# of JSON. job.go says what is in a job, answer.go what is answered.
import ast
import datetime
import errno
import io
import json
import keyword
import math
import os
import re
import select
import sys
import time

# The code may put others in their place.
dumps, write, leave = json.dumps, os.write, os._exit

FILE = "<code>"


class Unfit(Exception):
    def __init__(self, path, message):
        super().__init__(message)
        self.path = path


def quote(value):
    return dumps(value, ensure_ascii=False)


def encode(value, path, around):
    """Is json.dumps, which says where something is no JSON."""
    if value is None or value is True or value is False or isinstance(value, str):
        return quote(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise Unfit(path, f"is {value}, which JSON does not have")
        return float.__repr__(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return quote(value.isoformat())
    if type(value).__name__ == "Decimal" and value.is_finite():
        return str(value)
    if isinstance(value, (dict, list, tuple)):
        return encode_parts(value, path, around)
    raise Unfit(path, f"is of type {type(value).__name__}, which is no JSON value")


def encode_parts(value, path, around):
    if any(value is v for v in around):
        raise Unfit(path, "contains itself")
    inside = [*around, value]
    if not isinstance(value, dict):
        return "[" + ",".join(encode(v, f"{path}[{i}]", inside) for i, v in enumerate(value)) + "]"
    members = []
    for key, v in value.items():
        if not isinstance(key, (str, int)) or isinstance(key, bool):
            raise Unfit(path, f"has the key {key!r}, which is no string")
        members.append(quote(str(key)) + ":" + encode(v, f"{path}.{key}" if path else str(key), inside))
    return "{" + ",".join(members) + "}"


def frames(traceback):
    """The lines of the code that a traceback names, innermost first."""
    found = []
    while traceback:
        code = traceback.tb_frame.f_code
        if code.co_filename == FILE:
            found.append({"in": "" if code.co_name == "_" else code.co_name, "line": traceback.tb_lineno})
        traceback = traceback.tb_next
    return found[::-1]


def text_of(thrown):
    try:
        return str(thrown)
    except BaseException:
        return ""


def fault(thrown, kind):
    found = frames(thrown.__traceback__)
    thrown.with_traceback(None)  # frees what the code held
    message = text_of(thrown)
    if isinstance(thrown, MemoryError) and not message.startswith("Parser stack"):
        kind = "memory"
    elif isinstance(thrown, OSError) and thrown.errno == errno.ENOSPC:
        kind = "memory"  # files count as memory
    elif isinstance(thrown, RecursionError):
        kind = "recursion"
    elif isinstance(thrown, SyntaxError) and thrown.filename == FILE and not found:
        kind, message, found = "syntax", thrown.msg, [{"in": "", "line": thrown.lineno or 1}]
    elif isinstance(thrown, SystemExit):
        message = "the code ended the program, where it should return a value"
    path = thrown.path if isinstance(thrown, Unfit) else ""
    return {"kind": kind, "name": type(thrown).__name__, "message": message, "path": path, "frames": found[:100]}


def function(job):
    """The code as a function whose lines are those of the code."""
    tree = ast.parse(job["code"], FILE)
    head = ast.parse("def _(): pass", FILE)
    head.body[0].args.args = [ast.arg(name, lineno=1, col_offset=0) for name in job["names"]]
    if tree.body:
        head.body[0].body = tree.body
    space = {"__name__": "__main__"}
    exec(compile(head, FILE, "exec", dont_inherit=True), space)
    return space["_"]


def is_no_name(name):
    return not name.isidentifier() or keyword.iskeyword(name) or name == "__debug__"


def answer_of(line):
    try:
        job = json.loads(line)
        wrong = next(filter(is_no_name, job["names"]), None)
        if wrong is not None:
            return {"error": {"kind": "name", "message": wrong}}
        value = function(job)(*[job["values"].get(name) for name in job["names"]])
    except BaseException as thrown:
        return {"error": fault(thrown, "thrown")}
    try:
        return '{"value":' + encode(value, "", []) + "}"
    except BaseException as thrown:
        return {"error": fault(thrown, "result" if isinstance(thrown, Unfit) else "thrown")}


def say(message):
    # A line of its own, whatever the code has written there.
    text = "\n" + (message if isinstance(message, str) else dumps(message)) + "\n"
    rest = memoryview(text.encode(errors="backslashreplace"))  # half a character is escaped as JSON does
    while rest:
        rest = rest[write(2, rest) :]


def wake_up(seconds):
    """Is time.sleep where that is not supported."""
    select.select((), (), (), seconds)


def main():
    if sys.platform == "wasi":
        time.sleep = wake_up
        os.chdir("/tmp")
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # an integer is exact, however long
    say({"ready": True})
    line = sys.stdin.buffer.readline()
    sys.stdin = io.StringIO()
    out = sys.stdout = sys.stderr = open(1, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)
    answer = answer_of(line)
    try:
        out.flush()
    except (OSError, ValueError):  # the code closed it
        pass
    say(answer)
    leave(0)


main()
