package page

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

// fieldView is a field ready for the template.
type fieldView struct {
	ID, Name, Label, Kind, Type, Mode, Value, Hint, Error, Auto, Lookup, Describe string
	Beside, Of, Asks                                                              string
	Options, Suggestions                                                          []optionView
	Required, Fixed, Wide, Narrow, Stacked, Picture, Focus                        bool
	Max                                                                           int
	Nth                                                                           int           // row of lines, from 1
	Fields                                                                        []fieldView   // of a group
	Heads                                                                         []fieldView   // of lines
	Rows                                                                          [][]fieldView // of lines
	More                                                                          string
	Offering                                                                      string
	Offers                                                                        []Link
}

type optionView struct {
	Value, Label string
	Chosen       bool
}

// sheet is what a form is drawn from: the fields, what was typed into them if anything was, and what is wrong.
type sheet struct {
	t      *translator
	posted *posted
	wrong  map[string][]string // messages by path
	shown  map[string]bool     // paths that stand at a field
	spare  int                 // blank rows below the lines
}

// usualSpare is how many blank rows stand below lines.
const usualSpare = 3

func newSheet(t *translator, p *posted, err error) *sheet {
	s := &sheet{t: t, posted: p, wrong: map[string][]string{}, shown: map[string]bool{}, spare: usualSpare}
	if f, ok := errors.AsType[*fault.Fault](err); ok {
		for _, field := range f.Fields {
			m := t.refusal(field.Said())
			if !slices.Contains(s.wrong[field.Path], m) {
				s.wrong[field.Path] = append(s.wrong[field.Path], m)
			}
		}
	}
	return s
}

func (s *sheet) errorAt(names ...string) string {
	var messages []string
	for _, n := range names {
		if m := s.wrong[n]; len(m) > 0 {
			messages = append(messages, m...)
			s.shown[n] = true
		}
	}
	return strings.Join(messages, ". ")
}

