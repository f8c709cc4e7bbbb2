package rest

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
)

// wire is how a Go type looks in JSON and in a query.
type wire int

const (
	wireText wire = iota
	wireDec
	wireFixed
	wireInt
	wireBool
	wireDay
	wireTime
	wireEnum
	wireObject
	wireList
	wireMap
	wireRaw
)

// shape is the plan of a type, made once when a surface is mounted. Binding, validation and the OpenAPI
// document read the same plan, so what is documented is what is checked.
type shape struct {
	wire     wire
	typ      reflect.Type // without the pointer
	pointer  bool
	nullable bool
	blank    bool     // the zero value is null: Text, Date and Time
	values   []string // of an enum
	elem     *shape   // of a list or map; of a merge patch what it is laid over
	fields   []*field // of an object, in order
	merge    bool     // an object that is a merge patch: the entry of a list, of type Merge
	byName   map[string]*field
}

// field is one member of an object, or one parameter. Its tags:
//
//	req:"true"            missing, null and empty are refused
//	text:"name"           the kind of text, which sets its length: code (default), name, path, note, html, email
//	max:"200" min:"0" gt:"0"  of a text the length, of a number the bounds
//	minItems:"1" maxItems:"200"  a list that is sent has so many entries; a required one has one, or says minItems:"0"
//	default:"true"        the value of an absent field of a body that is no merge patch, or of a parameter
//	create:"only"         refused in a PATCH
//	key:"true"            names what an entry of a list of merge patches is for: it must be given there
//	secret:"true"         of an answer: whoever has the value is let in, so nobody may keep the answer
//	split:"comma"         a list parameter written as one value
//	format:"uuid"         what is sent is an id, whose letters may be capitals
//	doc:"..." example:"..."  for the document alone
type field struct {
	name       string
	index      []int
	key        []byte // ,"name":
	pos        int
	shape      *shape
	req        bool
	createOnly bool
	identifies bool
	split      bool
	secret     bool
	length     int // most characters of a text
	oneLine    bool
	isMail     bool
	min, gt    *dec.Dec
	max        *dec.Dec
	minItems   int
	maxItems   int
	fallback   string
	format     string
	doc        string
	example    string
}

// accepted are the names a caller may use here.
func (s *shape) accepted(patching bool) []string {
	names := []string{}
	for _, f := range s.fields {
		if !patching || !f.createOnly {
			names = append(names, f.name)
		}
	}
	return names
}

// textLength is the greatest length of a kind of text, in characters.
func textLength(kind string) (int, error) {
	most, ok := limit.Text(kind)
	if !ok {
		return 0, fmt.Errorf("no kind of text is called %q", kind)
	}
	return most, nil
}

// maxListItems bounds every list of a body that says nothing else: the lines of a document.
const maxListItems = 5_000

// shaper makes shapes and keeps them, so that types may refer to themselves.
type shaper struct {
	known map[reflect.Type]*shape
}

func newShaper() *shaper { return &shaper{known: map[reflect.Type]*shape{}} }

func (m *shaper) of(t reflect.Type) (*shape, error) {
	if s, ok := m.known[t]; ok {
		return s, nil
	}
	if t.Kind() == reflect.Pointer {
		inner, err := m.of(t.Elem())
		if err != nil {
			return nil, err
		}
		s := *inner
		s.pointer, s.nullable = true, true
		m.known[t] = &s
		return &s, nil
	}
	s := &shape{typ: t}
	m.known[t] = s
	if body, ok := reflect.New(t).Interface().(merging); ok {
		_, of := body.bindPatch()
		inner, err := m.of(of)
		if err != nil {
			return nil, err
		}
		*s = *inner
		s.merge, s.elem = true, inner
		return s, nil
	}
	return s, m.fill(s)
}

func (m *shaper) fill(s *shape) error {
	t := s.typ
	switch t {
	case reflect.TypeFor[dec.Dec]():
		s.wire = wireDec
		return nil
	case reflect.TypeFor[dec.Fixed]():
		s.wire = wireFixed
		return nil
	case reflect.TypeFor[day.Date](), reflect.TypeFor[Date]():
		s.wire, s.blank = wireDay, t == reflect.TypeFor[Date]()
		s.nullable = s.blank
		return nil
	case reflect.TypeFor[db.Time](), reflect.TypeFor[Time]():
		s.wire, s.blank = wireTime, t == reflect.TypeFor[Time]()
		s.nullable = s.blank
		return nil
	case reflect.TypeFor[jsontext.Value]():
		s.wire, s.nullable = wireRaw, true
		return nil
	}
	return m.fillByKind(s)
}

