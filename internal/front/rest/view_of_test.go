package rest

import (
	"errors"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

type shelf struct{ code, name string }

type wireShelf struct {
	Name string `json:"name"`
}

func shownShelf(s shelf) wireShelf { return wireShelf{s.name} }

// What an operation's path names is bound in the order of the path, under the names that it has there.
func TestAPathsParametersAreNamedByThePath(t *testing.T) {
	find := func(_ *db.Tx, of, key string) (shelf, error) { return shelf{of, key}, nil }
	remove := func(*db.Tx, string, string) error { return nil }
	shown := Shows(shownShelf)
	for want, op := range map[string]Op{
		"room shelf":  Get("getShelf", "/rooms/{room}/shelves/{shelf}", "One shelf.", OfPart[Part](shown, find)),
		"room id":     Delete("deleteShelf", "/rooms/{room}/shelves/{id}", "Removes one.", GonePart[PartID](remove)),
		"room number": Put("putShelf", "/rooms/{room}/shelves/{number}", "Puts one.", putShelf),
	} {
		p, err := newPlan(newShaper(), Group{Tag: "Shelves", Scope: "shelves"}, &op)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.path[0].name + " " + p.path[1].name; got != want {
			t.Errorf("%s binds %s, and not %s", op.ID, got, want)
		}
	}
	short := Get("getShelf", "/shelves/{shelf}", "One shelf.", OfPart[Part](shown, find))
	if _, err := newPlan(newShaper(), Group{Tag: "Shelves", Scope: "shelves"}, &short); err == nil {
		t.Error("a path with fewer parameters than its operation is told is let pass")
	}
}

func putShelf(*db.Tx, With[Line, wireShelf]) (NoContent, error) { return NoContent{}, nil }

// A view shows nothing of what a verb refused.
func TestAViewShowsNoRefusedValue(t *testing.T) {
	missing := fault.New(fault.NotFound, "Shelf.NotFound")
	shown := Shows(shownShelf)
	got, err := shown.One(nil, shelf{name: "half made"}, missing.Because("there is no such shelf"))
	if got != (wireShelf{}) || fault.As(err).Code != missing.Name {
		t.Errorf("%v, %v is shown", got, err)
	}
	if got, err = shown.One(nil, shelf{name: "upper"}, nil); got.Name != "upper" || err != nil {
		t.Errorf("%v, %v is shown", got, err)
	}
	failing := View[shelf, wireShelf](func(*db.Tx) (func(shelf) wireShelf, error) { return nil, errors.New("no book") })
	if _, err = failing.One(nil, shelf{}, nil); err == nil {
		t.Error("a view that cannot be made ready shows something")
	}
}
