package app

// openFilesLimit is bounded by memory alone.
func openFilesLimit() int { return 1 << 16 }
