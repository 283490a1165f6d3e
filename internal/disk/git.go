package disk

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
)

// IsTracked reports whether a file is under version control: whether it is in the
// index of the Git repository around it. It reads the index itself and starts no
// process. It returns false if it cannot read the index.
func IsTracked(path string) bool {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	root, git := repository(filepath.Dir(path))
	if git == "" {
		return false
	}
	name, err := filepath.Rel(root, path)
	if err != nil {
		return false
	}
	index, err := readUpTo(filepath.Join(git, "index"), maxIndexBytes)
	return err == nil && indexContains(index, hashSize(git), filepath.ToSlash(name))
}

// maxIndexBytes is the size up to which an index is read.
const maxIndexBytes = 256 << 20

// repository returns the work tree around the folder dir, and the work tree's .git folder.
// Both are "" if there is none. In a linked work tree .git is a file that names that
// folder.
func repository(dir string) (root, git string) {
	for ; ; dir = filepath.Dir(dir) {
		git = filepath.Join(dir, ".git")
		switch info, err := os.Stat(git); {
		case err == nil && info.IsDir():
			return dir, git
		case err == nil && info.Mode().IsRegular():
			return dir, linkedGitFolder(dir, git)
		case dir == filepath.Dir(dir):
			return "", ""
		}
	}
}

func linkedGitFolder(dir, file string) string {
	content, err := readUpTo(file, 1<<12)
	target, ok := strings.CutPrefix(strings.TrimSpace(string(content)), "gitdir: ")
	switch {
	case err != nil || !ok:
		return ""
	case filepath.IsAbs(target):
		return target
	}
	return filepath.Join(dir, target)
}

// readUpTo reads a regular file. It returns an error if the file has more than limit
// bytes.
func readUpTo(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, os.ErrInvalid
	}
	return os.ReadFile(path)
}

// hashSize returns the number of bytes of a hash in the repository whose .git folder is
// git.
func hashSize(git string) int {
	if common, err := readUpTo(filepath.Join(git, "commondir"), 1<<12); err == nil {
		git = filepath.Join(git, strings.TrimSpace(string(common)))
	}
	config, err := readUpTo(filepath.Join(git, "config"), 1<<20)
	words := strings.ToLower(strings.Join(strings.Fields(string(config)), ""))
	if err == nil && strings.Contains(words, "objectformat=sha256") {
		return 32
	}
	return 20
}

// indexContains reports whether an index of version 2, 3 or 4 has an entry of that
// name.
func indexContains(index []byte, hash int, name string) bool {
	if len(index) < 12 || string(index[:4]) != "DIRC" {
		return false
	}
	version := binary.BigEndian.Uint32(index[4:])
	count := binary.BigEndian.Uint32(index[8:])
	if version < 2 || version > 4 {
		return false
	}
	in, last := index[12:], []byte(nil)
	for range count {
		e, rest, ok := readEntry(in, hash, version, last)
		if !ok {
			return false
		}
		if string(e) == name {
			return true
		}
		in, last = rest, e
	}
	return false
}

// The sizes in bytes of what is before the name of an entry, without the hash: ten numbers
// of four bytes, the flags, and in some entries extended flags.
const (
	entryNumbers  = 40
	entryFlags    = 2
	extendedFlags = 2
)

// readEntry reads the name of the next entry of an index. In version 4 a name is
// written as the difference from the last one; in other versions zeros fill the entry
// up to a multiple of eight.
func readEntry(in []byte, hash int, version uint32, last []byte) (name, rest []byte, ok bool) {
	head := entryNumbers + hash + entryFlags
	if len(in) < head {
		return nil, nil, false
	}
	if flags := binary.BigEndian.Uint16(in[head-entryFlags:]); version >= 3 && flags&0x4000 != 0 {
		head += extendedFlags
	}
	if len(in) < head {
		return nil, nil, false
	}
	body, kept := in[head:], 0
	if version == 4 {
		dropped, n := varint(body)
		if n == 0 || dropped > len(last) {
			return nil, nil, false
		}
		body, kept = body[n:], len(last)-dropped
	}
	end := bytes.IndexByte(body, 0)
	if end < 0 {
		return nil, nil, false
	}
	name = append(last[:kept:kept], body[:end]...)
	used := len(in) - len(body) + end + 1
	if version < 4 {
		used = (head + end + 8) / 8 * 8
	}
	if used > len(in) {
		return nil, nil, false
	}
	return name, in[used:], true
}

// varint decodes a number in the encoding of the pack format's offsets. n is its size
// in bytes, 0 if it is cut off.
func varint(b []byte) (value, n int) {
	for n < len(b) && n < 5 {
		c := b[n]
		n++
		value |= int(c & 0x7f)
		if c&0x80 == 0 {
			return value, n
		}
		value = (value + 1) << 7
	}
	return 0, 0
}
