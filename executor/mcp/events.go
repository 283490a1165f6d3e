package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// eventStream reads a body of server-sent events. It passes each message through
// [session.inspectMessage].
type eventStream struct {
	session *session
	token   string      // of the call that the events belong to; "": they belong to none
	fail    func(error) // gets the reason why the stream broke
	body    io.ReadCloser

	lines *bufio.Reader
	ready bytes.Buffer // events that are ready to be read
	err   error
}

// Read returns the inspected stream. It waits for one event at a time.
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

// Close closes the body.
func (s *eventStream) Close() error { return s.body.Close() }

// readEvent reads up to the next empty line. It drops an event that the end of the body cut off.
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

// writeData writes the data of an event. nil means that the event has none.
func (s *eventStream) writeData(data []byte) {
	if data == nil {
		return
	}
	for line := range bytes.Lines(s.session.inspectMessage(bytes.TrimSuffix(data, []byte("\n")), s.token)) {
		s.ready.WriteString("data: ")
		s.ready.Write(bytes.TrimSuffix(line, []byte("\n")))
		s.ready.WriteByte('\n')
	}
	if len(data) == 1 {
		s.ready.WriteString("data:\n") // an empty one
	}
}
