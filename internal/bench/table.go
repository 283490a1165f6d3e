package main

import (
	"fmt"
	"strconv"
	"strings"
)

// row is a figure of the table.
type row struct {
	figure string // its name in the history
	title  string
	goal   float64 // 0 where there is none
	rival  string  // the program to compare with; "" if there is none
	ratio  float64 // the goal for this figure divided by that of the other program; 0 if there is none
}

// rows returns the table.
func rows() []row {
	return []row{
		{"keystroke_1000_every_150_p50_ms", "keystroke, 1,000 lines, each 150 ms, p50", 0, "tombi", 0},
		{"keystroke_1000_every_150_p99_ms", "keystroke, 1,000 lines, each 150 ms, p99", 0, "tombi", 0},
		{"keystroke_10000_every_150_p50_ms", "keystroke, 10,000 lines, each 150 ms, p50", 2, "tombi", 1. / 20},
		{"keystroke_10000_every_150_p99_ms", "keystroke, 10,000 lines, each 150 ms, p99", 5, "tombi", 1. / 12},
		{"keystroke_10000_every_50_p50_ms", "keystroke, 10,000 lines, each 50 ms, p50", 2, "tombi", 1. / 20},
		{"keystroke_10000_every_50_p99_ms", "keystroke, 10,000 lines, each 50 ms, p99", 5, "tombi", 1. / 12},
		{"keystroke_10000_every_10_p50_ms", "keystroke, 10,000 lines, each 10 ms, p50", 2, "tombi", 1. / 20},
		{"keystroke_10000_every_10_p99_ms", "keystroke, 10,000 lines, each 10 ms, p99", 5, "tombi", 1. / 12},
		{"open_ms", "open → diagnostics, 10,000 lines", 75, "tombi", 0.4},
		{"start_ms", "start → initialize answered", 35, "tombi", 1. / 5},
		{"open_mib", "peak memory, 10,000 lines open", 60, "tombi", 0.6},
		{"typed_mib", "peak memory, 10,000 lines, 300 letters typed", 0, "tombi", 0},
		{"agent_abl_keystroke_p50_ms", "keystroke, agent in ABL, 5,000 lines, each 50 ms, p50", 0, "", 0},
		{"agent_yaml_keystroke_p50_ms", "keystroke, the same agent in YAML, p50", 0, "", 0},
		{"agent_abl_open_ms", "open → diagnostics, agent in ABL", 0, "", 0},
		{"agent_yaml_open_ms", "open → diagnostics, agent in YAML", 0, "", 0},
		{"agent_abl_open_mib", "peak memory, agent in ABL open", 0, "", 0},
		{"agent_yaml_open_mib", "peak memory, agent in YAML open", 0, "", 0},
		{"agent_abl_typed_mib", "peak memory, agent in ABL, 300 letters typed", 0, "", 0},
		{"agent_yaml_typed_mib", "peak memory, agent in YAML, 300 letters typed", 0, "", 0},
		{"check_ms", "check of 2,000 files", 2000, "tombi", 1},
		{"check_cpu_ms", "check of 2,000 files, processor time", 0, "tombi", 0},
		{"check_mib", "check of 2,000 files, peak memory", 120, "tombi", 0},
		{"fmt_ms", "fmt --check of 2,000 files", 1500, "tombi", 0.5},
		{"fmt_cpu_ms", "fmt --check of 2,000 files, processor time", 0, "tombi", 0},
		{"fmt_mib", "fmt --check of 2,000 files, peak memory", 80, "tombi", 0},
		{"index_ms", "first index of 2,000 files", 1200, "", 0},
		{"index_mib", "first index of 2,000 files, peak memory", 150, "", 0},
		{"large_check_ms", "check of 10,000 files, 100,000 tools", 0, "", 0},
		{"large_check_mib", "check of 10,000 files, 100,000 tools, peak memory", 0, "", 0},
		{"large_index_ms", "first index of 10,000 files, 100,000 tools", 0, "", 0},
		{"large_index_mib", "first index of 10,000 files, 100,000 tools, peak memory", 0, "", 0},
		{"importers_1000_ms", "check of 1,000 importers of one library", 1000, "", 0},
		{"chain_800_ms", "check of a chain of 800 imports", 1000, "", 0},
		{"rename_ms", "rename over 1,000 files", 150, "", 0},
		{"references_ms", "references over 1,000 files", 50, "", 0},
		{"workspace_diagnostic_ms", "workspace/diagnostic of 1,000 files", 0, "", 0},
		{"library_edit_ms", "edit of a library, 300 open importers", 50, "", 0},
		{"run_http_ms", "run of an HTTP tool, whole process", 45, "curl", 0},
		{"mcp_sqlite_p50_ms", "SQLite call over MCP, p50", 0, "toolbox", 1},
		{"mcp_http_p50_ms", "HTTP call over MCP, p50", 0, "toolbox", 1},
		{"mcp_one_server_per_s", "calls a second, 64 clients, one server over HTTP", 0, "", 0},
		{"mcp_one_server_mib", "peak memory after 100,000 calls", 0, "", 0},
		{"mcp_two_servers_per_s", "calls a second, 64 clients, two servers with Redis", 0, "", 0},
		{"mcp_two_servers_keyed_per_s", "the same, each call with an idempotency key", 0, "", 0},
	}
}

// unitOf returns the unit of a figure.
func unitOf(figure string) string {
	switch {
	case strings.HasSuffix(figure, "_mib"):
		return "MiB"
	case strings.HasSuffix(figure, "_per_s"):
		return "/s"
	}
	return "ms"
}

// historyTable returns a table of Markdown with the figures of the first and of the last entry.
func historyTable(entries []historyEntry) string {
	first, last := entries[0], entries[len(entries)-1]
	var b strings.Builder
	fmt.Fprintf(&b, "| | %s | %s | goal | beside it | ratio | its goal |\n|---|---|---|---|---|---|---|\n", first.Version, last.Version)
	for _, r := range rows() {
		value, measured := last.Figures[r.figure]
		if !measured {
			continue
		}
		other, ratio := "–", "–"
		if theirs := last.Others[r.rival][r.figure]; theirs > 0 {
			other = fmt.Sprintf("%s %s", r.rival, formatFigure(theirs, r.figure))
			ratio = formatNumber(value / theirs)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", r.title,
			formatFigure(first.Figures[r.figure], r.figure), formatFigure(value, r.figure), formatFigure(r.goal, r.figure), other, ratio, formatNumber(r.ratio))
	}
	return b.String()
}

// formatFigure returns a figure with its unit; a dash where there is none.
func formatFigure(value float64, figure string) string {
	if value == 0 {
		return "–"
	}
	return formatNumber(value) + " " + unitOf(figure)
}

// formatNumber writes three digits; a dash for zero.
func formatNumber(value float64) string {
	if value == 0 {
		return "–"
	}
	return strconv.FormatFloat(roundFigure(value), 'f', -1, 64)
}
