package record

import (
	"fmt"
	"reflect"
	"strings"

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
		if !reflect.DeepEqual(before, after) {
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

func diffStruct(out map[string][2]any, prefix string, b, a reflect.Value) {
	t := b.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() || f.Type == reflect.TypeFor[Root]() || f.Tag.Get(secretTag) == "-" {
			continue
		}
		fb, fa := b.Field(i), a.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			diffStruct(out, prefix, fb, fa)
			continue
		}
		diffValue(out, prefix+fieldName(f.Name), fb, fa)
	}
}

func diffValue(out map[string][2]any, name string, b, a reflect.Value) {
	if b.Comparable() && a.Comparable() && b.Kind() != reflect.Pointer && b.Kind() != reflect.Interface {
		if !b.Equal(a) {
			out[name] = [2]any{b.Interface(), a.Interface()}
		}
		return
	}
	if b.Kind() == reflect.Slice && numbered(b.Type()) {
		diffLines(out, name, b, a)
		return
	}
	if !reflect.DeepEqual(b.Interface(), a.Interface()) {
		out[name] = [2]any{b.Interface(), a.Interface()}
	}
}

func numbered(t reflect.Type) bool {
	e := t.Elem()
	if e.Kind() != reflect.Struct {
		return false
	}
	f, ok := e.FieldByName("Number")
	return ok && f.Type.Kind() == reflect.Int
}

func diffLines(out map[string][2]any, name string, b, a reflect.Value) {
	old := make(map[int64]reflect.Value, b.Len())
	for i := range b.Len() {
		old[b.Index(i).FieldByName("Number").Int()] = b.Index(i)
	}
	for i := range a.Len() {
		n := a.Index(i).FieldByName("Number").Int()
		line := fmt.Sprintf("%s[%d]", name, n)
		if was, ok := old[n]; ok {
			diffStruct(out, line+".", was, a.Index(i))
			delete(old, n)
			continue
		}
		out[line] = [2]any{nil, a.Index(i).Interface()}
	}
	for n, was := range old {
		out[fmt.Sprintf("%s[%d]", name, n)] = [2]any{was.Interface(), nil}
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
	t := v.Type()
	for i := range t.NumField() {
		f, fv := t.Field(i), v.Field(i)
		if !f.IsExported() || f.Type == reflect.TypeFor[Root]() || f.Tag.Get(secretTag) == "-" || fv.IsZero() {
			continue
		}
		if f.Anonymous && fv.Kind() == reflect.Struct {
			for k, e := range plainStruct(fv) {
				out[k] = e
			}
			continue
		}
		out[fieldName(f.Name)] = plainValue(fv)
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
