package memfs

import (
	"cmp"
	"io/fs"
	"slices"
	"time"

	"github.com/tetratelabs/wazero/experimental/sys"
	wazerosys "github.com/tetratelabs/wazero/sys"
)

// The bytes that are counted in addition to content. They include room for the way in which Go
// grows slices.
const (
	nodeSize = 512  // a file or folder, with its entry but without its name
	openSize = 1024 // an open file, here and in wazero
	slotSize = 16   // the pointer to a block, also for a hole
)

const blockSize = 4096

type block [blockSize]byte

// node is a file or a folder.
type node struct {
	fs     *FS
	inode  wazerosys.Inode
	isDir  bool
	linked bool // it is in a folder, or the root
	opened int  // how often it is open

	entries []entry // of a folder, sorted by name

	size   int64    // of a file
	blocks []*block // as many as size needs; nil is a hole. Bytes after size are zero

	accessed, modified, changed int64 // nanoseconds since 1970
}

// entry is a named file or folder in a folder.
type entry struct {
	name string
	node *node
}

func (n *node) stat() wazerosys.Stat_t {
	s := wazerosys.Stat_t{Dev: 1, Ino: n.inode, Mode: n.mode(), Nlink: 1, Size: n.size, Atim: n.accessed, Mtim: n.modified, Ctim: n.changed}
	if !n.linked {
		s.Nlink = 0
	}
	return s
}

func (n *node) mode() fs.FileMode {
	if n.isDir {
		return fs.ModeDir | 0o700
	}
	return 0o600
}

func (n *node) setTimes(accessed, modified int64) {
	if accessed != sys.UTIME_OMIT {
		n.accessed = accessed
	}
	if modified != sys.UTIME_OMIT {
		n.modified = modified
	}
	n.changed = time.Now().UnixNano()
}

// touch sets the time of the last change to now.
func (n *node) touch() {
	n.modified = time.Now().UnixNano()
	n.changed = n.modified
}

// search returns the index of a name in a folder, or the index at which it would be inserted.
func (n *node) search(name string) (int, bool) {
	return slices.BinarySearchFunc(n.entries, name, func(e entry, name string) int { return cmp.Compare(e.name, name) })
}

// child returns the file or folder with a name in a folder. It is nil if there is none.
func (n *node) child(name string) *node {
	if i, ok := n.search(name); ok {
		return n.entries[i].node
	}
	return nil
}

// addChild adds a file or folder under a new name. The caller has reserved the name's bytes.
func (n *node) addChild(name string, child *node) {
	i, _ := n.search(name)
	n.entries = slices.Insert(n.entries, i, entry{name, child})
	child.linked = true
	n.touch()
}

// removeChild removes a name from a folder and gives its bytes back. It returns the file or folder.
func (n *node) removeChild(name string) *node {
	i, _ := n.search(name)
	child := n.entries[i].node
	n.entries = shrunk(slices.Delete(n.entries, i, i+1))
	child.linked = false
	n.fs.reserve(-int64(len(name)))
	n.touch()
	return child
}

// move moves an entry of a folder to another folder, in which newName must not exist.
func (n *node) move(name string, to *node, newName string) {
	child := n.removeChild(name)
	to.addChild(newName, child)
	child.changed = to.changed
}

// remove removes an entry of a folder, and frees it unless it is open.
func (n *node) remove(name string) {
	child := n.removeChild(name)
	child.changed = n.changed
	child.free()
}

// free gives back the memory of a node that is neither in a folder nor open. It does nothing for
// any other node.
func (n *node) free() {
	if n.linked || n.opened > 0 {
		return
	}
	n.resize(0)
	n.fs.reserve(-nodeSize)
}

// blocksOf returns the number of blocks that hold size bytes.
func blocksOf(size int64) int64 { return (size + blockSize - 1) / blockSize }

// maxSize is larger than any file can be, and too small to cause an overflow.
const maxSize = 1 << 50

// truncate sets the size of a file. Added bytes are a hole.
func (n *node) truncate(size int64) sys.Errno {
	added := blocksOf(size) - int64(len(n.blocks))
	if size > maxSize || added > 0 && !n.fs.reserve(added*slotSize) {
		return ErrFull
	}
	n.resize(size)
	n.touch()
	return 0
}

// resize sets the size of a file. The caller has reserved the memory of added blocks.
func (n *node) resize(size int64) {
	count := int(blocksOf(size))
	if removed := len(n.blocks) - count; removed > 0 {
		content := slices.DeleteFunc(slices.Clone(n.blocks[count:]), func(b *block) bool { return b == nil })
		n.fs.reserve(-int64(removed*slotSize + len(content)*blockSize))
		n.blocks = shrunk(slices.Delete(n.blocks, count, len(n.blocks)))
	} else {
		n.blocks = append(n.blocks, make([]*block, -removed)...)
	}
	if size < n.size && size%blockSize > 0 && n.blocks[count-1] != nil {
		clear(n.blocks[count-1][size%blockSize:])
	}
	n.size = size
}

// read copies the content from an offset into to. It returns the number of bytes.
func (n *node) read(to []byte, offset int64) int {
	to = to[:max(0, min(int64(len(to)), n.size-offset))]
	for done := 0; done < len(to); {
		at := offset + int64(done)
		part := to[done:min(len(to), done+int(blockSize-at%blockSize))]
		if b := n.blocks[at/blockSize]; b != nil {
			copy(part, b[at%blockSize:])
		} else {
			clear(part)
		}
		done += len(part)
	}
	return len(to)
}

// write writes all bytes at an offset, or none if there is no room for them.
func (n *node) write(from []byte, offset int64) sys.Errno {
	if len(from) == 0 {
		return 0
	}
	if offset > maxSize {
		return ErrFull
	}
	size := max(n.size, offset+int64(len(from)))
	if !n.fs.reserve(n.missing(offset, offset+int64(len(from)), size)) {
		return ErrFull
	}
	if size > n.size {
		n.resize(size)
	}
	for done := 0; done < len(from); {
		at := offset + int64(done)
		b := n.blocks[at/blockSize]
		if b == nil {
			b = new(block)
			n.blocks[at/blockSize] = b
		}
		done += copy(b[at%blockSize:], from[done:])
	}
	n.touch()
	return 0
}

// missing returns the bytes that must be reserved before a file of a size can have content between
// two offsets.
func (n *node) missing(from, to, size int64) int64 {
	have := int64(len(n.blocks))
	bytes := max(0, blocksOf(size)-have) * slotSize
	for i := from / blockSize; i < blocksOf(to); i++ {
		if i >= have || n.blocks[i] == nil {
			bytes += blockSize
		}
	}
	return bytes
}

// shrunk returns s, copied if it once was much longer, so that it no longer holds that memory.
func shrunk[T any](s []T) []T {
	if cap(s) > 64 && len(s) < cap(s)/4 {
		return slices.Clone(s)
	}
	return s
}
