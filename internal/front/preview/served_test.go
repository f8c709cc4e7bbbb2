package preview_test

import (
	"net/http"
	"reflect"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/front/rest"
	"kontor/internal/front/rest/resttest"
	"kontor/internal/front/wire"
)

// surface is a part of the API over a store, for a caller who may do everything; it keeps so many bytes of answers.
func surface(s *db.Store, bytes int64, groups ...rest.Group) rest.Surface {
	return rest.Surface{Prefix: "/preview", Title: "Test", Version: "0", Store: s, Caches: bytes > 0, Groups: groups,
		Members: reflect.TypeFor[wire.Refused](),
		Varies:  []string{"X-Api-Key", "Authorization"}, Authenticate: func(*http.Request) (rest.Caller, error) {
			return rest.Caller{Company: dbtest.Company, Actor: db.Actor{Kind: "apiKey", ID: "k"}, Credential: "k",
				Unlimited: true}, nil
		}}
}

func mount(t *testing.T, s rest.Surface) http.Handler {
	t.Helper()
	h, err := rest.Mount(s)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// served is a part of the API over a store. Every answer is held against its description, and bytes are kept, so that a
// stale answer would show.
func served(t *testing.T, s *db.Store, groups ...rest.Group) http.Handler {
	t.Helper()
	all := surface(s, 1<<20, groups...)
	text, err := rest.OpenAPI(all)
	if err != nil {
		t.Fatal(err)
	}
	promised, err := resttest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return promised.Watch(t, mount(t, all))
}
