package page

import (
	"net/http/httptest"
	"testing"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

type fate string

func TestARefusalIsSaidInTheLanguage(t *testing.T) {
	all, err := translators(map[string]map[string]string{"en": {"see GET /x": "look there"}, "sv": {
		"order %s is %s; ship %s by %s":   "order %s är %s; leverera %s senast %s",
		"there is no %s: GET /x lists %s": "det finns ingen %[1]s",
		"nothing is left: %s":             "inget är kvar: %s", "%s of %s": "%s av %s",
		"Open": "Öppen", "page.fate Open": "Olöst", "page.other Open": "Annat", "delivery term": "leveransvillkor",
		"Closed": "Stängd",
	}}, func(string) int { return 2 })
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		said     fault.Said
		en, want string
	}{
		{fault.Say("order %s is %s; ship %s by %s", "Open", fate("Open"), dec.Must("1.5"), day.Date("2026-03-01")),
			"order Open is Open; ship 1.5 by 2026-03-01", "order Open är Olöst; leverera 1,5 senast 2026-03-01"},
		{fault.Say("there is no %s: GET /x lists %s", "delivery term", "delivery term"),
			"there is no delivery term: GET /x lists delivery term", "det finns ingen leveransvillkor"},
		{fault.Say("there is no %s: GET /x lists %s", fate("closed"), ""), "there is no closed: GET /x lists ",
			"det finns ingen Stängd"},
		{fault.Say("nothing is left: %s", fault.All{fault.Say("%s of %s", dec.Must("0.25"), "A-1"),
			fault.Say("so it goes")}),
			"nothing is left: 0.25 of A-1; so it goes", "inget är kvar: 0,25 av A-1; so it goes"},
		{fault.Say("nothing is left: %s", []fate{"Open", "Closed"}), "nothing is left: Open, Closed",
			"inget är kvar: Olöst, Stängd"},
		{fault.Say("nobody translated %d%% of this", 5), "nobody translated 5% of this",
			"nobody translated 5% of this"},
		{fault.Say("nobody translated this of %s, but %s", dec.Must("1.5"), fault.Say("see GET /x")),
			"nobody translated this of 1.5, but look there", "nobody translated this of 1,5, but see GET /x"},
		{(&fault.Fault{Detail: "by hand"}).Said(), "by hand", "by hand"},
	} {
		for lang, want := range map[string]string{"en": c.en, "sv": c.want} {
			if got := all[lang].refusal(c.said); got != want {
				t.Errorf("%s: %q, want %q", lang, got, want)
			}
		}
	}
}

// Whatever page shows a refusal that knows when to come again, programs are told with it: also the form that is drawn
// anew, and the record whose action was refused.
func TestARefusalSaysWhenToComeAgain(t *testing.T) {
	en, _ := spoken(t)
	f := fault.ErrUnavailable.Because("the data cannot be reached")
	f.RetryAfterSeconds = 2
	for name, show := range map[string]func(x *exchange){
		"a form":   func(x *exchange) { x.problemOf(f) },
		"a record": func(x *exchange) { x.problemAlone(f) },
		"a queue":  func(x *exchange) { x.refusals(f) },
	} {
		w := httptest.NewRecorder()
		show(&exchange{site: &Site{}, w: w, t: en})
		if got := w.Header().Get("Retry-After"); got != "2" {
			t.Errorf("%s: Retry-After %q, want 2", name, got)
		}
	}
}
