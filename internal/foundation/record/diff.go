package record

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/foundation/dec"
)

// Secret in a field's tag (`log:"-"`) keeps its value out of the activity log.
const secretTag = "log"

// Diff is what differs between two values of one struct type: field name -> before and after. Roots are left
// out; slices whose elements have a Number field are compared line by line, others as a whole.
func Diff(before, after any) map[string][2]any {
	out := map[string][2]any{}
	b, a := indirect(reflect.ValueOf(before)), indirect(reflect.ValueOf(after))
	if !b.IsValid() || !a.IsValid() || b.Type() != a.Type() || b.Kind() != reflect.Struct {
		if !alike(reflect.ValueOf(before), reflect.ValueOf(after)) {
			out["value"] = [2]any{before, after}
		}
		return out
	}
	diffStruct(out, "", b, a)
	return out
}

func indirect(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	return v
}

// shape is a struct type as the activity log sees it.
type shape []shapeField

// shapeField is a field that the log tells of.
type shapeField struct {
	index      int
	name       string
	isEmbedded bool  // its own fields stand in its place
	isPlain    bool  // two values of it can be compared as they lie there
	number     []int // where the number of a line stands, in a list of lines
}

// shapeOf is what reflection finds out of a struct type, once of each: every write asks for it.
var shapeOf = onceOfEach(func(t reflect.Type) (s shape) {
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() || f.Type == reflect.TypeFor[Root]() || f.Tag.Get(secretTag) == "-" {
			continue
		}
		s = append(s, shapeField{index: i, name: fieldName(f.Name), isPlain: isPlain(f.Type), number: numberIn(f.Type),
			isEmbedded: f.Anonymous && f.Type.Kind() == reflect.Struct})
	}
	return s
})

// onceOfEach is a function of nothing but its argument that works each answer out once.
func onceOfEach[K comparable, V any](work func(K) V) func(K) V {
	var known sync.Map
	return func(k K) V {
		v, ok := known.Load(k)
		if !ok {
			v, _ = known.LoadOrStore(k, work(k))
		}
		return v.(V)
	}
}

// isPlain reports whether values of a type are the same whenever == says so: what it points to is not asked.
func isPlain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Chan:
		return false
	case reflect.Array:
		return isPlain(t.Elem())
	case reflect.Struct:
		for field := range t.Fields() {
			if !isPlain(field.Type) {
				return false
			}
		}
	}
	return t.Comparable()
}

// numberIn is where the lines of a list have their Number; nil for any other type.
func numberIn(t reflect.Type) []int {
	if t.Kind() != reflect.Slice || t.Elem().Kind() != reflect.Struct {
		return nil
	}
	if f, ok := t.Elem().FieldByName("Number"); ok && f.Type.Kind() == reflect.Int {
		return f.Index
	}
	return nil
}

func diffStruct(out map[string][2]any, prefix string, b, a reflect.Value) {
	for _, f := range shapeOf(b.Type()) {
		fb, fa := b.Field(f.index), a.Field(f.index)
		switch {
		case f.isEmbedded:
			diffStruct(out, prefix, fb, fa)
		case f.isPlain && fb.Equal(fa):
		case f.number != nil:
			diffLines(out, prefix+f.name, f.number, fb, fa)
		case f.isPlain || !alike(fb, fa):
			out[prefix+f.name] = [2]any{fb.Interface(), fa.Interface()}
		}
	}
}

// alike reports whether two values say the same. An empty list is no other than none: callers write one back where they
// were shown one, and nothing has changed.
func alike(b, a reflect.Value) bool {
	if !b.IsValid() || !a.IsValid() {
		return b.IsValid() == a.IsValid()
	}
	if b.Type() != a.Type() {
		return false
	}
	switch b.Kind() {
	case reflect.Pointer, reflect.Interface:
		if b.IsNil() || a.IsNil() {
			return b.IsNil() == a.IsNil()
		}
		return alike(b.Elem(), a.Elem())
	case reflect.Slice, reflect.Array:
		if b.Kind() == reflect.Slice && b.Type().Elem().Kind() == reflect.Uint8 {
			return bytes.Equal(b.Bytes(), a.Bytes()) // a document may have many
		}
		for i := range min(b.Len(), a.Len()) {
			if !alike(b.Index(i), a.Index(i)) {
				return false
			}
		}
		return b.Len() == a.Len()
	case reflect.Map:
		for each := b.MapRange(); each.Next(); {
			if other := a.MapIndex(each.Key()); !other.IsValid() || !alike(each.Value(), other) {
				return false
			}
		}
		return b.Len() == a.Len()
	case reflect.Struct:
		for i := range b.NumField() {
			if !alike(b.Field(i), a.Field(i)) {
				return false
			}
		}
		return true
	}
	return b.Equal(a)
}

