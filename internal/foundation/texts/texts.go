// Package texts is the store of what the house says to people, in every language: tables that stand beside the pages,
// letters and papers that use them, in one format, read here alone.
//
// A table is lines of cells with tabs between them; lines that begin with # are comments. The first line names the
// columns: the key, then a language each. Where the key's column is named as a language too (en, sv), the key itself is
// what is said in it. No cell is empty, so a key is there in every language of its table. What is said with a whole
// number may have a form for each of the language's plurals, in CLDR's order (one, few, many, other): "%d row | %d
// rows".
package texts

import (
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Table is what a surface says: by language, then by key.
type Table map[string]map[string]string

// between stands between the plural forms of a text.
const between = " | "

// Read reads the tables of a folder as one.
func Read(files fs.FS, folder string) (Table, error) {
	names, err := fs.Glob(files, path.Join(folder, "*.tsv"))
	out := Table{}
	for _, name := range names {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		if err := out.add(string(b)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, err
}

// Must is one table that is part of the program, read when it is first asked for.
func Must(table string) func() Table {
	return sync.OnceValue(func() Table {
		out := Table{}
		if err := out.add(table); err != nil {
			panic(err)
		}
		return out
	})
}

// Language is the language of the table that a tag such as sv-SE asks for; en where it has none.
func (t Table) Language(tag string) string {
	base, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(tag), "_", "-"), "-")
	if base == "no" || base == "nn" {
		base = "nb"
	}
	if t[base] == nil {
		return "en"
	}
	return base
}

func (t Table) add(text string) error {
	var columns []string
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if columns == nil {
			columns = cells
			continue
		}
		if len(cells) != len(columns) || slices.Contains(cells, "") {
			return fmt.Errorf("line %d: %q needs a text in each of %q", n, cells[0], columns)
		}
		for i, lang := range columns[1:] {
			if err := t.put(lang, cells[0], cells[i+1]); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
	}
	return nil
}

func (t Table) put(lang, key, text string) error {
	if t[lang] == nil {
		t[lang] = map[string]string{}
	}
	if was, twice := t[lang][key]; twice {
		return fmt.Errorf("%q is %q already: say what differs under another key", key, was)
	}
	if n, want := strings.Count(text, between), len(formsOf(lang)); n > 0 && n+1 != want {
		return fmt.Errorf("%q has %d forms, and a number has %d in %q", text, n+1, want, lang)
	}
	t[lang][key] = text
	return nil
}

// formsOf are the plurals of a language, in CLDR's order.
func formsOf(lang string) (forms []plural.Form) {
	tag := language.Make(lang)
	for n := range 200 {
		if f := plural.Cardinal.MatchPlural(tag, n, 0, 0, 0, 0); !slices.Contains(forms, f) {
			forms = append(forms, f)
		}
	}
	// plural.Other is 0 and stands last
	slices.SortFunc(forms, func(a, b plural.Form) int { return int(a+5)%6 - int(b+5)%6 })
	return forms
}

// Fill is a text of a language with what stands in it, in the form that its first number asks for.
func Fill(lang, text string, args ...any) string {
	if len(args) == 0 {
		return text
	}
	if forms := strings.Split(text, between); len(forms) > 1 {
		text = forms[len(forms)-1]
		if at := slices.IndexFunc(args, func(a any) bool { return reflect.ValueOf(a).CanInt() }); at >= 0 {
			n := int(reflect.ValueOf(args[at]).Int())
			form := plural.Cardinal.MatchPlural(language.Make(lang), max(n, -n), 0, 0, 0, 0)
			text = forms[slices.Index(formsOf(lang), form)]
		}
	}
	return fmt.Sprintf(text, args...)
}

// Country is what a country is called in a language by its ISO 3166-1 code; empty for a code that is none.
func Country(lang, code string) string {
	region, err := language.ParseRegion(code)
	if err != nil || !region.IsCountry() {
		return ""
	}
	return display.Regions(language.Make(lang)).Name(region)
}

// Fields are the texts of a table in the language that a tag asks for, as a struct: a field has the text of its name, a
// field that is a map those whose keys begin with its name and a space. A table that the struct does not match is no
// part of the program.
func Fields[T any](table func() Table) func(tag string) T {
	all := sync.OnceValue(func() map[string]T {
		out := map[string]T{}
		for lang, texts := range table() {
			var into T
			used := 0
			for v, f := reflect.ValueOf(&into).Elem(), 0; f < v.NumField(); f++ {
				used += fill(v.Field(f), v.Type().Field(f).Name, texts)
			}
			if used != len(texts) {
				panic(fmt.Sprintf("%d texts in %s for %d keys of %T", len(texts), lang, used, into))
			}
			out[lang] = into
		}
		return out
	})
	return func(tag string) T { return all()[table().Language(tag)] }
}

// fill gives a field its texts and says how many there were.
func fill(v reflect.Value, name string, texts map[string]string) (used int) {
	if v.Kind() == reflect.String {
		if texts[name] == "" {
			panic("no text for " + name)
		}
		v.SetString(texts[name])
		return 1
	}
	v.Set(reflect.MakeMap(v.Type()))
	for key, text := range texts {
		if rest, ok := strings.CutPrefix(key, name+" "); ok {
			v.SetMapIndex(reflect.ValueOf(rest).Convert(v.Type().Key()), reflect.ValueOf(text))
			used++
		}
	}
	return used
}
