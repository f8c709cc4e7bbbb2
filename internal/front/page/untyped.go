package page

import "reflect"

// The kinds are written for the types of their values, and served without knowing them: what a form, a list or a
// record's page does is compiled once and not again for each of 270 types. A value is then a pointer to what it was.
type (
	anyForm struct {
		Form[any]
		value reflect.Type
	}
	anyList struct {
		List[any]
		heads []Column
	}
	anyRecord struct{ Record[any] }
)

// untyped is a kind as the same kind of any.
func untyped[K any](kind any) K {
	return retyped(reflect.ValueOf(kind), reflect.TypeFor[K]()).Interface().(K)
}

// none is the zero value of what a form is for.
func (f *anyForm) none() any { return reflect.New(f.value).Interface() }

// retyped is what is of some T as what is of any, where t is that type, and the other way round: a T is a pointer to it
// in an any, and functions, lists and structs take and hold the one instead of the other.
func retyped(v reflect.Value, t reflect.Type) reflect.Value {
	of := v.Type()
	switch {
	case of == t:
		return v
	case t.Kind() == reflect.Interface:
		if !v.CanAddr() {
			at := reflect.New(of).Elem()
			at.Set(v)
			v = at
		}
		return v.Addr()
	case of.Kind() == reflect.Interface:
		return v.Elem().Elem()
	}
	switch of.Kind() {
	case reflect.Pointer:
		if t.Elem().Kind() != reflect.Interface {
			return v.Elem().Elem()
		}
		box := reflect.New(t.Elem())
		box.Elem().Set(v)
		return box
	case reflect.Func:
		if v.IsNil() {
			return reflect.Zero(t)
		}
		return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
			for i := range in {
				in[i] = retyped(in[i], of.In(i))
			}
			out := v.Call(in)
			for i := range out {
				out[i] = retyped(out[i], t.Out(i))
			}
			return out
		})
	}
	to := reflect.New(t).Elem()
	if of.Kind() == reflect.Slice {
		to.Grow(v.Len())
		to.SetLen(v.Len())
		for i := range v.Len() {
			to.Index(i).Set(retyped(v.Index(i), t.Elem()))
		}
		return to
	}
	for i := range of.NumField() {
		to.Field(i).Set(retyped(v.Field(i), t.Field(i).Type))
	}
	return to
}
