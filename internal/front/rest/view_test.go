package rest

import (
	"context"
	"strings"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// Where there are doubts, every answer is read once more without what is kept: one of which a part was kept too long is
// told of, one that is new each time is not, and what comes of an answer comes of it once.
func TestAnswersAreHeldAgainstTheBooks(t *testing.T) {
	var doubts []string
	ctx := db.Doubting(context.Background(), func(text string) { doubts = append(doubts, text) })
	store, err := db.Open(ctx, dbtest.Options(t, "sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.CreateCell(ctx, dbtest.Info()); err != nil {
		t.Fatal(err)
	}
	type answered struct {
		Text string `json:"text" doc:"What is said."`
	}
	told, asked, done := "old", 0, 0
	s := serve(t, func(s *Surface) {
		s.Store = store
		s.Groups = []Group{{Tag: "Things", Scope: "things", Doc: "Things.", Ops: []Op{
			Get("getKept", "/kept", "What is kept too long.", func(tx *db.Tx, _ struct{}) (answered, error) {
				tx.Done(func() { done++ })
				text, ok := db.CacheGetUnvalidated[string](tx, "kept")
				if !ok {
					text = told
					tx.CachePutUnvalidated("kept", 1, text)
				}
				return answered{text}, nil
			}),
			Get("getNew", "/new", "Something new each time.", func(*db.Tx, struct{}) (answered, error) {
				asked++
				return answered{strings.Repeat("x", asked)}, nil
			}),
		}}}
	})
	s.ok(s.do("GET /preview/kept"), 200)
	s.ok(s.do("GET /preview/new"), 200)
	if len(doubts) > 0 || done != 1 {
		t.Errorf("before anything changed, after %d answers: %q", done, doubts)
	}
	told = "new"
	s.ok(s.do("GET /preview/kept"), 200)
	if len(doubts) != 1 || !strings.Contains(doubts[0], "{\"text\":\"old\"}\n{\"text\":\"new\"}") {
		t.Errorf("an answer that is kept too long: %q", doubts)
	}
}
