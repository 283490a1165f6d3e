package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// eventStream is a body of server-sent events, whose messages are passed on.
type eventStream struct {
	session *session
	fail    func(error) // is told why it broke
	body    io.ReadCloser

	lines *bufio.Reader
	ready bytes.Buffer // events that can be read
	err   error
}

// Read gives what came, an event at a time.
func (s *eventStream) Read(p []byte) (int, error) {
	if s.lines == nil {
		s.lines = bufio.NewReader(s.body)
	}
	for s.ready.Len() == 0 && s.err == nil {
		s.err = s.readEvent()
	}
	if s.ready.Len() == 0 {
		return 0, s.err
	}
	return s.ready.Read(p)
}

// Close ends it.
func (s *eventStream) Close() error { return s.body.Close() }

// readEvent reads as far as the next empty line. An event that the end cut off is
// none.
func (s *eventStream) readEvent() error {
	var other, data []byte
	size := 0
	for {
		line, err := s.session.readLine(s.lines)
		size += len(line)
		if int64(size) > s.session.target.max {
			err = s.session.tooLarge()
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.fail(err)
			}
			return err
		}
		text := bytes.TrimRight(line, "\r\n")
		value, isData := bytes.CutPrefix(text, []byte("data:"))
		switch {
		case len(text) == 0:
			s.ready.Write(other)
			s.writeData(data)
			s.ready.WriteByte('\n')
			return nil
		case isData:
			data = append(append(data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
		default:
			other = append(append(other, text...), '\n')
		}
	}
}

// writeData writes the data of an event, which may be none.
func (s *eventStream) writeData(data []byte) {
	if data == nil {
		return
	}
	for line := range bytes.Lines(s.session.inspectMessage(bytes.TrimSuffix(data, []byte("\n")))) {
		s.ready.WriteString("data: ")
		s.ready.Write(bytes.TrimSuffix(line, []byte("\n")))
		s.ready.WriteByte('\n')
	}
	if len(data) == 1 {
		s.ready.WriteString("data:\n") // an empty one
	}
}
