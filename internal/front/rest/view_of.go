package rest

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// The Ins of operations that are told which record, and nothing else. A parameter tagged path:"*" is the next of the
// operation's path, under the name that it has there.
type (
	// Key names a record by its key.
	Key struct {
		Key string `path:"*"`
	}
	// ID names a record by its id.
	ID struct {
		ID string `path:"*" format:"uuid"`
	}
	// Part names a part of a record by keys.
	Part struct {
		Of  string `path:"*"`
		Key string `path:"*"`
	}
	// PartID names a part of a record by its id.
	PartID struct {
		Of string `path:"*"`
		ID string `path:"*" format:"uuid"`
	}
	// Line names a part of a record by its number.
	Line struct {
		Of     string `path:"*"`
		Number int    `path:"*"`
	}
	// Parts are a record's parts.
	Parts struct {
		Paging
		Of string `path:"*"`
	}
)

// partKey is what names a part of a record by two texts.
type partKey interface{ both() (of, key string) }

func (p Part) both() (of, key string)   { return p.Of, p.Key }
func (p PartID) both() (of, key string) { return p.Of, p.ID }

// With is the In of an operation on what At names, a Key or a Part for instance, with a body.
type With[At, Body any] struct {
	At   At
	Body Body
}

// Sent is the In of an operation that is told nothing but a body.
type Sent[Body any] struct{ Body Body }

// View shows a room's values on the wire. It is made ready once in a transaction, with what it needs to know of the
// company, and then shows as many values as there are.
type View[T, Out any] func(tx *db.Tx) (show func(T) Out, err error)

// Shows is a View that needs to know nothing but the value.
func Shows[T, Out any](show func(T) Out) View[T, Out] {
	return func(*db.Tx) (func(T) Out, error) { return show, nil }
}

// ShowsPart is Shows for a part of a record: the answer to its change carries the validator that the record has then.
// Out embeds a Tag that is of nothing of T.
func ShowsPart[T, Out any, P interface {
	*Out
	tagged(value string)
}](show func(T) Out) View[T, Out] {
	return func(tx *db.Tx) (func(T) Out, error) {
		return func(v T) Out {
			out := show(v)
			P(&out).tagged(tx.Revision())
			return out
		}, nil
	}
}

// One shows what a verb answered.
func (v *View[T, Out]) One(tx *db.Tx, one T, err error) (out Out, _ error) {
	if err != nil {
		return out, err
	}
	show, err := (*v)(tx)
	if err != nil {
		return out, err
	}
	return show(one), nil
}

// Page shows what a list found.
func (v *View[T, Out]) Page(tx *db.Tx, p Paging, found record.Found[T], err error) (Paged[Out], error) {
	if err != nil {
		return Paged[Out]{}, err
	}
	show, err := (*v)(tx)
	if err != nil {
		return Paged[Out]{}, err
	}
	return PageOf(found, p, show), nil
}

// Of answers with what the verb makes of the record that the path names.
func (v *View[T, Out]) Of(verb func(tx *db.Tx, key string) (T, error)) func(*db.Tx, Key) (Out, error) {
	return func(tx *db.Tx, in Key) (Out, error) {
		one, err := verb(tx, in.Key)
		return v.One(tx, one, err)
	}
}

// ByID is Of for a record that its id names.
func (v *View[T, Out]) ByID(verb func(tx *db.Tx, id string) (T, error)) func(*db.Tx, ID) (Out, error) {
	return func(tx *db.Tx, in ID) (Out, error) {
		one, err := verb(tx, in.ID)
		return v.One(tx, one, err)
	}
}

// OfPart is Of for a part of a record.
func OfPart[At partKey, T, Out any](v View[T, Out],
	verb func(tx *db.Tx, of, key string) (T, error)) func(*db.Tx, At) (Out, error) {
	return func(tx *db.Tx, in At) (Out, error) {
		of, key := in.both()
		one, err := verb(tx, of, key)
		return v.One(tx, one, err)
	}
}

// OfLine is Of for a part that has a number.
func OfLine[T, Out any](v View[T, Out],
	verb func(tx *db.Tx, of string, number int) (T, error)) func(*db.Tx, Line) (Out, error) {
	return func(tx *db.Tx, in Line) (Out, error) {
		one, err := verb(tx, in.Of, in.Number)
		return v.One(tx, one, err)
	}
}

// Tagged shows nothing of a record but its validator.
func Tagged[T any]() View[T, NoContent] { return Shows(Shown[NoContent, T]()) }

