package rest

import (
	"context"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
)

// What takes long is done before the transaction, once the request is known to be valid, and is refused in the order
// that the rest of the request is.
func TestPrepare(t *testing.T) {
	type in struct {
		Number string `path:"number"`
		Body   struct {
			Name string `json:"name" req:"true"`
		}
		ready string
	}
	errUnfit := fault.New(fault.Invalid, "Thing.Unfit")
	prepared := 0
	s := serve(t, func(s *Surface) {
		op := Prepare(Create("makeThing", "/made/{number}", "Makes a thing.", func(tx *db.Tx, in in) (thing, error) {
			return thing{Number: in.ready, Links: Self("/preview/made/", in.Number)}, nil
		}), func(_ context.Context, company string, in *in) error {
			if prepared++; company != dbtest.Company {
				t.Errorf("prepared for company %q", company)
			}
			if in.Body.Name == "unfit" {
				return errUnfit.At("name", "is unfit")
			}
			in.ready = "ready " + in.Body.Name
			return nil
		})
		s.Groups = []Group{{Tag: "Made", Scope: "things", Doc: "Things.", Ops: []Op{op}}}
	})
	key := "Idempotency-Key: one"
	if w := s.ok(s.do("POST /preview/made/1", `{"name": "x"}`, key), 201); prepared != 1 ||
		w.Header().Get("Location") != "/preview/made/1" {
		t.Errorf("%d %s", prepared, w.Body)
	} else if again := s.ok(s.do("POST /preview/made/1", `{"name": "x"}`, key),
		201); again.Body.String() != w.Body.String() {
		t.Errorf("again: %s, first %s", again.Body, w.Body)
	}
	s.refused(s.do("POST /preview/made/1", `{"name": "y"}`, key), 409, "Idempotency.KeyReused")
	s.refused(s.do("POST /preview/made/1", `{"name": "unfit"}`, key), 409, "Idempotency.KeyReused")
	if prepared != 1 {
		t.Errorf("what had its answer was prepared again, %d times", prepared-1)
	}
	s.refused(s.do("POST /preview/made/1", `{"name": "unfit"}`, "Idempotency-Key: two"), 400, "Thing.Unfit")
	before := prepared
	s.refused(s.do("POST /preview/made/1", `{"name": ""}`, "Idempotency-Key: two"), 400, "Request.Invalid")
	s.refused(s.do("POST /preview/made/1", `{"name": "x"}`), 400, "Idempotency.KeyRequired")
	s.refused(s.do("POST /preview/made/1", `{"name": "x"}`, "Idempotency-Key: two", "X-Api-Key: other:read"), 403,
		"Scope.Missing")
	if prepared != before {
		t.Error("a refused request was prepared")
	}
	s.ok(s.do("POST /preview/made/1", `{"name": "y"}`, "Idempotency-Key: two"), 201)
	defer func() {
		if recover() == nil {
			t.Error("an operation was prepared with another input than it takes")
		}
	}()
	Prepare(Create("other", "/other", "Other.", func(tx *db.Tx, in struct{}) (thing, error) { return thing{}, nil }),
		func(context.Context, string, *in) error { return nil })
}
