package app_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"kontor/internal/foundation/db"
)

// A writer that takes long hides what others commit meanwhile from who asks what has changed. What he was answered then
// is not kept for him: the writer ends without changing anything, and the same question finds all.
func TestADeltaBehindALongWriterIsNotKept(t *testing.T) {
	eachShop(t, func(s *shop) {
		if s.kontor.Store().EngineName() != "postgres" {
			return // one writer at a time hides nothing from anybody
		}
		s.customer("C-1")
		since := s.must(200, "GET", "/preview/customers", "").header.Get("Sync-Watermark")
		asks := []string{"/preview/customers?modifiedSince=" + since, "/preview/changes?resource=customers",
			"/preview/deletions?resource=customers"}
		for range 2 { // what an answer is made of is learned by the first
			for _, path := range asks {
				s.must(200, "GET", path, "")
			}
		}
		end, ended := s.writeLong()
		s.customer("C-2")
		s.customer("C-3")
		s.must(204, "DELETE", "/preview/customers/C-3", "")
		for _, path := range asks {
			s.must(200, "GET", path, "")
		}
		close(end)
		<-ended
		for i, want := range []string{"[C-1 C-2]", "[C-1 C-2 C-3 C-3]", "[C-3]"} {
			a := s.must(200, "GET", asks[i], "")
			found := fmt.Sprint(append(a.at("items[*].customerNumber"), a.at("items[*].businessKey")...))
			if found != want {
				t.Errorf("%s: %s, want %s", asks[i], found, want)
			}
		}
	})
}

// writeLong begins a transaction that has been open for longer than anybody waits, and is given up at the end.
func (s *shop) writeLong() (end chan bool, ended chan bool) {
	begun, end, ended := make(chan bool), make(chan bool), make(chan bool)
	givenUp := errors.New("given up")
	go func() {
		defer close(ended)
		as := db.Request{Company: s.company.ID, Actor: db.Actor{Kind: "system", ID: "race", Name: "race"}}
		err := s.kontor.Store().Write(s.Context(), as, func(*db.Tx) error {
			close(begun)
			<-end
			return givenUp
		})
		if !errors.Is(err, givenUp) {
			s.Error(err)
		}
	}()
	<-begun
	time.Sleep(1100 * time.Millisecond)
	return end, ended
}
