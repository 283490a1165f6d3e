package sql

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// preparedStatement is the binding of a call: its statement is the text that runs. It does not
// change: other calls may have it as well.
type preparedStatement struct {
	*tool.SQL
	dialect *dialect
	place   string   // where the statement was written: a property, or the parameter that is all of it
	refs    []string // what is bound, in order
	reads   bool     // by its text, it only reads
}

// DecidesGate says that the gate looks at the statement as it will run.
func (*preparedStatement) DecidesGate() bool { return true }

// defaultRows are as many as are read where nothing is said.
const defaultRows = 1000

// prepare puts the statement of a call together, unless that was done before.
func (c statementCache) prepare(call executor.Call) (*preparedStatement, error) {
	if p, ok := call.Tool.Spec.(*preparedStatement); ok {
		return p, nil
	}
	s, err := executor.SpecOf[*tool.SQL](call)
	if err != nil {
		return nil, err
	}
	source, err := sourceName(call, s)
	if err != nil {
		return nil, err
	}
	d, err := dialectOf(call, source)
	if err != nil {
		return nil, err
	}
	return c.get(statementKey{s, source, d}, call)
}

// newPrepared puts the statement of a call together.
func newPrepared(k statementKey, call executor.Call) (*preparedStatement, error) {
	st, err := compose(k.dialect, call, k.spec)
	if err != nil {
		return nil, err
	}
	if err := k.dialect.refuse(st); err != nil {
		return nil, err
	}
	own := *k.spec
	own.Source, own.Statement = k.source, strings.TrimRight(st.text, "; \t\r\n")
	return &preparedStatement{
		SQL: &own, dialect: k.dialect, place: st.place, refs: st.refs, reads: sqltext.OnlyReads(own.Statement),
	}, nil
}

// at adds the place of the statement to what a database did not allow of it.
func (p *preparedStatement) at(err error) error {
	if e, ok := errors.AsType[*executor.Error](err); ok && e.Kind == executor.KindDenied {
		e.Message = p.place + ": " + e.Message
	}
	return err
}

// readOnly reports whether the run may only read: the statement does, and the tool
// does not say that it writes; or the tool says outright that it only reads.
func (p *preparedStatement) readOnly(call executor.Call) bool {
	t := *call.Tool
	says := t.Hints.SideEffects.Is(false) || t.Mutation.Is(false) || t.Effect == "read_only"
	mutates := t.Mutates()
	return (says || p.reads) && mutates != nil && !*mutates
}

// query binds the values of a call.
func (p *preparedStatement) query(call executor.Call) (query, error) {
	q := query{
		text: p.Statement, readOnly: p.readOnly(call),
		rows:  cmp.Or(call.Environment.Limits.Rows, defaultRows),
		bytes: call.Environment.Limits.MaxBytes(),
	}
	for _, ref := range p.refs {
		v, err := call.Scope.Lookup(ref)
		if err != nil {
			return q, executor.TemplateError("statement", err)
		}
		typ := typeOf(call.Tool, ref)
		q.args = append(q.args, argument{name: ref, typ: typ, value: whole(v.Data, typ)})
	}
	return q, nil
}

// whole writes whole numbers by their digits alone: 3.0 and 1e2 are some, and no
// database reads them as such.
func whole(v any, typ *tool.Type) any {
	switch v := v.(type) {
	case []any:
		if typ.Elem == nil {
			return v
		}
		all := make([]any, len(v))
		for i := range v {
			all[i] = whole(v[i], typ.Elem)
		}
		return all
	case json.Number:
		if _, err := v.Float64(); err != nil || typ.Name != "integer" || !strings.ContainsAny(string(v), ".eE") {
			return v // or it is too large to be written down
		}
		if r, ok := new(big.Rat).SetString(string(v)); ok && r.IsInt() {
			return json.Number(r.Num().String())
		}
	}
	return v
}

func typeOf(t *tool.Tool, name string) *tool.Type {
	i := slices.IndexFunc(t.Params, func(p tool.Param) bool { return p.Name == name })
	if i < 0 || t.Params[i].Type == nil {
		return tool.Any()
	}
	return t.Params[i].Type
}

// unused warns of arguments for which the statement has no place.
func (p *preparedStatement) unused(call executor.Call) []string {
	var warnings []string
	templates := p.Templates()
	for _, param := range call.Tool.Params {
		_, given := call.Scope.Args[param.Name]
		used := slices.ContainsFunc(p.refs, func(ref string) bool {
			return ref == param.Name || strings.HasPrefix(ref, param.Name+".") || strings.HasPrefix(ref, "input.")
		})
		if given && !used && !slices.ContainsFunc(templates, func(t tool.Param) bool { return t.Name == param.Name }) {
			warnings = append(warnings, fmt.Sprintf("%s was not used: the statement has no place for it", param.Name))
		}
	}
	return warnings
}

func (p *preparedStatement) secrets() []string {
	var names []string
	for _, ref := range p.refs {
		if name, ok := strings.CutPrefix(ref, "secrets."); ok {
			names = append(names, name)
		}
	}
	return names
}

// shownMark is the placeholder of the value at i, as the statement has it.
func (d *dialect) shownMark(i int) string {
	if d.dollar {
		return fmt.Sprintf("$%d", i+1)
	}
	return fmt.Sprintf("?%d", i+1)
}

func encode(v any) []byte {
	b, _ := json.Marshal(v) // a JSON value always encodes
	return b
}