// within are the elements of a list that are refused, for the one field which holds all of it.
func (s *sheet) within(name string) (paths []string) {
	for path := range s.wrong {
		if strings.HasPrefix(path, name+"[") {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	return paths
}

func (s *sheet) fields(fields []Field, prefix string) []fieldView {
	return each.Of(fields, func(f Field) fieldView { return s.field(f, prefix) })
}

func (s *sheet) field(f Field, prefix string) fieldView {
	name := prefix + f.Name
	v := fieldView{ID: idOf(name), Name: name, Label: s.t.say(f.Label), Kind: f.kind, Type: f.input, Mode: f.mode,
		Auto: f.auto, Lookup: f.lookup, Required: f.required, Fixed: f.fixed, Wide: f.wide, Narrow: f.narrow,
		Max: f.max, Stacked: f.stacked, Picture: f.picture, Focus: f.focus, Beside: f.beside, Of: f.of,
		Asks: strings.Join(f.asks, " ")}
	if len(f.begins) > 0 {
		v.Offering, v.Offers = s.t.say(f.offering), f.begins
	}
	if f.hint != "" && !f.settled {
		v.Hint = s.t.say(f.hint, f.hintArgs...)
	}
	paths := []string{name}
	for _, a := range f.also {
		paths = append(paths, prefix+a)
	}
	if f.several {
		paths = append(paths, s.within(name)...)
	}
	v.Error = s.errorAt(paths...)
	if v.Hint != "" {
		v.Describe = v.ID + "-hint"
	}
	if v.Error != "" {
		v.Describe = strings.TrimSpace(v.Describe + " " + v.ID + "-error")
	}
	switch f.kind {
	case "group":
		v.Fields = s.fields(f.fields, prefix)
		return v
	case "lines":
		s.rows(&v, f, name)
		return v
	case "file":
		return v
	}
	s.value(&v, f, name)
	return v
}

// value is what stands in a field: what was typed, else what is there.
func (s *sheet) value(v *fieldView, f Field, name string) {
	var chosen []string
	switch {
	case s.posted != nil && !f.fixed && f.kind == "checks":
		chosen = s.posted.values[name]
	case f.kind == "checks":
		chosen = f.chosen()
	case s.posted != nil && !f.fixed && f.input != "password":
		v.Value = s.posted.raw(name)
	default:
		v.Value = f.show(s.t)
	}
	if f.kind == "select" || f.kind == "radio" {
		chosen = []string{v.Value}
	}
	for _, o := range f.options {
		v.Options = append(v.Options, optionView{o.Value, s.t.say(o.Label), slices.Contains(chosen, o.Value)})
	}
	if f.kind == "select" {
		known := slices.ContainsFunc(f.options, func(o Option) bool { return o.Value == v.Value })
		if !known && v.Value != "" {
			v.Options = append(v.Options, optionView{v.Value, v.Value, true})
		}
		if has := slices.ContainsFunc(f.options, func(o Option) bool { return o.Value == "" }); !has &&
			(!f.required || v.Value == "") {
			v.Options = append([]optionView{{Chosen: v.Value == ""}}, v.Options...)
		}
	}
	for _, o := range f.suggestions {
		v.Suggestions = append(v.Suggestions, optionView{Value: o.Value, Label: o.Label})
	}
}

func (s *sheet) rows(v *fieldView, f Field, name string) {
	blank := f.lines.blank()
	v.Heads = (&sheet{t: s.t}).fields(blank, "")
	there := f.lines.count()
	n := there
	if s.posted != nil {
		n = s.posted.sent(name)
	}
	switch {
	case f.fixed:
	case s.spare == usualSpare && (f.noSpare || s.posted != nil): // those that were left blank were sent as well
	default:
		n += s.spare
	}
	for i := range n {
		fields := blank
		if i < there {
			fields = f.lines.at(i)
		}
		if f.fixed {
			fields = slices.Clone(fields)
			for j := range fields {
				fields[j].fixed = true
			}
		}
		cells := s.fields(fields, row(name, i))
		for j := range cells {
			cells[j].Required = false // of a row that may be left blank
			if i >= there && s.posted == nil && cells[j].Mode == "numeric" {
				cells[j].Value = ""
			}
			cells[j].Nth = i + 1
		}
		seen := slices.IndexFunc(cells, func(c fieldView) bool { return c.Kind != "hidden" })
		if m := s.errorAt(strings.TrimSuffix(row(name, i), ".")); m != "" && seen >= 0 {
			cells[seen].Error = strings.TrimSpace(cells[seen].Error + " " + m)
			cells[seen].Describe = cells[seen].ID + "-error"
		}
		v.Rows = append(v.Rows, cells)
	}
	if !f.fixed && !f.closed {
		v.More = name
	}
}

// others are what is wrong with what no field of the form stands for.
func (s *sheet) others() (out []string) {
	for path, messages := range s.wrong {
		if !s.shown[path] {
			out = append(out, s.t.pathWords(path)+": "+strings.Join(messages, ". "))
		}
	}
	slices.Sort(out)
	return out
}

func idOf(name string) string {
	return "f-" + strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-':
			return r
		}
		return '_'
	}, name)
}

// valuesOf are the fields' values by name, as a form shows them: by these two versions of a record are compared.
func valuesOf(t *translator, fields []Field, prefix string, out map[string]string) map[string]string {
	for _, f := range fields {
		name := prefix + f.Name
		switch f.kind {
		case "group":
			valuesOf(t, f.fields, prefix, out)
		case "lines":
			for i := range f.lines.count() {
				valuesOf(t, f.lines.at(i), row(name, i), out)
			}
		case "checks":
			out[name] = strings.Join(f.chosen(), "\n")
		case "file":
		default:
			if f.input != "password" && !f.fixed {
				out[name] = f.show(t)
			}
		}
	}
	return out
}

// label is the name of the field of this path, as people read it.
func label(t *translator, fields []Field, prefix, path string) string {
	for _, f := range fields {
		name := prefix + f.Name
		switch {
		case f.kind == "group":
			if l := label(t, f.fields, prefix, path); l != "" {
				return l
			}
		case f.kind == "lines" && strings.HasPrefix(path, name+"["):
			i, _, _ := strings.Cut(strings.TrimPrefix(path, name+"["), "]")
			if l := label(t, f.lines.blank(), name+"["+i+"].", path); l != "" {
				n, _ := strconv.Atoi(i)
				return t.say(f.Label) + " " + strconv.Itoa(n+1) + ", " + l
			}
		case name == path:
			return t.say(f.Label)
		}
	}
	return ""
}
