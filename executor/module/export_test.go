package module

// Host returns the JavaScript program that Node runs.
func Host() string { return hostProgram() }
