package tool

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// KindSandbox is the kind of [Sandbox].
const KindSandbox Kind = "sandbox"

// Sandbox is the binding of `type: sandbox`: source code that runs isolated from everything else.
type Sandbox struct {
	Runtime  string `json:"runtime,omitempty"` // javascript, python
	Code     string `json:"code,omitempty"`    // the body of a function whose variables are the parameters
	Timeout  Number `json:"timeout,omitempty"` // milliseconds
	MemoryMB Number `json:"memory_mb,omitempty"`

	Lines []int `json:"-"` // of [Origin.File], for each line of Code; nil: not known
}

// Kind returns KindSandbox.
func (*Sandbox) Kind() Kind { return KindSandbox }

func (s *Sandbox) summary(func(string) string) string { return spaced("sandbox", s.Runtime) }

func (*Sandbox) mutates() bool { return false }

// CanName reports whether a name is valid for a variable of the code.
func (s *Sandbox) CanName(name string) bool {
	if strings.EqualFold(s.Runtime, "python") {
		return pythonName.MatchString(name) && !slices.Contains(pythonWords, name)
	}
	return javascriptName.MatchString(name) && !slices.Contains(javascriptWords, name)
}

var (
	pythonName     = lazyregexp.New(`^[\pL\p{Nl}_][\pL\p{Nl}\pM\p{Nd}\p{Pc}]*$`)
	javascriptName = lazyregexp.New(`^[\pL\p{Nl}_$][\pL\p{Nl}\pM\p{Nd}\p{Pc}$\x{200c}\x{200d}]*$`)

	pythonWords = strings.Fields(`False None True __debug__ and as assert async await break class continue def del elif
		else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield`)
	javascriptWords = strings.Fields(`await break case catch class const continue debugger default delete do else enum
		export extends false finally for function if import in instanceof new null return super switch this throw true
		try typeof var void while with`)
)

var sandboxBinding = binding{
	kind:  KindSandbox,
	order: 3,
	doc:   "Code that runs in isolation: a fresh environment each time, without a network or files of its own.",
	spec:  func() Spec { return new(Sandbox) },
	fields: []Field{
		{Name: "runtime", Type: WordType, Required: true, Values: []Word{
			{Name: "javascript", Doc: "JavaScript with its standard built-ins. The code returns a value."},
			{Name: "python", Doc: "Python. The code returns a dictionary."},
		}, Doc: "The language of `code`."},
		{Name: "code", Type: CodeType,
			Doc: "The source, usually as a pipe block. Parameters are variables in it, and it returns a value of the return type."},
		{Name: "timeout", Type: NumberType, Default: "the platform's", Range: timeoutRange, Doc: "Milliseconds that the code may run."},
		{Name: "memory_mb", Type: NumberType, Default: "the platform's", Range: &Range{128, 4096}, Doc: "Megabytes of memory that the code may use."},
	},
}
