package tool

// KindWorkflow is the kind of [Workflow].
const KindWorkflow Kind = "workflow"

// Workflow is the binding of `type: workflow`: a workflow of the platform.
type Workflow struct {
	WorkflowID   string            `json:"workflow_id,omitempty"`
	Mode         string            `json:"mode,omitempty"` // sync, async
	TimeoutMs    Number            `json:"timeout_ms,omitempty"`
	ParamMapping map[string]string `json:"param_mapping,omitempty"` // the workflow's keys to parameters
}

// Kind returns KindWorkflow.
func (*Workflow) Kind() Kind { return KindWorkflow }

var workflowBinding = binding{
	kind:    KindWorkflow,
	order:   6,
	doc:     "A workflow of the platform.",
	edition: Later,
	spec:    func() Spec { return new(Workflow) },
	fields: []Field{
		{Name: "workflow_id", Type: String, Required: true, Edition: Later, Doc: "The workflow's id."},
		{Name: "mode", Type: WordType, Default: "sync", Edition: Later, Values: []Word{
			{Name: "sync", Doc: "Waits for the result.", Edition: Later},
			{Name: "async", Doc: "Starts it and goes on.", Edition: Later},
		}, Doc: "Whether to wait for the result."},
		{Name: "timeout_ms", Type: NumberType, Edition: Later, Range: timeoutRange, Doc: "Milliseconds that the workflow may take."},
		{Name: "param_mapping", Type: MapType, Edition: Later, Doc: "The workflow's input names, each with the parameter that fills it, or a JSONPath such as `$.total`."},
		{Name: "workflow_version", Type: String, Edition: Later, Undocumented: true, Doc: "Ignored."},
		{Name: "workflow_version_id", Type: String, Edition: Later, Undocumented: true, Doc: "Ignored."},
		{Name: "trigger_id", Type: String, Edition: Later, Undocumented: true, Doc: "Ignored."},
	},
}
