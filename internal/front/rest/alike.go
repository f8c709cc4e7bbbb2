package rest

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unsafe"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/layout"
	"kontor/internal/foundation/lazy"
)

// Wire types and the values of rooms have most fields alike, and what is alike is not copied by hand. A field of the
// wire is that of the room's value with the same Go name, or with the one that its tag says:
//
//	of:"Number"             the room's Number, be it a field or a method
//	of:"-"                  set by the caller
//	self:"/preview/items/"  of Links and Located: the address is this, and the fields that of names; of a part of
//	                        a record self:"" is below the address that it was created at
//
// Embedded structs are parts of what embeds them, and lists and objects are alike field by field. What is sent with one
// field may also be like the value of that alone, such as a list of lines. What may be null is
// the zero value in the room, and an amount has the minor digits of what it stands in (Digits). A Tag is the room's
// ETag. A field that has no counterpart is found by a law of the house (lazy.All).
//
// Types are compared once, when they are first shown or written; then values are copied by where they lie, because a
// page shows some thousands of them. Only what is made here holds an unsafe.Pointer, and each function says of which
// types.

// Fields are the fields that a room's value has on the wire, for reading and for writing.
type Fields[Wire, Value any] struct {
	Of   func(Value) Wire
	Onto func(Wire, *Value)
}

// Alike are the fields of a wire type that may be written.
func Alike[Wire, Value any]() Fields[Wire, Value] {
	onto := alike(reflect.TypeFor[Value](), reflect.TypeFor[Wire](), toRoom)
	return Fields[Wire, Value]{Of: Shown[Wire, Value](), Onto: func(w Wire, v *Value) {
		onto(unsafe.Pointer(v), unsafe.Pointer(&w), 0)
	}}
}

// Shown makes a wire type of a room's value.
func Shown[Wire, Value any]() func(Value) Wire {
	show := ShownIn[Wire, Value]()
	return func(v Value) Wire { return show(0, v) }
}

// ShownIn makes a wire type of a room's value that does not know itself how many digits its amounts have.
func ShownIn[Wire, Value any]() func(digits int, v Value) Wire {
	of := alike(reflect.TypeFor[Wire](), reflect.TypeFor[Value](), toWire)
	type pair struct {
		wire  Wire
		value Value
	}
	// What is pointed to lies on the heap: one of each serves for all rows of a page.
	pairs := sync.Pool{New: func() any { return new(pair) }}
	return func(digits int, v Value) Wire {
		p := pairs.Get().(*pair)
		p.value = v
		of(unsafe.Pointer(&p.wire), unsafe.Pointer(&p.value), digits)
		w := p.wire
		*p = pair{}
		pairs.Put(p)
		return w
	}
}

// Written makes a room's value of what was sent.
func Written[Wire, Value any]() func(Wire) Value {
	onto := alike(reflect.TypeFor[Value](), reflect.TypeFor[Wire](), toRoom)
	return func(w Wire) (v Value) {
		onto(unsafe.Pointer(&v), unsafe.Pointer(&w), 0)
		return v
	}
}

// Over lays what was sent over a room's value: what is left out, or null, stays as it is.
func Over[Wire, Value any]() func(Wire, *Value) {
	over := alike(reflect.TypeFor[Value](), reflect.TypeFor[Wire](), overRoom)
	return func(w Wire, v *Value) { over(unsafe.Pointer(v), unsafe.Pointer(&w), 0) }
}

// alike is how a value of one type becomes one of another that is to be like it.
func alike(to, from reflect.Type, d direction) setter {
	set := lazy.Of(likened{to, from, d}, func() setter {
		set := like(to, from, d)
		if set == nil {
			panic(fmt.Sprintf("%s is not like %s", to, from))
		}
		return set
	})
	return func(to, from unsafe.Pointer, digits int) { set()(to, from, digits) }
}

// likened is the key of what alike answers.
type likened struct {
	to, from reflect.Type
	direction
}

// direction is which of two structs is the one of the wire: it says what is copied.
type direction int

const (
	toWire direction = iota
	toRoom
	overRoom // toRoom of what is not null
)

// setter writes a value that is alike another, each of the type that the setter was made for.
type setter func(to, from unsafe.Pointer, digits int)

// valueAt is what lies there.
func valueAt(t reflect.Type, at unsafe.Pointer) reflect.Value { return reflect.NewAt(t, at).Elem() }

