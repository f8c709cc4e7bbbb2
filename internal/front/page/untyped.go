package page

import (
	"reflect"

	"kontor/internal/foundation/record"
)

// The kinds are written for the types of their values, and served without knowing them: what a form, a list or a
// record's page does is compiled once and not again for each of 270 types. A value is then a pointer to what it was.
type (
	anyForm   Form[any]
	anyList   List[any]
	anyRecord Record[any]
)

// plain copies the fields that do not depend on the type of the values.
func plain(to, from any) {
	dst, src := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for i := range src.NumField() {
		if f := dst.Field(i); f.CanSet() && f.Type() == src.Field(i).Type() {
			f.Set(src.Field(i))
		}
	}
}

// boxed is a function of a value as one of a pointer to it; nil stays nil.
func boxed[T, R any](fn func(T) R) func(any) R {
	if fn == nil {
		return nil
	}
	return func(v any) R { return fn(*v.(*T)) }
}

// boxedIn is boxed for a function that is given the page's context as well.
func boxedIn[T, R any](fn func(*Ctx, T) R) func(*Ctx, any) R {
	if fn == nil {
		return nil
	}
	return func(c *Ctx, v any) R { return fn(c, *v.(*T)) }
}

// boxedTry is boxedIn for a function that may fail.
func boxedTry[T, R any](fn func(*Ctx, T) (R, error)) func(*Ctx, any) (R, error) {
	if fn == nil {
		return nil
	}
	return func(c *Ctx, v any) (R, error) { return fn(c, *v.(*T)) }
}

// loaded is what loads a value as one that loads a pointer to it.
func loaded[T any](load func(*Ctx) (T, error)) func(*Ctx) (any, error) {
	if load == nil {
		return nil
	}
	return func(c *Ctx) (any, error) {
		v, err := load(c)
		return &v, err
	}
}

func (f Form[T]) untyped() *anyForm {
	u := &anyForm{Load: loaded(f.Load), Heading: boxedIn(f.Heading), Of: boxedTry(f.Of),
		none:   func() any { return new(T) },
		Fields: func(c *Ctx, v *any) []Field { return f.Fields(c, (*v).(*T)) },
		Save: func(c *Ctx, lay func(*any) error) (Done, error) {
			return f.Save(c, func(v *T) error {
				var box any = v
				return lay(&box)
			})
		}}
	plain(u, &f)
	return u
}

func (l List[T]) untyped() *anyList {
	u := &anyList{Href: boxed(l.Href), Key: boxed(l.Key), Columns: boxed(l.Columns), none: func() any { return new(T) },
		Find: func(c *Ctx, q Query) (record.Found[any], error) {
			found, err := l.Find(c, q)
			rows := record.Found[any]{Items: make([]any, len(found.Items)), Total: found.Total}
			for i := range found.Items {
				rows.Items[i] = &found.Items[i]
			}
			return rows, err
		}}
	plain(u, &l)
	return u
}

func (r Record[T]) untyped() *anyRecord {
	u := &anyRecord{Load: loaded(r.Load), Show: boxedTry(r.Show), Edit: boxedIn(r.Edit), Again: boxed(r.Again)}
	for _, a := range r.Actions {
		action := Action[any]{When: boxed(a.When), Do: boxedTry(a.Do), form: a.form}
		plain(&action, &a)
		u.Actions = append(u.Actions, action)
	}
	plain(u, &r)
	return u
}
