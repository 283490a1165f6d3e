package lsp

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// tokensLegend returns the names of the token types and modifiers, in the order of
// package analysis. All are standard names of the protocol, so that every theme has
// colors for them.
func tokensLegend() protocol.SemanticTokensLegend {
	return protocol.SemanticTokensLegend{
		TokenTypes: []string{
			analysis.NamespaceToken:  string(protocol.SemanticTokenTypesNamespace),
			analysis.TypeToken:       string(protocol.SemanticTokenTypesType),
			analysis.ClassToken:      string(protocol.SemanticTokenTypesClass),
			analysis.ParameterToken:  string(protocol.SemanticTokenTypesParameter),
			analysis.VariableToken:   string(protocol.SemanticTokenTypesVariable),
			analysis.PropertyToken:   string(protocol.SemanticTokenTypesProperty),
			analysis.EnumMemberToken: string(protocol.SemanticTokenTypesEnumMember),
			analysis.FunctionToken:   string(protocol.SemanticTokenTypesFunction),
			analysis.MethodToken:     string(protocol.SemanticTokenTypesMethod),
			analysis.KeywordToken:    string(protocol.SemanticTokenTypesKeyword),
			analysis.CommentToken:    string(protocol.SemanticTokenTypesComment),
			analysis.StringToken:     string(protocol.SemanticTokenTypesString),
			analysis.NumberToken:     string(protocol.SemanticTokenTypesNumber),
			analysis.OperatorToken:   string(protocol.SemanticTokenTypesOperator),
		},
		TokenModifiers: []string{
			string(protocol.SemanticTokenModifiersDeclaration),
			string(protocol.SemanticTokenModifiersDeprecated),
			string(protocol.SemanticTokenModifiersDefaultLibrary),
		},
	}
}

func semanticTokensOptions() *protocol.SemanticTokensOptions {
	return &protocol.SemanticTokensOptions{
		Legend: tokensLegend(),
		Full:   &protocol.SemanticTokensFullDelta{Delta: new(true)},
		Range:  protocol.Boolean(true),
	}
}

func semanticTokensFull(_ context.Context, s *server, snap *snapshot, params *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	d := snap.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	data := tokensIn(snap, d, snap.converter(d).positions.All())
	return &protocol.SemanticTokens{ResultID: new(s.tokens.replace(d.path, data)), Data: data}, nil
}

func semanticTokensRange(_ context.Context, snap *snapshot, params *protocol.SemanticTokensRangeParams) (*protocol.SemanticTokens, error) {
	d := snap.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	return &protocol.SemanticTokens{Data: tokensIn(snap, d, snap.converter(d).span(params.Range))}, nil
}

// semanticTokensDelta answers with one edit, or with all tokens if the client asks for a
// change of other tokens than the last ones.
func semanticTokensDelta(_ context.Context, s *server, snap *snapshot, params *protocol.SemanticTokensDeltaParams) (protocol.SemanticTokensDeltaResult, error) {
	d := snap.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	data := tokensIn(snap, d, snap.converter(d).positions.All())
	before, known := s.tokens.lastResult(d.path, params.PreviousResultID)
	id := s.tokens.replace(d.path, data)
	if !known {
		return &protocol.SemanticTokens{ResultID: &id, Data: data}, nil
	}
	return &protocol.SemanticTokensDelta{ResultID: &id, Edits: tokenEdits(before, data)}, nil
}

// tokensIn are the tokens of a part of a document as the protocol counts them:
// each from the one before it.
func tokensIn(snap *snapshot, d *document, within text.Span) []uint32 {
	in := snap.converter(d)
	data := []uint32{}
	var last protocol.Position
	for _, t := range analysis.SemanticTokens(snap.workspace, d.path, within) {
		if t.Span.End <= within.Start || within.End <= t.Span.Start {
			continue
		}
		r := in.rangeOf(t.Span)
		column := r.Start.Character
		if r.Start.Line == last.Line {
			column -= last.Character
		}
		data = append(data, r.Start.Line-last.Line, column, r.End.Character-r.Start.Character, uint32(t.Type), uint32(t.Modifiers))
		last = r.Start
	}
	return data
}

// tokenEdits returns the edit that changes one list of numbers into another.
func tokenEdits(before, after []uint32) []protocol.SemanticTokensEdit {
	start := 0
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	end := 0 // counted from the end
	for end < min(len(before), len(after))-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	if start+end == len(before) && len(before) == len(after) {
		return []protocol.SemanticTokensEdit{}
	}
	return []protocol.SemanticTokensEdit{{
		Start: uint32(start), DeleteCount: uint32(len(before) - start - end), Data: after[start : len(after)-end],
	}}
}

// sentTokens are the tokens that the client has, by path.
type sentTokens struct {
	count  atomic.Int64 // how many results there have been
	byPath sync.Map     // values are tokensResult
}

type tokensResult struct {
	id   string
	data []uint32
}

// replace records the tokens that the client gets, and returns their id.
func (s *sentTokens) replace(path string, data []uint32) (id string) {
	id = strconv.FormatInt(s.count.Add(1), 10)
	s.byPath.Store(path, tokensResult{id, data})
	return id
}

// lastResult returns the tokens that the client last got of the document at path. isLast
// is false if id is not the id of these tokens.
func (s *sentTokens) lastResult(path, id string) (data []uint32, isLast bool) {
	known, _ := s.byPath.Load(path)
	given, _ := known.(tokensResult)
	return given.data, id != "" && given.id == id
}
