// Package memfs is a file system in memory, for one WebAssembly module.
//
// It never uses more memory than its caller allows: content, names and open files are all counted.
// It has files and folders but no links, so no path leads out of it. A hole in a file uses no
// memory for content.
package memfs

import (
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/tetratelabs/wazero/experimental/sys"
	wazerosys "github.com/tetratelabs/wazero/sys"
)

// Reserve counts bytes that a file system uses; a negative number gives them back. It reports
// whether there is room for them, and counts nothing if there is not.
type Reserve func(bytes int64) bool

// ErrFull is the error if there is no room. WebAssembly calls it ENOSPC, for which wazero has no
// name. No other failure here returns this error.
const ErrFull = sys.EIO

// FS is a file system. Like a module, it is not safe for concurrent use. Its root is a folder,
// which is empty at first.
type FS struct {
	sys.UnimplementedFS
	reserve Reserve
	root    *node
	nodes   wazerosys.Inode // the number of nodes made so far
}

var _ sys.FS = (*FS)(nil)

// New returns an empty file system.
func New(reserve Reserve) *FS {
	f := &FS{reserve: reserve}
	f.root = f.newNode(true)
	f.root.linked = true
	return f
}

// newNode returns a new file or folder. The caller has reserved its memory.
func (f *FS) newNode(isDir bool) *node {
	f.nodes++
	now := time.Now().UnixNano()
	return &node{fs: f, inode: f.nodes, isDir: isDir, accessed: now, modified: now, changed: now}
}

// OpenFile opens a file or a folder. It creates a file if the flags say so.
func (f *FS) OpenFile(name string, flag sys.Oflag, _ fs.FileMode) (sys.File, sys.Errno) {
	at, errno := f.locate(name)
	if errno != 0 {
		return nil, errno
	}
	if !f.reserve(openSize) {
		return nil, ErrFull
	}
	n, errno := f.open(at, flag)
	if errno != 0 {
		f.reserve(-openSize)
		return nil, errno
	}
	n.opened++
	return &file{node: n, flag: flag}, 0
}

// open returns the file or folder at a place, and creates or truncates it as the flags say.
func (f *FS) open(at place, flag sys.Oflag) (*node, sys.Errno) {
	n := at.node()
	switch writes := flag&(sys.O_RDWR|sys.O_WRONLY) != 0; {
	case at.slash && flag&sys.O_CREAT != 0:
		return nil, sys.EISDIR
	case n == nil && flag&sys.O_CREAT == 0:
		return nil, sys.ENOENT
	case n == nil:
		return f.create(at, false)
	case flag&sys.O_EXCL != 0 && flag&sys.O_CREAT != 0:
		return nil, sys.EEXIST
	case n.isDir && (writes || flag&(sys.O_CREAT|sys.O_TRUNC) != 0):
		return nil, sys.EISDIR
	case !n.isDir && (at.slash || flag&sys.O_DIRECTORY != 0):
		return nil, sys.ENOTDIR
	case flag&sys.O_TRUNC != 0 && writes:
		return n, n.truncate(0)
	}
	return n, 0
}

// create adds a new file or folder at a place.
func (f *FS) create(at place, isDir bool) (*node, sys.Errno) {
	if !f.reserve(nodeSize + int64(len(at.name))) {
		return nil, ErrFull
	}
	n := f.newNode(isDir)
	at.dir.addChild(at.name, n)
	return n, 0
}

// Stat returns the properties of a file or folder.
func (f *FS) Stat(name string) (wazerosys.Stat_t, sys.Errno) {
	n, errno := f.find(name)
	if errno != 0 {
		return wazerosys.Stat_t{}, errno
	}
	return n.stat(), 0
}

// Lstat is Stat, since there are no links.
func (f *FS) Lstat(name string) (wazerosys.Stat_t, sys.Errno) { return f.Stat(name) }

// Readlink returns EINVAL for every file or folder, since none is a link.
func (f *FS) Readlink(name string) (string, sys.Errno) {
	if _, errno := f.find(name); errno != 0 {
		return "", errno
	}
	return "", sys.EINVAL
}

// Link returns ENOTSUP, since there are no links.
func (f *FS) Link(_, _ string) sys.Errno { return sys.ENOTSUP }

// Symlink returns ENOTSUP, since there are no links.
func (f *FS) Symlink(_, _ string) sys.Errno { return sys.ENOTSUP }

