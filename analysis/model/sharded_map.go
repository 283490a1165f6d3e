package model

import (
	"iter"
	"maps"
	"slices"
)

// shardedMap is an immutable map from paths or names. Its zero value is empty. After an edit, the
// new map shares all shards but the changed ones with the old map, so that a change costs little
// however many values there are.
type shardedMap[V any] struct {
	shards *[shardCount]map[string]*V
	Count  int
}

// fileSet is an immutable set of handles of files, by path.
type fileSet = shardedMap[Handle]

const shardCount = 256

// shardOf returns the shard of a key, by FNV-1a.
func shardOf(key string) uint32 {
	hash := uint32(2166136261)
	for i := range len(key) {
		hash = (hash ^ uint32(key[i])) * 16777619
	}
	return hash % shardCount
}

// Get returns the value of a key, nil if there is none.
func (s shardedMap[V]) Get(key string) *V {
	if s.shards == nil {
		return nil
	}
	return s.shards[shardOf(key)][key]
}

// All returns the values with their keys, in no order.
func (s shardedMap[V]) All() iter.Seq2[string, *V] {
	return func(yield func(string, *V) bool) {
		if s.shards == nil {
			return
		}
		for _, shard := range s.shards {
			for key, v := range shard {
				if !yield(key, v) {
					return
				}
			}
		}
	}
}

// keys returns the keys, sorted.
func (s shardedMap[V]) keys() []string {
	keys := make([]string, 0, s.Count)
	for key := range s.All() {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// edit returns the map after some changes, in their order. A nil value removes a key.
func (s shardedMap[V]) edit(changes iter.Seq2[string, *V]) shardedMap[V] {
	shards := new([shardCount]map[string]*V)
	if s.shards != nil {
		*shards = *s.shards
	}
	var own [shardCount]bool
	for key, v := range changes {
		i := shardOf(key)
		if !own[i] {
			own[i] = true
			if shards[i] = maps.Clone(shards[i]); shards[i] == nil {
				shards[i] = map[string]*V{}
			}
		}
		if _, known := shards[i][key]; known {
			s.Count--
		}
		if delete(shards[i], key); v != nil {
			shards[i][key] = v
			s.Count++
		}
	}
	return shardedMap[V]{shards, s.Count}
}
