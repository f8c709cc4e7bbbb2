package exchange_test

import (
	"context"
	"strings"
	"testing"

	"kontor/internal/app"
	"kontor/internal/exchange"
	"kontor/internal/foundation/table"
)

func TestRedirectsComeInAndGoOut(t *testing.T) { onEach(t, redirectsComeInAndGoOut) }

func redirectsComeInAndGoOut(t *testing.T, h *app.App) {
	from, to := open(t, h, "from"), open(t, h, "to")
	text := "channel,from,to,status,active\nweb,Old-Page/,/new-page,,\nWEB,/m%C3%B6bler,/furniture,302,no\nWEB,/away,https://example.com/x,301,yes\n"
	if r := from.take("redirects", "x.csv", text, exchange.Options{}); counted(
		r) != "3 rows: 3 created, 0 updated, 0 unchanged, 0 refused" {
		t.Fatalf("%s %v", counted(r), r.Refused)
	}
	again := strings.Replace(text, "/m%C3%B6bler", "/möbler", 1) // the same path, written otherwise
	if r := from.take("redirects", "x.csv", again, exchange.Options{}); r.Unchanged != 3 {
		t.Errorf("again: %s %v", counted(r), r.Refused)
	}
	file := from.give("redirects", "x.csv")
	for _, row := range []string{"WEB,/old-page,/new-page,301,true,0,", "/furniture,302,false,0,",
		"WEB,/away,https://example.com/x,301,true,0,"} {
		if !strings.Contains(file, row) {
			t.Errorf("exported\n%s\nwithout %s", file, row)
		}
	}
	if r := to.take("redirects", "x.csv", file, exchange.Options{}); r.Created != 3 || r.RefusedRows != 0 {
		t.Errorf("into another company: %s %v", counted(r), r.Refused)
	}
	if got := to.give("redirects", "x.csv"); got != file {
		t.Errorf("imported\n%s\nfrom\n%s", got, file)
	}
	r := to.take("redirects", "x.csv",
		"channelCode,fromPath,toPath,statusCode\nWEB,/old-page,/newest,302\nWEB,/OLD-page/,/x,301\nNOPE,/a,/b,301\nWEB,/c,/C,301\nWEB,/d,/away,301\nWEB,/e,/f,404\nWEB,/g,,301\n",
		exchange.Options{})
	if counted(r) != "7 rows: 0 created, 1 updated, 0 unchanged, 6 refused" {
		t.Errorf("%s", counted(r))
	}
	want := "3 WEB /OLD-page/ UrlRedirect.FromPathAlreadyExists\n4 NOPE /a Channel.NotFound\n5 WEB /c UrlRedirect.SelfReference\n" +
		"6 WEB /d UrlRedirect.Loop\n7 WEB /e UrlRedirect.InvalidStatusCode\n8 WEB /g Request.Invalid"
	if got := refusals(r); got != want {
		t.Errorf("refused\n%s\nwant\n%s", got, want)
	}
}

func TestAnUnknownCountryIsLeftOut(t *testing.T) { onEach(t, anUnknownCountryIsLeftOut) }

func anUnknownCountryIsLeftOut(t *testing.T, h *app.App) {
	s := open(t, h, "s")
	r := s.take("customers", "x.csv", "customerNumber,name,country\n1,A,Eire\n2,B,Atlantis\n3,C,no\n4,D,Atlantis\n",
		exchange.Options{})
	if counted(r) != "4 rows: 4 created, 0 updated, 0 unchanged, 0 refused" ||
		strings.Join(r.Warnings, "|") != `country "Atlantis" is not known and was left out (2 rows)` {
		t.Errorf("%s %v %v", counted(r), r.Warnings, r.Refused)
	}
	text := s.give("customers", "x.csv")
	for _, row := range []string{"1,A,,,true,,,,,,,IE,", "2,B,,,true,,,,,,,,", "3,C,,,true,,,,,,,NO,"} {
		if !strings.Contains(text, row) {
			t.Errorf("exported\n%s\nwithout %s", text, row)
		}
	}
}

func TestWhatCameBeforeABrokenPlaceIsImported(t *testing.T) {
	onEach(t, whatCameBeforeABrokenPlaceIsImported)
}

func whatCameBeforeABrokenPlaceIsImported(t *testing.T, h *app.App) {
	s := open(t, h, "s")
	for _, dry := range []bool{true, false} {
		r,
			err := table.Read(strings.NewReader(
			"itemNumber,name,variantOf\nV-1,Child,A-1\nA-1,Good,\nA-2,\"3\"\" pipe\",\nA-3,3\" pipe,\nA-4,,\n\"A-5,never\nclosed,\n"),
			"x.csv", table.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		report, err := exchange.Import(context.Background(), s.desk(), "items", r, exchange.Options{DryRun: dry})
		if err == nil || !strings.Contains(err.Error(), "cannot be read on after 5 rows") {
			t.Errorf("dry %t: %v", dry, err)
		}
		if counted(report) != "5 rows: 3 created, 0 updated, 0 unchanged, 2 refused" ||
			refusals(report) != "5  Request.Invalid\n6 A-4 Item.Invalid" {
			t.Errorf("dry %t: %s\n%s", dry, counted(report), refusals(report))
		}
	}
	if text := s.give("items", "x.csv"); !strings.Contains(text, "\nA-1,Good,") ||
		!strings.Contains(text, "\nV-1,Child,") || !strings.Contains(text, `A-2,"3"" pipe"`) {
		t.Errorf("items:\n%s", text)
	}
}

func TestARefusalNamesItsField(t *testing.T) {
	s := open(t, house(t, "sqlite"), "s")
	r := s.take("items", "x.csv", "itemNumber,name\n,Nameless\n", exchange.Options{})
	if len(r.Refused) != 1 || !strings.HasPrefix(r.Refused[0].Detail, "itemNumber: is empty") {
		t.Errorf("%+v", r.Refused)
	}
}
