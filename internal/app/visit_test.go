package app_test

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"kontor/internal/business/portal"
	"kontor/internal/foundation/mail/mailtest"
)

// visitor are the headers of a storefront's request.
func (s *scene) visitor() []string {
	h := []string{"X-Api-Key:", "Idempotency-Key:"}
	if s.tenant != "" {
		h = append(h, "X-Tenant-Id: "+s.tenant)
	}
	if s.store != "" {
		h = append(h, "X-Channel: "+s.store)
	}
	if s.session != "" {
		h = append(h, "Authorization: Bearer "+s.session)
	}
	return h
}

// sayVisit opens a session in a store, whose token is $SESSION; "visit use NAME" goes back to one that was kept in a
// variable, "visit none" sends no token.
func sayVisit(ts *testscript.TestScript, neg bool, args []string) {
	s := sceneOf(ts)
	switch {
	case neg || len(args) > 2 || len(args) == 2 && args[0] != "use":
		ts.Fatalf("usage: visit [CHANNEL] | visit use NAME | visit none")
	case len(args) == 2:
		s.session = ts.Getenv(args[1])
		return
	case len(args) == 1 && args[0] == "none":
		s.session = ""
		return
	}
	s.store = "WEB"
	if len(args) == 1 {
		s.store = args[0]
	}
	if s.tenant == "" {
		s.tenant = s.companyID(ts, "acme")
		ts.Setenv("TENANT", s.tenant)
	}
	s.session = ""
	ask(ts, "GET", false, []string{"/ecom/session", "200"})
	s.session = s.one(s.last, "sessionToken")
	ts.Setenv("SESSION", s.session)
}

// sayStoreKey makes a store key of the store WEB, $STOREKEY, whose name is $STOREKEYNAME.
func sayStoreKey(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: storekey")
	}
	s, name := sceneOf(ts), newKey()
	out, err := s.kontor("store-key", "create", "--company=acme", "--channel=WEB", "--name="+name)
	ts.Check(err)
	ts.Setenv("STOREKEY", strings.TrimSpace(out))
	ts.Setenv("STOREKEYNAME", name)
}

func (s *scene) companyID(ts *testscript.TestScript, code string) string {
	out, err := s.kontor("company", "list", "--json")
	ts.Check(err)
	var answer any
	ts.Check(json.Unmarshal([]byte(out), &answer))
	a := answerOf(answer)
	ids := a.at("companies[code=" + code + "].companyId")
	if len(ids) != 1 {
		ts.Fatalf("company list says %s", out)
	}
	return ids[0]
}

func answerOf(body any) answer { return answer{body: body} }

// mailServer is the scene's mail server.
func (s *scene) mailServer() *mailtest.Office {
	if s.office == nil {
		s.office = mailtest.Open(s.TB)
	}
	return s.office
}

// sayMailbox waits for a mail to an address that has something in subject or text, takes it out of the box, and keeps
// the first group of the expression: mailbox ADDRESS NAME REGEXP
func sayMailbox(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: mailbox ADDRESS NAME REGEXP")
	}
	s := sceneOf(ts)
	found := s.mailServer().Find(s.TB, args[0], regexp.MustCompile(args[2]))
	ts.Setenv(args[1], found[len(found)-1])
}

// saySlip reads the code on the return slip of an order: slip ORDERID
func saySlip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: slip ORDERID")
	}
	ts.Setenv("slip", portal.ReturnCode(args[0]))
}
