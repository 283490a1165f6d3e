package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// client describes the abilities of a client.
type client struct {
	canFillForms bool // it shows its person forms
	canOpenURLs  bool // it opens a URL
	usesRounds   bool // it gets questions as an answer, and calls again with the person's answers

	capabilities *sdk.ClientCapabilities // as it announced them; nil: none
}

// firstRoundsVersion is the first version of the protocol in which a server asks only in its
// answers.
const firstRoundsVersion = "2026-07-28"

// clientOf returns what the client of a request can do: by the request itself, as each one of the
// versions with rounds says it, else by the beginning of the session.
func clientOf(s *sdk.ServerSession, meta map[string]any) (c client) {
	p := s.InitializeParams()
	if p == nil || p.Capabilities == nil {
		return c
	}
	c.capabilities = p.Capabilities
	c.usesRounds = p.ProtocolVersion >= firstRoundsVersion
	if own := capabilitiesIn(meta); own != nil && c.usesRounds {
		c.capabilities = own
	}
	if e := c.capabilities.Elicitation; e != nil {
		c.canFillForms, c.canOpenURLs = e.Form != nil || e.URL == nil, e.URL != nil
	}
	return c
}

// capabilitiesIn returns the capabilities that the _meta of a request announces; nil: it has none.
func capabilitiesIn(meta map[string]any) *sdk.ClientCapabilities {
	given, ok := meta[sdk.MetaKeyClientCapabilities].(map[string]any)
	if !ok {
		return nil
	}
	raw, err := json.Marshal(given)
	own := new(sdk.ClientCapabilities)
	if err != nil || json.Unmarshal(raw, own) != nil {
		return nil
	}
	return own
}

// question is a question to a person: of this server, which is answered by yes or no, or of a server
// whose tool runs.
type question struct {
	ID         string           `json:"id"`
	Digest     string           `json:"digest,omitempty"` // of the call to confirm
	Permission *tool.Permission `json:"permission,omitempty"`
	Input      string           `json:"input,omitempty"`   // the state of the call for which another server asks
	Request    string           `json:"request,omitempty"` // the id of that server's request

	params *sdk.ElicitParams
}

// questions returns the questions through which this client's person can provide what is missing;
// none for what must not be asked through others.
func (c client) questions(t *tool.Tool, n *executor.Needs) (all []question) {
	if n == nil {
		return nil
	}
	if n.Confirmation != nil && c.canFillForms {
		all = append(all, question{ID: "confirm", Digest: n.Confirmation.Digest, params: formRequest(n.Confirmation.Summary)})
	}
	for i, p := range n.Permission {
		if c.canFillForms {
			all = append(all, question{ID: fmt.Sprintf("permission-%d", i+1), Permission: &p, params: formRequest(p.Question(t.QualifiedName()))})
		}
	}
	if n.Browser != "" && c.canOpenURLs && c.usesRounds { // else the run itself has asked
		all = append(all, question{ID: "sign-in", params: urlRequest(t.QualifiedName(), n.Browser)})
	}
	if n.Input != nil {
		all = append(all, c.inputQuestions(n.Input)...)
	}
	return all
}

// inputQuestions returns the questions of another server that this client can put to its person.
func (c client) inputQuestions(n *executor.InputNeeds) (all []question) {
	for i, r := range n.Requests {
		q := question{ID: fmt.Sprintf("input-%d", i+1), Input: n.State, Request: r.ID}
		message := fmt.Sprintf("%s asks: %s", n.Server, r.Message)
		switch {
		case r.Mode == executor.URLInput && c.canOpenURLs:
			q.params = &sdk.ElicitParams{Mode: "url", Message: message, URL: r.URL, ElicitationID: rand.Text()}
		case r.Mode == executor.FormInput && c.canFillForms:
			q.params = formRequest(message)
			if len(r.Schema) > 0 {
				q.params.RequestedSchema = r.Schema
			}
		default:
			continue // it counts as cancelled
		}
		all = append(all, q)
	}
	return all
}

// formRequest asks a question by a form without fields.
func formRequest(text string) *sdk.ElicitParams {
	return &sdk.ElicitParams{Mode: "form", Message: text, RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}
}

// urlRequest asks the person to sign in at a URL.
func urlRequest(tool, url string) *sdk.ElicitParams {
	return &sdk.ElicitParams{Mode: "url", Message: "Sign in, so that " + tool + " can run.", URL: url, ElicitationID: rand.Text()}
}

