package db

import (
	"fmt"
	"reflect"
	"strings"
)

// Mapping says where the columns of a table stand in a struct, so that the list of them stands once: to be scanned
// into, and to be written from.
type Mapping[T any] struct{ index [][]int }

// Map finds the field of each column in T or what it embeds: the one that says so (`db:"customer"`), or the one of the
// column's name, LogoURL for logo_url. It panics where there is none: a mapping is made as the program starts.
func Map[T any](columns string) Mapping[T] {
	t := reflect.TypeFor[T]()
	fields := map[string][]int{}
	for _, f := range reflect.VisibleFields(t) {
		name := f.Tag.Get("db")
		if name == "" {
			name = strings.ToLower(f.Name)
		}
		name = strings.ReplaceAll(name, "_", "")
		if at, ok := fields[name]; f.IsExported() && (!ok || len(f.Index) < len(at)) {
			fields[name] = f.Index
		}
	}
	var m Mapping[T]
	for column := range strings.SplitSeq(columns, ",") {
		column = strings.TrimSpace(column)
		at, ok := fields[strings.ReplaceAll(column, "_", "")]
		if !ok {
			panic(fmt.Sprintf("db: %s has no exported field for the column %s", t, column))
		}
		m.index = append(m.index, at)
	}
	return m
}

// Of are pointers to the fields, in the order of the columns: for Row.Scan, and as values for Insert and its kin.
func (m Mapping[T]) Of(v *T) []any {
	s := reflect.ValueOf(v).Elem()
	out := make([]any, len(m.index), len(m.index)+4) // derived columns follow
	for i, at := range m.index {
		out[i] = s.FieldByIndex(at).Addr().Interface()
	}
	return out
}

// Scan reads a row of the columns, and of none besides.
func (m Mapping[T]) Scan(r Row, v *T) error { return r.Scan(m.Of(v)...) }
