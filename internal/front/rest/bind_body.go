package rest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/foundation/fault"
)

// maxDepth bounds how deeply a body may nest.
const maxDepth = 32

// decoder reads JSON into Go values along their shapes. It collects everything that is wrong with the
// values and stops only where the text is no JSON.
type decoder struct {
	lax bool // unknown fields are ignored
	// unbounded is a trial of what stands behind the fields' own rules (see Unbounded).
	unbounded bool
}

// reading is one body being read.
type reading struct {
	decoder
	in       *jsontext.Decoder
	dry      bool // a patch read for its own faults only: what it will lie on is not known yet
	faults   *fault.List
	accepted []string // where the first unknown field stood
	present  []string // top-level names of a patch
	path     []step
	base     int // steps of path that lead to what is read
	most     int // entries of the list or map that is read next
}

// step is a member's name, or an index where the name is empty.
type step struct {
	name  string
	index int
}

func (r *reading) enter(name string, index int) { r.path = append(r.path, step{name, index}) }
func (r *reading) leave()                       { r.path = r.path[:len(r.path)-1] }

// where is the present place as people write it: lines[2].quantity.
func (r *reading) where() string {
	var b strings.Builder
	for _, s := range r.path {
		if s.name == "" {
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.name)
	}
	return b.String()
}

func (r *reading) say(format string, args ...any) { r.note(fault.ErrInvalid, format, args...) }

// note notes what is wrong here. Where so much is wrong already that it is only counted, nothing is put into words.
func (r *reading) note(c fault.Code, format string, args ...any) {
	where := ""
	if !r.faults.IsFull() {
		where = r.where()
	}
	r.faults.Add(c, where, format, args...)
}

// errTooDeep is what reading stops with at the 33rd level.
var errTooDeep = errors.New("nests deeper than 32 levels")

// decode reads body, one JSON object, into v. What is wrong with its values goes to faults; an error
// means that it is no JSON at all. patching lays it over v as a merge patch; dry only checks the patch.
func (d *decoder) decode(body []byte, s *shape, v reflect.Value, patching, dry bool, faults *fault.List) (*reading,
	error) {
	r := &reading{decoder: *d, in: jsontext.NewDecoder(bytes.NewBuffer(body)), dry: dry, faults: faults,
		most: maxListItems}
	if s.pointer {
		p := reflect.New(s.typ)
		v.Set(p)
		v = p.Elem()
	}
	if _, err := r.value(s, v, patching); err != nil {
		return nil, err
	}
	if _, err := r.in.ReadToken(); err != io.EOF {
		if err == nil {
			err = errors.New("something follows the object")
		}
		return nil, err
	}
	return r, nil
}

// skip passes over a value nobody wants, its syntax checked.
func (r *reading) skip() error {
	from := r.in.StackDepth()
	for {
		if _, err := r.in.ReadToken(); err != nil {
			return err
		}
		if r.in.StackDepth() > maxDepth {
			return errTooDeep
		}
		if r.in.StackDepth() == from {
			return nil
		}
	}
}

// refuse notes what the value should have been and passes over it.
func (r *reading) refuse(format string, args ...any) (bool, error) {
	r.say(format, args...)
	return false, r.skip()
}

// value reads a value of shape s into v, which has no pointer. ok is false when something was noted.
func (r *reading) value(s *shape, v reflect.Value, patching bool) (ok bool, err error) {
	kind := r.in.PeekKind()
	switch s.wire {
	case wireObject:
		if kind != '{' {
			return r.refuse("must be an object")
		}
		if s.merge {
			return r.entry(s, v)
		}
		return r.object(s, v, patching)
	case wireList:
		if kind != '[' {
			return r.refuse("must be a list")
		}
		return r.list(s, v)
	case wireMap:
		if kind != '{' {
			return r.refuse("must be an object")
		}
		return r.mapped(s, v)
	case wireRaw:
		return r.raw(v)
	case wireBool:
		if kind != 't' && kind != 'f' {
			return r.refuse("must be true or false")
		}
	case wireInt:
		if kind != '0' {
			return r.refuse("must be a whole number")
		}
	case wireDec:
		if kind != '0' && kind != '"' {
			return r.refuse("must be a decimal number, as a string or a number")
		}
	default:
		if kind != '"' {
			return r.refuse("must be a text")
		}
	}
	token, err := r.in.ReadToken()
	if err != nil {
		return false, err
	}
	if wrong := parsePlain(s, token.String(), v, false); wrong != nil {
		r.say("%s", wrong)
		return false, nil
	}
	return true, nil
}

