package tool

import (
	"slices"
	"strings"
)

// KindHTTP is the kind of [HTTP].
const KindHTTP Kind = "http"

// HTTP is the binding of `type: http`: one request to a REST endpoint.
type HTTP struct {
	Endpoint string `json:"endpoint,omitempty"` // absolute, or a path under BaseURL; {param} is a parameter
	BaseURL  string `json:"base_url,omitempty"` // from the shared defaults
	Source   string `json:"source,omitempty"`   // extension: a source of abl.yaml that gives base URL and headers
	Method   string `json:"method,omitempty"`   // GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS

	Auth       string      `json:"auth,omitempty"` // none, bearer, api_key, …; "" is none
	AuthConfig *AuthConfig `json:"auth_config,omitempty"`

	Headers      map[string]string `json:"headers,omitempty"`
	QueryParams  Pairs             `json:"query_params,omitempty"`
	BodyTemplate string            `json:"body_template,omitempty"`

	Timeout        Number          `json:"timeout,omitempty"`     // milliseconds, of one attempt
	Retry          Number          `json:"retry,omitempty"`       // further attempts after the first
	RetryDelay     Number          `json:"retry_delay,omitempty"` // milliseconds
	RetryPolicy    *RetryPolicy    `json:"retry_policy,omitempty"`
	RateLimit      Number          `json:"rate_limit,omitempty"` // requests a second
	CircuitBreaker *CircuitBreaker `json:"circuit_breaker,omitempty"`

	IdempotencyHeader string `json:"idempotency_header,omitempty"`
	OnHTTPError       string `json:"on_http_error,omitempty"` // error, data

	BodyType        string           `json:"body_type,omitempty"` // json, form, xml, text
	BodyMode        string           `json:"body_mode,omitempty"` // auto, none
	BodySchema      string           `json:"body_schema,omitempty"`
	UseBodySchema   Flag             `json:"use_body_schema,omitempty"`
	RequestVariants []RequestVariant `json:"request_variants,omitempty"`

	Protocol    string `json:"protocol,omitempty"` // rest, soap
	SOAPVersion string `json:"soap_version,omitempty"`
	SOAPAction  string `json:"soap_action,omitempty"`
	OnSOAPFault string `json:"on_soap_fault,omitempty"` // error, data
}

// Kind returns KindHTTP.
func (*HTTP) Kind() Kind { return KindHTTP }

func (h *HTTP) summary(url func(string) string) string {
	endpoint := strings.TrimSpace(h.Endpoint)
	if h.Source == "" { // a source has a base URL of its own
		endpoint = url(endpoint)
	}
	return spaced(strings.ToUpper(h.Method), endpoint)
}

// RetryPolicy spaces the further attempts out. Delays are milliseconds.
type RetryPolicy struct {
	Strategy       string `json:"strategy,omitempty"` // fixed, exponential
	InitialDelayMs Number `json:"initial_delay_ms,omitempty"`
	Multiplier     Number `json:"multiplier,omitempty"`
	MaxDelayMs     Number `json:"max_delay_ms,omitempty"`
	MaxRetries     Number `json:"max_retries,omitempty"`
	Jitter         string `json:"jitter,omitempty"` // none, full
}

// CircuitBreaker stops calls to an endpoint that keeps failing.
type CircuitBreaker struct {
	Threshold Number `json:"threshold,omitempty"` // consecutive failures until it opens
	ResetMs   Number `json:"resetMs,omitempty"`   // milliseconds until the next try
}

// RequestVariant is a request that replaces the tool's own if its condition holds. It inherits from
// the tool's own what it does not set.
type RequestVariant struct {
	Name    string `json:"name,omitempty"`
	When    string `json:"when,omitempty"`
	Default Flag   `json:"default,omitempty"`

	Endpoint      string            `json:"endpoint,omitempty"`
	Method        string            `json:"method,omitempty"`
	Headers       map[string]string `json:"headers,omitempty"`
	QueryParams   Pairs             `json:"query_params,omitempty"`
	BodyTemplate  string            `json:"body_template,omitempty"`
	BodyType      string            `json:"body_type,omitempty"`
	BodyMode      string            `json:"body_mode,omitempty"`
	BodySchema    string            `json:"body_schema,omitempty"`
	UseBodySchema Flag              `json:"use_body_schema,omitempty"`
}

// mutates is false if the methods of the tool and of its request variants all only read.
func (h *HTTP) mutates() bool {
	methods := []string{h.Method}
	for _, v := range h.RequestVariants {
		if v.Method != "" {
			methods = append(methods, v.Method)
		}
	}
	return slices.ContainsFunc(methods, func(m string) bool { return !slices.Contains(readingMethods, m) })
}

var readingMethods = []string{"GET", "HEAD", "OPTIONS"}