func (m *shaper) fillByKind(s *shape) (err error) {
	switch s.typ.Kind() {
	case reflect.String:
		s.wire, s.blank = wireText, s.typ == reflect.TypeFor[Text]()
		s.nullable = s.blank
		if s.values = enumValues(s.typ); s.values != nil {
			s.wire = wireEnum
		}
	case reflect.Bool:
		s.wire = wireBool
	case reflect.Int, reflect.Int32, reflect.Int64:
		s.wire = wireInt
	case reflect.Slice:
		s.wire = wireList
		s.elem, err = m.of(s.typ.Elem())
	case reflect.Map:
		s.wire = wireMap
		if s.typ.Key().Kind() != reflect.String {
			return fmt.Errorf("%s: keys of a map must be texts", s.typ)
		}
		s.elem, err = m.of(s.typ.Elem())
	case reflect.Struct:
		if s.typ.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
			return fmt.Errorf("%s: write a text type with its own shape instead", s.typ)
		}
		s.wire, s.byName = wireObject, map[string]*field{}
		err = m.fields(s, s.typ, nil)
	case reflect.Interface:
		s.wire, s.nullable = wireRaw, true
	default:
		return fmt.Errorf("%s has no shape on the wire (a float never has)", s.typ)
	}
	return err
}

// enumValues are the values of a text type with a method Values() []T, else nil.
func enumValues(t reflect.Type) []string {
	method, ok := t.MethodByName("Values")
	if !ok || method.Type.NumIn() != 1 || method.Type.NumOut() != 1 || method.Type.Out(0).Kind() != reflect.Slice ||
		method.Type.Out(0).Elem().Kind() != reflect.String {
		return nil
	}
	list := reflect.Zero(t).Method(method.Index).Call(nil)[0]
	values := make([]string, list.Len())
	for i := range values {
		values[i] = list.Index(i).String()
	}
	return values
}

// fields adds the members of struct t, those of embedded structs included.
func (m *shaper) fields(s *shape, t reflect.Type, at []int) error {
	for i := range t.NumField() {
		sf := t.Field(i)
		index := append(at[:len(at):len(at)], i)
		tag := sf.Tag.Get("json")
		if sf.Anonymous && tag == "" && sf.Type.Kind() == reflect.Struct {
			if err := m.fields(s, sf.Type, index); err != nil {
				return err
			}
			continue
		}
		name, _, _ := strings.Cut(tag, ",")
		if tag == "-" || !sf.IsExported() {
			continue
		}
		if name == "" {
			return fmt.Errorf("%s.%s has no json name", t, sf.Name)
		}
		f, err := m.field(sf, name, index)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", t, sf.Name, err)
		}
		if s.byName[name] != nil {
			return fmt.Errorf("%s: two fields are called %s", t, name)
		}
		f.pos = len(s.fields)
		s.fields = append(s.fields, f)
		s.byName[name] = f
	}
	return nil
}

// field reads the tags of a struct field.
func (m *shaper) field(sf reflect.StructField, name string, index []int) (*field, error) {
	s, err := m.of(sf.Type)
	if err != nil {
		return nil, err
	}
	f := &field{name: name, index: index, key: append(mustQuote([]byte(","), name), ':'), shape: s,
		maxItems: maxListItems, req: sf.Tag.Get("req") == "true", createOnly: sf.Tag.Get("create") == "only",
		identifies: sf.Tag.Get("key") == "true", split: sf.Tag.Get("split") == "comma",
		secret: sf.Tag.Get("secret") == "true", isMail: sf.Tag.Get("text") == "email",
		fallback: sf.Tag.Get("default"), format: sf.Tag.Get("format"), doc: sf.Tag.Get("doc"), example: sf.Tag.Get("example")}
	var errs [7]error
	f.length, errs[0] = textLength(sf.Tag.Get("text"))
	f.minItems, errs[1] = tagInt(sf, "minItems", least(f.req))
	f.maxItems, errs[2] = tagInt(sf, "maxItems", maxListItems)
	f.min, errs[3] = tagDec(sf, "min")
	f.gt, errs[4] = tagDec(sf, "gt")
	if isText(s) {
		_, bounded := sf.Tag.Lookup("max")
		f.oneLine = !bounded && f.length == limit.Code
		f.length, errs[5] = tagInt(sf, "max", f.length)
	} else {
		f.max, errs[5] = tagDec(sf, "max")
	}
	if f.fallback != "" {
		errs[6] = f.parse(f.fallback, reflect.New(sf.Type).Elem())
	}
	return f, errors.Join(errs[:]...)
}

// isText reports whether max bounds the length of a text: of the field itself or of a list's elements.
func isText(s *shape) bool {
	return s.wire == wireText || (s.wire == wireList || s.wire == wireMap) && s.elem != nil && s.elem.wire == wireText
}

func tagInt(sf reflect.StructField, tag string, otherwise int) (int, error) {
	v, ok := sf.Tag.Lookup(tag)
	if !ok {
		return otherwise, nil
	}
	return strconv.Atoi(v)
}

func tagDec(sf reflect.StructField, tag string) (*dec.Dec, error) {
	v, ok := sf.Tag.Lookup(tag)
	if !ok {
		return nil, nil
	}
	d, err := dec.Parse(v)
	return &d, err
}

func mustQuote(b []byte, s string) []byte {
	b, err := jsontext.AppendQuote(b, s)
	if err != nil {
		panic(err) // a name in the source is not UTF-8
	}
	return b
}

// tells reports whether a value of the shape holds a secret.
func (s *shape) tells(seen map[*shape]bool) bool {
	if s == nil || seen[s] {
		return false
	}
	seen[s] = true
	for _, f := range s.fields {
		if f.secret || f.shape.tells(seen) {
			return true
		}
	}
	return s.elem.tells(seen)
}
