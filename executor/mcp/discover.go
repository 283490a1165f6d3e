package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Limits for the list of a server's tools.
const (
	maxPages = 100
	maxTools = 2000
)

// listTools asks the server for its tools. more says that the server has further ones.
func (s *session) listTools(ctx context.Context) (tools []tool.ServerTool, more bool, err error) {
	tools = []tool.ServerTool{}
	params := &sdk.ListToolsParams{}
	for range maxPages {
		page, err := s.client.ListTools(ctx, params)
		if err != nil {
			return nil, false, err
		}
		raw, _ := page.Meta[originalResultKey].(string)
		some, ok := readTools([]byte(raw))
		if !ok {
			return nil, false, executor.Errorf(executor.KindRemote, "no-list", "%s: the answer is no list of tools", s.target.name)
		}
		s.markInvalidHeaders(some, page.Tools)
		tools = append(tools, some...)
		if page.NextCursor == "" {
			return tools, false, nil
		}
		if len(tools) >= maxTools {
			break
		}
		params = &sdk.ListToolsParams{Cursor: page.NextCursor}
	}
	return tools, true, nil
}

// markInvalidHeaders marks the listed tools that are not among the valid ones: the library leaves out a
// tool whose parameters have an invalid x-mcp-header. Only HTTP has these headers, from version
// 2026-07-28 on.
func (s *session) markInvalidHeaders(listed []tool.ServerTool, valid []*sdk.Tool) {
	if s.target.transport != viaHTTP || !s.isStateless() {
		return
	}
	for i, t := range listed {
		listed[i].HasInvalidHeader = !slices.ContainsFunc(valid, func(v *sdk.Tool) bool { return v.Name == t.Name })
	}
}

// readTools parses a page of the tool list, as the server wrote it. ok is false if raw is not such
// a page.
func readTools(raw []byte) (tools []tool.ServerTool, ok bool) {
	var page struct {
		Tools []struct {
			Name         string          `json:"name"`
			Title        string          `json:"title"`
			Description  string          `json:"description"`
			InputSchema  json.RawMessage `json:"inputSchema"`
			OutputSchema json.RawMessage `json:"outputSchema"`
			Icons        []sdk.Icon      `json:"icons"`
			Annotations  struct {
				Title           string `json:"title"`
				ReadOnlyHint    *bool  `json:"readOnlyHint"`
				DestructiveHint *bool  `json:"destructiveHint"`
			} `json:"annotations"`
			Execution struct {
				TaskSupport string `json:"taskSupport"`
			} `json:"execution"`
		} `json:"tools"`
	}
	if json.Unmarshal(raw, &page) != nil || page.Tools == nil {
		return nil, false
	}
	for _, t := range page.Tools {
		tools = append(tools, tool.ServerTool{
			Name: t.Name, Title: cmp.Or(t.Title, t.Annotations.Title), Description: t.Description,
			InputSchema: t.InputSchema, OutputSchema: t.OutputSchema,
			Icons:    iconsOf(t.Icons),
			ReadOnly: t.Annotations.ReadOnlyHint, Destructive: t.Annotations.DestructiveHint,
			RunsAsTask: t.Execution.TaskSupport == "required",
		})
	}
	return tools, true
}

// maxIcons is the most bytes of the icons of a tool that are kept.
const maxIcons = 16 << 10

// iconsOf returns the icons of a tool: pictures in themselves, or addresses of HTTPS. It is nil if there
// are none, or if they are too long.
func iconsOf(icons []sdk.Icon) json.RawMessage {
	icons = slices.DeleteFunc(icons, func(i sdk.Icon) bool {
		return !strings.HasPrefix(i.Source, "https://") && !strings.HasPrefix(i.Source, "data:image/")
	})
	if len(icons) == 0 {
		return nil
	}
	raw := exactjson.EncodeOrNil(icons)
	if len(raw) > maxIcons {
		return nil
	}
	return raw
}

// noteToolsChanged records that the server announced a change of its tools.
func (s *session) noteToolsChanged() {
	select {
	case s.change <- struct{}{}:
	default: // noted already
	}
}

// rereadInterval is the shortest time between two requests for the tools after the server announced
// changes.
const rereadInterval = 100 * time.Millisecond

// rereadOnChange asks for the tools after each announced change, until the session ends.
func (s *session) rereadOnChange() {
	for {
		select {
		case <-s.change:
		case <-s.done:
			return
		}
		s.within(optionalRequestTimeout, func(ctx context.Context) {
			if s.fetchTools(ctx); ctx.Err() == nil {
				s.publish(s.discovery())
			}
		})
		select {
		case <-time.After(rereadInterval):
		case <-s.done:
			return
		}
	}
}

// fetchTools asks for the tools and stores them. If the server does not answer, they stay unknown.
func (s *session) fetchTools(ctx context.Context) {
	if tools, more, err := s.listTools(ctx); err == nil {
		s.setTools(tools, more)
	}
}

