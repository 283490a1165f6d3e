package tool

import "slices"

var httpBinding = binding{
	kind:   KindHTTP,
	order:  1,
	doc:    "One request to a REST endpoint.",
	fields: slices.Concat(requestFields, authFields, attemptFields, bodyFields, soapFields, httpExtensions),
	laid:   []Field{baseURLField},
	spec:   func() Spec { return new(HTTP) },
}

var methods = []Word{
	{Name: "GET", Doc: "Reads. Parameters that no template uses go into the query."},
	{Name: "POST", Doc: "Creates or acts. Parameters that no template uses go into the body."},
	{Name: "PUT", Doc: "Replaces. Parameters that no template uses go into the body."},
	{Name: "PATCH", Doc: "Changes in part. Parameters that no template uses go into the body."},
	{Name: "DELETE", Doc: "Removes. Parameters that no template uses go into the query."},
	{Name: "HEAD", Doc: "Reads the headers of the answer alone. Parameters that no template uses go into the query.", Edition: Later},
	{Name: "OPTIONS", Doc: "Asks what the endpoint can do. Parameters that no template uses go into the query.", Edition: Later},
}

var headersField = Field{Name: "headers", Type: MapType,
	Doc: "Headers to send, by name. Values may hold `{{…}}` placeholders."}

var requestFields = []Field{
	{Name: "endpoint", Type: String, Required: true,
		Doc: "URL, or a path under the shared `base_url`. `{name}` stands for the parameter of that name."},
	{Name: "method", Type: WordType, Values: methods, Required: true, Doc: "The HTTP method."},
	headersField,
	{Name: "query_params", Type: MapType, Fields: pairFields,
		Doc: "Query parameters to send, by name; in the later edition also a list of `key` and `value`, in which a key may repeat."},
	{Name: "body_template", Synonyms: []string{"body"}, Type: CodeType,
		Doc: "The body to send, with `{{…}}` placeholders."},
}

var pairFields = []Field{
	{Name: "key", Type: String, Required: true, Edition: Later, Doc: "The parameter's name."},
	{Name: "value", Type: String, Required: true, Edition: Later, Doc: "Its value."},
}

// attemptFields say how often and how fast a request is sent.
var attemptFields = []Field{
	{Name: "timeout", Type: NumberType, Default: "EXECUTION.tool_timeout", Range: timeoutRange,
		Doc: "Milliseconds that one attempt may take."},
	{Name: "retry", Type: NumberType, Range: retryRange, Doc: "How many further attempts follow a failure."},
	{Name: "retry_delay", Type: NumberType, Doc: "Milliseconds between attempts."},
	{Name: "retry_policy", Type: Block, Edition: Later, Fields: retryPolicyFields,
		Doc: "How attempts are spaced out, in more detail than `retry` and `retry_delay`."},
	{Name: "rate_limit", Type: NumberType, Doc: "Most requests in a second."},
	{Name: "circuit_breaker", Type: Block, Fields: []Field{
		{Name: "threshold", Type: NumberType, Doc: "Failures in a row after which no more requests are sent."},
		{Name: "resetMs", Synonyms: []string{"reset_ms"}, Type: NumberType, Doc: "Milliseconds until the endpoint is tried again."},
	}, Doc: "Stops calling an endpoint that keeps failing."},
	{Name: "idempotency_header", Type: String, Edition: Later,
		Doc: "Name of the request header that carries one key for each call, the same in every retry. Without it the key is not sent."},
	{Name: "on_http_error", Type: WordType, Edition: Later, Values: []Word{
		{Name: "error", Doc: "The call fails.", Edition: Later},
		{Name: "data", Doc: "The answer is the result.", Edition: Later},
	}, Doc: "What an answer with a status of 400 or more means."},
}

