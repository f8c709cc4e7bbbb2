package rest

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// Wire types and the values of rooms have most fields alike, and what is alike is not copied by hand. A field of the
// wire is that of the room's value with the same Go name, or with the one that its tag says:
//
//	of:"Number"             the room's Number, be it a field or a method
//	of:"-"                  set by the caller
//	self:"/preview/items/"  of Links and Located: the address is this, and the fields that of names
//
// Embedded structs are parts of what embeds them, and lists and objects are alike field by field. What may be null is
// the zero value in the room, and an amount has the minor digits of what it stands in (Digits). A Tag is the room's
// ETag. A field that has no counterpart stops the program before it serves anybody.

// Fields are the fields that a room's value has on the wire, for reading and for writing.
type Fields[Wire, Value any] struct {
	Of   func(Value) Wire
	Onto func(Wire, *Value)
}

// Alike are the fields of a wire type that may be written.
func Alike[Wire, Value any]() Fields[Wire, Value] {
	onto := alike(reflect.TypeFor[Value](), reflect.TypeFor[Wire](), toRoom)
	return Fields[Wire, Value]{Of: Shown[Wire, Value](), Onto: func(w Wire, v *Value) {
		onto(reflect.ValueOf(v).Elem(), reflect.ValueOf(&w).Elem(), 0)
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
	// What reflection looks at lies on the heap: one of each serves for all rows of a page.
	pairs := sync.Pool{New: func() any { return new(pair) }}
	return func(digits int, v Value) Wire {
		p := pairs.Get().(*pair)
		p.value = v
		of(reflect.ValueOf(&p.wire).Elem(), reflect.ValueOf(&p.value).Elem(), digits)
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
		onto(reflect.ValueOf(&v).Elem(), reflect.ValueOf(&w).Elem(), 0)
		return v
	}
}

// alike is how a value of one type becomes one of another that is to be like it.
func alike(to, from reflect.Type, d direction) setter {
	set := like(to, from, d)
	if set == nil {
		panic(fmt.Sprintf("%s is not like %s", to, from))
	}
	return set
}

// direction is which of two structs is the one of the wire: it says what is copied.
type direction bool

const (
	toWire direction = true
	toRoom direction = false
)

// setter writes a value that is alike another.
type setter func(to, from reflect.Value, digits int)

// likeness copies what is alike from one struct into another.
func likeness(to, from reflect.Type, d direction) setter {
	wire, value := to, from
	if d == toRoom {
		wire, value = from, to
	}
	var all []setter
	for _, f := range leaves(wire, nil) {
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
	if d == toRoom {
		to, from = from, to
	}
	set := like(to.Type, from.Type, d)
	if set == nil {
		return nil
	}
	if len(to.Index) == 1 && len(from.Index) == 1 {
		in, of := to.Index[0], from.Index[0]
		return func(to, from reflect.Value, digits int) { set(to.Field(in), from.Field(of), digits) }
	}
	return func(in, of reflect.Value, digits int) {
		set(in.FieldByIndex(to.Index), of.FieldByIndex(from.Index), digits)
	}
}

// inDigits does all, with the digits of what is shown where it says them.
func inDigits(from reflect.Type, all []setter) setter {
	own, found := from.FieldByName("Digits")
	return func(to, from reflect.Value, digits int) {
		if found {
			digits = int(from.FieldByIndex(own.Index).Int())
		}
		for _, set := range all {
			set(to, from, digits)
		}
	}
}

// leaves are the fields of a wire type, those of what it embeds among them.
func leaves(t reflect.Type, at []int) (all []reflect.StructField) {
	for f := range t.Fields() {
		f.Index = append(at[:len(at):len(at)], f.Index...)
		_, named := f.Tag.Lookup("of")
		switch {
		case f.Type == reflect.TypeFor[Located]() && !named, f.Type == reflect.TypeFor[Paging](): // the caller's
		case f.Anonymous && !named && !isValidator(f.Type):
			all = append(all, leaves(f.Type, f.Index)...)
		default:
			all = append(all, f)
		}
	}
	return all
}

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
	return func(to, from reflect.Value, digits int) {
		set(to.FieldByIndex(f.Index), method.Func.Call([]reflect.Value{from.Addr()})[0], digits)
	}
}

// address sets Links or Located to the address of the record, which the fields that of names are the keys of.
func address(f reflect.StructField, value reflect.Type, names string) setter {
	base, linked := f.Tag.Lookup("self")
	if !linked {
		return nil
	}
	var keys []reflect.StructField
	for name := range strings.SplitSeq(names, ",") {
		key, found := value.FieldByName(name)
		if !found || key.Type.Kind() != reflect.String {
			return nil
		}
		keys = append(keys, key)
	}
	return func(to, from reflect.Value, _ int) {
		segments := make([]string, len(keys))
		for i, key := range keys {
			segments[i] = from.FieldByIndex(key.Index).String()
		}
		to.FieldByIndex(f.Index).Field(0).SetString(Self(base, segments...).Self)
	}
}

// like sets a value of one type to what it is of another, or is nil where the types are not alike.
func like(to, from reflect.Type, d direction) setter {
	toKind, fromKind := to.Kind(), from.Kind()
	switch {
	case isValidator(to) && fromKind == reflect.String:
		return func(to, from reflect.Value, _ int) { to.Field(0).SetString(from.String()) }
	case to == reflect.TypeFor[dec.Fixed]() && from == reflect.TypeFor[dec.Dec]():
		return func(to, from reflect.Value, digits int) {
			to.Field(0).SetInt(from.Int())
			to.Field(1).SetInt(int64(digits))
		}
	case toKind == reflect.String && fromKind == reflect.String:
		return func(to, from reflect.Value, _ int) { to.SetString(from.String()) }
	case to == from && fromKind == reflect.Bool:
		return func(to, from reflect.Value, _ int) { to.SetBool(from.Bool()) }
	case to == from && !reflect.Zero(from).CanInt():
		return func(to, from reflect.Value, _ int) { to.Set(from) }
	case toKind == reflect.Slice && fromKind == reflect.Slice:
		return likeList(to, from, d)
	case to == from, isMoment(to) && isMoment(from): // a whole number: Set would look at the types each time
		return func(to, from reflect.Value, _ int) { to.SetInt(from.Int()) }
	case toKind == reflect.Pointer:
		return likePointer(to, from, d)
	case fromKind == reflect.Pointer:
		return likePointed(to, from, d)
	case toKind == reflect.Struct && fromKind == reflect.Struct:
		return likeness(to, from, d)
	}
	return nil
}

func isValidator(t reflect.Type) bool {
	return t == reflect.TypeFor[Tag]() || t == reflect.TypeFor[WideTag]()
}

func isMoment(t reflect.Type) bool {
	return t == reflect.TypeFor[Time]() || t == reflect.TypeFor[db.Time]()
}

// likePointer points to what there is. On the wire, nothing is null; what was sent there is, be it zero.
func likePointer(to, from reflect.Type, d direction) setter {
	pointed := from.Kind() == reflect.Pointer
	if pointed {
		from = from.Elem()
	}
	set := like(to.Elem(), from, d)
	if set == nil {
		return nil
	}
	return func(at, from reflect.Value, digits int) {
		if from.IsZero() && (pointed || d == toWire) {
			at.SetZero()
			return
		}
		if pointed {
			from = from.Elem()
		}
		v := reflect.New(to.Elem())
		set(v.Elem(), from, digits)
		at.Set(v)
	}
}

// likePointed is what is pointed to, or the zero value.
func likePointed(to, from reflect.Type, d direction) setter {
	set := like(to, from.Elem(), d)
	if set == nil {
		return nil
	}
	return func(to, from reflect.Value, digits int) {
		if from.IsNil() {
			to.SetZero()
			return
		}
		set(to, from.Elem(), digits)
	}
}

// likeList is a list of what is alike; the room has none as nil.
func likeList(to, from reflect.Type, d direction) setter {
	set := like(to.Elem(), from.Elem(), d)
	if set == nil {
		return nil
	}
	none := reflect.Zero(to)
	if d == toWire {
		none = reflect.MakeSlice(to, 0, 0)
	}
	return func(at, from reflect.Value, digits int) {
		n := from.Len()
		if n == 0 {
			at.Set(none)
			return
		}
		list := reflect.MakeSlice(to, n, n)
		for i := range n {
			set(list.Index(i), from.Index(i), digits)
		}
		at.Set(list)
	}
}
