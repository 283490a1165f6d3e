package sql

import (
	"errors"
	"net"
	"strings"
	"sync/atomic"
)

// errAnswerTooLarge is the error of a server whose answer exceeds the bound.
var errAnswerTooLarge = errors.New("the server sends more than was asked for")

// slack is how many bytes the protocols may add to an answer.
const slack = 1 << 20

// boundedConn is a connection on which the answer to each request is bounded, so that an answer
// cannot fill the driver's memory.
type boundedConn struct {
	net.Conn
	limit      int64
	left       atomic.Int64
	onExceeded func() // is called when the bound is exceeded; may be nil
}

func newBoundedConn(c net.Conn, bytes int64, flooded func()) *boundedConn {
	b := &boundedConn{Conn: c, limit: 2*bytes + slack, onExceeded: flooded}
	b.left.Store(b.limit)
	return b
}

func (b *boundedConn) Write(p []byte) (int, error) {
	b.left.Store(b.limit)
	return b.Conn.Write(p)
}

func (b *boundedConn) Read(p []byte) (int, error) {
	if b.left.Load() <= 0 {
		if b.onExceeded != nil {
			b.onExceeded()
		}
		return 0, errAnswerTooLarge
	}
	n, err := b.Conn.Read(p)
	b.left.Add(-int64(n))
	return n, err
}

// quotedSetting returns a value in quotes for a list of key=value.
func quotedSetting(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}
