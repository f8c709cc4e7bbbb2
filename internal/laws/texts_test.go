package laws

import (
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kontor/internal/foundation/record"
	"kontor/internal/foundation/texts"
	"kontor/internal/front/page"
)

// wordTables are the tables of texts, by folder, each of them whole: the reader refuses one that leaves a language out.
func wordTables(t *testing.T) map[string]texts.Table {
	t.Helper()
	house, out := os.DirFS("../.."), map[string]texts.Table{}
	err := fs.WalkDir(house, "internal", func(name string, d fs.DirEntry, err error) error {
		dir := path.Dir(name)
		if err != nil || path.Ext(name) != ".tsv" || path.Base(dir) == "testdata" || out[dir] != nil {
			return err
		}
		out[dir], err = texts.Read(house, dir)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 8 {
		t.Fatalf("only %d folders of texts were found: the law no longer looks where they are", len(out))
	}
	return out
}

// What is filled into a text stands in each of its languages and forms: in the same order, or named by its place.
func TestTextsAreFilledInAlike(t *testing.T) {
	verb := regexp.MustCompile(`%(\[\d\])?[a-z]`)
	for folder, table := range wordTables(t) {
		for lang, said := range table {
			for key, text := range said {
				like := key
				if english, _, _ := strings.Cut(table["en"][key], " | "); !strings.Contains(key, "%") {
					like = english
				}
				want := strings.Join(verb.FindAllString(like, -1), " ")
				for form := range strings.SplitSeq(text, " | ") {
					got := strings.Join(verb.FindAllString(form, -1), " ")
					if got != want && got != "" && !strings.Contains(got, "[") {
						t.Errorf("%s: %q is filled in with %s, in %s with %s: %q", folder, key, want, lang, got, form)
					}
				}
			}
		}
	}
}

// A text that nothing says is taken out of its table; codes of units are others'.
func TestEveryTextIsSaid(t *testing.T) {
	said := sayable(t)
	for folder, table := range wordTables(t) {
		if folder == "internal/business/reference" {
			continue
		}
		for lang, all := range table {
			if lang == "en" && len(table) > 1 {
				continue // has what the others have, or less
			}
			for key := range all {
				if !isSaid(said, key) {
					t.Errorf("%s: nothing says %q: take it out", folder, key)
				}
			}
			break
		}
	}
}

func isSaid(said map[string]bool, key string) bool {
	// what a word means to one room or type: stock.ReceiptStatus Cancelled, WorkOrder.number; what of two parts
	for _, between := range []string{" ", ".", ": "} {
		of, word, two := strings.Cut(key, between)
		of = of[strings.LastIndex(of, ".")+1:]
		if two && said[word] && (said[of] || between == ".") {
			return true
		}
	}
	return said[key]
}

// sayable are the texts of the sources: what stands in quotation marks in code and templates, names, and both in words.
func sayable(t *testing.T) map[string]bool {
	t.Helper()
	said := map[string]bool{}
	say := func(text string) { said[text], said[page.Words(text)] = true, true }
	for _, s := range sources(t, false) {
		ast.Inspect(s.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				say(n.Name)
			case *ast.BinaryExpr:
				if text, ok := joined(n); ok {
					say(text)
				}
			case *ast.Field:
				if n.Tag != nil {
					for _, m := range regexp.MustCompile(`\w+:"([^",]+)`).FindAllStringSubmatch(n.Tag.Value, -1) {
						say(m[1])
					}
				}
			case *ast.BasicLit:
				if text, ok := joined(n); ok {
					say(text)
				}
				for _, m := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(n.Value, -1) { // in a path
					say(m[1])
				}
			}
			return true
		})
	}
	for _, field := range record.Fields() { // as the activity log calls them
		say(field)
	}
	pages, err := filepath.Glob(root + "/internal/*/*/templates/*.html")
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d templates: %v", len(pages), err)
	}
	sample, err := filepath.Glob(root + "/internal/demo/content/*.json") // what the sample shop sells, in its words
	if err != nil || len(sample) == 0 {
		t.Fatalf("%d files of the sample shop: %v", len(sample), err)
	}
	for _, name := range append(pages, sample...) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for between := range strings.SplitSeq(string(b), `"`) {
			said[between] = true
		}
	}
	return said
}

// joined is a text that is written in one piece or in several.
func joined(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		a, one := joined(e.X)
		b, other := joined(e.Y)
		return a + b, one && other && e.Op == token.ADD
	}
	return "", false
}
