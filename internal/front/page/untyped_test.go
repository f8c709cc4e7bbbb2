package page

import (
	"reflect"
	"testing"
)

// A field that a kind gets some day must reach the page that is served.
func TestNoFieldOfAKindIsLost(t *testing.T) {
	var form Form[int]
	var list List[int]
	var sheet Record[int]
	populate(reflect.ValueOf(&form).Elem())
	populate(reflect.ValueOf(&list).Elem())
	populate(reflect.ValueOf(&sheet).Elem())
	whole(t, "Form", reflect.ValueOf(untyped[Form[any]](form)))
	whole(t, "List", reflect.ValueOf(untyped[List[any]](list)))
	whole(t, "Record", reflect.ValueOf(untyped[Record[any]](sheet)))
}

// populate gives every exported field a value that is not its zero.
func populate(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				populate(v.Field(i))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		populate(v.Index(0))
	case reflect.Func:
		v.Set(reflect.MakeFunc(v.Type(), nil))
	case reflect.String:
		v.SetString("said")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	}
}

func whole(t *testing.T, path string, v reflect.Value) {
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				whole(t, path+"."+f.Name, v.Field(i))
			}
		}
	case v.IsZero():
		t.Errorf("%s is lost when the type of its values is left out", path)
	case v.Kind() == reflect.Slice && v.Len() > 0:
		whole(t, path, v.Index(0))
	}
}
