package db

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"kontor/internal/foundation/layout"
	"kontor/internal/foundation/lazy"
)

// Mapping says where the columns of a table stand in a struct, so that the list of them stands once: to be scanned
// into, and to be written from.
type Mapping[T any] struct{ *Columns }

// Columns are a Mapping of a struct whose type is known as the program runs: all that is done is done here, once for
// every T. Each function that takes such a struct takes a pointer to it.
type Columns struct {
	of   reflect.Type // the struct
	laid func() *columns
}

// columns are what the list says, found out when they are first used.
type columns struct {
	names  []string
	fields []field
	set    string
}

// field is where a column stands in the struct.
type field struct {
	of   reflect.Type
	at   uintptr
	kept func(field any) any // nil: as it is
}

// pointer to the field of the struct that lies there.
func (f field) pointer(to unsafe.Pointer) any {
	p := reflect.NewAt(f.of, unsafe.Add(to, f.at)).Interface()
	if f.kept != nil {
		return f.kept(p)
	}
	return p
}

// kept are what fields may say of how a column keeps them.
var kept = map[string]func(field any) any{
	"json":  func(f any) any { return JSON{f} },
	"lines": func(f any) any { return (*Lines)(f.(*[]string)) },
	"words": func(f any) any { return (*Words)(f.(*[]string)) },
}

// Map finds the field of each column in T or what it embeds: the one that says so (`db:"customer"`), or the one of the
// column's name, LogoURL for logo_url. A field that says `db:",json"` is kept as JSON, and a list of texts that says
// `db:",lines"` or `db:",words"` as Lines or Words. The fields of a struct that says `db:"bill_,columns"` have columns
// of their own, whose names begin so. Where there is no field, the first use of the mapping panics, and before it a law
// of the house (lazy.All).
func Map[T any](columns string) Mapping[T] {
	return Mapping[T]{ColumnsOf(reflect.TypeFor[T](), columns)}
}

// ColumnsOf is Map of a type that is known as the program runs.
func ColumnsOf(t reflect.Type, list string) *Columns {
	return &Columns{t, lazy.Of(columnList{t, list}, func() *columns { return lay(t, list) })}
}

// columnList is the key of what is laid.
type columnList struct {
	of   reflect.Type
	list string
}

func lay(t reflect.Type, list string) *columns {
	fields := map[string]reflect.StructField{}
	findFields(fields, t, "", nil)
	c := &columns{names: ColumnNames(list)}
	sets := make([]string, len(c.names))
	for i, column := range c.names {
		f, ok := fields[strings.ReplaceAll(column, "_", "")]
		if !ok {
			panic(fmt.Sprintf("db: %s has no exported field for the column %s", t, column))
		}
		at, within := layout.Offset(t, f)
		_, way, _ := strings.Cut(f.Tag.Get("db"), ",")
		if !within || way != "" && kept[way] == nil {
			panic(fmt.Sprintf("db: %s.%s cannot be kept as %s", t, f.Name, cmp.Or(way, "a column")))
		}
		c.fields = append(c.fields, field{f.Type, at, kept[way]})
		sets[i] = column + " = :" + column
	}
	c.set = strings.Join(sets, ", ")
	return c
}

// findFields adds the fields of a struct, which lies at a place in another, by the names of their columns.
func findFields(fields map[string]reflect.StructField, t reflect.Type, begin string, place []int) {
	for _, f := range reflect.VisibleFields(t) {
		name, way, _ := strings.Cut(f.Tag.Get("db"), ",")
		if name == "" && way != columnsOf {
			name = strings.ToLower(f.Name)
		}
		name = begin + strings.ReplaceAll(name, "_", "")
		f.Index = slices.Concat(place, f.Index)
		if way == columnsOf {
			findFields(fields, f.Type, name, f.Index)
			continue
		}
		if other, ok := fields[name]; f.IsExported() && (!ok || len(f.Index) < len(other.Index)) {
			fields[name] = f
		}
	}
}

// columnsOf is said by a struct whose fields have columns of their own.
const columnsOf = "columns"

// Of are pointers to the fields, in the order of the columns: for Row.Scan, and as values for Insert and its kin.
func (m Mapping[T]) Of(v *T) []any { return m.Columns.Of(v) }

// Scan reads a row of the columns, and of none besides.
func (m Mapping[T]) Scan(r Row, v *T) error { return m.Columns.Scan(r, v) }

