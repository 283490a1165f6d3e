package memfs

import (
	"io"
	"io/fs"
	"time"

	"github.com/tetratelabs/wazero/experimental/sys"
	wazerosys "github.com/tetratelabs/wazero/sys"
)

// file is a file or folder that is open.
type file struct {
	sys.UnimplementedFile
	node   *node
	flag   sys.Oflag
	offset int64
	last   string // of a folder: the name that Readdir gave last; "": none
	closed bool
}

var _ sys.File = (*file)(nil)

// Dev is the same for all files.
func (f *file) Dev() (uint64, sys.Errno) { return 1, 0 }

// Ino is what no other file has.
func (f *file) Ino() (wazerosys.Inode, sys.Errno) { return f.node.inode, 0 }

// IsDir reports whether it is a folder.
func (f *file) IsDir() (bool, sys.Errno) { return f.node.isDir, 0 }

// IsAppend reports whether what is written goes to the end.
func (f *file) IsAppend() bool { return f.flag&sys.O_APPEND != 0 }

// SetAppend says whether what is written goes to the end.
func (f *file) SetAppend(enable bool) sys.Errno {
	f.flag &^= sys.O_APPEND
	if enable {
		f.flag |= sys.O_APPEND
	}
	return 0
}

// Stat gives what is known of it.
func (f *file) Stat() (wazerosys.Stat_t, sys.Errno) {
	if f.closed {
		return wazerosys.Stat_t{}, sys.EBADF
	}
	return f.node.stat(), 0
}

// Read reads on from the last place.
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

// Write writes at the last place, or at the end.
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

// Pwrite writes at an offset, or at the end, as Linux does.
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

// writable reports whether it may be written to.
func (f *file) writable() bool { return !f.closed && f.flag&(sys.O_WRONLY|sys.O_RDWR) != 0 }

// Truncate gives it another size.
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

// position has vet see that Seek is not io.Seeker's.
type position = int64

// Seek changes where Read and Write go on. A folder is only read again from its
// beginning.
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
	if !ok || base+offset < 0 { // also where the sum is too large
		return 0, sys.EINVAL
	}
	f.offset = base + offset
	return f.offset, 0
}

// Readdir gives the next entries of a folder, by name; all where n is not positive.
// Those that come or go meanwhile are given or left out as their names are.
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

// Utimens sets its times.
func (f *file) Utimens(accessed, modified int64) sys.Errno {
	if f.closed {
		return sys.EBADF
	}
	f.node.setTimes(accessed, modified)
	return 0
}

// Close closes it. A file that was removed is gone then.
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
