package sandbox

// Ready waits until a process waits for the next run of a runtime.
func (r *Runner) Ready(runtime string) {
	r.ready.starts.Wait()
	r.ready.mu.Lock()
	s := r.ready.spare[runtime]
	r.ready.mu.Unlock()
	if s == nil {
		return
	}
	select {
	case <-s.output.ready:
	case <-s.process.Done():
	}
}

// Waiting returns the number of the process that waits for a run of a runtime; 0: none.
func (r *Runner) Waiting(runtime string) int {
	r.ready.mu.Lock()
	defer r.ready.mu.Unlock()
	if s := r.ready.spare[runtime]; s != nil {
		return s.process.PID()
	}
	return 0
}

// Gone waits until the process that waits for a run has ended.
func (r *Runner) Gone(runtime string) {
	r.ready.mu.Lock()
	s := r.ready.spare[runtime]
	r.ready.mu.Unlock()
	<-s.process.Done()
}

// Running returns the number of current runs.
func (r *Runner) Running() int { return len(r.semaphore) }
