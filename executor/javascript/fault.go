package javascript

import "github.com/abl-lsp/abl-lsp/executor"

// Fault is the error of a JavaScript program: an exception, or a part of its answer that is not
// JSON.
type Fault struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"` // of the exception
	Message string `json:"message"`
	Path    string `json:"path"` // into the answer
}

// Limits for the parts of an exception that are shown.
const (
	MaxName   = 200 // bytes
	MaxFrames = 100
	maxText   = 10 << 10 // bytes
)

// Short returns a copy with bounded texts.
func (f Fault) Short() Fault {
	return Fault{f.Kind, executor.Shorten(f.Name, MaxName), executor.Shorten(f.Message, maxText), executor.Shorten(f.Path, MaxName)}
}

// Text returns the exception as JavaScript shows it: its name and message.
func (f Fault) Text() string {
	switch {
	case f.Name == "":
		return f.Message
	case f.Message == "":
		return f.Name
	}
	return f.Name + ": " + f.Message
}

// NotJSONError returns the error for an answer that is not JSON.
func (f Fault) NotJSONError() *executor.Error {
	subject := "the result"
	if f.Path != "" {
		subject += ": " + f.Path
	}
	return executor.Errorf(executor.KindResult, "no-json", "%s %s", subject, f.Message)
}
