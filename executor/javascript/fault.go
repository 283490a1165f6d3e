package javascript

import "github.com/abl-lsp/abl-lsp/executor"

// Fault is the error of a JavaScript program: an exception, or a place in its answer
// that is no JSON.
type Fault struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"` // of the exception
	Message string `json:"message"`
	Path    string `json:"path"` // into the answer
}

// What a person reads of an exception.
const (
	MaxName   = 200 // bytes
	MaxFrames = 100
	maxText   = 10 << 10 // bytes
)

// Short is a fault without what nobody reads.
func (f Fault) Short() Fault {
	return Fault{f.Kind, executor.Shorten(f.Name, MaxName), executor.Shorten(f.Message, maxText), executor.Shorten(f.Path, MaxName)}
}

// Text is the exception.
func (f Fault) Text() string {
	switch {
	case f.Name == "":
		return f.Message
	case f.Message == "":
		return f.Name
	}
	return f.Name + ": " + f.Message
}

// NotJSONError returns the error of an answer that is no JSON.
func (f Fault) NotJSONError() *executor.Error {
	subject := "the result"
	if f.Path != "" {
		subject += ": " + f.Path
	}
	return executor.Errorf(executor.KindResult, "no-json", "%s %s", subject, f.Message)
}
