package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// manyPages and manyTools bound how much a server may say of its tools.
const (
	manyPages = 100
	manyTools = 2000
)

// list asks for all of a server's tools.
func (s *session) list(ctx context.Context) ([]tool.ServerTool, error) {
	tools := []tool.ServerTool{}
	params := &sdk.ListToolsParams{}
	for range manyPages {
		page, err := s.client.ListTools(ctx, params)
		if err != nil {
			return nil, err
		}
		raw, _ := page.Meta[asSent].(string)
		tools = append(tools, readTools([]byte(raw))...)
		if page.NextCursor == "" || len(tools) >= manyTools {
			break
		}
		params = &sdk.ListToolsParams{Cursor: page.NextCursor}
	}
	return tools[:min(len(tools), manyTools)], nil
}

// readTools reads a page as the server wrote it.
func readTools(raw []byte) []tool.ServerTool {
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
	if json.Unmarshal(raw, &page) != nil {
		return nil
	}
	var tools []tool.ServerTool
	for _, t := range page.Tools {
		title := t.Title
		if title == "" {
			title = t.Annotations.Title
		}
		tools = append(tools, tool.ServerTool{
			Name: t.Name, Title: title, Description: t.Description,
			InputSchema: t.InputSchema, OutputSchema: t.OutputSchema,
			ReadOnly: t.Annotations.ReadOnlyHint, Destructive: t.Annotations.DestructiveHint,
		})
	}
	return tools
}

// relist asks again, since the server says that its tools have changed.
func (s *session) relist() {
	<-s.ready
	if s.client == nil {
		return
	}
	if tools, err := s.list(s.ctx); err == nil {
		s.remember(tools)
		s.tell(s.discovery())
	}
}

func (s *session) remember(tools []tool.ServerTool) {
	s.mu.Lock()
	s.tools = tools
	s.mu.Unlock()
	s.seen.note(s.slot, tools)
}

// known are the tools of the server; nil where it did not say.
func (s *session) known() []tool.ServerTool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tools
}

func (s *session) discovery() executor.Discovery {
	return executor.Discovery{Server: s.target.name, Root: s.target.dir, Tools: s.known()}
}

// tell tells what the server said of its tools.
func (v *visit) tell() {
	if v.session.known() != nil {
		v.request.Discovered(v.session.discovery())
	}
}

// discover asks for the tools now, unless the session has just begun.
func (v *visit) discover() (executor.Discovery, error) {
	if err := v.wait(); err != nil {
		return executor.Discovery{}, err
	}
	if !v.first || v.session.known() == nil {
		if err := v.look(); err != nil {
			return executor.Discovery{}, err
		}
	}
	return v.session.discovery(), nil
}

// look asks for the tools.
func (v *visit) look() error {
	t := new(trip)
	ctx := withTrip(withHeaders(v.ctx, v.target.own), t)
	err := v.await(func() error {
		tools, err := v.session.list(ctx)
		if err == nil {
			v.session.remember(tools)
		}
		return err
	})
	switch {
	case v.ctx.Err() != nil:
		return v.over()
	case err != nil:
		return v.session.explain(t, err)
	}
	return nil
}

// check stops a call of a tool that the server does not have, or that it says
// destroys something, which nobody has confirmed. What it has is asked again
// before it is said to lack something.
func (v *visit) check() error {
	found, ok := v.find()
	if !ok && !v.first && v.session.known() != nil {
		if err := v.look(); err != nil {
			return err
		}
		v.tell()
		found, ok = v.find()
	}
	switch {
	case !ok && v.session.known() != nil:
		var names []string
		for _, t := range v.session.known() {
			names = append(names, t.Name)
		}
		slices.Sort(names)
		return definition("unknown-server-tool", "the server %s has no tool %s%s", v.target.name, v.target.tool, itHas(v.target.tool, names))
	case ok && destroys(found) && !v.request.Confirmed:
		return executor.Errorf(executor.KindNeeds, "confirmation", "%w", executor.ErrUnconfirmed)
	}
	return nil
}

func (v *visit) find() (tool.ServerTool, bool) {
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

// memory is what servers have said destroys something, by their slot. It outlives
// their sessions.
type memory struct {
	mu        sync.Mutex
	destroyer map[string][]string
}

func (m *memory) note(slot string, tools []tool.ServerTool) {
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

func (m *memory) destroys(slot, name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Contains(m.destroyer[slot], name)
}
