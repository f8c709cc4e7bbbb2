package content

import (
	"reflect"
	"slices"
	"strings"
)

// spoken are the fields of sections that a reader reads.
var spoken = []string{"title", "subtitle", "eyebrow", "lead", "htmlContent", "text", "quote", "question", "answer",
	"caption", "altText", "name", "address", "openingHours", "phone", "email", "authorName", "date", "label",
	"heroCtaText"}

// say tells every text of a section that a reader reads, in the order in which its fields stand. A section that is
// hidden says nothing.
func (s *Section) say(fn func(...string)) {
	if s.IsVisible == nil || *s.IsVisible {
		tell(reflect.ValueOf(&s.Shown).Elem(), "", fn)
	}
}

func tell(v reflect.Value, name string, fn func(...string)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			tell(v.Elem(), name, fn)
		}
	case reflect.Slice:
		for i := range v.Len() {
			tell(v.Index(i), name, fn)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			part, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			tell(v.Field(i), part, fn)
		}
	case reflect.String:
		if slices.Contains(spoken, name) {
			fn(v.String())
		}
	}
}