// Parts answers with a page of a record's parts.
func (v *View[T, Out]) Parts(
	list func(tx *db.Tx, of string, p record.Page) (record.Found[T], error)) func(*db.Tx, Parts) (Paged[Out], error) {
	return func(tx *db.Tx, in Parts) (Paged[Out], error) {
		found, err := list(tx, in.Of, in.Record())
		return v.Page(tx, in.Paging, found, err)
	}
}

// paged is the In of a list.
type paged interface {
	Record() record.Page
	paging() Paging
}

// Lists answers with a page of what the verb finds by a filter that is like the In: see Alike.
func Lists[In paged, Filter, T, Out any](v View[T, Out],
	list func(tx *db.Tx, f Filter, p record.Page) (record.Found[T], error)) func(*db.Tx, In) (Paged[Out], error) {
	filter := Written[In, Filter]()
	return func(tx *db.Tx, in In) (Paged[Out], error) {
		found, err := list(tx, filter(in), in.Record())
		return v.Page(tx, in.paging(), found, err)
	}
}

// Creates answers with what the verb makes of a value that is like the body.
func Creates[Body, T, Now, Out any](v View[Now, Out],
	create func(tx *db.Tx, made T) (Now, error)) func(*db.Tx, Sent[Body]) (Out, error) {
	value := Written[Body, T]()
	return func(tx *db.Tx, in Sent[Body]) (Out, error) {
		now, err := create(tx, value(in.Body))
		return v.One(tx, now, err)
	}
}

// Given answers with what the verb makes of the record that the path names, given a value that is like the body.
func Given[Body, T, Now, Out any](v View[Now, Out],
	verb func(tx *db.Tx, key string, given T) (Now, error)) func(*db.Tx, With[Key, Body]) (Out, error) {
	value := Written[Body, T]()
	return func(tx *db.Tx, in With[Key, Body]) (Out, error) {
		now, err := verb(tx, in.At.Key, value(in.Body))
		return v.One(tx, now, err)
	}
}

// Told is Given for a body that may be left out. Who sends none tells nothing.
func Told[Body, T, Now, Out any](v View[Now, Out],
	verb func(tx *db.Tx, key string, told T) (Now, error)) func(*db.Tx, With[Key, *Body]) (Out, error) {
	given := Given[Body](v, verb)
	return func(tx *db.Tx, in With[Key, *Body]) (Out, error) {
		return given(tx, With[Key, Body]{in.At, OrZero(in.Body)})
	}
}

// Edits lays a merge patch over the record that the path names, of which Patched is what may be patched: see Alike.
func Edits[Patched, T, Now, Out any](v View[Now, Out],
	change func(tx *db.Tx, key string, edit func(*T) error) (Now, error)) func(*db.Tx, With[Key,
	Merge[Patched]]) (Out, error) {
	fields := Alike[Patched, T]()
	return func(tx *db.Tx, in With[Key, Merge[Patched]]) (Out, error) {
		now, err := change(tx, in.At.Key, Laid(in.Body, fields))
		return v.One(tx, now, err)
	}
}

// EditsPart is Edits for a part of a record.
func EditsPart[At partKey, Patched, T, Now, Out any](v View[Now, Out],
	change func(tx *db.Tx, of, key string, edit func(*T) error) (Now, error)) func(*db.Tx, With[At,
	Merge[Patched]]) (Out, error) {
	fields := Alike[Patched, T]()
	return func(tx *db.Tx, in With[At, Merge[Patched]]) (Out, error) {
		record, key := in.At.both()
		now, err := change(tx, record, key, Laid(in.Body, fields))
		return v.One(tx, now, err)
	}
}

// Done answers nothing but that something was done to what an id names.
func Done(verb func(tx *db.Tx, id string) error) func(*db.Tx, ID) (NoContent, error) {
	return func(tx *db.Tx, in ID) (NoContent, error) { return NoContent{}, verb(tx, in.ID) }
}

// Gone answers nothing but that the record is removed.
func Gone(remove func(tx *db.Tx, key string) error) func(*db.Tx, Key) (NoContent, error) {
	return func(tx *db.Tx, in Key) (NoContent, error) { return NoContent{}, remove(tx, in.Key) }
}

// GonePart is Gone for a part of a record.
func GonePart[At partKey](remove func(tx *db.Tx, of, key string) error) func(*db.Tx, At) (NoContent, error) {
	return func(tx *db.Tx, in At) (NoContent, error) {
		of, key := in.both()
		return NoContent{}, remove(tx, of, key)
	}
}
