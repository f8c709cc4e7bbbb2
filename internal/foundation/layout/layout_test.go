package layout_test

import (
	"reflect"
	"testing"
	"unsafe"

	"kontor/internal/foundation/layout"
)

type inner struct{ A, B int64 }

type within struct {
	Name string
	inner
	Deep struct{ inner }
}

type behind struct{ *inner }

func TestAFieldLiesWhereTheLanguageSays(t *testing.T) {
	var w within
	whole := reflect.TypeOf(w)
	for name, want := range map[string]uintptr{"Name": 0, "B": unsafe.Offsetof(w.B),
		"Deep": unsafe.Offsetof(w.Deep)} {
		f, _ := whole.FieldByName(name)
		if at, ok := layout.Offset(whole, f); !ok || at != want {
			t.Errorf("%s lies at %d, %v, and not at %d", name, at, ok, want)
		}
	}
	f, _ := reflect.TypeFor[behind]().FieldByName("B")
	if _, ok := layout.Offset(reflect.TypeFor[behind](), f); ok {
		t.Error("what lies behind a pointer is said to lie in the struct")
	}
}
