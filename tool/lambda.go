package tool

// KindLambda is the kind of [Lambda].
const KindLambda Kind = "lambda"

// Lambda is the binding of `type: lambda`: a cloud function.
type Lambda struct {
	Function string `json:"function,omitempty"` // a name that the project resolves
	Runtime  string `json:"runtime,omitempty"`  // a hint
	Timeout  Number `json:"timeout,omitempty"`  // milliseconds
}

// Kind returns KindLambda.
func (*Lambda) Kind() Kind { return KindLambda }

func (l *Lambda) summary(func(string) string) string { return spaced("lambda", l.Function) }

var lambdaBinding = binding{
	kind:  KindLambda,
	order: 4,
	doc:   "A cloud function.",
	spec:  func() Spec { return new(Lambda) },
	fields: []Field{
		{Name: "function", Type: String, Required: true, Ref: RefFunction,
			Doc: "The function's name. The project's registry knows its ARN or URL."},
		{Name: "runtime", Type: String, Doc: "What the function is written for, such as `nodejs20`. A hint only."},
		{Name: "timeout", Type: NumberType, Default: "the platform's", Range: timeoutRange, Doc: "Milliseconds that the function may take."},
	},
}
