package state

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"time"

	"go.etcd.io/bbolt"
)

// values are a bucket of a File in a transaction.
type values struct {
	*bbolt.Bucket
	tx   *bbolt.Tx
	name string
}

// endsSuffix ends the name of the bucket with the ends of the lives of another bucket's values. Its
// keys are the end, in endSize bytes, and the key of a value.
const endsSuffix = "\x00ends"

// A value with a life is stored as limitedLife, which no JSON begins with, the end in nanoseconds
// since 1970, and the JSON text. Any other value is stored as its JSON text.
const (
	limitedLife = 0x00
	endSize     = 8
)

// unpack returns the JSON text of a stored value, and the end of its life.
func unpack(stored []byte) (raw json.RawMessage, end time.Time) {
	if len(stored) <= endSize || stored[0] != limitedLife {
		return stored, time.Time{}
	}
	nanos := binary.BigEndian.Uint64(stored[1:])
	return stored[1+endSize:], time.Unix(0, int64(nanos))
}

// isOver reports whether a life has ended.
func isOver(end time.Time) bool { return !end.IsZero() && !time.Now().Before(end) }

// get returns the JSON text of a value; nil if there is none. It is valid during the transaction.
func (v values) get(key string) json.RawMessage {
	stored := v.Get([]byte(key))
	if stored == nil {
		return nil
	}
	raw, end := unpack(stored)
	if isOver(end) {
		return nil
	}
	return raw
}

// put stores a value, and removes those whose life is over.
func (v values) put(key string, raw json.RawMessage, life time.Duration) error {
	end := endOf(life)
	if end.IsZero() {
		return v.Put([]byte(key), raw)
	}
	ends, err := v.tx.CreateBucketIfNotExists([]byte(v.name + endsSuffix))
	if err != nil {
		return err
	}
	if err := v.removeEnded(ends); err != nil {
		return err
	}
	nanos := binary.BigEndian.AppendUint64(nil, uint64(end.UnixNano()))
	if err := ends.Put(append(bytes.Clone(nanos), key...), nil); err != nil {
		return err
	}
	return v.Put([]byte(key), append(append([]byte{limitedLife}, nanos...), raw...))
}

// removeEnded removes the values whose life is over.
func (v values) removeEnded(ends *bbolt.Bucket) error {
	c := ends.Cursor()
	for at, _ := c.First(); at != nil; at, _ = c.First() {
		key := at[endSize:]
		if !isOver(time.Unix(0, int64(binary.BigEndian.Uint64(at)))) {
			return nil
		}
		if stored := v.Get(key); stored != nil {
			if _, end := unpack(stored); isOver(end) { // it may have been stored again
				if err := v.Delete(bytes.Clone(key)); err != nil {
					return err
				}
			}
		}
		if err := ends.Delete(bytes.Clone(at)); err != nil {
			return err
		}
	}
	return nil
}
