package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// manyPages and manyTools bound how much a server may say of its tools.
const (
	manyPages = 100
	manyTools = 2000
)

// list asks for a server's tools; more says that there are further ones.
func (s *session) list(ctx context.Context) (tools []tool.ServerTool, more bool, err error) {
	tools = []tool.ServerTool{}
	params := &sdk.ListToolsParams{}
	for range manyPages {
		page, err := s.client.ListTools(ctx, params)
		if err != nil {
			return nil, false, err
		}
		raw, _ := page.Meta[asSent].(string)
		some, ok := readTools([]byte(raw))
		if !ok {
			return nil, false, executor.Errorf(executor.KindRemote, "no-list", "%s: the answer is no list of tools", s.target.name)
		}
		tools = append(tools, some...)
		if page.NextCursor == "" {
			return tools, false, nil
		}
		if len(tools) >= manyTools {
			break
		}
		params = &sdk.ListToolsParams{Cursor: page.NextCursor}
	}
	return tools, true, nil
}

// readTools reads a page as the server wrote it; not ok where it is none.
func readTools(raw []byte) (tools []tool.ServerTool, ok bool) {
	var page struct {
		Tools []struct {
			Name         string          `json:"name"`
			Title        string          `json:"title"`
			Description  string          `json:"description"`
			InputSchema  json.RawMessage `json:"inputSchema"`
			OutputSchema json.RawMessage `json:"outputSchema"`
			Annotations  struct {
				Title           string `json:"title"`
				ReadOnlyHint    *bool  `json:"readOnlyHint"`
				DestructiveHint *bool  `json:"destructiveHint"`
			} `json:"annotations"`
		} `json:"tools"`
	}
	if json.Unmarshal(raw, &page) != nil || page.Tools == nil {
		return nil, false
	}
	for _, t := range page.Tools {
		tools = append(tools, tool.ServerTool{
			Name: t.Name, Title: cmp.Or(t.Title, t.Annotations.Title), Description: t.Description,
			InputSchema: t.InputSchema, OutputSchema: t.OutputSchema,
			ReadOnly: t.Annotations.ReadOnlyHint, Destructive: t.Annotations.DestructiveHint,
		})
	}
	return tools, true
}

// changed notes that the server says that its tools have changed.
func (s *session) changed() {
	select {
	case s.change <- struct{}{}:
	default: // noted already
	}
}

// pause is between two times that a server is asked for its tools because it says
// that they have changed.
const pause = 100 * time.Millisecond

// follow asks again when the tools have changed, as long as the session lasts.
func (s *session) follow() {
	for {
		select {
		case <-s.change:
		case <-s.done:
			return
		}
		s.within(asking, func(ctx context.Context) {
			if s.learn(ctx); ctx.Err() == nil {
				s.tell(s.discovery())
			}
		})
		select {
		case <-time.After(pause):
		case <-s.done:
			return
		}
	}
}

// learn asks for the tools. What a server does not say stays unknown.
func (s *session) learn(ctx context.Context) {
	if tools, more, err := s.list(ctx); err == nil {
		s.remember(tools, more)
	}
}

func (s *session) remember(tools []tool.ServerTool, more bool) {
	s.mu.Lock()
	s.tools, s.more = tools, more
	s.mu.Unlock()
	s.seen.note(s.slot, tools)
}

// known are the tools of the server; nil where it did not say.
func (s *session) known() []tool.ServerTool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tools
}

// complete reports whether the server has no tools but those that are known.
func (s *session) complete() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tools != nil && !s.more
}

func (s *session) discovery() executor.Discovery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return executor.Discovery{Server: s.target.name, Root: s.target.dir, Tools: s.tools, More: s.more}
}

// reportDiscovery tells what the server said of its tools.
func (v *call) reportDiscovery() {
	if v.session.known() != nil {
		v.request.PublishDiscovery(v.session.discovery())
	}
}

// discover asks for the tools now, unless the session has just begun.
func (v *call) discover() (executor.Discovery, error) {
	if err := v.wait(); err != nil {
		return executor.Discovery{}, err
	}
	if !v.first || v.session.known() == nil {
		if err := v.loadTools(); err != nil {
			return executor.Discovery{}, err
		}
	}
	return v.session.discovery(), nil
}

// loadTools asks for the tools.
func (v *call) loadTools() error {
	t := new(callState)
	ctx := withCallState(withHeaders(v.ctx, v.target.own), t)
	err := v.await(func() error {
		tools, more, err := v.session.list(ctx)
		if err == nil {
			v.session.remember(tools, more)
		}
		return err
	})
	switch {
	case v.ctx.Err() != nil:
		return v.endError()
	case err != nil:
		return v.session.explain(t, err)
	}
	return nil
}

// checkTool stops a call of a tool that the server does not have, or that it says
// destroys something, which nobody has confirmed. What it has is asked again
// before it is said to lack something.
func (v *call) checkTool() error {
	found, ok := v.findTool()
	if !ok && !v.first && v.session.complete() {
		if err := v.loadTools(); err != nil {
			return err
		}
		v.reportDiscovery()
		found, ok = v.findTool()
	}
	switch {
	case !ok && v.session.complete():
		var names []string
		for _, t := range v.session.known() {
			names = append(names, t.Name)
		}
		slices.Sort(names)
		return executor.DefinitionError("unknown-server-tool", "the server %s has no tool %s%s", v.target.name, v.target.tool, availableNames(v.target.tool, names))
	case ok && destroys(found) && !v.request.Confirmed:
		return executor.Errorf(executor.KindNeeds, "confirmation", "%w", executor.ErrUnconfirmed)
	}
	return nil
}

func (v *call) findTool() (tool.ServerTool, bool) {
	tools := v.session.known()
	i := slices.IndexFunc(tools, func(t tool.ServerTool) bool { return t.Name == v.target.tool })
	if i < 0 {
		return tool.ServerTool{}, false
	}
	return tools[i], true
}

func destroys(t tool.ServerTool) bool { return t.Destructive != nil && *t.Destructive }

// manyServers bounds what is remembered.
const manyServers = 100

// destructiveTools is what servers have said destroys something, by their slot. It outlives
// their sessions.
type destructiveTools struct {
	mu        sync.Mutex
	destroyer map[string][]string
}

func (m *destructiveTools) note(slot string, tools []tool.ServerTool) {
	var names []string
	for _, t := range tools {
		if destroys(t) {
			names = append(names, t.Name)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.destroyer == nil || len(m.destroyer) >= manyServers {
		m.destroyer = map[string][]string{}
	}
	m.destroyer[slot] = names
}

func (m *destructiveTools) destroys(slot, name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Contains(m.destroyer[slot], name)
}
