package redis

import (
	"bytes"
	"errors"
	"net"
	"strconv"
)

// errAnswerTooLarge is the error of a server that sends, or announces, more than the bound.
var errAnswerTooLarge = errors.New("the server sends more than was asked for")

// slack is how many bytes the protocol may add to an answer.
const slack = 1 << 20

// leastElement is the least number of bytes that an element of a list takes.
const leastElement = 3

// boundedConn is a connection on which all answers together are bounded. It reads the lengths that the
// server announces, since the client reserves the memory for them before the bytes arrive.
type boundedConn struct {
	net.Conn
	bytes    int64  // that may still be sent
	elements int64  // of lists and maps that may still be announced
	skip     int64  // bytes of a text that come next
	line     []byte // the beginning of a line
}

func newBoundedConn(c net.Conn, limit int64) *boundedConn {
	return &boundedConn{Conn: c, bytes: limit + slack, elements: (limit + slack) / leastElement}
}

// Read reads from the connection. A too large answer is [errAnswerTooLarge].
func (b *boundedConn) Read(p []byte) (int, error) {
	if b.bytes < 0 {
		return 0, errAnswerTooLarge
	}
	n, err := b.Conn.Read(p)
	if b.bytes -= int64(n); b.bytes < 0 || !b.accept(p[:n]) {
		b.bytes = -1
		return 0, errAnswerTooLarge
	}
	return n, err
}

// accept follows the answer, and reports whether the lengths in it are within the bound.
func (b *boundedConn) accept(p []byte) bool {
	for len(p) > 0 {
		if b.skip > 0 {
			n := min(b.skip, int64(len(p)))
			b.skip, p = b.skip-n, p[n:]
			continue
		}
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			b.line = append(b.line, p...)
			return true
		}
		b.line = append(b.line, p[:end]...)
		p = p[end+1:]
		if !b.acceptLine() {
			return false
		}
		b.line = b.line[:0]
	}
	return true
}

// acceptLine reads a line that is the beginning of a value.
func (b *boundedConn) acceptLine() bool {
	line := bytes.TrimSuffix(b.line, []byte{'\r'})
	if len(line) == 0 {
		return true
	}
	n, err := strconv.ParseInt(string(line[1:]), 10, 64)
	switch line[0] {
	case '$', '!', '=':
		if err == nil && n >= 0 {
			b.skip = n + int64(len("\r\n"))
			return n <= b.bytes+slack
		}
	case '*', '~', '>', '%', '|':
		if err == nil && n >= 0 {
			b.elements -= min(n, b.elements+1)
			if line[0] == '%' || line[0] == '|' {
				b.elements -= min(n, b.elements+1)
			}
			return b.elements >= 0
		}
	}
	return true
}
