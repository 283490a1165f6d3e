package memfs_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/experimental/sys"

	"github.com/abl-lsp/abl-lsp/executor/sandbox/memfs"
)

// allowance counts the bytes that a file system uses.
type allowance struct{ used, most int64 }

func (a *allowance) reserve(bytes int64) bool {
	if bytes > 0 && a.used+bytes > a.most {
		return false
	}
	a.used += bytes
	return true
}

func newFS(most int64) (*memfs.FS, *allowance) {
	a := &allowance{most: most}
	return memfs.New(a.reserve), a
}

// create creates a file that is open for writing.
func create(t *testing.T, f sys.FS, name string) sys.File {
	t.Helper()
	file, errno := f.OpenFile(name, sys.O_CREAT|sys.O_RDWR, 0o600)
	if errno != 0 {
		t.Fatalf("%s: %v", name, errno)
	}
	return file
}

// TestFull checks that content, holes, names, folders and open files are counted, and that removing
// gives the bytes back.
func TestFull(t *testing.T) {
	const most = 1 << 20
	for _, tt := range []struct {
		name string
		fill func(f *memfs.FS, i int) sys.Errno // is called until it fails
		most int                                // calls that may succeed
	}{
		{"content", func(f *memfs.FS, i int) sys.Errno {
			file, errno := f.OpenFile("a", sys.O_CREAT|sys.O_WRONLY|sys.O_APPEND, 0)
			if errno == 0 {
				_, errno = file.Write(make([]byte, 10000))
				file.Close()
			}
			return errno
		}, most / 10000},
		{"empty files", func(f *memfs.FS, i int) sys.Errno {
			file, errno := f.OpenFile(fmt.Sprint(i), sys.O_CREAT|sys.O_WRONLY, 0)
			if errno == 0 {
				file.Close()
			}
			return errno
		}, most / 500},
		{"long names", func(f *memfs.FS, i int) sys.Errno { return f.Mkdir(fmt.Sprintf("%0255d", i), 0) }, most / 700},
		{"longer names", func(f *memfs.FS, i int) sys.Errno {
			if errno := f.Mkdir(fmt.Sprint(i), 0); errno != 0 {
				return errno
			}
			return f.Rename(fmt.Sprint(i), fmt.Sprintf("%0255d", i))
		}, most / 700},
		{"deep folders", func(f *memfs.FS, i int) sys.Errno { return f.Mkdir(strings.Repeat("d/", i)+"d", 0) }, most / 500},
		{"open files", func(f *memfs.FS, i int) sys.Errno {
			_, errno := f.OpenFile("a", sys.O_CREAT|sys.O_WRONLY, 0)
			return errno
		}, most / 1000},
		{"holes", func(f *memfs.FS, i int) sys.Errno {
			file, errno := f.OpenFile(fmt.Sprint(i), sys.O_CREAT|sys.O_WRONLY, 0)
			if errno != 0 {
				return errno
			}
			defer file.Close()
			return file.Truncate(1 << 20)
		}, 255},
		{"a hole beyond all", func(f *memfs.FS, i int) sys.Errno {
			file, errno := f.OpenFile("a", sys.O_CREAT|sys.O_WRONLY, 0)
			if errno != 0 {
				return errno
			}
			defer file.Close()
			_, errno = file.Pwrite([]byte("x"), 1<<(35+i%28))
			return errno
		}, 0},
		{"the last offset", func(f *memfs.FS, i int) sys.Errno {
			file, _ := f.OpenFile("a", sys.O_CREAT|sys.O_WRONLY, 0)
			defer file.Close()
			file.Seek(1<<63-1, 0)
			if _, errno := file.Write([]byte("xy")); errno != memfs.ErrFull {
				return errno
			}
			return file.Truncate(1<<63 - 1)
		}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mem, used := newFS(most)
			calls, errno := 0, sys.Errno(0)
			for ; calls <= tt.most; calls++ {
				if errno = tt.fill(mem, calls); errno != 0 {
					break
				}
			}
			if errno != memfs.ErrFull || used.used > most {
				t.Errorf("after %d calls: %v, %d bytes are counted", calls, errno, used.used)
			}
		})
	}
}

