package process

import (
	"io"
	"os"
	"sync"
	"time"
)

// streams are the pipes between a child and its caller. They are files, so that the end of the
// child is noticed at once, and not only when every process that has its output open has ended.
type streams struct {
	childEnds  []*os.File // the child's ends
	readEnds   []*os.File // the other ends, read here
	callerEnds []*os.File // the other ends, for the caller
	copied     sync.WaitGroup
}

// connect sets the pipes of a command, and opens In and Out if the command asks for them.
func (s *streams) connect(c *Command, p *Process) (err error) {
	joined := c.Stderr != nil && c.Stderr == c.Stdout && !c.Pipe
	if c.Pipe {
		c.Stdin, c.Stdout, err = s.openInOut(p)
	} else {
		c.Stdout, err = s.pipeTo(c.Stdout)
	}
	switch {
	case err != nil:
	case joined:
		c.Stderr = c.Stdout
	default:
		c.Stderr, err = s.pipeTo(c.Stderr)
	}
	return err
}

// openInOut opens In and Out, and returns the child's ends.
func (s *streams) openInOut(p *Process) (in, out *os.File, err error) {
	in, ourIn, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	s.childEnds, s.callerEnds = append(s.childEnds, in), append(s.callerEnds, ourIn)
	ourOut, out, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	s.childEnds, s.callerEnds = append(s.childEnds, out), append(s.callerEnds, ourOut)
	p.In, p.Out = ourIn, ourOut
	return in, out, nil
}

// pipeTo returns a writer for the child whose output is copied to to.
func (s *streams) pipeTo(to io.Writer) (io.Writer, error) {
	if _, file := to.(*os.File); to == nil || file {
		return to, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s.childEnds, s.readEnds = append(s.childEnds, w), append(s.readEnds, r)
	s.copied.Go(func() {
		_, _ = io.Copy(to, r) // when to fails, the child can no longer write
		_ = r.Close()
	})
	return w, nil
}

// closeChildEnds closes the child's ends, which the child has its own copies of.
func (s *streams) closeChildEnds() { closeAll(s.childEnds) }

// close closes the other ends after a child could not be started.
func (s *streams) close() {
	closeAll(s.readEnds)
	closeAll(s.callerEnds)
}

// drain waits until all output is written. It stops waiting after outputGrace, since a process that
// left the group may still have the output open.
func (s *streams) drain() {
	stop := time.AfterFunc(outputGrace, func() { closeAll(s.readEnds) })
	defer stop.Stop()
	s.copied.Wait()
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}
