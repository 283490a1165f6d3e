package tool

// Custom is the binding of a kind that no table here has: a program that uses the executor
// registers its runner.
type Custom struct {
	Type       Kind   `json:"type"`
	Properties Object `json:"properties,omitempty"` // as they are written
}

// Kind returns the type that the author wrote.
func (c *Custom) Kind() Kind { return c.Type }

// PropertyLines lists the type and the properties for a form that has no place for them.
func (c *Custom) PropertyLines() []string {
	lines := []string{"type: " + string(c.Type)}
	for _, m := range c.Properties {
		lines = append(lines, m.Name)
	}
	return lines
}
