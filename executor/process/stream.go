package process

import (
	"io"
	"os"
	"sync"
	"time"
)

// streams are the pipes between a child and its caller. They are files, so that
// the end of the child is seen at once, and not when the last of those is gone
// which have its output open.
type streams struct {
	childEnds  []*os.File // the child's ends
	readEnds   []*os.File // the others, read here
	callerEnds []*os.File // the others, which are the caller's
	copied     sync.WaitGroup
}

// connect puts pipes into a command, and opens In and Out.
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

// openInOut opens In and Out, and gives the child's ends.
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

// pipeTo gives what the child writes to, so that to has it.
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
		_, _ = io.Copy(to, r) // when to takes no more, the child cannot write any more
		_ = r.Close()
	})
	return w, nil
}

// closeChildEnds closes the ends that the child has by now.
func (s *streams) closeChildEnds() { closeAll(s.childEnds) }

// close is for a child that was not started.
func (s *streams) close() {
	closeAll(s.readEnds)
	closeAll(s.callerEnds)
}

// drain waits until all that was printed is written. What left its group, and
// still has the output open, is not waited for.
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
