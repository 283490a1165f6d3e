package tool

// KindBuiltin is the kind of [Builtin].
const KindBuiltin Kind = "builtin"

// Builtin is the binding of `type: builtin`: something that the executor does itself.
type Builtin struct {
	Builtin string `json:"builtin,omitempty"` // datetime, calculator, web_search, fetch_url, wait
}

// Kind returns KindBuiltin.
func (*Builtin) Kind() Kind { return KindBuiltin }

func (b *Builtin) summary(func(string) string) string { return spaced("builtin", b.Builtin) }

func (*Builtin) mutates() bool { return false }

var builtinBinding = binding{
	kind:    KindBuiltin,
	order:   11,
	doc:     "Something that this tool set can do by itself.",
	edition: Extension,
	spec:    func() Spec { return new(Builtin) },
	fields: []Field{
		{Name: "builtin", Type: WordType, Required: true, Edition: Extension, Values: []Word{
			{Name: "datetime", Doc: "The date, time, weekday and time zone of now.", Edition: Extension},
			{Name: "calculator", Doc: "The value of an arithmetic expression.", Edition: Extension},
			{Name: "web_search", Doc: "Titles, addresses and snippets from a web search.", Edition: Extension},
			{Name: "fetch_url", Doc: "The readable text of a web page.", Edition: Extension},
			{Name: "wait", Doc: "Waits a while.", Edition: Extension},
		}, Doc: "What to do."},
	},
}
