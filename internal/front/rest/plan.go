package rest

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"kontor/internal/foundation/db"
)

// plan is an operation made ready: everything reflection can find out is found out once.
type plan struct {
	op       *Op
	tag      string
	path     []*field // in the order of the path
	query    []*field
	byName   map[string]*field
	names    []string // accepted parameters
	paging   []int    // index of Paging in In; nil without
	wanted   []int    // index of Wanted in In; nil without
	body     bodyPlan
	links    []int // index of Links in Out; nil without
	located  []int // index of Located in Out
	bodyless bool  // the answer has no representation
	isShown  bool  // the answer to a change is what a GET shows
	codec    *decoder
	encode   *shape                    // of Out
	secret   bool                      // nobody may keep the answer
	read     atomic.Pointer[db.Tables] // that its answers were made of so far, where they are kept
}

// bodyPlan says how the request's body is bound.
type bodyPlan struct {
	index    []int // of the JSON; nil where the body is a file alone
	shape    *shape
	merge    bool
	optional bool
	file     []int  // nil where none is taken
	part     string // of the file
}

func (b bodyPlan) wanted() bool { return b.index != nil || b.file != nil }

// reads reports whether a body is read. An action that takes none reads it, too: who sends a field that nobody takes
// shall hear of it.
func (p *plan) reads() bool {
	return p.body.wanted() || p.op.Method == "POST" && p.op.Kind != KindStream
}

// patches reports whether the body has a list of merge patches.
func (b bodyPlan) patches() bool {
	return b.shape != nil && slices.ContainsFunc(b.shape.fields,
		func(f *field) bool { return f.shape.elem != nil && f.shape.elem.merge })
}

func newPlan(m *shaper, g Group, op *Op) (*plan, error) {
	p := &plan{op: op, tag: g.Tag, byName: map[string]*field{}, codec: &decoder{lax: op.Traits.IgnoresUnknown}}
	p.read.Store(new(db.Tables))
	if op.Scope == "" {
		op.Scope = g.scopeOf(op)
	}
	errs := []error{p.checkDeclared()}
	errs = append(errs, p.inputs(m, op.In, nil)...)
	errs = append(errs, p.orderPath(), p.outputs(m))
	if op.Kind == KindList && p.paging == nil {
		errs = append(errs, errors.New("a list's In must embed rest.Paging"))
	}
	if op.Traits.CachedOne.Name != "" && len(p.path) != 1 {
		errs = append(errs, errors.New("KeptOne needs a path with one parameter, the record's key: say Kept instead"))
	}
	if op.Kind == KindPatch && !p.body.merge && !p.body.patches() {
		errs = append(errs, errors.New("a patch's In must have a Body of type rest.Merge, or one with a list of them"))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("operation %s: %w", op.ID, err)
	}
	return p, nil
}

func (p *plan) checkDeclared() error {
	op := p.op
	if op.ID == "" || op.Doc == "" || !strings.HasPrefix(op.Path, "/") {
		return errors.New("an operation needs an id, a sentence and a path that begins with /")
	}
	if op.In.Kind() != reflect.Struct {
		return fmt.Errorf("its In must be a struct, not %s", op.In)
	}
	return nil
}

// inputs plans the fields of In and of the structs it embeds.
func (p *plan) inputs(m *shaper, t reflect.Type, at []int) (errs []error) {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		sf := t.Field(i)
		index := append(at[:len(at):len(at)], i)
		var err error
		switch {
		case sf.Anonymous && sf.Type == reflect.TypeFor[Paging]():
			p.paging = index
			errs = append(errs, p.inputs(m, sf.Type, index)...)
		case sf.Anonymous && sf.Type == reflect.TypeFor[Wanted]():
			p.wanted = index
		case (sf.Anonymous || sf.Name == "At") && sf.Type.Kind() == reflect.Struct:
			errs = append(errs, p.inputs(m, sf.Type, index)...)
		case sf.Tag.Get("path") != "":
			err = p.parameter(m, sf, index, p.pathName(sf.Tag.Get("path")), &p.path)
		case sf.Tag.Get("query") != "":
			if sf.Tag.Get("query") == "modifiedSince" && p.op.Traits.NoDelta != "" {
				continue
			}
			err = p.parameter(m, sf, index, sf.Tag.Get("query"), &p.query)
		case !sf.IsExported() && !sf.Anonymous: // of Prepare
		case sf.Name == "Body":
			err = p.planBody(m, sf, index)
		case sf.Type == reflect.TypeFor[File]():
			p.body.file, p.body.part = index, cmp.Or(sf.Tag.Get("part"), "file")
		case t != reflect.TypeFor[Paging]():
			err = fmt.Errorf("field %s has neither path nor query tag", sf.Name)
		}
		errs = append(errs, err)
	}
	return errs
}