// Mkdir creates a folder.
func (f *FS) Mkdir(name string, _ fs.FileMode) sys.Errno {
	at, errno := f.locate(name)
	switch {
	case errno != 0:
		return errno
	case at.node() != nil:
		return sys.EEXIST
	}
	_, errno = f.create(at, true)
	return errno
}

// Unlink removes a file. Open files keep the content until they are closed.
func (f *FS) Unlink(name string) sys.Errno {
	at, errno := f.locate(name)
	if errno != 0 {
		return errno
	}
	switch n := at.node(); {
	case n == nil:
		return sys.ENOENT
	case n.isDir:
		return sys.EISDIR
	case at.slash:
		return sys.ENOTDIR
	}
	at.dir.remove(at.name)
	return 0
}

// Rmdir removes an empty folder.
func (f *FS) Rmdir(name string) sys.Errno {
	at, errno := f.locate(name)
	if errno != 0 {
		return errno
	}
	switch n := at.node(); {
	case n == nil:
		return sys.ENOENT
	case n == f.root:
		return sys.EINVAL
	case !n.isDir:
		return sys.ENOTDIR
	case len(n.entries) > 0:
		return sys.ENOTEMPTY
	}
	at.dir.remove(at.name)
	return 0
}

// Rename moves a file or folder, and replaces a file or an empty folder at the target.
func (f *FS) Rename(from, to string) sys.Errno {
	source, errno := f.locate(from)
	if errno != 0 {
		return errno
	}
	target, errno := f.locate(to)
	if errno != 0 {
		return errno
	}
	n, old := source.node(), target.node()
	switch errno := mayReplace(source, target); {
	case errno != 0:
		return errno
	case n == old:
		return 0
	case !f.reserve(int64(len(target.name))):
		return ErrFull
	}
	if old != nil {
		target.dir.remove(target.name)
	}
	source.dir.move(source.name, target.dir, target.name)
	return 0
}

// mayReplace returns an error if source cannot be moved to target.
func mayReplace(source, target place) sys.Errno {
	n, old := source.node(), target.node()
	switch {
	case n == nil:
		return sys.ENOENT
	case source.name == "" || target.name == "": // the root
		return sys.EINVAL
	case !n.isDir && (source.slash || target.slash):
		return sys.ENOTDIR
	case target.isBelow(source):
		return sys.EINVAL
	case source.isBelow(target):
		return sys.ENOTEMPTY
	case old == nil || n == old:
		return 0
	case n.isDir && !old.isDir:
		return sys.ENOTDIR
	case !n.isDir && old.isDir:
		return sys.EISDIR
	case len(old.entries) > 0:
		return sys.ENOTEMPTY
	}
	return 0
}

// Utimens sets the times of a file or folder.
func (f *FS) Utimens(name string, accessed, modified int64) sys.Errno {
	n, errno := f.find(name)
	if errno != 0 {
		return errno
	}
	n.setTimes(accessed, modified)
	return 0
}

// place is the place of a file or folder, which need not exist.
type place struct {
	dir   *node
	name  string // "": dir itself, which is the root
	path  string // from the root; its last part is name
	slash bool   // a slash follows, so it must be a folder
}

// node returns the file or folder at the place. It is nil if there is none.
func (p place) node() *node {
	if p.name == "" {
		return p.dir
	}
	return p.dir.child(p.name)
}

// isBelow reports whether the place is inside the folder at dir, at any depth.
func (p place) isBelow(dir place) bool { return strings.HasPrefix(p.path, dir.path+"/") }

// maxName is the most bytes that a name may have.
const maxName = 255

// locate returns the place of a path. It returns an error if the folder that contains it does not
// exist.
func (f *FS) locate(name string) (place, sys.Errno) {
	clean := path.Clean("/" + name)[1:]
	at := place{dir: f.root, path: clean, slash: strings.HasSuffix(name, "/")}
	for clean != "" {
		if at.name != "" {
			next := at.node()
			switch {
			case next == nil:
				return place{}, sys.ENOENT
			case !next.isDir:
				return place{}, sys.ENOTDIR
			}
			at.dir = next
		}
		at.name, clean, _ = strings.Cut(clean, "/")
		if len(at.name) > maxName {
			return place{}, sys.ENAMETOOLONG
		}
	}
	return at, 0
}

// find returns an existing file or folder.
func (f *FS) find(name string) (*node, sys.Errno) {
	at, errno := f.locate(name)
	if errno != 0 {
		return nil, errno
	}
	switch n := at.node(); {
	case n == nil:
		return nil, sys.ENOENT
	case at.slash && !n.isDir:
		return nil, sys.ENOTDIR
	default:
		return n, 0
	}
}
