package rest

import (
	"reflect"

	"kontor/internal/foundation/fault"
)

// Merge is the body of a PATCH, or an entry of a list in one: a JSON merge patch (RFC 7396) of a T. What is present was
// checked when it was bound: syntax, types, nulls, unknown fields.
type Merge[T any] struct {
	patch patch
}

// patch is the part of Merge that does not depend on T.
type patch struct {
	raw     []byte
	present map[string]bool
	shape   *shape
	codec   *decoder
	wrong   bool // as was said when it was bound; the operation is only tried then
}

// keep takes up what was bound; present are the names that it says, wrong that something of it was refused.
func (p *patch) keep(raw []byte, s *shape, codec *decoder, present []string, wrong bool) {
	p.raw, p.shape, p.codec, p.wrong = raw, s, codec, wrong
	p.present = make(map[string]bool, len(present))
	for _, name := range present {
		p.present[name] = true
	}
}

// Has reports whether the patch names the field of T with this JSON name, be it with null.
func (m *Merge[T]) Has(field string) bool { return m.patch.present[field] }

// Onto lays the patch over the present value: fields that are absent keep theirs, null clears, objects
// are merged, arrays replaced. The result is validated as a whole; the error is a fault.List of
// everything that is wrong with it.
func (m *Merge[T]) Onto(t *T) error {
	if m.patch.shape == nil {
		return nil
	}
	var faults fault.List
	m.patch.onto(reflect.ValueOf(t).Elem(), &faults)
	if m.patch.wrong {
		return nil
	}
	return faults.Err()
}

// Laid writes the patch over a value as rooms ask for it: fields are what may be patched of it.
func Laid[Patched, T any](m Merge[Patched], fields Fields[Patched, T]) func(*T) error {
	return func(v *T) error {
		patched := fields.Of(*v)
		if err := m.Onto(&patched); err != nil {
			return err
		}
		fields.Onto(patched, v)
		return nil
	}
}

// bindPatch lets the binder reach the patch of any Merge.
func (m *Merge[T]) bindPatch() (*patch, reflect.Type) { return &m.patch, reflect.TypeFor[T]() }

// merging is any *Merge.
type merging interface {
	bindPatch() (*patch, reflect.Type)
}

// onto lays the patch over v and checks the result. The patch was read once before, so that what is
// wrong with it alone has been said already.
func (p *patch) onto(v reflect.Value, faults *fault.List) {
	if _, err := p.codec.decode(p.raw, p.shape, v, true, false, faults); err != nil {
		faults.Add(fault.ErrInvalid, "", "is not JSON: %v", err)
		return
	}
	if faults.Empty() {
		(&reading{faults: faults}).revalidate(p.shape, v)
	}
}
