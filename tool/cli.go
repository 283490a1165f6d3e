package tool

// KindCLI is the kind of [CLI].
const KindCLI Kind = "cli"

// CLI is the binding of `type: cli`: a program on this machine, without a
// shell.
type CLI struct {
	Binary          string            `json:"binary,omitempty"`
	AllowedCommands []string          `json:"allowed_commands,omitempty"`
	Env             map[string]string `json:"env,omitempty"`
	Timeout         Number            `json:"timeout,omitempty"` // milliseconds
}

// Subcommand is the parameter of a CLI whose words precede the options. AllowedCommands restricts
// it.
const Subcommand = "command"

// Kind returns KindCLI.
func (*CLI) Kind() Kind { return KindCLI }

func (c *CLI) summary(func(string) string) string { return spaced("cli", c.Binary) }

func (*CLI) mutates() bool { return true }

var cliBinding = binding{
	kind:    KindCLI,
	order:   10,
	doc:     "A program on this machine, run without a shell.",
	edition: Extension,
	spec:    func() Spec { return new(CLI) },
	fields: []Field{
		{Name: "binary", Type: String, Required: true, Edition: Extension, Doc: "The program."},
		{Name: "allowed_commands", Type: ListType, Edition: Extension,
			Doc: "The words that the argument `command` may begin with."},
		{Name: "env", Type: MapType, Edition: Extension, Doc: "Environment variables for the program, beside `PATH`, `HOME`, `LANG` and `TMPDIR`."},
		{Name: "timeout", Type: NumberType, Edition: Extension, Doc: "Milliseconds that the program may run."},
	},
}
