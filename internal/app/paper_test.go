package app_test

import (
	"os"
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"

	"kontor/internal/business/paper/papertest"
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

// sayText compares the last answer, which is no JSON, with a regular expression.
func sayText(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: text REGEXP")
	}
	text := string(sceneOf(ts).last.raw)
	if ok, err := regexp.MatchString(os.Expand(args[0], ts.Getenv), text); err != nil || ok == neg {
		ts.Fatalf("the answer says\n%s", text)
	}
}
