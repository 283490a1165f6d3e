package module

// Host is what Node runs.
func Host() string { return hostProgram() }
