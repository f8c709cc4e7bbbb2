package app_test

import (
	"fmt"
	"os"
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"

	"kontor/internal/business/paper/papertest"
	"kontor/internal/front/chat/chattest"
	"kontor/internal/front/payment/klarna/klarnatest"
)

// sayPaper compares what the PDF of the last answer says with a regular expression: paper REGEXP
func sayPaper(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: paper REGEXP")
	}
	text, err := papertest.Text(sceneOf(ts).last.raw)
	ts.Check(err)
	if ok, err := regexp.MatchString(args[0], text); err != nil || ok == neg {
		ts.Fatalf("the paper says\n%s", text)
	}
}

// anyID is an id, which is made by chance: it holds every short text once in a while.
var anyID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// sayText compares the last answer, which is no JSON, with a regular expression. What an answer must not say is looked
// for outside of its ids.
func sayText(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: text REGEXP")
	}
	text := string(sceneOf(ts).last.raw)
	if neg {
		text = anyID.ReplaceAllString(text, "ID")
	}
	if ok, err := regexp.MatchString(os.Expand(args[0], ts.Getenv), text); err != nil || ok == neg {
		ts.Fatalf("the answer says\n%s", text)
	}
}

// sayKlarna is a local server of Klarna's protocol: klarna open, which sets $KLARNA; klarna buy ORDER [FRAUDSTATUS],
// the buyer's part.
func sayKlarna(ts *testscript.TestScript, neg bool, args []string) {
	s := sceneOf(ts)
	switch {
	case !neg && len(args) == 1 && args[0] == "open":
		s.klarna = klarnatest.Serve(s.TB)
		ts.Setenv("KLARNA", s.klarna.URL)
	case !neg && len(args) >= 2 && args[0] == "buy" && s.klarna != nil:
		fraud := "ACCEPTED"
		if len(args) > 2 {
			fraud = args[2]
		}
		s.klarna.Buy(args[1], "AUTHORIZED", fraud)
	default:
		ts.Fatalf("usage: klarna open | klarna buy ORDER [FRAUDSTATUS]")
	}
}

// sayModel is a local server of a language model: model open, which sets $MODEL; model says TEXT, model fails MODE (see
// chattest), model heard REGEXP, which looks into what it was asked last.
func sayModel(ts *testscript.TestScript, neg bool, args []string) {
	s := sceneOf(ts)
	switch {
	case !neg && len(args) == 1 && args[0] == "open":
		s.model = chattest.Serve(s.TB)
		ts.Setenv("MODEL", s.model.URL+"/v1")
	case !neg && len(args) == 2 && args[0] == "says" && s.model != nil:
		s.model.Say("", args[1])
	case !neg && len(args) == 2 && args[0] == "fails" && s.model != nil:
		s.model.Say(args[1], "Dome tent Fjord is waterproof. [1]")
	case len(args) == 2 && args[0] == "heard" && s.model != nil:
		q, _ := s.model.Last()
		heard := fmt.Sprint(q)
		if ok, err := regexp.MatchString(args[1], heard); err != nil || ok == neg {
			ts.Fatalf("the model was asked\n%s", heard)
		}
	default:
		ts.Fatalf("usage: model open | model says TEXT | model fails MODE | model heard REGEXP")
	}
}
