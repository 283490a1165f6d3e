package process

import (
	"bytes"
	"io"
)

// Lines calls Handle with each line that is written to it, without the line's end.
// A line of more than Max bytes makes it call Full, and Write fails. It is not safe
// for concurrent use.
type Lines struct {
	Max    int
	Full   func()
	Handle func(line []byte) // must not keep the line

	line []byte
}

func (l *Lines) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		end := bytes.IndexByte(b, '\n')
		part := b
		if end >= 0 {
			part = b[:end]
		}
		if len(l.line)+len(part) > l.Max {
			l.Full()
			return 0, io.ErrShortWrite
		}
		l.line = append(l.line, part...)
		if end < 0 {
			break
		}
		l.Handle(l.line)
		l.line, b = l.line[:0], b[end+1:]
	}
	return n, nil
}
