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
	theirs []*os.File // the child's ends
	ours   []*os.File // the others, read here
	given  []*os.File // the others, which are the caller's
	copied sync.WaitGroup
}

// connect puts pipes into a command, and opens In and Out.
func (s *streams) connect(c *Command, p *Process) (err error) {
	joined := c.Stderr != nil && c.Stderr == c.Stdout && !c.Pipe
	if c.Pipe {
		c.Stdin, c.Stdout, err = s.talk(p)
	} else {
		c.Stdout, err = s.into(c.Stdout)
	}
	switch {
	case err != nil:
	case joined:
		c.Stderr = c.Stdout
	default:
		c.Stderr, err = s.into(c.Stderr)
	}
	return err
}

// talk opens In and Out, and gives the child's ends.
func (s *streams) talk(p *Process) (in, out *os.File, err error) {
	in, ourIn, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	s.theirs, s.given = append(s.theirs, in), append(s.given, ourIn)
	ourOut, out, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	s.theirs, s.given = append(s.theirs, out), append(s.given, ourOut)
	p.In, p.Out = ourIn, ourOut
	return in, out, nil
}

// into gives what the child writes to, so that to has it.
func (s *streams) into(to io.Writer) (io.Writer, error) {
	if _, file := to.(*os.File); to == nil || file {
		return to, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s.theirs, s.ours = append(s.theirs, w), append(s.ours, r)
	s.copied.Go(func() {
		_, _ = io.Copy(to, r) // when to takes no more, the child cannot write any more
		_ = r.Close()
	})
	return w, nil
}

// started closes the ends that the child has by now.
func (s *streams) started() { closeAll(s.theirs) }

// close is for a child that was not started.
func (s *streams) close() {
	closeAll(s.ours)
	closeAll(s.given)
}

// drain waits until all that was printed is written. What left its group, and
// still has the output open, is not waited for.
func (s *streams) drain() {
	stop := time.AfterFunc(grace, func() { closeAll(s.ours) })
	defer stop.Stop()
	s.copied.Wait()
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}
