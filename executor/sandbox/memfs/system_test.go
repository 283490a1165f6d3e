package memfs_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tetratelabs/wazero/experimental/sys"
	"github.com/tetratelabs/wazero/experimental/sysfs"
)

// TestAgainstSystem checks that a file system in memory behaves like one of this machine in any
// sequence of operations, and that it counts nothing after everything is removed.
func TestAgainstSystem(t *testing.T) {
	if goruntime.GOOS != "linux" {
		t.Skip("other systems give other errors")
	}
	for seed := range uint64(40) {
		mem, used := newFS(1 << 30)
		ours, theirs := &user{fs: mem}, &user{fs: sysfs.DirFS(t.TempDir())}
		random := rand.New(rand.NewPCG(seed, 0))
		var log []string
		for range 200 {
			op := randomOperation(random)
			got, want := op.do(ours), op.do(theirs)
			log = append(log, op.name+" → "+want)
			if got != want {
				t.Fatalf("seed %d: got %q\n%s", seed, got, strings.Join(log, "\n"))
			}
		}
		if diff := cmp.Diff(tree(theirs.fs, "."), tree(ours.fs, ".")); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\n%s", seed, diff, strings.Join(log, "\n"))
		}
		ours.closeAll()
		theirs.closeAll()
		removeAll(t, mem, ".")
		if used.used != 0 {
			t.Fatalf("seed %d: %d bytes are counted, though nothing is there\n%s", seed, used.used, strings.Join(log, "\n"))
		}
	}
}

// user is a file system with the files that are open in it.
type user struct {
	fs   sys.FS
	open []sys.File
}

func (u *user) closeAll() {
	for _, f := range u.open {
		f.Close()
	}
}

// operation is an operation on a file system. It returns its outcome as text.
type operation struct {
	name string
	do   func(*user) string
}

func randomOperation(r *rand.Rand) operation {
	if r.IntN(2) == 0 {
		return fileOperation(r)
	}
	return pathOperation(r)
}

// randomPath returns one of few paths, so that operations affect the same files.
func randomPath(r *rand.Rand) string {
	parts := []string{"a", "b", "c"}
	out := parts[r.IntN(3)]
	for r.IntN(3) == 0 {
		out += "/" + parts[r.IntN(3)]
	}
	if r.IntN(10) == 0 {
		out += "/"
	}
	return out
}

func pathOperation(r *rand.Rand) operation {
	one, two := randomPath(r), randomPath(r)
	switch r.IntN(10) {
	case 0:
		return operation{"mkdir " + one, func(u *user) string {
			errno := u.fs.Mkdir(one, 0o700)
			if errno == sys.ENOENT { // wazero's word for both
				errno = sys.ENOTDIR
			}
			return outcomeOf(errno)
		}}
	case 1:
		return operation{"rmdir " + one, func(u *user) string { return outcomeOf(u.fs.Rmdir(one)) }}
	case 2:
		return operation{"unlink " + one, func(u *user) string { return outcomeOf(u.fs.Unlink(one)) }}
	case 3:
		if strings.Trim(one, "/") == strings.Trim(two, "/") { // wazero does not look whether it is there
			two = "a" + two
		}
		return operation{"rename " + one + " " + two, func(u *user) string { return outcomeOf(u.fs.Rename(one, two)) }}
	case 4:
		return operation{"list " + one, func(u *user) string { return list(u.fs, one) }}
	case 5:
		return operation{"stat " + one, func(u *user) string {
			s, errno := u.fs.Stat(one)
			if s.Mode.IsDir() {
				s.Size = 0 // a system's own
			}
			return outcomeOf(errno, s.Mode.Type(), s.Size)
		}}
	}
	return openOperation(r, one)
}

func openOperation(r *rand.Rand, name string) operation {
	access := []sys.Oflag{sys.O_RDONLY, sys.O_RDWR, sys.O_WRONLY}[r.IntN(3)]
	flag := access
	for _, f := range []sys.Oflag{sys.O_CREAT, sys.O_CREAT, sys.O_EXCL | sys.O_CREAT, sys.O_APPEND, sys.O_TRUNC} {
		if r.IntN(3) == 0 && (f != sys.O_TRUNC || access != sys.O_RDONLY) {
			flag |= f
		}
	}
	if r.IntN(20) == 0 {
		name = "."
	}
	return operation{fmt.Sprintf("open %s %x", name, flag), func(u *user) string {
		f, errno := u.fs.OpenFile(name, flag, 0o600)
		if errno == 0 {
			u.open = append(u.open, f)
		}
		return outcomeOf(errno)
	}}
}

