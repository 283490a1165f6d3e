package memfs

import (
	"cmp"
	"io/fs"
	"slices"
	"time"

	"github.com/tetratelabs/wazero/experimental/sys"
	wazerosys "github.com/tetratelabs/wazero/sys"
)

// What is counted for what there is besides content, with room for how Go grows
// slices.
const (
	nodeSize = 512  // a file or folder, with its entry but without its name
	openSize = 1024 // an open file, here and in wazero
	slotSize = 16   // a place for a block, also for one that is a hole
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

	entries []entry // of a folder, by name

	size   int64    // of a file
	blocks []*block // as many as size needs; nil is a hole. Beyond size there are zeros.

	accessed, modified, changed int64 // nanoseconds since 1970
}

// entry is what a folder has by a name.
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

// touch notes that the content was changed now.
func (n *node) touch() {
	n.modified = time.Now().UnixNano()
	n.changed = n.modified
}

// search finds a name in a folder, or where it would be.
func (n *node) search(name string) (int, bool) {
	return slices.BinarySearchFunc(n.entries, name, func(e entry, name string) int { return cmp.Compare(e.name, name) })
}

// child is what a folder has by a name; nil: nothing.
func (n *node) child(name string) *node {
	if i, ok := n.search(name); ok {
		return n.entries[i].node
	}
	return nil
}

// addChild adds to a folder what it does not have yet. The name is counted by the caller.
func (n *node) addChild(name string, child *node) {
	i, _ := n.search(name)
	n.entries = slices.Insert(n.entries, i, entry{name, child})
	child.linked = true
	n.touch()
}

// removeChild removes a name from a folder, and no longer counts it.
func (n *node) removeChild(name string) *node {
	i, _ := n.search(name)
	child := n.entries[i].node
	n.entries = shrunk(slices.Delete(n.entries, i, i+1))
	child.linked = false
	n.fs.reserve(-int64(len(name)))
	n.touch()
	return child
}

// move moves what a folder has to another one, which does not have that name.
func (n *node) move(name string, to *node, newName string) {
	child := n.removeChild(name)
	to.addChild(newName, child)
	child.changed = to.changed
}

// remove removes what a folder has.
func (n *node) remove(name string) {
	child := n.removeChild(name)
	child.changed = n.changed
	child.free()
}

// free gives back a node that nothing can reach any more.
func (n *node) free() {
	if n.linked || n.opened > 0 {
		return
	}
	n.resize(0)
	n.fs.reserve(-nodeSize)
}

// blocksOf is how many blocks hold so many bytes.
func blocksOf(size int64) int64 { return (size + blockSize - 1) / blockSize }

// maxSize is more than any file can have, and far from an overflow.
const maxSize = 1 << 50

// truncate gives a file another size. What is added is a hole.
func (n *node) truncate(size int64) sys.Errno {
	added := blocksOf(size) - int64(len(n.blocks))
	if size > maxSize || added > 0 && !n.fs.reserve(added*slotSize) {
		return ErrFull
	}
	n.resize(size)
	n.touch()
	return 0
}

// resize gives a file another size. What is added is reserved.
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

// read copies what a file has from an offset on.
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

// write puts all bytes at an offset, or none where there is no room for them.
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

// missing is what must be reserved so that there is content from one offset to
// another in a file of some size.
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

// shrunk is a slice that keeps no memory of when it was much longer.
func shrunk[T any](s []T) []T {
	if cap(s) > 64 && len(s) < cap(s)/4 {
		return slices.Clone(s)
	}
	return s
}