// likeness copies what is alike from one struct into another.
func likeness(to, from reflect.Type, d direction) setter {
	wire, value := to, from
	if d != toWire {
		wire, value = from, to
	}
	var all []setter
	for _, f := range leaves(wire, 0) {
		name, said := f.Tag.Lookup("of")
		switch {
		case name == "-":
			continue
		case !said && isValidator(f.Type):
			name = "ETag"
		case !said:
			name = f.Name
		}
		set := address(f, value, name)
		if set == nil {
			set = copied(f, value, name, d)
		}
		if set == nil && d == toWire {
			set = derived(f, value, name)
		}
		if set == nil {
			panic(fmt.Sprintf("%s.%s is like no %s of %s", wire, f.Name, name, value))
		}
		all = append(all, set)
	}
	return inDigits(from, all)
}

// copied copies a field of the wire type from the room's value, or into it.
func copied(wire reflect.StructField, value reflect.Type, name string, d direction) setter {
	to := wire
	from, found := value.FieldByName(name)
	if !found {
		return nil
	}
	there, within := layout.Offset(value, from)
	if !within {
		return nil
	}
	in, of := wire.Offset, there
	if d != toWire {
		to, from = from, to
		in, of = of, in
	}
	set := like(to.Type, from.Type, d)
	if set == nil {
		return nil
	}
	mayLack := d == overRoom && from.Type.Kind() == reflect.Pointer
	return func(to, from unsafe.Pointer, digits int) {
		if from = unsafe.Add(from, of); !mayLack || *(*unsafe.Pointer)(from) != nil {
			set(unsafe.Add(to, in), from, digits)
		}
	}
}

// inDigits does all, with the digits of what is shown where it says them.
func inDigits(from reflect.Type, all []setter) setter {
	own, found := from.FieldByName("Digits")
	at, within := layout.Offset(from, own)
	found = found && within && own.Type.Kind() == reflect.Int
	return func(to, from unsafe.Pointer, digits int) {
		if found {
			digits = *(*int)(unsafe.Add(from, at))
		}
		for _, set := range all {
			set(to, from, digits)
		}
	}
}

// leaves are the fields of a wire type, those of what it embeds among them, with where they lie in the whole.
func leaves(t reflect.Type, at uintptr) (all []reflect.StructField) {
	for f := range t.Fields() {
		f.Offset += at
		_, named := f.Tag.Lookup("of")
		switch {
		case f.Type == reflect.TypeFor[Located]() && !named, f.Type == reflect.TypeFor[Paging](): // the caller's
		case f.Anonymous && !named && !isValidator(f.Type):
			all = append(all, leaves(f.Type, f.Offset)...)
		default:
			all = append(all, f)
		}
	}
	return all
}

// tagged is a room's value with a validator of its own.
type tagged interface{ ETag() string }

// based is what shows more than its record, whose validator it makes one of its own of.
type based interface{ base() string }

// derived sets a field to what a method of the room's value answers: no pointer, which could lead into the value, and
// that serves for the next row.
func derived(f reflect.StructField, value reflect.Type, name string) setter {
	method, found := reflect.PointerTo(value).MethodByName(name)
	if !found || method.Type.NumIn() != 1 || method.Type.NumOut() != 1 || method.Type.Out(0).Kind() == reflect.Pointer {
		return nil
	}
	set := like(f.Type, method.Type.Out(0), toWire)
	if set == nil {
		return nil
	}
	if value := reflect.PointerTo(value); isValidator(f.Type) && value.Implements(reflect.TypeFor[tagged]()) {
		return func(to, from unsafe.Pointer, _ int) { // every row has one, and a call by reflection costs 0.3 us
			*(*string)(unsafe.Add(to, f.Offset)) = reflect.NewAt(value.Elem(), from).Interface().(tagged).ETag()
		}
	}
	return func(to, from unsafe.Pointer, digits int) {
		answer := method.Func.Call([]reflect.Value{reflect.NewAt(value, from)})[0]
		holder := reflect.New(answer.Type())
		holder.Elem().Set(answer)
		set(unsafe.Add(to, f.Offset), holder.UnsafePointer(), digits)
	}
}

// address sets Links or Located to the address of the record, which the fields that of names are the keys of.
func address(f reflect.StructField, value reflect.Type, names string) setter {
	base, linked := f.Tag.Lookup("self")
	if !linked {
		return nil
	}
	var keys []uintptr
	for name := range strings.SplitSeq(names, ",") {
		key, found := value.FieldByName(name)
		at, within := layout.Offset(value, key)
		if !found || !within || key.Type.Kind() != reflect.String {
			return nil
		}
		keys = append(keys, at)
	}
	return func(to, from unsafe.Pointer, _ int) {
		segments := each.Of(keys, func(at uintptr) string { return *(*string)(unsafe.Add(from, at)) })
		*(*string)(unsafe.Add(to, f.Offset)) = Self(base, segments...).Self // the one field of either
	}
}