// member reads the value of field f, null included, and checks its rules.
func (r *reading) member(f *field, v reflect.Value, patching bool) error {
	s := f.shape
	if r.in.PeekKind() == 'n' {
		if _, err := r.in.ReadToken(); err != nil {
			return err
		}
		if f.req || !s.nullable {
			r.say("cannot be null")
			return nil
		}
		v.SetZero()
		return nil
	}
	r.most = f.maxItems
	ok, err := r.given(s, v, patching)
	if ok && err == nil {
		f.identify(v, r.say)
		r.broken(f, v)
		r.brokenElements(f, v)
		if f.oneLine {
			r.inOneLine(v)
		}
	}
	return err
}

// inOneLine notes a text that has several lines, or each of a list.
func (r *reading) inOneLine(v reflect.Value) {
	switch v = reflect.Indirect(v); v.Kind() {
	case reflect.String:
		if strings.ContainsAny(v.String(), "\n\t") {
			r.say("must be one line: leave newlines and tabs out")
		}
	case reflect.Slice:
		for i := range v.Len() {
			r.enter("", i)
			r.inOneLine(v.Index(i))
			r.leave()
		}
	}
}

// given reads a value that is not null. An empty text is null where null is allowed.
func (r *reading) given(s *shape, v reflect.Value, patching bool) (bool, error) {
	if s.nullable && textual(s.wire) && r.in.PeekKind() == '"' {
		token, err := r.in.ReadToken()
		if err != nil {
			return false, err
		}
		text := token.String()
		if strings.TrimSpace(text) == "" {
			v.SetZero()
			return true, nil
		}
		if wrong := parseInto(s, text, v, false); wrong != nil {
			r.say("%s", wrong)
			return false, nil
		}
		return true, nil
	}
	if !s.pointer {
		return r.value(s, v, patching)
	}
	// A copy: the caller may still hold what the pointer points to now.
	p := reflect.New(s.typ)
	fresh := v.IsNil()
	if !fresh {
		p.Elem().Set(v.Elem())
	}
	ok, err := r.value(s, p.Elem(), patching && (r.dry || !fresh))
	v.Set(p)
	return ok, err
}

func textual(w wire) bool {
	return w == wireText || w == wireDec || w == wireDay || w == wireTime || w == wireEnum
}

func (r *reading) object(s *shape, v reflect.Value, patching bool) (bool, error) {
	before := r.faults.Count()
	if _, err := r.in.ReadToken(); err != nil {
		return false, err
	}
	if r.in.StackDepth() > maxDepth {
		return false, errTooDeep
	}
	var small [64]bool
	seen := small[:min(len(s.fields), 64)]
	if len(s.fields) > 64 {
		seen = make([]bool, len(s.fields))
	}
	for r.in.PeekKind() != '}' {
		token, err := r.in.ReadToken()
		if err != nil {
			return false, err
		}
		name := token.String()
		f := s.byName[name]
		if patching && len(r.path) == r.base {
			r.present = append(r.present, name)
		}
		r.enter(name, 0)
		if f == nil || patching && f.createOnly {
			err = r.unknown(s, patching)
		} else {
			seen[f.pos] = true
			err = r.member(f, v.FieldByIndex(f.index), patching)
		}
		r.leave()
		if err != nil {
			return false, err
		}
	}
	if _, err := r.in.ReadToken(); err != nil {
		return false, err
	}
	if !patching {
		r.absent(s, v, seen)
	}
	return r.faults.Count() == before, nil
}