var retryPolicyFields = []Field{
	{Name: "strategy", Type: WordType, Required: true, Edition: Later, Values: []Word{
		{Name: "fixed", Doc: "The same delay each time.", Edition: Later},
		{Name: "exponential", Doc: "Each delay is the last one times `multiplier`.", Edition: Later},
	}, Doc: "How the delay grows."},
	{Name: "initial_delay_ms", Type: NumberType, Edition: Later, Doc: "Milliseconds before the second attempt."},
	{Name: "multiplier", Type: NumberType, Edition: Later, Doc: "What each delay is multiplied by."},
	{Name: "max_delay_ms", Type: NumberType, Edition: Later, Doc: "The longest delay, in milliseconds."},
	{Name: "max_retries", Type: NumberType, Edition: Later, Doc: "How many further attempts follow a failure."},
	{Name: "jitter", Type: WordType, Edition: Later, Values: []Word{
		{Name: "none", Doc: "Delays are exact.", Edition: Later},
		{Name: "full", Doc: "Each delay is a random part of itself.", Edition: Later},
	}, Doc: "Whether delays are varied at random."},
}

var bodyTypes = []Word{
	{Name: "json", Doc: "JSON.", Edition: Later},
	{Name: "form", Doc: "A form, URL-encoded.", Edition: Later},
	{Name: "xml", Doc: "XML.", Edition: Later},
	{Name: "text", Doc: "Plain text.", Edition: Later},
}

var bodyModes = []Word{
	{Name: "auto", Doc: "The body is made from template and parameters.", Edition: Later},
	{Name: "none", Doc: "No body is sent.", Edition: Later},
}

// bodyFields say how the body is made.
var bodyFields = []Field{
	{Name: "body_type", Type: WordType, Values: bodyTypes, Edition: Later, Doc: "How the body is written."},
	{Name: "body_mode", Type: WordType, Values: bodyModes, Default: "auto", Edition: Later, Doc: "Whether a body is sent."},
	{Name: "body_schema", Type: CodeType, Edition: Later, Doc: "JSON Schema of the body."},
	{Name: "use_body_schema", Type: BooleanType, Default: "false", Edition: Later,
		Doc: "Whether `body_schema` is used."},
	{Name: "request_variants", Type: BlockList, Edition: Later, Fields: variantFields,
		Doc: "Other requests to send under a condition. Where an entry is silent, the tool's own value stands."},
}

var variantFields = []Field{
	{Name: "name", Type: String, Edition: Later, Doc: "The variant's name."},
	{Name: "when", Type: Expr, Edition: Later, Doc: "The condition under which it is sent."},
	{Name: "default", Type: BooleanType, Edition: Later, Doc: "Whether it is sent where no condition holds."},
	{Name: "endpoint", Type: String, Edition: Later, Doc: "The URL or path of this variant."},
	{Name: "method", Type: WordType, Values: methods, Edition: Later, Doc: "The HTTP method of this variant."},
	{Name: "headers", Type: MapType, Edition: Later, Doc: "The headers of this variant."},
	{Name: "query_params", Type: MapType, Fields: pairFields, Edition: Later, Doc: "The query parameters of this variant."},
	{Name: "body_template", Synonyms: []string{"body"}, Type: CodeType, Edition: Later, Doc: "The body of this variant."},
	{Name: "body_type", Type: WordType, Values: bodyTypes, Edition: Later, Doc: "How this variant's body is written."},
	{Name: "body_mode", Type: WordType, Values: bodyModes, Edition: Later, Doc: "Whether this variant sends a body."},
	{Name: "body_schema", Type: CodeType, Edition: Later, Doc: "JSON Schema of this variant's body."},
	{Name: "use_body_schema", Type: BooleanType, Edition: Later, Doc: "Whether `body_schema` is used."},
}

var httpExtensions = []Field{
	{Name: "source", Type: String, Ref: RefSource, Edition: Extension,
		Doc: "A source of `abl.yaml` that gives the base URL and headers."},
}

// The bounds that the platform sets for tools that it stores.
var (
	timeoutRange = &Range{100, 300_000} // milliseconds
	retryRange   = &Range{0, 10}
)
