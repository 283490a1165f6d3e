package analysis

import (
	"iter"
	"maps"
	"slices"
)

// fileSet is an immutable set of files, by path. Its zero value is empty. A set with another
// file shares all shards but one with the set that it comes from, so that a change costs little
// however many files there are.
type fileSet struct {
	shards *[fileShards]map[string]*File
	count  int
}

const fileShards = 256

// shardOf is the shard of a path, by FNV-1a.
func shardOf(path string) uint32 {
	hash := uint32(2166136261)
	for i := range len(path) {
		hash = (hash ^ uint32(path[i])) * 16777619
	}
	return hash % fileShards
}

// get is the file at path, nil where there is none.
func (s fileSet) get(path string) *File {
	if s.shards == nil {
		return nil
	}
	return s.shards[shardOf(path)][path]
}

// all are the files with their paths, in no order.
func (s fileSet) all() iter.Seq2[string, *File] {
	return func(yield func(string, *File) bool) {
		if s.shards == nil {
			return
		}
		for _, shard := range s.shards {
			for path, f := range shard {
				if !yield(path, f) {
					return
				}
			}
		}
	}
}

// paths are sorted.
func (s fileSet) paths() []string {
	paths := make([]string, 0, s.count)
	for path := range s.all() {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// edit is the set after some changes, in their order: a nil file takes the one at
// its path away.
func (s fileSet) edit(changes iter.Seq2[string, *File]) fileSet {
	shards := new([fileShards]map[string]*File)
	if s.shards != nil {
		*shards = *s.shards
	}
	var own [fileShards]bool
	for path, f := range changes {
		i := shardOf(path)
		if !own[i] {
			own[i] = true
			if shards[i] = maps.Clone(shards[i]); shards[i] == nil {
				shards[i] = map[string]*File{}
			}
		}
		if _, known := shards[i][path]; known {
			s.count--
		}
		if delete(shards[i], path); f != nil {
			shards[i][path] = f
			s.count++
		}
	}
	return fileSet{shards, s.count}
}
