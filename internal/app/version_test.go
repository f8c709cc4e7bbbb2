package app

import (
	"runtime/debug"
	"slices"
	"testing"
)

// The program says what it was made from, in whatever order the toolchain has stamped it, and where it has not.
func TestABuildIsNamed(t *testing.T) {
	stamps := []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "6c5d018"},
		{Key: "vcs.time", Value: "2026-11-24T02:15:05Z"}, {Key: "vcs.modified", Value: "true"}}
	for range 2 {
		b := buildOf(&debug.BuildInfo{Main: debug.Module{Version: "v0.3.0"}, Settings: stamps})
		if b.Version != "v0.3.0" || b.Commit != "6c5d018 (changed)" || b.Committed != "2026-11-24T02:15:05Z" {
			t.Errorf("%+v", b)
		}
		slices.Reverse(stamps)
	}
	for _, info := range []*debug.BuildInfo{nil, {Main: debug.Module{Version: "(devel)"}}} {
		if b := buildOf(info); b.Version != "devel" || b.Commit != "unknown" || b.Committed != "" || b.Go == "" {
			t.Errorf("%+v", b)
		}
	}
}
