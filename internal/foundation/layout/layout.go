// Package layout knows where fields lie in structs, so that what is done for each of many rows need not look at types.
package layout

import "reflect"

// Offset is where a field of a struct of type t lies in it, be it the field of what t embeds. What lies behind a
// pointer lies in another struct.
func Offset(t reflect.Type, f reflect.StructField) (at uintptr, within bool) {
	for _, i := range f.Index {
		if t.Kind() != reflect.Struct {
			return 0, false
		}
		at += t.Field(i).Offset
		t = t.Field(i).Type
	}
	return at, true
}
