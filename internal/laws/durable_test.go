package laws

import (
	"go/ast"
	"strings"
	"testing"
)

// A file that was moved to its name, and a folder that was made, are on the disk only once the folder above them is: a
// loss of power undid the move while what was committed after it spoke of the file. durable does both.
func TestWhatIsMovedStaysWhereItIs(t *testing.T) {
	for _, s := range sources(t, false) {
		if s.pkg == "durable" || s.pkg == "bench" || strings.HasSuffix(s.pkg, "test") {
			continue
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, of := called(call)
			if pkg, ok := of.(*ast.Ident); ok && pkg.Name == "os" && (name == "Rename" || name == "Link") {
				t.Errorf("%s: os.%s may be undone by a loss of power: take durable.%s", at(call), name, name)
			}
			return true
		})
	}
}
