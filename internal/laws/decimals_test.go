package laws

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mayConvert are the packages that take a decimal for its integer or the other way round, and why.
var mayConvert = map[string]string{
	"db":         "binds millionths",
	"rest":       "reads and writes fields by reflection",
	"search":     "keeps amounts as columns of integers, which it only compares",
	"assortment": "gives the index moments as amounts to sort by",
	"page":       "draws the bars of a chart",
}

// calculates are the operators that wrap, or round, in silence.
var calculates = map[token.Token]bool{
	token.ADD: true, token.SUB: true, token.MUL: true, token.QUO: true, token.REM: true, token.SHL: true,
	token.SHR: true, token.AND: true, token.OR: true, token.XOR: true, token.AND_NOT: true, token.INC: true,
	token.DEC: true, token.ADD_ASSIGN: true, token.SUB_ASSIGN: true, token.MUL_ASSIGN: true, token.QUO_ASSIGN: true,
	token.REM_ASSIGN: true, token.SHL_ASSIGN: true, token.SHR_ASSIGN: true, token.AND_ASSIGN: true,
	token.OR_ASSIGN: true, token.XOR_ASSIGN: true, token.AND_NOT_ASSIGN: true,
}

// Outside dec nobody calculates on the integer of a decimal: its methods give the exact result or refuse, operators
// wrap in silence.
func TestDecimalsAreCalculatedByTheirMethods(t *testing.T) {
	seen := 0
	eachTyped(t, func(pkg string, f *ast.File, fset *token.FileSet, info *types.Info) {
		isDec := func(e ast.Expr) bool {
			v := info.Types[e]
			return v.Type != nil && v.Value == nil && v.Type.String() == "kontor/internal/foundation/dec.Dec"
		}
		refuse := func(n ast.Node, what string) {
			t.Errorf("%s: %s; use the methods of dec", fset.Position(n.Pos()), what)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if calculates[n.Op] && isDec(n) {
					refuse(n, "a decimal calculated with the operator "+n.Op.String())
				}
			case *ast.UnaryExpr:
				if n.Op != token.AND && isDec(n) {
					refuse(n, "a decimal calculated with the operator "+n.Op.String())
				}
			case *ast.AssignStmt:
				if calculates[n.Tok] && isDec(n.Lhs[0]) {
					refuse(n, "a decimal calculated with the operator "+n.Tok.String())
				}
			case *ast.IncDecStmt:
				if isDec(n.X) {
					refuse(n, "a decimal calculated with the operator "+n.Tok.String())
				}
			case *ast.CallExpr:
				if isDec(n) {
					seen++
				}
				if len(n.Args) == 1 && info.Types[n.Fun].IsType() && isDec(n) != isDec(n.Args[0]) &&
					mayConvert[pkg] == "" {
					refuse(n, "a decimal taken for its integer, or the other way round")
				}
			}
			return true
		})
	})
	if seen < 500 {
		t.Errorf("only %d calculations with decimals were seen: the law no longer looks where they are", seen)
	}
}

// eachTyped calls look with every file of the house that is no test, and what is known of the types in it; package dec
// aside.
func eachTyped(t *testing.T, look func(pkg string, f *ast.File, fset *token.FileSet, info *types.Info)) {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,CgoFiles", "./...")
	list.Dir, list.Stderr = root, os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	type pkg struct {
		ImportPath, Dir, Export string
		GoFiles, CgoFiles       []string
	}
	exports := map[string]string{}
	var own []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if strings.HasPrefix(p.ImportPath, "kontor/") && p.ImportPath != "kontor/internal/foundation/dec" {
			own = append(own, p)
		}
	}
	fset := token.NewFileSet()
	compiled := importer.ForCompiler(fset, "gc",
		func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range own {
		var files []*ast.File
		for _, name := range append(p.GoFiles, p.CgoFiles...) {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
		if _, err := (&types.Config{Importer: compiled, FakeImportC: true}).Check(p.ImportPath, fset, files,
			info); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			_, pkg := located(strings.TrimPrefix(p.ImportPath, "kontor/"))
			look(pkg, f, fset, info)
		}
	}
}
