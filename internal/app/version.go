package app

import (
	"runtime"
	"runtime/debug"
)

// Build is what this program was made from.
type Build struct {
	Version string   `json:"version"`
	Commit  string   `json:"commit"`
	Go      string   `json:"go"`
	Engines []string `json:"engines"`
}

// Version is the build of the running program, as the Go toolchain stamped it.
func Version() Build {
	b := Build{Version: "devel", Commit: "unknown", Go: runtime.Version(), Engines: []string{"sqlite", "postgres"}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				b.Commit += " (changed)"
			}
		}
	}
	return b
}
