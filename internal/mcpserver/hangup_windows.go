package mcpserver

import "os"

// isHungUp returns false: Windows reports a closed pipe only to a writer.
func isHungUp(*os.File) bool { return false }
