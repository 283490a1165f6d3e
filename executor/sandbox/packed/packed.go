// Package packed compresses the files that the program embeds for the sandbox. The format is a
// checksum of the content, followed by zstd. Unpacked files can be cached in a folder.
package packed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"github.com/abl-lsp/abl-lsp/internal/atomicfile"
)

// sumSize is the number of bytes of the checksum.
const sumSize = 4

// Pack returns a file's content in packed form.
func Pack(content []byte) ([]byte, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer w.Close()
	return w.EncodeAll(content, binary.LittleEndian.AppendUint32(nil, sum(content))), nil
}

// Unpack returns the content of a packed file. It returns an error if the checksum is wrong.
func Unpack(packed []byte) ([]byte, error) {
	if len(packed) < sumSize {
		return nil, errors.New("it is cut off")
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	content, err := r.DecodeAll(packed[sumSize:], nil)
	if err == nil && !isWhole(packed, content) {
		err = errors.New("its checksum is wrong")
	}
	return content, err
}

// UnpackIn is [Unpack] with a cache in the folder dir, in a file whose name begins with name. If
// dir is "" or cannot be written, UnpackIn unpacks the content each time.
func UnpackIn(dir, name string, packed []byte) ([]byte, error) {
	if len(packed) < sumSize || dir == "" {
		return Unpack(packed)
	}
	path := filepath.Join(dir, fmt.Sprintf("%s-%x", name, packed[:sumSize]))
	if content, err := os.ReadFile(path); err == nil && isWhole(packed, content) {
		return content, nil
	}
	content, err := Unpack(packed)
	if err == nil {
		_ = atomicfile.Write(path, content) // it is unpacked again next time
	}
	return content, err
}

func isWhole(packed, content []byte) bool {
	return binary.LittleEndian.Uint32(packed) == sum(content)
}

func sum(content []byte) uint32 {
	return crc32.Checksum(content, crc32.MakeTable(crc32.Castagnoli))
}
