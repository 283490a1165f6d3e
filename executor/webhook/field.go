package webhook

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// setMember returns a JSON object with the member at a path set to value. Everything else stays as
// it was written. Missing objects on the path are added. had says that the member existed.
func setMember(body json.RawMessage, path []string, value json.RawMessage) (out json.RawMessage, had bool, err error) {
	return putBelow(body, nil, path, value)
}

func putBelow(raw json.RawMessage, above, path []string, value json.RawMessage) (json.RawMessage, bool, error) {
	if len(path) == 0 {
		return value, raw != nil, nil
	}
	if path[0] == "" {
		return nil, false, executor.DefinitionError("callback-url-field", "callback_url_field: a part of the path is empty")
	}
	members, err := readObject(raw)
	if err != nil {
		return nil, false, notInside(above, raw)
	}
	below, _ := members.Get(path[0]).(json.RawMessage)
	below, had, err := putBelow(below, append(above, path[0]), path[1:], value)
	if err != nil {
		return nil, false, err
	}
	out, err := members.With(path[0], below).MarshalJSON()
	return out, had, err
}

// notInside returns the error for a body in which the callback URL cannot be set.
func notInside(path []string, raw json.RawMessage) error {
	if len(path) == 0 {
		return executor.DefinitionError("callback-url-field", "callback_url_field: the body is no JSON object, so the callback URL has no place in it")
	}
	return executor.DefinitionError("callback-url-field", "callback_url_field: %s is %s in the body, so nothing can stand below it",
		strings.Join(path, "."), describe(raw))
}

func describe(raw json.RawMessage) string {
	switch raw[0] {
	case '"':
		return "a text"
	case '[':
		return "a list"
	case 't', 'f':
		return "true or false"
	}
	return "a number"
}

// readObject returns the members of an object in their written order. Empty text and null give
// none.
func readObject(raw json.RawMessage) (tool.Object, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	return tool.Members(raw)
}