// absent gives absent fields their default, or says that they are required.
func (r *reading) absent(s *shape, v reflect.Value, seen []bool) {
	for _, f := range s.fields {
		switch {
		case seen[f.pos]:
		case f.fallback != "":
			if err := f.parse(f.fallback, v.FieldByIndex(f.index)); err != nil {
				panic(err) // it was parsed when the surface was mounted
			}
		case f.req:
			r.enter(f.name, 0)
			r.say("is required")
			r.leave()
		}
	}
}

func (r *reading) unknown(s *shape, patching bool) error {
	if !r.lax {
		var names []string
		if !r.faults.IsFull() {
			names = s.accepted(patching)
		}
		if r.accepted == nil {
			r.accepted = names
		}
		r.note(fault.ErrUnknownField, "is no field of this request; accepted are %s", listed(names))
	}
	return r.skip()
}

func (r *reading) list(s *shape, v reflect.Value) (bool, error) {
	before := r.faults.Count()
	if _, err := r.in.ReadToken(); err != nil {
		return false, err
	}
	if r.in.StackDepth() > maxDepth {
		return false, errTooDeep
	}
	most := r.room()
	out := reflect.MakeSlice(s.typ, 0, 4)
	for i := 0; r.in.PeekKind() != ']'; i++ {
		if i >= most {
			return false, r.crowded(']', i, most)
		}
		r.enter("", i)
		out = reflect.Append(out, reflect.Zero(s.typ.Elem()))
		err := r.element(s.elem, out.Index(i))
		r.leave()
		if err != nil {
			return false, err
		}
	}
	_, err := r.in.ReadToken()
	v.Set(out)
	return r.faults.Count() == before, err
}

// room is how many entries the list or map that begins here may have. What lies in it has the bound of those that say
// nothing.
func (r *reading) room() int {
	most := r.most
	r.most = maxListItems
	return most
}

// crowded passes over what a list or map has beyond its bound, its syntax checked, counts it, and says how many there
// are.
func (r *reading) crowded(end jsontext.Kind, n, most int) error {
	for ; r.in.PeekKind() != end; n++ {
		if end == '}' {
			if _, err := r.in.ReadToken(); err != nil { // the name
				return err
			}
		}
		if err := r.skip(); err != nil {
			return err
		}
	}
	r.say("has %d entries; at most %d are allowed", n, most)
	_, err := r.in.ReadToken()
	return err
}

// entry reads the entry of a list that is a merge patch. It is kept, to be laid over what is there, and read once for
// what is wrong with it alone.
func (r *reading) entry(s *shape, v reflect.Value) (bool, error) {
	before := r.faults.Count()
	value, err := r.in.ReadValue()
	if err != nil {
		return false, err
	}
	if nests(value) > maxDepth-r.in.StackDepth() {
		return false, errTooDeep
	}
	raw := value.Clone()
	once := &reading{in: jsontext.NewDecoder(bytes.NewBuffer(raw)), decoder: r.decoder, dry: true, faults: r.faults,
		path: r.path, base: len(r.path), most: maxListItems}
	if _, err := once.object(s, reflect.New(s.typ).Elem(), true); err != nil {
		return false, err
	}
	if r.accepted == nil {
		r.accepted = once.accepted
	}
	for _, f := range s.fields {
		if f.identifies && !slices.Contains(once.present, f.name) {
			r.enter(f.name, 0)
			r.say("is required")
			r.leave()
		}
	}
	kept, _ := v.Addr().Interface().(merging).bindPatch()
	ok := r.faults.Count() == before
	kept.keep(raw, s.elem, &r.decoder, once.present, !ok)
	return ok, nil
}

