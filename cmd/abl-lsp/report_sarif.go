package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/docs"
	"github.com/abl-lsp/abl-lsp/internal/listing"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// The part of SARIF 2.1.0 that a report needs.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Short   sarifMessage `json:"shortDescription"`
		Full    sarifMessage `json:"fullDescription"`
		Help    sarifMessage `json:"help"`
		HelpURI string       `json:"helpUri"`
		Default sarifDefault `json:"defaultConfiguration"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifMessage struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifMessage `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

// reportSARIF writes one run. Its rules are the codes, in the order in which they first
// appear.
func reportSARIF(out io.Writer, r checkReport) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name:           "abl-lsp",
			Version:        version,
			InformationURI: docs.Home,
			Rules:          []sarifRule{},
		}},
		ColumnKind: "utf16CodeUnits",
		Results:    []sarifResult{},
	}
	rules, prints := map[string]int{}, map[string]int{}
	for _, f := range r.found {
		if _, known := rules[f.Code]; !known {
			rules[f.Code] = len(rules)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(f.Code))
		}
		result := r.sarifResult(f)
		result.RuleIndex = rules[f.Code]
		result.Fingerprints = map[string]string{"ablFinding/v1": fingerprint(f, prints)}
		run.Results = append(run.Results, result)
	}
	return indent.Encode(out, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

func sarifRuleOf(code string) sarifRule {
	page, _ := docs.Find(code) // every code has its page
	return sarifRule{
		ID:      code,
		Short:   sarifMessage{Text: page.Summary()},
		Full:    sarifMessage{Text: page.Intro()},
		Help:    sarifMessage{page.Text, page.Text},
		HelpURI: docs.URL(code),
		Default: sarifDefault{twoLevelSeverity(page.Severity(), "note")},
	}
}

func (r checkReport) sarifResult(f finding) sarifResult {
	result := sarifResult{
		RuleID:    f.Code,
		Level:     twoLevelSeverity(f.Severity.String(), "note"),
		Message:   sarifMessage{Text: f.Message},
		Locations: []sarifLocation{{sarifPlace(f.in.shown, listing.RangeOf(f.positions, f.Span)), nil}},
	}
	for _, p := range r.related(f) {
		result.Related = append(result.Related, sarifLocation{sarifPlace(p.File, p.Range), &sarifMessage{Text: p.Message}})
	}
	return result
}

// sarifPlace returns a range that counts from 1 and ends after the last character.
func sarifPlace(shown string, at listing.Range) sarifPhysical {
	return sarifPhysical{
		sarifArtifact{reference(shown)},
		sarifRegion{at.Start.Line + 1, at.Start.Character + 1, at.End.Line + 1, at.End.Character + 1},
	}
}

// reference returns a path as a URI reference: a relative one if the path was given so,
// otherwise a file URI.
func reference(shown string) string {
	if filepath.IsAbs(shown) {
		return string(uri.File(shown))
	}
	return (&url.URL{Path: slashPath(shown)}).String()
}

// fingerprint identifies a finding whatever changes in other lines: by its code, the text
// of its line, and its number among equal findings of its file. seen counts these.
func fingerprint(f finding, seen map[string]int) string {
	lines := f.positions.Lines()
	line := lines.LineText(f.positions.Line(f.Span))
	source := strings.TrimSpace(lines.Text()[line.Start:min(line.End, line.Start+maxFingerprinted)])
	print := fmt.Sprintf("%x", sha256.Sum256([]byte(f.Code+"\n"+source)))[:16]
	seen[f.in.path+"\n"+print]++
	return fmt.Sprintf("%s:%d", print, seen[f.in.path+"\n"+print])
}

// maxFingerprinted is how many bytes of a line are part of a fingerprint.
const maxFingerprinted = 1000
