package tool

// KindModule is the kind of [Module].
const KindModule Kind = "module"

// Module is the binding of `type: module`: a function of a JavaScript module.
type Module struct {
	Module  string `json:"module,omitempty"`  // path of the file
	Handler string `json:"handler,omitempty"` // "": the tool's name

	// Service is the service whose entry in the project's file named the module; "" if none did.
	Service string `json:"-"` // whose entry in the project's file named the module; "": none did
}

// Kind returns KindModule.
func (*Module) Kind() Kind { return KindModule }

func (m *Module) summary(func(string) string) string { return spaced("module", m.Module, m.Handler) }

var moduleBinding = binding{
	kind:    KindModule,
	order:   12,
	doc:     "A function of a JavaScript module.",
	edition: Extension,
	spec:    func() Spec { return new(Module) },
	fields: []Field{
		{Name: "module", Type: String, Required: true, Edition: Extension, Files: []string{".mjs", ".js", ".cjs", ".ts", ".mts"}, Doc: "Path of the module, from the folder of this file."},
		{Name: "handler", Type: String, Default: "the tool's name", Edition: Extension,
			Doc: "Name of the function. It is called with the arguments and `{settings, auth, session, signal, requestPermission}`."},
	},
}
