package executor

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/executor/schema"
	"github.com/abl-lsp/abl-lsp/tool"
)

// InlineSchemas returns a copy of the tool in which the content of schema files replaces their
// paths. It returns an error if a file cannot be read.
func InlineSchemas(t tool.Tool) (tool.Tool, error) {
	for _, s := range schemasOf(&t) {
		if s.inline != nil || *s.written == nil {
			continue
		}
		name, err := s.file(t)
		if err != nil {
			return t, Errorf(KindDefinition, "schema", "%s: %w", s.property, err)
		}
		if *s.written, err = readSchema(name); err != nil {
			return t, Errorf(KindDefinition, "schema", "%s: %w", s.property, err)
		}
	}
	return t, nil
}

// SchemaFiles returns the paths of the schema files that a tool names.
func SchemaFiles(t tool.Tool) (files []string) {
	for _, s := range schemasOf(&t) {
		if name, err := s.file(t); err == nil && s.inline == nil {
			files = append(files, name)
		}
	}
	return files
}

// toolSchema is the input_schema or output_schema of a tool.
type toolSchema struct {
	property string
	written  *json.RawMessage
	inline   json.RawMessage
}

func schemasOf(t *tool.Tool) [2]toolSchema {
	return [2]toolSchema{
		{"input_schema", &t.InputSchema, t.InlineInput()},
		{"output_schema", &t.OutputSchema, t.InlineOutput()},
	}
}

// file returns the path of the schema's file. A relative path starts at the folder of the tool's
// file.
func (s toolSchema) file(t tool.Tool) (string, error) {
	var name string
	if json.Unmarshal(*s.written, &name) != nil {
		return "", errors.New("it is neither a schema nor the path of one")
	}
	if filepath.IsAbs(name) {
		return name, nil
	}
	return filepath.Join(filepath.Dir(t.Origin.File), filepath.FromSlash(name)), nil
}

// maxSchema is the most bytes that a schema file may have.
const maxSchema = 1 << 20

func readSchema(name string) (json.RawMessage, error) {
	switch info, err := os.Stat(name); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxSchema:
		return nil, fmt.Errorf("%s is no file of a schema, of 1 MiB at most", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxSchema))
	if err != nil {
		return nil, err
	}
	if !isSchema(raw) {
		return nil, errors.New(name + " holds no JSON Schema, which is an object")
	}
	return raw, nil
}

func isSchema(raw json.RawMessage) bool {
	var o map[string]json.RawMessage
	return json.Unmarshal(raw, &o) == nil && o != nil
}

// readSchemas replaces the run's tool with a copy whose schema files are read in, so that their
// properties are arguments as well. In an untrusted workspace it reads no file.
func (r *run) readSchemas() error {
	if t := r.req.Tool; !r.req.Trusted || t.InputSchema == nil && t.OutputSchema == nil {
		return nil
	}
	whole, err := InlineSchemas(*r.req.Tool)
	if err == nil {
		r.req.Tool = &whole
	}
	return err
}

// checkInput checks the arguments against the tool's input_schema.
func (r *run) checkInput(args map[string]any) error {
	return r.checkSchema("input_schema", r.req.Tool.InlineInput(), args, "", KindArguments)
}

// checkSchema checks value against s, one of the tool's schemas. A nil s accepts every value. The
// error for a value that does not match is of the kind kind. property names the schema in
// messages, and root the value.
func (r *run) checkSchema(property string, s json.RawMessage, value any, root string, kind ErrorKind) error {
	if s == nil {
		return nil
	}
	return schemaError(property, r.executor.schemas.Validate(string(s), value), root, kind)
}

// schemaError turns err, the error of a validation, into an [*Error]: of the kind kind for a
// [*schema.Fault]. Any other err means that the schema itself is wrong. schemaError returns nil if
// err is nil.
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
