package sql

import (
	"errors"
	"net"
	"slices"
	"strings"
	"sync/atomic"
)

// errFlood is that of a server whose answer does not end.
var errFlood = errors.New("the server sends more than was asked for")

// slack is what protocols add to the bytes of an answer.
const slack = 1 << 20

// bounded is a connection on which the answer to each request is bounded, so that
// no driver fills the memory with it.
type bounded struct {
	net.Conn
	most, left atomic.Int64
}

func newBounded(c net.Conn, bytes int64) *bounded {
	b := &bounded{Conn: c}
	b.most.Store(2*bytes + slack)
	b.left.Store(b.most.Load())
	return b
}

func (b *bounded) Write(p []byte) (int, error) {
	b.left.Store(b.most.Load())
	return b.Conn.Write(p)
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left.Load() <= 0 {
		return 0, errFlood
	}
	n, err := b.Conn.Read(p)
	b.left.Add(-int64(n))
	return n, err
}

func contains(list []string, s string) bool { return slices.Contains(list, s) }

// quotedSetting is a value in a list of key=value.
func quotedSetting(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}
