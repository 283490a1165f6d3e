package memfs

import (
	"io"
	"io/fs"
	"time"

	"github.com/tetratelabs/wazero/experimental/sys"
	wazerosys "github.com/tetratelabs/wazero/sys"
)

// file is an open file or folder.
type file struct {
	sys.UnimplementedFile
	node   *node
	flag   sys.Oflag
	offset int64
	last   string // for a folder: the last name that Readdir returned; "": none
	closed bool
}

var _ sys.File = (*file)(nil)

// Dev returns the same number for all files.
func (f *file) Dev() (uint64, sys.Errno) { return 1, 0 }

// Ino returns the number that is unique to this file.
func (f *file) Ino() (wazerosys.Inode, sys.Errno) { return f.node.inode, 0 }

// IsDir reports whether it is a folder.
func (f *file) IsDir() (bool, sys.Errno) { return f.node.isDir, 0 }

// IsAppend reports whether Write appends to the end.
func (f *file) IsAppend() bool { return f.flag&sys.O_APPEND != 0 }

// SetAppend sets whether Write appends to the end.
func (f *file) SetAppend(enable bool) sys.Errno {
	f.flag &^= sys.O_APPEND
	if enable {
		f.flag |= sys.O_APPEND
	}
	return 0
}

// Stat returns the properties of the file.
func (f *file) Stat() (wazerosys.Stat_t, sys.Errno) {
	if f.closed {
		return wazerosys.Stat_t{}, sys.EBADF
	}
	return f.node.stat(), 0
}

// Read reads from the current offset and advances it.
func (f *file) Read(b []byte) (int, sys.Errno) {
	n, errno := f.Pread(b, f.offset)
	f.offset += int64(n)
	return n, errno
}

// Pread reads from an offset.
func (f *file) Pread(b []byte, offset int64) (int, sys.Errno) {
	switch {
	case f.closed || f.flag&sys.O_WRONLY != 0:
		return 0, sys.EBADF
	case f.node.isDir:
		return 0, sys.EISDIR
	case offset < 0:
		return 0, sys.EINVAL
	}
	f.node.accessed = time.Now().UnixNano()
	return f.node.read(b, offset), 0
}

// Write writes at the current offset, or at the end of a file that is appended to.
func (f *file) Write(b []byte) (int, sys.Errno) {
	offset := f.offset
	if f.IsAppend() {
		offset = f.node.size
	}
	n, errno := f.write(b, offset)
	if n > 0 {
		f.offset = offset + int64(n)
	}
	return n, errno
}

// Pwrite writes at an offset. Like Linux, it writes at the end of a file that is appended to.
func (f *file) Pwrite(b []byte, offset int64) (int, sys.Errno) {
	if offset < 0 {
		return 0, sys.EINVAL
	}
	if f.IsAppend() {
		offset = f.node.size
	}
	return f.write(b, offset)
}

func (f *file) write(b []byte, offset int64) (int, sys.Errno) {
	switch {
	case f.node.isDir:
		return 0, sys.EISDIR
	case !f.writable():
		return 0, sys.EBADF
	}
	if errno := f.node.write(b, offset); errno != 0 {
		return 0, errno
	}
	return len(b), 0
}

// writable reports whether the file is open for writing.
func (f *file) writable() bool { return !f.closed && f.flag&(sys.O_WRONLY|sys.O_RDWR) != 0 }

// Truncate sets the size of the file.
func (f *file) Truncate(size int64) sys.Errno {
	switch {
	case f.closed:
		return sys.EBADF
	case f.node.isDir:
		return sys.EISDIR
	case size < 0 || !f.writable():
		return sys.EINVAL
	}
	return f.node.truncate(size)
}

// position is a name for int64, so that vet does not take Seek for the method of io.Seeker.
type position = int64

// Seek sets the offset of Read and Write. A folder can only be set back to its beginning.
func (f *file) Seek(offset position, whence int) (int64, sys.Errno) {
	switch {
	case f.closed:
		return 0, sys.EBADF
	case f.node.isDir && (offset != 0 || whence != io.SeekStart):
		return 0, sys.EINVAL
	case f.node.isDir:
		f.last = ""
		return 0, 0
	}
	base, ok := map[int]int64{io.SeekStart: 0, io.SeekCurrent: f.offset, io.SeekEnd: f.node.size}[whence]
	if !ok || base+offset < 0 { // also if the sum overflows
		return 0, sys.EINVAL
	}
	f.offset = base + offset
	return f.offset, 0
}

// Readdir returns the next n entries of a folder, sorted by name. It returns all the others if n
// is not positive. If entries are added or removed between two calls, the second call sees only
// changes after the name of the last entry that it returned.
func (f *file) Readdir(n int) ([]sys.Dirent, sys.Errno) {
	switch {
	case f.closed:
		return nil, sys.EBADF
	case !f.node.isDir:
		return nil, sys.ENOTDIR
	}
	from, ok := f.node.search(f.last)
	if ok {
		from++
	}
	entries := f.node.entries[from:]
	if n > 0 {
		entries = entries[:min(n, len(entries))]
	}
	out := make([]sys.Dirent, 0, len(entries))
	for _, e := range entries {
		out = append(out, sys.Dirent{Ino: e.node.inode, Name: e.name, Type: e.node.mode() & fs.ModeType})
		f.last = e.name
	}
	return out, 0
}

// Utimens sets the times of the file.
func (f *file) Utimens(accessed, modified int64) sys.Errno {
	if f.closed {
		return sys.EBADF
	}
	f.node.setTimes(accessed, modified)
	return 0
}

// Close closes the file. A removed file is freed when it is no longer open.
func (f *file) Close() sys.Errno {
	if f.closed {
		return sys.EBADF
	}
	f.closed = true
	f.node.opened--
	f.node.fs.reserve(-openSize)
	f.node.free()
	return 0
}
