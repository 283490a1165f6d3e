package mcp

import (
	"bufio"
	"errors"
	"io"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/process"
)

// stdioTransport starts the server as a process and exchanges messages with it, one a line.
func (s *session) stdioTransport() sdk.Transport {
	t := s.target
	printed, err := s.console.openSpool()
	if err != nil {
		return failedTransport{err}
	}
	p, err := process.Start(s.ctx, process.Command{Words: t.words, Dir: t.dir, Env: t.env, Stderr: printed.File, Pipe: true})
	if err != nil {
		printed.Close()
		return failedTransport{s.startError(err)}
	}
	lines := bufio.NewReaderSize(p.Out, 64<<10)
	var writing sync.Mutex
	return &messageConn{
		session: s,
		fail:    s.failFunc(),
		next: func() ([]byte, error) {
			line, err := s.readLine(lines)
			if err != nil && executor.FindClassified(err) == nil {
				err = waitForExit(p)
			}
			return line, err
		},
		send: func(data []byte) error {
			writing.Lock()
			defer writing.Unlock()
			_, err := p.In.Write(append(data, '\n'))
			return err
		},
		end: func() error {
			_ = p.In.Close()
			stopProcess(p)
			printed.Close()
			return p.Out.Close()
		},
	}
}

// startError adds the place in the project's file to a failure to start the process.
func (s *session) startError(err error) error {
	if _, ok := errors.AsType[*process.StartError](err); !ok {
		return err
	}
	return executor.DefinitionError("program", "servers.%s.command: %w", s.target.name, err).
		WithHint("Install it, or correct the command in abl.yaml; a relative path starts at the folder of that file.")
}

// waitForExit waits until a process ends that has closed its output, and returns how it ended:
// io.EOF if it ended without an error. It kills a process that takes too long.
func waitForExit(p *process.Process) error {
	select {
	case <-p.Done():
	case <-time.After(exitTimeout):
		p.Kill()
	}
	if err := p.Wait(); err != nil {
		return err
	}
	return io.EOF
}

// exitTimeout is how long a server may take to end after its input ended.
const exitTimeout = 500 * time.Millisecond

// stopProcess waits for a process whose input has ended, and kills it if it takes too long.
func stopProcess(p *process.Process) {
	select {
	case <-p.Done():
	case <-time.After(exitTimeout):
		p.Kill()
	}
}

// readLine reads one line, up to the size limit.
func (s *session) readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case int64(len(line)) > s.target.max+1:
			return nil, s.tooLarge()
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
