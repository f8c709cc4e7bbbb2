package laws

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What starts goroutines is tested with the race detector on: its package stands in a line of scripts/test with -race.
// What only tests use is so where they use it.
func TestWhatStartsGoroutinesIsTestedForRaces(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "scripts", "test"))
	if err != nil {
		t.Fatal(err)
	}
	var raced []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, " -race ") {
			raced = append(raced, strings.Fields(line)...)
		}
	}
	files := sources(t, false)
	for _, s := range files {
		folder := path.Dir(s.path)
		start := starting(s.File)
		if start == nil || slices.Contains(raced, "./"+folder) || s.path == program || forTests(files, s.pkg) {
			continue
		}
		t.Errorf("%s: a goroutine starts here, and scripts/test does not run ./%s with -race", at(start), folder)
	}
}

// program has no tests of its own: what it starts waits for a signal.
const program = "cmd/kontor/main.go"

// forTests reports whether a package serves tests alone.
func forTests(files []source, pkg string) bool {
	return slices.ContainsFunc(files, func(s source) bool {
		return s.pkg == pkg && slices.ContainsFunc(s.Imports, func(i *ast.ImportSpec) bool {
			return i.Path.Value == `"testing"`
		})
	})
}

// starting is where a file starts a goroutine, by itself or through what waits for it; nil if it starts none.
func starting(f *ast.File) (first ast.Node) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			first = n
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && (s.Sel.Name == "Go" || s.Sel.Name == "AfterFunc") {
				first = n
			}
		}
		return first == nil
	})
	return first
}
