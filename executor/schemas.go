package executor

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/executor/schema"
)

// readInput has the input_schema that is in a file stand in the tool, so that what it
// names is an argument as well.
func (r *run) readInput() error {
	whole := *r.req.Tool
	if whole.InputSchema == nil || whole.InlineInput() != nil {
		return nil
	}
	var err error
	if whole.InputSchema, err = r.schemaFile(whole.InputSchema); err != nil {
		return Errorf(KindDefinition, "schema", "input_schema: %w", err)
	}
	if whole.InlineInput() != nil {
		r.req.Tool = &whole
	}
	return nil
}

// checkInput holds the arguments to the tool's own schema.
func (r *run) checkInput(args map[string]any) error {
	return r.checkSchema("input_schema", r.req.Tool.InputSchema, r.req.Tool.InlineInput(), args, "", KindArguments)
}

// checkSchema holds a value to a schema of the tool's, which stands there in full or
// names its file.
func (r *run) checkSchema(property string, written, inline json.RawMessage, value any, root string, kind ErrorKind) error {
	if written == nil {
		return nil
	}
	if inline == nil {
		var err error
		if inline, err = r.schemaFile(written); err != nil {
			return Errorf(KindDefinition, "schema", "%s: %w", property, err)
		}
	}
	if inline == nil {
		return nil
	}
	return schemaError(property, r.executor.schemas.Validate(string(inline), value), root, kind)
}

// maxSchema is the most bytes that the file of a schema may have.
const maxSchema = 1 << 20

// schemaFile reads the file that a schema is in. What is not trusted reads none.
func (r *run) schemaFile(written json.RawMessage) (json.RawMessage, error) {
	var name string
	if json.Unmarshal(written, &name) != nil {
		return nil, errors.New("it is neither a schema nor the path of one")
	}
	if !r.req.Trusted {
		return nil, nil
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(r.req.Tool.Origin.File), filepath.FromSlash(name))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxSchema))
	if err == nil && !json.Valid(raw) {
		err = errors.New(name + " is no JSON, as the file of a schema is")
	}
	return raw, err
}

// schemaError is the error for a value that a schema of the tool's does not take.
func schemaError(property string, err error, root string, kind ErrorKind) error {
	fault, ok := errors.AsType[*schema.Fault](err)
	switch {
	case err == nil:
		return nil
	case !ok:
		return Errorf(KindDefinition, "schema", "%s: %w", property, err)
	}
	path := cmp.Or(fault.In(root), "the arguments")
	e := Errorf(kind, "schema", "%s: %s, says %s", path, fault.What, property)
	e.Details, e.Err = map[string]any{"path": path}, fault
	return e
}