func (s *session) setTools(tools []tool.ServerTool, more bool) {
	s.mu.Lock()
	s.tools, s.more = tools, more
	s.mu.Unlock()
	s.destructive.note(s.slot, tools)
}

// knownTools returns the tools of the server; nil if it has not listed them.
func (s *session) knownTools() []tool.ServerTool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tools
}

// knowsAllTools reports whether the known tools are all that the server has.
func (s *session) knowsAllTools() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tools != nil && !s.more
}

// discovery returns what is known of the server, without the tools that must not be called.
func (s *session) discovery() executor.Discovery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return executor.Discovery{Server: s.target.name, Root: s.target.dir, Info: s.info(), Tools: callableTools(s.tools), More: s.more}
}

func callableTools(tools []tool.ServerTool) []tool.ServerTool {
	return slices.DeleteFunc(slices.Clone(tools), func(t tool.ServerTool) bool { return t.HasInvalidHeader })
}

// maxInstructions is the most bytes of a server's instructions that are kept.
const maxInstructions = 16 << 10

// info returns what the server says of itself.
func (s *session) info() tool.ServerInfo {
	begun := s.client.InitializeResult()
	if begun == nil {
		return tool.ServerInfo{}
	}
	info := tool.ServerInfo{Instructions: executor.Shorten(begun.Instructions, maxInstructions)}
	if i := begun.ServerInfo; i != nil {
		info.Title, info.Version = cmp.Or(i.Title, i.Name), i.Version
	}
	return info
}

// reportDiscovery publishes the tools of the server, if they are known.
func (v *call) reportDiscovery() {
	if v.session.knownTools() != nil {
		v.request.PublishDiscovery(v.session.discovery())
	}
}

// discover asks for the tools and returns them. A session that began with this call has just asked
// for them, so it does not ask again.
func (v *call) discover() (executor.Discovery, error) {
	if err := v.wait(); err != nil {
		return executor.Discovery{}, err
	}
	if !v.first || v.session.knownTools() == nil {
		if err := v.loadTools(); err != nil {
			return executor.Discovery{}, err
		}
	}
	return v.session.discovery(), nil
}

// loadTools asks the server for its tools and stores them.
func (v *call) loadTools() error {
	t := new(callState)
	ctx := withCallState(withHeaders(v.ctx, v.target.toolHeaders), t)
	err := v.await(func() error {
		tools, more, err := v.session.listTools(ctx)
		if err == nil {
			v.session.setTools(tools, more)
		}
		return err
	})
	switch {
	case v.ctx.Err() != nil:
		return v.endError()
	case err != nil:
		return v.session.classifyError(t, err)
	}
	return nil
}

// checkTool returns an error if the server does not have the tool or describes it by an invalid
// x-mcp-header, or if it declares the tool as destructive and no one has confirmed the call. Before it says that a tool is missing, it asks
// the server again.
func (v *call) checkTool() error {
	found, ok := v.findTool()
	if !ok && !v.first && v.session.knowsAllTools() {
		if err := v.loadTools(); err != nil {
			return err
		}
		v.reportDiscovery()
		found, ok = v.findTool()
	}
	switch {
	case !ok && v.session.knowsAllTools():
		var names []string
		for _, t := range callableTools(v.session.knownTools()) {
			names = append(names, t.Name)
		}
		slices.Sort(names)
		return executor.DefinitionError("unknown-server-tool", "the server %s has no tool %s%s", v.target.name, v.target.tool, availableNames(v.target.tool, names))
	case ok && found.HasInvalidHeader:
		return executor.DefinitionError("invalid-mcp-header", "the server %s has an invalid x-mcp-header in the parameters of %s, so the protocol forbids to call it", v.target.name, v.target.tool)
	case ok && destroys(found) && !v.request.Confirmed:
		return executor.Errorf(executor.KindNeeds, "confirmation", "%w", executor.ErrUnconfirmed)
	}
	return nil
}

func (v *call) findTool() (tool.ServerTool, bool) {
	tools := v.session.knownTools()
	i := slices.IndexFunc(tools, func(t tool.ServerTool) bool { return t.Name == v.target.tool })
	if i < 0 {
		return tool.ServerTool{}, false
	}
	return tools[i], true
}

func destroys(t tool.ServerTool) bool { return t.Destructive != nil && *t.Destructive }

// maxServers bounds the number of servers in [destructiveTools].
const maxServers = 100

// destructiveTools remembers by slot which tools servers declared as destructive. It outlives the
// sessions. It is safe for concurrent use.
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
	if m.destroyer == nil || len(m.destroyer) >= maxServers {
		m.destroyer = map[string][]string{}
	}
	m.destroyer[slot] = names
}

func (m *destructiveTools) destroys(slot, name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Contains(m.destroyer[slot], name)
}
