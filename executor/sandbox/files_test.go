package sandbox_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
)

// fileCode returns code that performs file operations in order, beginning with an empty folder.
const fileCode = `
import glob, os, pathlib, shutil, tempfile, zipfile
def error(do, *args):
    try:
        return do(*args)
    except OSError as e:
        return type(e).__name__
seen = [os.getcwd(), os.listdir("."), os.path.exists("/tmp/left")]
open("left", "w").write("héllo")
with open("left", "a") as f: f.write("!")
with open("left", "r+b") as f:
    f.seek(1); f.write(b"E"); f.seek(0, 2)
    seen += [f.tell(), f.read().decode(), open("/tmp/left", "rb").read(2).decode()]
os.makedirs("a/b")
os.rename("left", "a/b/c")
seen += [sorted(glob.glob("**", recursive=True)), os.path.getsize("a/b/c"), os.path.isdir("a"), [x[0] for x in os.walk(".")]]
with open("a/far", "wb") as f: f.seek(100000); f.write(b"x")
os.truncate("a/far", 50000)
seen += [os.path.getsize("a/far"), open("a/far", "rb").read() == bytes(50000)]
pathlib.Path("p").write_text("p")
os.utime("p", (1, 2))
shutil.copytree("a", "d")
shutil.move("p", "d/p")
seen += [int(os.stat("d/p").st_mtime), sorted(x.name for x in pathlib.Path("d").iterdir())]
with tempfile.TemporaryDirectory() as dir:
    with zipfile.ZipFile(dir + "/z", "w") as z: z.writestr("in", "zip")
    seen += [tempfile.gettempdir(), zipfile.ZipFile(dir + "/z").read("in").decode()]
seen += [os.path.exists(dir), error(open, "none"), error(os.rmdir, "a"), error(os.remove, "none"), error(open, "none/x", "w")]
seen += [error(os.mkdir, "a"), error(os.listdir, "d/p"), error(open, "a", "w"), error(open, "x" * 5000)]
with open("gone", "w+") as f:
    os.remove("gone")
    f.write("kept"); f.seek(0)
    seen += [f.read(), os.path.exists("gone")]
shutil.rmtree("a"); shutil.rmtree("d")
return seen + [os.listdir(".")]`

const fileResult = `["/tmp", [], false,
	7, "", "hE",
	["a", "a/b", "a/b/c"], 7, true, [".", "./a", "./a/b"],
	50000, true,
	2, ["b", "far", "p"],
	"/tmp", "zip",
	false, "FileNotFoundError", "OSError", "FileNotFoundError", "FileNotFoundError",
	"FileExistsError", "NotADirectoryError", "IsADirectoryError", "OSError",
	"kept", false,
	[]]`

// TestFiles checks that code can read and write in its own folder, which is empty in each run.
func TestFiles(t *testing.T) {
	r := sharedRunner(t)
	if e := do(t, r, call{runtime: py, code: "open('left', 'w').write('x')\nimport sqlite3\nc = sqlite3.connect('db')\nc.execute('create table t(a)')\nc.commit()\nreturn 1"}); !e.OK {
		t.Errorf("%+v", e.Error)
	}
	if e := do(t, r, call{runtime: py, code: fileCode}); !e.OK || !same(e.Value, fileResult) {
		t.Errorf("%s %+v, want %s", e.Value, e.Error, fileResult)
	}
}

// TestNoOtherFiles checks that no path leads out of the folder.
func TestNoOtherFiles(t *testing.T) {
	code := `
import os
os.mkdir("d")
seen = []
def refused(do, *args):
    try:
        seen.append([do.__name__, args[0], str(do(*args))])
    except FileNotFoundError: pass
    except OSError as e:
        if do not in (os.symlink, os.link): seen.append([do.__name__, args[0], str(e)])
for path in ["/", "/etc", "..", "../..", "d/../..", "/tmp/..", "/tmp/../etc", "//", "/tmp//..//..", "/proc/self"]:
    for do in (os.listdir, os.stat, os.open): refused(do, path, *((os.O_RDONLY,) if do is os.open else ()))
    refused(os.mkdir, path + "/new")
    refused(os.rename, "d", path + "/new")
refused(os.symlink, "/etc", "link")
refused(os.symlink, "..", "link")
refused(os.link, "/etc/passwd", "link")
refused(open, "link/passwd")
return [seen, os.listdir(".")]`
	if e := do(t, sharedRunner(t), call{runtime: py, code: code}); !e.OK || !same(e.Value, `[[], ["d"]]`) {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
}

// TestFull checks that files count as memory. Too much is an exception that code can catch, and a
// limit error if it does not.
func TestFull(t *testing.T) {
	r := sharedRunner(t)
	caught := `
import errno, os
def until_full(do):
    n = 0
    try:
        while True: do(n); n += 1
    except OSError as e:
        assert e.errno == errno.ENOSPC, e
        return n
def write(n):
    with open("big", "ab") as f: f.write(bytes(1 << 20))
def create(n): os.mkdir(f"{n}-" + "x" * 240)
def far(n):
    with open("far", "wb") as f: f.seek(1 << (40 + n)); f.write(b"x")
seen = [until_full(write)]
try:
    seen.append(len(bytearray(40 << 20)))
except MemoryError:
    seen.append("memory")
os.remove("big")
seen += [until_full(write), len(os.listdir("."))]
os.remove("big")
seen += [until_full(far)]
os.remove("far")
big = bytearray(20 << 20)
return seen + [until_full(write), until_full(create)]`
	e := do(t, r, call{runtime: py, code: caught, memory: "64"})
	var got []any
	if err := json.Unmarshal(e.Value, &got); err != nil || len(got) != 7 {
		t.Fatalf("%s %+v", e.Value, e.Error)
	}
	megabytes := func(i int, least, most float64) {
		if n, ok := got[i].(float64); !ok || n < least || n > most {
			t.Errorf("value %d is %v, want from %v to %v: %s", i, got[i], least, most, e.Value)
		}
	}
	megabytes(0, 30, 60)
	if got[1] != "memory" {
		t.Errorf("there was memory where the files had taken it: %s", e.Value)
	}
	megabytes(2, 30, 60)
	megabytes(3, 1, 1)
	megabytes(4, 0, 0)
	megabytes(5, 5, 40)
	megabytes(6, 0, 2000)

	for _, code := range []string{
		"with open('a', 'wb') as f:\n  while True: f.write(bytes(1 << 20))",
		"import os\nn = 0\nwhile True:\n  os.mkdir(str(n) + 'x' * 200)\n  n += 1",
	} {
		t.Run(fmt.Sprintf("%.60s", code), func(t *testing.T) {
			e := do(t, r, call{runtime: py, code: code, memory: "32"})
			if e.OK || e.Error.Kind != executor.KindLimit || e.Error.Code != "memory" || !strings.Contains(e.Error.Message, "32 MB for its memory and its files") {
				t.Errorf("%s: %s %+v", code, e.Value, e.Error)
			}
		})
	}
}
