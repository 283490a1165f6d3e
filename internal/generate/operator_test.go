package main

import (
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/operator"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// TestOperatorSchemaAgrees: the schema finds the mistakes of form that the reader finds.
func TestOperatorSchemaAgrees(t *testing.T) {
	schema := compiled(t, "docs/schemas/operator.schema.json")
	for _, tt := range []struct {
		source string
		good   bool
	}{
		{"{}", true},
		{"x-note: {a: 1}", true},
		{"http: 8443", true},
		{"http: '0.0.0.0:8443'", true},
		{"http: localhost", false},
		{"http: [a]", false},
		{"http:", false},
		{"htpp: 8443", false},
		{"- a", false},
		{"tls: {cert: a, key: b}", true},
		{"tls: {cert: a}", false},
		{"tls: {cert: a, key: }", false},
		{"tls: a", false},
		{"auth: {tokens: {file: a}}", true},
		{"auth: {tokens: {keychain: [a]}}", true},
		{"auth: {tokens: {keychain: a}}", false},
		{"auth: {tokens: }", false},
		{"auth: {oauth: {issuer: https://i.example, audience: a}}", true},
		{"auth: {oauth: {issuer: https://i.example}}", false},
		{"auth: {oauth: {issuer: i.example, audience: a}}", false},
		{"auth: {oauth: {issuer: https://i.example, audience: a, introspection: {url: https://i.example, client_id: a, client_secret: '{{secrets.KEY}}'}}}", true},
		{"auth: {header: {name: X-User, from: [10.0.0.0/8]}}", true},
		{"auth: {header: {name: 'X User', from: [10.0.0.0/8]}}", false},
		{"shared: {url: redis://a}", true},
		{"shared: {url: https://a}", false},
		{"shared: {prefix: a}", false},
		{"rate: 50", true},
		{"rate: many", false},
		{"drain: 30s", true},
		{"drain: 30", false},
		{"allow_hosts: [10.1.0.0/16]", true},
		{"allow_hosts: 10.1.0.0/16", false},
	} {
		t.Run(tt.source, func(t *testing.T) {
			_, err := operator.Parse("o.yaml", tt.source, func(string) (string, bool, error) { return "s", true, nil })
			fault := schema.Validate(asJSON(t, plain(yaml.Parse(tt.source).Root())))
			if (err == nil) != tt.good || (fault == nil) != tt.good {
				t.Errorf("the reader: %v\nthe schema: %v", err, fault)
			}
		})
	}
}