func (r *reading) mapped(s *shape, v reflect.Value) (bool, error) {
	before := r.faults.Count()
	if _, err := r.in.ReadToken(); err != nil {
		return false, err
	}
	if r.in.StackDepth() > maxDepth {
		return false, errTooDeep
	}
	most := r.room()
	out := reflect.MakeMap(s.typ)
	for n := 0; r.in.PeekKind() != '}'; n++ {
		if n >= most {
			return false, r.crowded('}', n, most)
		}
		token, err := r.in.ReadToken()
		if err != nil {
			return false, err
		}
		name := token.String()
		r.enter(name, 0)
		elem := reflect.New(s.typ.Elem()).Elem()
		err = r.element(s.elem, elem)
		r.leave()
		if err != nil {
			return false, err
		}
		out.SetMapIndex(reflect.ValueOf(name).Convert(s.typ.Key()), elem)
	}
	_, err := r.in.ReadToken()
	v.Set(out)
	return r.faults.Count() == before, err
}

// element reads one entry of a list or map: what stands in it is new, so nothing is merged.
func (r *reading) element(s *shape, v reflect.Value) error {
	if r.in.PeekKind() == 'n' && !s.nullable {
		_, err := r.refuse("cannot be null")
		return err
	}
	if r.in.PeekKind() == 'n' && s.wire != wireRaw {
		_, err := r.in.ReadToken()
		return err
	}
	_, err := r.given(s, v, false)
	return err
}

// broken notes the rules of f that a value breaks.
func (r *reading) broken(f *field, v reflect.Value) {
	f.broken(v, r.say)
	if !r.unbounded {
		f.outOfBounds(v, r.say)
	}
}

// brokenElements checks the texts of a list or map, whose length the field's tag bounds.
func (r *reading) brokenElements(f *field, v reflect.Value) {
	if f.shape.elem == nil || f.shape.elem.wire != wireText || f.shape.elem.pointer || f.shape.pointer && v.IsNil() {
		return
	}
	v = reflect.Indirect(v)
	one := &field{shape: f.shape.elem, length: f.length, req: f.shape.wire == wireList}
	if f.shape.wire == wireMap {
		for _, k := range keysOf(v) {
			r.enter(k.String(), 0)
			one.broken(v.MapIndex(k), r.say)
			r.leave()
		}
		return
	}
	for i := range v.Len() {
		r.enter("", i)
		one.broken(v.Index(i), r.say)
		r.leave()
	}
}

func (r *reading) raw(v reflect.Value) (bool, error) {
	value, err := r.in.ReadValue()
	if err != nil {
		return false, err
	}
	if nests(value) > maxDepth-r.in.StackDepth() {
		return false, errTooDeep
	}
	v.Set(reflect.ValueOf(value.Clone()).Convert(v.Type()))
	return true, nil
}

// nests is how deep a valid JSON value goes.
func nests(value jsontext.Value) (deepest int) {
	in := jsontext.NewDecoder(bytes.NewBuffer(value))
	for {
		if _, err := in.ReadToken(); err != nil {
			return deepest
		}
		deepest = max(deepest, in.StackDepth())
	}
}

// revalidate checks every rule of a value that was put together from a patch and what was there.
func (r *reading) revalidate(s *shape, v reflect.Value) {
	if s.pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	switch s.wire {
	case wireObject:
		for _, f := range s.fields {
			r.enter(f.name, 0)
			fv := v.FieldByIndex(f.index)
			r.broken(f, fv)
			r.brokenElements(f, fv)
			r.revalidate(f.shape, fv)
			r.leave()
		}
	case wireList:
		if s.elem.wire != wireObject || s.elem.merge {
			return
		}
		for i := range v.Len() {
			r.enter("", i)
			r.revalidate(s.elem, v.Index(i))
			r.leave()
		}
	}
}

// mostOf is the longest body that is read of a request.
func (p *plan) mostOf(r *http.Request) int64 {
	if p.takesForm(r) {
		return maxUpload
	}
	return maxBody
}

// takesForm reports whether a request is read as multipart/form-data.
func (p *plan) takesForm(r *http.Request) bool {
	return p.body.file != nil && (p.body.index == nil || isForm(r))
}
