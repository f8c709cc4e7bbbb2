package laws

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What the picture of the house names is there: each folder and file, and each exported name behind its package, or
// behind tx.
func TestThePictureNamesWhatIsThere(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	names, packages := map[string]bool{}, map[string]bool{}
	for _, s := range sources(t, false) {
		last := s.pkg[strings.LastIndex(s.pkg, "/")+1:]
		packages[last] = true
		ast.Inspect(s.File, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				names[last+"."+id.Name] = true
			}
			return true
		})
	}
	found := 0
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(string(text), -1) {
		name := m[1]
		of, what, _ := strings.Cut(name, ".")
		switch {
		case strings.HasPrefix(name, "/") || strings.ContainsAny(name, " {:<"):
			continue
		case of == "tx" || packages[of] && !strings.Contains(name, "/") && what != "":
			if of == "tx" {
				of = "db"
			}
			for part := range strings.SplitSeq(what, ".") {
				if !names[of+"."+part] {
					t.Errorf("ARCHITECTURE.md names %s, which is not there", name)
				}
			}
		case strings.Contains(name, "/") && name != "database/sql":
			if !isThere(name) {
				t.Errorf("ARCHITECTURE.md names %s, which is not there", name)
			}
		default:
			continue
		}
		found++
	}
	if found < 40 {
		t.Errorf("only %d names were found: the law no longer looks where they are", found)
	}
}

// isThere reports whether a path is one of the repository or of a storey.
func isThere(name string) bool {
	for _, in := range append([]string{"..", "."}, levels...) {
		if _, err := os.Stat(filepath.Join(root, "internal", in, name)); err == nil {
			return true
		}
	}
	return false
}
