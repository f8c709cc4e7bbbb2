package backoffice

import (
	"kontor/internal/foundation/db"
	"kontor/internal/front/page"
)

// done says a verb to a record, by the key that it goes by, and tells that it is done.
func done[T any](say string, do func(tx *db.Tx, key string) (T, error),
	key func(T) string) func(*page.Ctx, T) (page.Done, error) {
	return func(c *page.Ctx, t T) (page.Done, error) {
		_, err := do(c.Tx, key(t))
		return page.Did(say), err
	}
}

// told is done for a verb that is told more.
func told[T, V any](say string, do func(tx *db.Tx, key string, v V) (T, error),
	key func(T) string) func(*page.Ctx, T, V) (page.Done, error) {
	return func(c *page.Ctx, t T, v V) (page.Done, error) {
		_, err := do(c.Tx, key(t), v)
		return page.Did(say), err
	}
}

// worded is an action that asks for a text, such as a reason, and says a verb to the record with it.
func worded[T any](a page.Action[T], field func(text *string) page.Field, say string,
	do func(tx *db.Tx, key, text string) (T, error), key func(T) string) page.Action[T] {
	return page.Ask(a, nil,
		func(_ *page.Ctx, _ T, text *string) []page.Field { return []page.Field{field(text)} }, told(say, do, key))
}

// partGone takes a part away from a record: both are named in the path.
func partGone(say string, to func(*page.Ctx) string, of, part string,
	remove func(tx *db.Tx, of, part string) error) func(*page.Ctx) (page.Done, error) {
	return func(c *page.Ctx) (page.Done, error) {
		return page.Went(to(c), say), remove(c.Tx, c.Path(of), c.Path(part))
	}
}

// tones are how the statuses of a kind sound.
type tones[S ~string] map[S]page.Tone

func (t tones[S]) badge(s S) page.Value { return page.Badge(s, t[s]) }

// reason asks why something is done.
func reason(text *string) page.Field { return page.Text("reason", "Reason", text).Required() }

// partSaved is the Save of a form that adds a part to the record with the number in the path, or changes the part whose
// id is there too.
func partSaved[T any](begin T, added string, create func(tx *db.Tx, number string, t T) (T, error),
	change func(tx *db.Tx, number, id string, lay func(*T) error) (T, error)) func(*page.Ctx,
	func(*T) error) (page.Done, error) {
	return func(c *page.Ctx, lay func(*T) error) (page.Done, error) {
		if c.Path("id") != "" {
			return page.ChangedPart("number", "id", change)(c, lay)
		}
		return page.Made(begin, func(c *page.Ctx, t T) (page.Done, error) {
			_, err := create(c.Tx, c.Path("number"), t)
			return page.Did(added), err
		})(c, lay)
	}
}