// answers holds the answers of the person during a call.
type answers struct {
	Confirm  string            `json:"confirm,omitempty"`
	Grants   []tool.Permission `json:"grants,omitempty"`
	Refusals []tool.Permission `json:"refusals,omitempty"`
	Input    *executor.Input   `json:"input,omitempty"`   // to the last questions of another server
	Open     []question        `json:"asked,omitempty"`   // what is not answered yet
	Expires  int64             `json:"expires,omitempty"` // when the sealed answers are no longer valid, in seconds since 1970

	declined bool // the call is not to be made
}

// applyTo returns the request with these answers.
func (s answers) applyTo(req executor.Request) executor.Request {
	req.Confirm, req.Input = s.Confirm, s.Input
	req.Grants = slices.Concat(req.Grants, s.Grants)
	req.Refusals = slices.Concat(req.Refusals, s.Refusals)
	return req
}

// addAnswer adds an answer; nil: the person gave none.
func (s *answers) addAnswer(q question, answer *sdk.ElicitResult) {
	yes := answer != nil && answer.Action == executor.AcceptInput
	switch {
	case q.Input != "":
		s.addInput(q, answer)
	case q.Permission == nil && !yes:
		s.declined = true
	case q.Permission == nil && q.Digest != "":
		s.Confirm = q.Digest
	case q.Permission == nil: // signed in
	case yes:
		s.Grants = append(s.Grants, *q.Permission)
	default: // an answer, too: the run gets it, and refuses itself
		s.Refusals = append(s.Refusals, *q.Permission)
	}
}

// addInput adds an answer to a question of another server.
func (s *answers) addInput(q question, answer *sdk.ElicitResult) {
	if s.Input == nil || s.Input.State != q.Input {
		s.Input = &executor.Input{State: q.Input, Answers: map[string]executor.InputAnswer{}}
	}
	given := executor.InputAnswer{Action: executor.CancelInput}
	if answer != nil {
		given.Action = answer.Action
		if answer.Action == executor.AcceptInput && answer.Content != nil { // a form without fields has none
			given.Content, _ = json.Marshal(answer.Content) // it was JSON
		}
	}
	s.Input.Answers[q.Request] = given
}

// askAll asks one question after the other, and adds the answers.
func (c *conversation) askAll(ctx context.Context, s *answers, all []question) error {
	params := make([]*sdk.ElicitParams, len(all))
	for i, q := range all {
		params[i] = q.params
	}
	results, err := c.elicit(ctx, params...)
	if err != nil {
		return fmt.Errorf("asking the person: %w", err)
	}
	for i, q := range all {
		s.addAnswer(q, results[i])
	}
	return nil
}

// elicit asks the person through the client: a task asks all questions at once, a call one after the
// other.
func (c *conversation) elicit(ctx context.Context, all ...*sdk.ElicitParams) (results []*sdk.ElicitResult, err error) {
	defer c.server.opts.Metrics.AwaitPerson()()
	if c.task != nil {
		return c.task.ask(ctx, all...)
	}
	for _, params := range all {
		result, err := c.call.Session.Elicit(ctx, params)
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}

// allowQuestions lets a run ask questions while it goes on, if the client supports that. ctx is the
// context of the call, by which the library finds the way to the client.
func (c *conversation) allowQuestions(ctx context.Context, req *executor.Request) {
	if c.client.usesRounds && c.task == nil {
		return
	}
	if c.client.canOpenURLs {
		req.OpenURL = func(running context.Context, url string) error { return c.openURL(withValues{running, ctx}, url) }
	}
	if c.client.canFillForms {
		req.Approve = func(running context.Context, p tool.Permission) bool {
			results, err := c.elicit(withValues{running, ctx}, formRequest(p.Question(req.Tool.QualifiedName())))
			return err == nil && results[0].Action == "accept"
		}
	}
}

// openURL asks the person to sign in at a URL while the run waits.
func (c *conversation) openURL(ctx context.Context, url string) error {
	results, err := c.elicit(ctx, urlRequest(c.call.Params.Name, url))
	switch {
	case err != nil:
		return fmt.Errorf("the client shows no page: %w", err)
	case results[0].Action != "accept":
		return errors.New("the person does not want to sign in")
	}
	return nil
}
