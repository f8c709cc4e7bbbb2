package laws

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// root is the repository's folder as seen from here.
const root = "../.."

// source is one Go file of the house.
type source struct {
	path  string // below the repository: internal/business/stock/issue.go
	pkg   string // its folder below internal, without the storey: stock, db/sqlite; cmd/kontor outside
	level string // the folder of its storey: foundation, engine, business, front; "" above them
	lines int
	*ast.File
}

func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

// tree is every Go file, parsed once.
var tree = sync.OnceValues(func() (files []source, err error) {
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(name, root+string(filepath.Separator)))
		if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && d.IsDir() && name != root {
			return filepath.SkipDir // another module
		}
		if d.IsDir() && (d.Name() == "testdata" || name != root && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(positions, rel, text, parser.ParseComments)
		if err != nil {
			return err
		}
		level, pkg := located(path.Dir(rel))
		files = append(files, source{rel, pkg, level, bytes.Count(text, []byte("\n")), f})
		return nil
	})
	return files, err
})

// located parts a folder of the repository into its storey and what follows: internal/business/stock is stock of the
// business.
func located(folder string) (level, pkg string) {
	pkg = strings.TrimPrefix(folder, "internal/")
	if first, rest, ok := strings.Cut(pkg, "/"); ok && slices.Contains(levels, first) {
		return first, rest
	}
	return "", pkg
}

var positions = token.NewFileSet()

// sources are the files that are not tests, or all of them.
func sources(t *testing.T, tests bool) []source {
	t.Helper()
	files, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no source file was found: the laws were asked in the wrong folder")
	}
	return slices.DeleteFunc(slices.Clone(files), func(s source) bool { return s.isTest() && !tests })
}

func at(n ast.Node) string { return positions.Position(n.Pos()).String() }
