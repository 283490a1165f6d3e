package mcpserver

import "os"

// unheard cannot be told here before something is written.
func unheard(*os.File) bool { return false }