// TestRoom checks that removed and shortened files leave room for others.
func TestRoom(t *testing.T) {
	mem, used := newFS(100 << 10)
	for range 100 {
		file := create(t, mem, "a")
		if _, errno := file.Write(make([]byte, 60<<10)); errno != 0 {
			t.Fatal(errno)
		}
		if _, errno := file.Write(make([]byte, 60<<10)); errno != memfs.ErrFull {
			t.Fatalf("a second part: %v", errno)
		}
		if s, _ := file.Stat(); s.Size != 60<<10 {
			t.Fatalf("%d bytes, though the second part did not fit", s.Size)
		}
		if errno := mem.Unlink("a"); errno != 0 {
			t.Fatal(errno)
		}
		if used.used < 60<<10 {
			t.Error("what is removed and open is not counted")
		}
		file.Close()
		if used.used != 0 {
			t.Fatalf("%d bytes are counted", used.used)
		}
	}
}

// TestReaddir checks that a folder can be emptied while it is read, a few names at a time.
func TestReaddir(t *testing.T) {
	mem, _ := newFS(1 << 20)
	for i := range 100 {
		create(t, mem, fmt.Sprint(i)).Close()
	}
	dir, _ := mem.OpenFile(".", sys.O_RDONLY, 0)
	for seen := 0; ; {
		entries, errno := dir.Readdir(7)
		if errno != 0 {
			t.Fatal(errno)
		}
		for _, e := range entries {
			if errno := mem.Unlink(e.Name); errno != 0 || e.Type != 0 {
				t.Errorf("%s: %v, %v", e.Name, errno, e.Type)
			}
			seen++
		}
		if len(entries) < 7 {
			if seen != 100 {
				t.Errorf("%d names, want 100", seen)
			}
			break
		}
	}
	if rest := entriesOf(mem, "."); len(rest) > 0 {
		t.Errorf("%v are left", rest)
	}
}

// TestPathsStayInside checks paths that lead upwards, links and long names.
func TestPathsStayInside(t *testing.T) {
	mem, _ := newFS(1 << 20)
	create(t, mem, "a").Close()
	for what, name := range map[string]string{
		"above the root": "../a",
		"at the root":    "/a",
		"above a folder": "b/../../a",
		"in the folder":  "./a",
	} {
		t.Run(what, func(t *testing.T) {
			if _, errno := mem.Stat(name); errno != 0 {
				t.Errorf("%s is not below the root: %v", name, errno)
			}
		})
	}
	if errno := mem.Symlink("/etc", "etc"); errno != sys.ENOTSUP {
		t.Errorf("Symlink: %v", errno)
	}
	if errno := mem.Link("a", "b"); errno != sys.ENOTSUP {
		t.Errorf("Link: %v", errno)
	}
	if _, errno := mem.Readlink("a"); errno != sys.EINVAL {
		t.Errorf("Readlink: %v", errno)
	}
	if errno := mem.Mkdir(strings.Repeat("x", 256), fs.ModePerm); errno != sys.ENAMETOOLONG {
		t.Errorf("a long name: %v", errno)
	}
}

// TestTimes checks which operations change the times of a file.
func TestTimes(t *testing.T) {
	mem, _ := newFS(1 << 20)
	file := create(t, mem, "a")
	if errno := mem.Utimens("a", 1, 2); errno != 0 {
		t.Fatal(errno)
	}
	if s, _ := mem.Stat("a"); s.Atim != 1 || s.Mtim != 2 {
		t.Errorf("times %d and %d, want 1 and 2", s.Atim, s.Mtim)
	}
	if errno := file.Utimens(sys.UTIME_OMIT, 3); errno != 0 {
		t.Fatal(errno)
	}
	if s, _ := mem.Stat("a"); s.Atim != 1 || s.Mtim != 3 {
		t.Errorf("times %d and %d, want 1 and 3", s.Atim, s.Mtim)
	}
	if _, errno := file.Write([]byte("x")); errno != 0 {
		t.Fatal(errno)
	}
	if s, _ := mem.Stat("a"); s.Mtim == 3 {
		t.Error("writing changes no time")
	}
}
