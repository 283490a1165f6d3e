package tool

import (
	"slices"
	"strings"
)

// KindAsyncWebhook is the kind of [AsyncWebhook].
const KindAsyncWebhook Kind = "async_webhook"

// AsyncWebhook is the binding of `type: async_webhook`: a request whose result
// is posted to a callback URL later.
type AsyncWebhook struct {
	Endpoint         string            `json:"endpoint,omitempty"`
	BaseURL          string            `json:"base_url,omitempty"` // from the shared defaults
	Method           string            `json:"method,omitempty"`   // POST, PUT, PATCH
	Headers          map[string]string `json:"headers,omitempty"`
	CallbackURLField string            `json:"callback_url_field,omitempty"` // dotted path in the body; "": callbackUrl
	TimeoutSeconds   Number            `json:"timeout_seconds,omitempty"`    // until the callback

	// The language documents these for http alone; shared defaults set them
	// for every tool.
	Auth       string      `json:"auth,omitempty"`
	AuthConfig *AuthConfig `json:"auth_config,omitempty"`
	Timeout    Number      `json:"timeout,omitempty"` // milliseconds, of one attempt
	Retry      Number      `json:"retry,omitempty"`
	RetryDelay Number      `json:"retry_delay,omitempty"`
	RateLimit  Number      `json:"rate_limit,omitempty"`
}

// Kind returns KindAsyncWebhook.
func (*AsyncWebhook) Kind() Kind { return KindAsyncWebhook }

func (w *AsyncWebhook) summary(url func(string) string) string {
	return spaced(strings.ToUpper(w.Method), url(strings.TrimSpace(w.Endpoint)))
}

func (*AsyncWebhook) mutates() bool { return true }

var asyncWebhookBinding = binding{
	kind:  KindAsyncWebhook,
	order: 5,
	doc:   "A request that is answered later: a callback URL is put into its body, and the result is posted there.",
	spec:  func() Spec { return new(AsyncWebhook) },
	laid:  slices.Concat(authFields, pick(sharedDefaults, "base_url", "timeout", "retry", "retry_delay", "rate_limit")),
	fields: []Field{
		{Name: "endpoint", Type: String, Required: true,
			Doc: "URL of the first request, or a path under the shared `base_url`. `{name}` stands for the parameter of that name."},
		{Name: "method", Type: WordType, Values: pickWords(methods, "POST", "PUT", "PATCH"), Required: true,
			Doc: "The HTTP method."},
		headersField,
		{Name: "callback_url_field", Type: String, Default: `"callbackUrl"`,
			Doc: "Where in the body the callback URL goes, as a dotted path."},
		{Name: "timeout_seconds", Type: NumberType, Default: "3600",
			Doc: "Seconds to wait for the callback."},
	},
}