// like sets a value of one type to what it is of another, or is nil where the types are not alike.
func like(to, from reflect.Type, d direction) setter {
	toKind, fromKind := to.Kind(), from.Kind()
	switch {
	case fromKind == reflect.String && (toKind == reflect.String || isValidator(to)):
		return assign[string]
	case to == reflect.TypeFor[dec.Fixed]() && from == reflect.TypeFor[dec.Dec]():
		return func(to, from unsafe.Pointer, digits int) {
			*(*dec.Fixed)(to) = dec.Fixed{Value: *(*dec.Dec)(from), Digits: digits}
		}
	case toKind == reflect.Slice && fromKind == reflect.Slice && to != from:
		return likeList(to, from, d)
	case to == from, isMoment(to) && isMoment(from):
		return plain(to).set
	case toKind == reflect.Pointer:
		return likePointer(to, from, d)
	case fromKind == reflect.Pointer:
		return likePointed(to, from, d)
	case toKind == reflect.Struct && fromKind == reflect.Struct:
		return likeness(to, from, d)
	case fromKind == reflect.Struct && from.NumField() == 1 && d != toWire: // a body that says one thing
		return like(to, from.Field(0).Type, d)
	}
	return nil
}

func isValidator(t reflect.Type) bool {
	return t == reflect.TypeFor[Tag]() || t == reflect.TypeFor[WideTag]()
}

func isMoment(t reflect.Type) bool {
	return t == reflect.TypeFor[Time]() || t == reflect.TypeFor[db.Time]()
}

// plainly is how values of one type are copied, and told from none.
type plainly struct {
	set    setter
	isZero func(unsafe.Pointer) bool
}

func assign[T any](to, from unsafe.Pointer, _ int) { *(*T)(to) = *(*T)(from) }

func words[T comparable]() plainly {
	return plainly{assign[T], func(p unsafe.Pointer) bool {
		var none T
		return *(*T)(p) == none
	}}
}

func plain(t reflect.Type) plainly {
	switch t.Kind() {
	case reflect.String:
		return words[string]()
	case reflect.Bool:
		return words[bool]()
	case reflect.Int:
		return words[int]()
	case reflect.Int64:
		return words[int64]()
	case reflect.Pointer:
		return words[unsafe.Pointer]()
	}
	return plainly{
		func(to, from unsafe.Pointer, _ int) { valueAt(t, to).Set(valueAt(t, from)) },
		func(p unsafe.Pointer) bool { return valueAt(t, p).IsZero() },
	}
}

// likePointer points to what there is. On the wire, nothing is null; what was sent there is, be it zero.
func likePointer(to, from reflect.Type, d direction) setter {
	none, pointed := plain(from).isZero, from.Kind() == reflect.Pointer
	if pointed {
		from = from.Elem()
	}
	set := like(to.Elem(), from, d)
	if set == nil {
		return nil
	}
	return func(at, from unsafe.Pointer, digits int) {
		if (pointed || d == toWire) && none(from) {
			*(*unsafe.Pointer)(at) = nil
			return
		}
		if pointed {
			from = *(*unsafe.Pointer)(from)
		}
		v := reflect.New(to.Elem()).UnsafePointer()
		set(v, from, digits)
		*(*unsafe.Pointer)(at) = v
	}
}

// likePointed is what is pointed to, or the zero value.
func likePointed(to, from reflect.Type, d direction) setter {
	set := like(to, from.Elem(), d)
	if set == nil {
		return nil
	}
	none := reflect.Zero(to)
	return func(at, from unsafe.Pointer, digits int) {
		if from = *(*unsafe.Pointer)(from); from == nil {
			valueAt(to, at).Set(none)
			return
		}
		set(at, from, digits)
	}
}

// likeList is a list of what is alike; the room has none as nil.
func likeList(to, from reflect.Type, d direction) setter {
	set := like(to.Elem(), from.Elem(), d)
	if set == nil {
		return nil
	}
	toSize, fromSize := to.Elem().Size(), from.Elem().Size()
	none := reflect.Zero(to)
	if d == toWire {
		none = reflect.MakeSlice(to, 0, 0)
	}
	return func(at, from unsafe.Pointer, digits int) {
		// Of either list only the header is read here: its length is that of a list of anything.
		list, n := valueAt(to, at), len(*(*[]struct{})(from))
		list.Set(none)
		if n == 0 {
			return
		}
		list.Grow(n)
		list.SetLen(n)
		to, of := list.UnsafePointer(), *(*unsafe.Pointer)(from)
		for i := range n {
			set(unsafe.Add(to, uintptr(i)*toSize), unsafe.Add(of, uintptr(i)*fromSize), digits)
		}
	}
}
