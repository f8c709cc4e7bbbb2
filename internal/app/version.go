package app

import (
	"runtime"
	"runtime/debug"
)

// Build is what this program was made from.
type Build struct {
	Version   string   `json:"version"`
	Commit    string   `json:"commit"`
	Committed string   `json:"committed,omitempty"` // when the commit was made
	Go        string   `json:"go"`
	Engines   []string `json:"engines"`
}

// Version is the build of the running program, as the Go toolchain stamped it.
func Version() Build {
	info, _ := debug.ReadBuildInfo()
	return buildOf(info)
}

// buildOf reads the stamps; without them, as from a copy of the sources that has no history, it says so.
func buildOf(info *debug.BuildInfo) Build {
	b := Build{Version: "devel", Commit: "unknown", Go: runtime.Version(), Engines: []string{"sqlite", "postgres"}}
	if info == nil {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	changed := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Committed = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				changed = " (changed)"
			}
		}
	}
	b.Commit += changed
	return b
}