func (p *plan) parameter(m *shaper, sf reflect.StructField, index []int, name string, to *[]*field) error {
	f, err := m.field(sf, name, index)
	if err != nil {
		return fmt.Errorf("parameter %s: %w", name, err)
	}
	if isText(f.shape) && sf.Tag.Get("max") == "" && sf.Tag.Get("text") == "" {
		f.length = 200
	}
	if w := f.shape.wire; w == wireObject || w == wireMap || w == wireRaw || w == wireFixed || w == wireList &&
		f.shape.elem.wire == wireList {
		return fmt.Errorf("parameter %s: a %s cannot be a parameter", name, sf.Type)
	}
	if to == &p.query {
		if p.byName[name] != nil {
			return fmt.Errorf("parameter %s is declared twice", name)
		}
		f.pos = len(p.query)
		p.byName[name] = f
		p.names = append(p.names, name)
	}
	*to = append(*to, f)
	return nil
}

func (p *plan) planBody(m *shaper, sf reflect.StructField, index []int) (err error) {
	p.body.index = index
	if body, ok := reflect.New(sf.Type).Interface().(merging); ok {
		_, t := body.bindPatch()
		p.body.merge = true
		p.body.shape, err = m.of(t)
		return err
	}
	if p.body.shape, err = m.of(sf.Type); err != nil {
		return err
	}
	if p.body.shape.wire != wireObject {
		return fmt.Errorf("a body is an object, not a %s", sf.Type)
	}
	p.body.optional = p.body.shape.pointer ||
		p.op.Kind == KindDo && !slices.ContainsFunc(p.body.shape.fields, func(f *field) bool { return f.req })
	return nil
}

// pathName is the name of the next parameter of the path: what the tag says, or what the path has there.
func (p *plan) pathName(tag string) string {
	if names := pathParameters(p.op.Path); tag == "*" && len(p.path) < len(names) {
		return names[len(p.path)]
	}
	return tag
}

// pathParameters are the names in a path, in its order.
func pathParameters(path string) (names []string) {
	for seg := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(seg, "{") {
			names = append(names, strings.Trim(seg, "{}"))
		}
	}
	return names
}

// orderPath puts the path parameters in the order of the path and checks that both name the same.
func (p *plan) orderPath() error {
	var ordered []*field
	for _, name := range pathParameters(p.op.Path) {
		at := slices.IndexFunc(p.path, func(f *field) bool { return f.name == name })
		if at < 0 {
			return fmt.Errorf("its In has no field tagged path:%q", name)
		}
		ordered = append(ordered, p.path[at])
	}
	if len(ordered) != len(p.path) {
		return fmt.Errorf("its In has %d path fields, the path %d parameters", len(p.path), len(ordered))
	}
	p.path = ordered
	return nil
}

// outputs finds where an answer carries its Location, and checks that it can be shown at all.
func (p *plan) outputs(m *shaper) (err error) {
	t := p.op.Out
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	p.secret = p.op.Traits.Secret
	p.bodyless = t == reflect.TypeFor[NoContent]() || p.op.Status == 204
	if t.Kind() == reflect.Struct {
		p.links = indexOf(t, "Links", reflect.TypeFor[Links]())
		p.located = indexOf(t, "Located", reflect.TypeFor[Located]())
	}
	if p.bodyless {
		return nil
	}
	if t == reflect.TypeFor[Document]() {
		return p.checkPrinted()
	}
	if p.op.Status == 201 && p.links == nil && p.located == nil {
		return fmt.Errorf("%s answers 201 but has neither Links nor Located to say where", t)
	}
	p.encode, err = m.of(t)
	p.secret = p.secret || err == nil && p.encode.tells(map[*shape]bool{})
	return err
}

func indexOf(t reflect.Type, name string, want reflect.Type) []int {
	if sf, ok := t.FieldByName(name); ok && sf.Type == want {
		return sf.Index
	}
	return nil
}

// location is where the record of a 201 is found.
func (p *plan) location(out any) string {
	v := reflect.Indirect(reflect.ValueOf(out))
	if p.located != nil {
		if at := v.FieldByIndex(p.located).Interface().(Located).Location; at != "" {
			return at
		}
	}
	if p.links != nil {
		return v.FieldByIndex(p.links).Interface().(Links).Self
	}
	return ""
}

// setHorizon gives a list the instant up to which it is complete.
func (p *plan) setHorizon(in any, at db.Time) {
	reflect.ValueOf(in).Elem().FieldByIndex(p.paging).Addr().Interface().(*Paging).Horizon = at
}