// fileOperation performs an operation on one of the open files.
func fileOperation(r *rand.Rand) operation {
	pick, offset, whence, b := r.IntN(1<<20), int64(r.IntN(3*4096)), r.IntN(3), make([]byte, 1+r.IntN(5000))
	name, do := "write", func(f sys.File) string {
		for i := range b {
			b[i] = byte('a' + pick%26)
		}
		n, errno := f.Write(b)
		return outcomeOf(errno, n)
	}
	switch r.IntN(16) {
	case 0:
		return operation{fmt.Sprintf("close %d", pick), func(u *user) string { return u.close(pick) }}
	case 1, 2:
		name, do = "pwrite", func(f sys.File) string {
			if f.IsAppend() {
				return "Go refuses that"
			}
			n, errno := f.Pwrite(b, offset)
			return outcomeOf(errno, n)
		}
	case 3, 4:
		name, do = "read", func(f sys.File) string { n, errno := f.Read(b); return outcomeOf(errno, n, string(b[:n])) }
	case 5, 6:
		name, do = "pread", func(f sys.File) string { n, errno := f.Pread(b, offset); return outcomeOf(errno, n, string(b[:n])) }
	case 7, 8:
		name, do = "truncate", func(f sys.File) string { return outcomeOf(f.Truncate(offset)) }
	case 9, 10:
		name, do = "seek", func(f sys.File) string { return seek(f, offset-2000, whence) }
	case 11, 12:
		name, do = "stat", statOf
	}
	return operation{fmt.Sprintf("%s, file %d, offset %d, %d bytes, whence %d", name, pick, offset, len(b), whence), func(u *user) string {
		if len(u.open) == 0 {
			return "none is open"
		}
		return do(u.open[pick%len(u.open)])
	}}
}

func (u *user) close(pick int) string {
	if len(u.open) == 0 {
		return "none is open"
	}
	i := pick % len(u.open)
	errno := u.open[i].Close()
	u.open = slices.Delete(u.open, i, i+1)
	return outcomeOf(errno)
}

func seek(f sys.File, offset int64, whence int) string {
	if isDir, _ := f.IsDir(); isDir {
		return "a folder"
	}
	at, errno := f.Seek(offset, whence)
	return outcomeOf(errno, at)
}

func statOf(f sys.File) string {
	s, errno := f.Stat()
	if s.Mode.IsDir() {
		s.Size, s.Nlink = 0, 0
	}
	return outcomeOf(errno, s.Mode.Type(), s.Size, s.Nlink)
}

// list returns the names in a folder. It opens the folder each time, because wazero reads a folder
// that was renamed meanwhile by its old name.
func list(f sys.FS, name string) string {
	dir, errno := f.OpenFile(name, sys.O_RDONLY|sys.O_DIRECTORY, 0)
	if errno != 0 {
		return outcomeOf(errno)
	}
	defer dir.Close()
	entries, errno := dir.Readdir(-1)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name+e.Type.String())
	}
	slices.Sort(names)
	return outcomeOf(errno, names)
}

func outcomeOf(errno sys.Errno, values ...any) string {
	if errno != 0 {
		return errno.Error()
	}
	return fmt.Sprint(values...)
}

// tree returns everything below a folder: names, and the content of files.
func tree(f sys.FS, dir string) map[string]string {
	out := map[string]string{}
	for _, e := range entriesOf(f, dir) {
		name := path.Join(dir, e.Name)
		if e.IsDir() {
			out[name] = "folder"
			for k, v := range tree(f, name) {
				out[k] = v
			}
			continue
		}
		file, errno := f.OpenFile(name, sys.O_RDONLY, 0)
		if errno != 0 {
			out[name] = errno.Error()
			continue
		}
		b := make([]byte, 1<<20)
		n, _ := file.Pread(b, 0)
		file.Close()
		out[name] = string(b[:n])
	}
	return out
}

func entriesOf(f sys.FS, dir string) []sys.Dirent {
	file, errno := f.OpenFile(dir, sys.O_RDONLY, 0)
	if errno != 0 {
		return nil
	}
	defer file.Close()
	entries, _ := file.Readdir(-1)
	return entries
}

func removeAll(t *testing.T, f sys.FS, dir string) {
	t.Helper()
	for _, e := range entriesOf(f, dir) {
		name, remove := path.Join(dir, e.Name), f.Unlink
		if e.IsDir() {
			removeAll(t, f, name)
			remove = f.Rmdir
		}
		if errno := remove(name); errno != 0 {
			t.Fatalf("%s: %v", name, errno)
		}
	}
}
