package main

import (
	"bytes"
	"fmt"
	"text/template"
)

// The sizes of a plot, in pixels.
const (
	panelWidth, panelHeight = 300, 190
	panelsPerRow            = 3
	plotLeft, plotRight     = 20, 280 // of the area within a panel where the lines are
	plotTop, plotBottom     = 60, 155
)

// panel is the history of one figure.
type panel struct {
	X, Y  int // of its corner
	Title string
	Line  string // the points of the line
	Runs  []run
	Goal  *levelLine // nil where there is none
	Rival *levelLine
}

// run is a point of a panel.
type run struct {
	X, Y         float64
	Value, Label string
}

// levelLine is a value that is drawn across a panel.
type levelLine struct {
	Y     float64
	Name  string
	Above bool // it is above the panel: only its name is shown
}

// plotSVG draws each figure of the table over the entries that were measured on the
// machine of the last one.
func plotSVG(entries []historyEntry) ([]byte, error) {
	if len(entries) == 0 {
		return nil, fmt.Errorf("the history is empty")
	}
	var same []historyEntry
	for _, e := range entries {
		if e.Machine == entries[len(entries)-1].Machine {
			same = append(same, e)
		}
	}
	var panels []panel
	for _, r := range rows() {
		if p, ok := newPanel(r, same); ok {
			p.X, p.Y = len(panels)%panelsPerRow*panelWidth, len(panels)/panelsPerRow*panelHeight
			panels = append(panels, p)
		}
	}
	var b bytes.Buffer
	err := svgTemplate().Execute(&b, map[string]any{
		"Panels": panels,
		"Width":  panelsPerRow * panelWidth,
		"Height": (len(panels) + panelsPerRow - 1) / panelsPerRow * panelHeight,
	})
	return b.Bytes(), err
}

// newPanel returns the panel of a row. ok is false if nothing was measured for it.
func newPanel(r row, entries []historyEntry) (panel, bool) {
	var measured []historyEntry
	top, rival := r.goal, 0.0
	for _, e := range entries {
		if value := e.Figures[r.figure]; value > 0 {
			measured, rival = append(measured, e), e.Others[r.rival][r.figure]
			top = max(top, value)
		}
	}
	if len(measured) == 0 {
		return panel{}, false
	}
	p := panel{Title: fmt.Sprintf("%s, %s", r.title, unitOf(r.figure))}
	for i, e := range measured {
		x := plotLeft + float64(plotRight-plotLeft)*(float64(i)+0.5)/float64(len(measured))
		value := e.Figures[r.figure]
		p.Runs = append(p.Runs, run{x, lineY(value, top), formatNumber(value), e.Version})
		p.Line += fmt.Sprintf("%.1f,%.1f ", x, lineY(value, top))
	}
	if r.goal > 0 {
		p.Goal = &levelLine{lineY(r.goal, top), "goal " + formatNumber(r.goal), false}
	}
	if rival > 0 {
		p.Rival = &levelLine{lineY(rival, top), r.rival + " " + formatNumber(rival), rival > top}
	}
	return p, true
}

// lineY returns the y coordinate of a value in a panel whose highest value is top.
func lineY(value, top float64) float64 {
	return plotBottom - (plotBottom-plotTop)*value/top
}

func svgTemplate() *template.Template {
	return template.Must(template.New("svg").Parse(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{.Width}} {{.Height}}" font-family="sans-serif" font-size="10">
<rect width="{{.Width}}" height="{{.Height}}" fill="white"/>
{{- range .Panels}}
<g transform="translate({{.X}} {{.Y}})">
<text x="20" y="24" font-weight="bold">{{html .Title}}</text>
<path d="M20 155 H280" stroke="#999"/>
{{- with .Goal}}
<path d="M20 {{printf "%.1f" .Y}} H280" stroke="#2a7" stroke-dasharray="4 3"/>
<text x="280" y="38" fill="#2a7" text-anchor="end">{{.Name}}</text>
{{- end}}
{{- with .Rival}}
{{- if not .Above}}
<path d="M20 {{printf "%.1f" .Y}} H280" stroke="#b60" stroke-dasharray="1 3"/>
{{- end}}
<text x="20" y="38" fill="#b60">{{html .Name}}</text>
{{- end}}
<polyline points="{{.Line}}" fill="none" stroke="#36c" stroke-width="2"/>
{{- range .Runs}}
<circle cx="{{printf "%.1f" .X}}" cy="{{printf "%.1f" .Y}}" r="3" fill="#36c"/>
<text x="{{printf "%.1f" .X}}" y="{{printf "%.1f" .Y}}" dy="-6" text-anchor="middle">{{.Value}}</text>
<text x="{{printf "%.1f" .X}}" y="168" fill="#666" text-anchor="middle">{{html .Label}}</text>
{{- end}}
</g>
{{- end}}
</svg>
`))
}