func diffLines(out map[string][2]any, name string, number []int, b, a reflect.Value) {
	at := func(l reflect.Value) int64 { return l.FieldByIndex(number).Int() }
	line := func(n int64) string { return fmt.Sprintf("%s[%d]", name, n) }
	old := make(map[int64]reflect.Value, b.Len())
	for i := range b.Len() {
		old[at(b.Index(i))] = b.Index(i)
	}
	for i := range a.Len() {
		n := at(a.Index(i))
		was, ok := old[n]
		if !ok {
			out[line(n)] = [2]any{nil, a.Index(i).Interface()}
			continue
		}
		delete(old, n)
		if !was.Comparable() || !was.Equal(a.Index(i)) {
			diffStruct(out, line(n)+".", was, a.Index(i))
		}
	}
	for n, was := range old {
		out[line(n)] = [2]any{was.Interface(), nil}
	}
}

// fieldName is a Go field as the wire would name it: TaxCode -> taxCode, VATNumber -> vatNumber.
func fieldName(s string) string {
	n := 0
	for n < len(s) && s[n] >= 'A' && s[n] <= 'Z' {
		n++
	}
	if n > 1 && n < len(s) {
		n--
	}
	return strings.ToLower(s[:n]) + s[n:]
}

// Told is a record, or a part of one, as fields with their values: what the activity log says of one that is made.
// Roots, secrets and what is empty are left out.
func Told(v any) map[string]any { return plainStruct(indirect(reflect.ValueOf(v))) }

// snapshotOf is a whole record as the activity row of its creation or deletion keeps it.
func snapshotOf(v any) string {
	if v == nil {
		return ""
	}
	r := indirect(reflect.ValueOf(v))
	if r.Kind() == reflect.Struct {
		return encode(plainStruct(r))
	}
	return encode(v)
}

// plainStruct is a struct as name -> value, roots and secrets left out, zero values left out.
func plainStruct(v reflect.Value) map[string]any {
	out := map[string]any{}
	for _, f := range shapeOf(v.Type()) {
		switch fv := v.Field(f.index); {
		case fv.IsZero():
		case f.isEmbedded:
			maps.Copy(out, plainStruct(fv))
		default:
			out[f.name] = plainValue(fv)
		}
	}
	return out
}

func plainValue(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return plainValue(v.Elem())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Struct {
			list := make([]any, v.Len())
			for i := range list {
				list[i] = plainStruct(v.Index(i))
			}
			return list
		}
	case reflect.Struct:
		if _, isText := v.Interface().(interface{ MarshalText() ([]byte, error) }); !isText {
			return plainStruct(v)
		}
	}
	return v.Interface()
}

func encode(v any) string {
	if m, ok := v.(map[string][2]any); ok {
		for k, pair := range m {
			m[k] = [2]any{plainAny(pair[0]), plainAny(pair[1])}
		}
	}
	b, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		// a value of the house that cannot be shown is a fault of ours
		panic(fmt.Sprintf("record: activity detail: %v", err))
	}
	return string(b)
}

func plainAny(v any) any {
	switch v.(type) {
	case nil, string, bool, int, int64, dec.Dec:
		return v
	}
	return plainValue(reflect.ValueOf(v))
}

// Fields are the fields by which the log may tell of a record that this program keeps, each with its resource.
func Fields() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, t := range laidOut.list() {
			for name := range fieldsOf(t.of, map[reflect.Type]bool{}) {
				if !yield(t.resource.Name, name) {
					return
				}
			}
		}
	}
}

// fieldsOf are the fields of a struct type, of those in it, and of those that its lists and maps hold.
func fieldsOf(t reflect.Type, seen map[reflect.Type]bool) map[string]bool {
	all := map[string]bool{}
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return all
	}
	seen[t] = true
	for _, f := range shapeOf(t) {
		if !f.isEmbedded {
			all[f.name] = true
		}
		maps.Copy(all, fieldsOf(t.Field(f.index).Type, seen))
	}
	return all
}