// Args are the values of the columns by their names, and more.
func (m Mapping[T]) Args(v *T, more Args) Args { return m.Columns.Args(v, more) }

// Of is that of Mapping.
func (c *Columns) Of(v any) []any {
	to, fields := c.pointer(v), c.laid().fields
	out := make([]any, len(fields), len(fields)+4) // derived columns follow
	for i, f := range fields {
		out[i] = f.pointer(to)
	}
	return out
}

// pointer is where the struct lies that v points to, which must be one of those that the columns are of.
func (c *Columns) pointer(v any) unsafe.Pointer {
	if t := reflect.TypeOf(v); t.Kind() != reflect.Pointer || t.Elem() != c.of {
		panic(fmt.Sprintf("db: columns of *%s are not those of %T", c.of, v))
	}
	return reflect.ValueOf(v).UnsafePointer()
}

// Type is the struct's.
func (c *Columns) Type() reflect.Type { return c.of }

// Copy sets the fields of one to what they are in another.
func (c *Columns) Copy(to, from any) {
	into, of := c.pointer(to), c.pointer(from)
	for _, f := range c.laid().fields {
		reflect.NewAt(f.of, unsafe.Add(into, f.at)).Elem().Set(reflect.NewAt(f.of, unsafe.Add(of, f.at)).Elem())
	}
}

// Scan is that of Mapping.
func (c *Columns) Scan(r Row, v any) error { return r.Scan(c.Of(v)...) }

// Select lists the columns as those of the table with this alias.
func (c *Columns) Select(alias string) string {
	return alias + "." + strings.Join(c.laid().names, ", "+alias+".")
}

// Set is what follows the `set` of an update: every column takes the parameter of its name, see Args.
func (c *Columns) Set() string { return c.laid().set }

// Args is that of Mapping.
func (c *Columns) Args(v any, more Args) Args {
	names := c.laid().names
	a := make(Args, len(names)+len(more))
	for i, p := range c.Of(v) {
		a[names[i]] = p
	}
	maps.Copy(a, more)
	return a
}

// Overwriting is the end of an Upsert whose rows take the place of those with the same keys: columns are those that are
// taken over, and keys among them are left out.
func Overwriting(keys, columns string) string {
	var sets []string
	for _, c := range ColumnNames(columns) {
		if !slices.Contains(ColumnNames(keys), c) {
			sets = append(sets, c+" = excluded."+c)
		}
	}
	return "on conflict (company, " + keys + ") do update set " + strings.Join(sets, ", ")
}

// ColumnNames are the names of a list of columns.
func ColumnNames(columns string) []string {
	return strings.Fields(strings.ReplaceAll(columns, ",", " "))
}

// JSON keeps what At points to in a column of text; its zero value is the empty text.
type JSON struct{ At any }

// Text is what the column holds.
func (j JSON) Text() string {
	b, err := json.Marshal(j.At)
	if err != nil {
		panic(fmt.Sprintf("db: %T: %v", j.At, err)) // lists and structs of texts and numbers cannot fail to encode
	}
	if s := string(b); s != "null" && s != "{}" && s != "[]" {
		return s
	}
	return ""
}

// Scan reads what Text wrote.
func (j JSON) Scan(v any) error {
	text, err := textOf(v)
	reflect.ValueOf(j.At).Elem().SetZero()
	if err != nil || text == "" {
		return err
	}
	return json.Unmarshal([]byte(text), j.At)
}

// Lines keeps a list of texts in a column, one a line.
type Lines []string

// Text is what the column holds.
func (l Lines) Text() string { return strings.Join(l, "\n") }

// Scan reads what Text wrote; nothing is nil.
func (l *Lines) Scan(v any) error {
	text, err := textOf(v)
	if *l = nil; text != "" {
		*l = strings.Split(text, "\n")
	}
	return err
}

// Words keeps a list of words in a column, parted by spaces.
type Words []string

// Text is what the column holds.
func (w Words) Text() string { return strings.Join(w, " ") }

// Scan reads what Text wrote; nothing is the empty list.
func (w *Words) Scan(v any) error {
	text, err := textOf(v)
	*w = strings.Fields(text)
	return err
}

func textOf(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case []byte:
		return string(v), nil
	}
	return "", fmt.Errorf("db: lists and JSON are kept as text, not %T", v)
}
