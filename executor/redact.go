package executor

import "github.com/abl-lsp/abl-lsp/tool"

// redact replaces the secrets in the envelope by marks. It warns of each short secret from a file
// that it replaced.
func (r *run) redact() {
	e, s := &r.envelope, r.redactor.String
	defer r.warnHidden()
	e.Value, e.Request = r.redactor.JSON(e.Value), r.redactor.JSON(e.Request)
	e.Content = e.Content.redacted(r.redactor)
	e.Text, e.Console, e.ContentType, e.Encoding = s(e.Text), s(e.Console), s(e.ContentType), s(e.Encoding)
	for i, m := range e.Set {
		e.Set[i].Name, e.Set[i].Value = s(m.Name), r.redactor.Value(m.Value)
	}
	for i, w := range e.Warnings {
		e.Warnings[i] = s(w)
	}
	e.Response = e.Response.shown(s, r.req.KeepRaw)
	for i := range e.Attempts {
		e.Attempts[i].Error = s(e.Attempts[i].Error)
	}
	if e.Error != nil {
		clean := *e.Error
		clean.Code, clean.Message, clean.Hint = s(clean.Code), s(clean.Message), s(clean.Hint)
		clean.Details, _ = r.redactor.Value(clean.Details).(map[string]any)
		e.Error = &clean
	}
	if e.Render != nil {
		e.Render.Component, e.Render.Props = s(e.Render.Component), r.redactor.JSON(e.Render.Props)
	}
	if e.Needs != nil {
		e.Needs.Arguments = r.redactor.JSON(e.Needs.Arguments)
		e.Needs.Browser = s(e.Needs.Browser)
		e.Needs.Input = e.Needs.Input.redacted(r.redactor)
		for i, p := range e.Needs.Permission {
			e.Needs.Permission[i] = tool.Permission{Kind: s(p.Kind), Op: s(p.Op), Resource: s(p.Resource)}
		}
		if c := e.Needs.Confirmation; c != nil {
			c.Summary = s(c.Summary)
		}
	}
}
