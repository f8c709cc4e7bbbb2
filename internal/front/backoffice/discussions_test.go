package backoffice_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/net/html"

	"kontor/internal/business/identity"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
)

// bell is what the bell says: how much was not read, in words.
func (b *browser) bell() string {
	b.t.Helper()
	n := b.find(byClass("bell"))
	if n == nil {
		b.t.Fatalf("no bell at %s", b.at)
	}
	return inner(n)
}

// Colleagues speak of an order beside its history: who is named is told in the office, once, and has read it when they
// have seen the order. What is said stays inside, and its author takes it back.
func TestColleaguesSpeakOfARecord(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		anna := o.signedIn("anna@acme.test", identity.Admin)
		bo, wim := o.signedIn("bo@acme.test", identity.Sales), o.signedIn("wim@acme.test", identity.Warehouse)
		o.signedIn("pia@acme.test", identity.Purchasing)
		goods(anna)
		at := "/orders/" + order(anna)
		anna.get(at)
		anna.see("Comments and history", "Responsible")
		anna.submit(at+"/comments", "comment", " ")
		anna.see("is missing")
		anna.submit(at+"/comments", "comment", "@Bo, can this leave today? Not bo@acme.test but @wimbledon would know.")
		anna.see("told to bo.", "can this leave today?", "Withdraw")

		bo.get("/")
		if !strings.Contains(bo.bell(), "1 notifications that you have not read") {
			t.Errorf("bo's bell says %q", bo.bell())
		}
		bo.get("/notifications?unread=yes")
		bo.see("Mentioned you", "anna", "can this leave today?", "New")
		bo.get(at)
		bo.see("can this leave today?")
		bo.miss("Withdraw")
		if strings.Contains(bo.bell(), "not read") {
			t.Errorf("bo has seen the order, and his bell says %q", bo.bell())
		}
		bo.get("/notifications?unread=yes")
		bo.miss("Mentioned you")
		bo.get(at)
		bo.submit(at+"/comments", "comment", "It can.")
		anna.get("/notifications")
		anna.see("Commented", "It can.")
		wim.get("/notifications")
		wim.miss("can this leave")

		// Who only reads says who is responsible as little as anything else of the record.
		vera := o.signedIn("vera@acme.test", identity.Viewer)
		vera.get(at)
		vera.see("Responsible: Nobody")
		if vera.find(byClass("charge")) != nil {
			t.Error("who may only look is asked who is responsible")
		}

		// Whoever is responsible is told, and hears what is said.
		bo.submit(at+"/responsible", "responsible", "somebody else")
		bo.see("choose somebody of the list")
		bo.get(at)
		person := bo.find(func(n *html.Node) bool { return n.Data == "option" && inner(n) == "wim" })
		bo.submit(at+"/responsible", "responsible", attr(person, "value"))
		wim.get("/notifications")
		wim.see("Made you responsible", "bo")
		wim.get("/notifications/read")
		wim.submit("/notifications/read")
		wim.see("All are read.")
		anna.get(at)
		anna.submit(at+"/comments", "comment", "It left.")
		wim.get("/notifications?unread=yes")
		wim.see("Commented", "It left.")
		wim.miss("Made you responsible")

		// Only its author takes a comment back, and it goes from what others were told as well.
		anna.get(at)
		take := anna.find(func(n *html.Node) bool { return strings.HasSuffix(attr(n, "action"), "/withdraw") })
		action := attr(take, "action")
		bo.get(at)
		bo.post(action, bo.filled(at+"/comments"))
		if bo.status != http.StatusForbidden {
			t.Errorf("somebody else's comment is withdrawn: %d", bo.status)
		}
		anna.submit(action)
		anna.see("The comment is withdrawn.", "Comment, withdrawn")
		anna.miss("It left.")
		wim.get("/notifications?unread=yes")
		wim.miss("It left.")
		anna.post(action, anna.filled(at+"/comments"))
		anna.see("not there any more")
	})
}

// A comment brings a file, which is refused where it is none that people can look at; what was typed stays then.
func TestACommentBringsAFile(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.get("/items/A-100")
	b.send("/items/A-100/comments", "file", "run.exe", []byte("MZ\x00\x00"), "comment", "How it looks")
	b.miss("The comment is kept.")
	if b.value("comment") != "How it looks" {
		t.Errorf("what was typed is lost: %q", b.value("comment"))
	}
	b.send("/items/A-100/comments", "file", "lamp.svg",
		[]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>`),
		"comment", "How it looks")
	b.see("The comment is kept.", "How it looks", "lamp.svg")
	file := b.find(func(n *html.Node) bool { return n.Data == "a" && strings.Contains(inner(n), "lamp.svg") })
	stranger := o.browser()
	stranger.get(attr(file, "href"))
	if stranger.status != http.StatusOK || !strings.Contains(stranger.text, "<rect") {
		t.Errorf("the file is not at %s: %d", attr(file, "href"), stranger.status)
	}
	take := b.find(func(n *html.Node) bool { return strings.HasSuffix(attr(n, "action"), "/withdraw") })
	b.submit(attr(take, "action"))
	stranger.get(attr(file, "href"))
	if stranger.status != http.StatusNotFound {
		t.Errorf("the file of a comment that was withdrawn is still there: %d", stranger.status)
	}
}

// What was said of a record that is deleted goes with it: the words, the files, who is responsible and who was told.
func TestWhatIsSaidGoesWithItsRecord(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b, bo := o.signedIn("anna@acme.test", identity.Admin), o.signedIn("bo@acme.test", identity.Sales)
		goods(b)
		b.get("/customers/C-1")
		b.send("/customers/C-1/comments", "file", "lamp.svg",
			[]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>`),
			"comment", "@bo, look at this")
		file := attr(b.find(func(n *html.Node) bool { return n.Data == "a" && strings.Contains(inner(n), "lamp.svg") }), "href")
		person := b.find(func(n *html.Node) bool { return n.Data == "option" && inner(n) == "bo" })
		b.submit("/customers/C-1/responsible", "responsible", attr(person, "value"))
		bo.get("/notifications")
		bo.see("look at this", "Made you responsible")
		b.get("/customers/C-1/delete")
		b.submit("/customers/C-1/delete")
		bo.get("/notifications")
		bo.miss("look at this", "Made you responsible")
		if strings.Contains(bo.bell(), "not read") {
			t.Errorf("bo's bell says %q", bo.bell())
		}
		b.get(file)
		if b.status != http.StatusNotFound {
			t.Errorf("the file is still there: %d", b.status)
		}
	})
}

// Comments and what happened are one history, read page by page in the order of their moments.
func TestCommentsAreReadPageByPage(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	for i := range 25 {
		n := strings.Repeat("x", i+1) + "."
		b.get("/items/A-100")
		b.submit("/items/A-100/comments", "comment", "Said "+n)
		b.get("/items/A-100/edit")
		b.submit("/items/A-100/edit", "name", "Named "+n)
	}
	b.get("/items/A-100")
	seen := strings.Count(b.words(), "Said x")
	b.see("Older entries")
	older := b.find(func(n *html.Node) bool { return n.Data == "a" && inner(n) == "Older entries" })
	address, _, _ := strings.Cut(attr(older, "href"), "#")
	b.get(address)
	if rest := strings.Count(b.words(), "Said x"); seen+rest != 25 || seen < 10 {
		t.Errorf("%d and %d comments of 25 were shown", seen, rest)
	}
}

// Whoever is notified is mailed, in their language, unless they do not want that or have read it; and nobody is told
// twice.
func TestNotificationsAreMailed(t *testing.T) {
	o, post := openedWithMail(t, "sqlite")
	anna := o.signedIn("anna@acme.test", identity.Admin)
	bo := o.signedIn("bo@acme.test", identity.Support)
	bo.get("/account/profile")
	bo.submit("/account/profile", "language", "sv")
	anna.get("/new/tickets")
	anna.submit("/new/tickets", "subject", "Where is it?", "contactName", "Kim", "contactEmail", "kim@example.com",
		"queueCode", "SUPPORT", "priority", "Normal")
	at := anna.at
	anna.submit(at+"/comments", "comment", "@bo and @bo@acme.test: please answer.")
	l := post.Next(t)
	if l.To[0] != "bo@acme.test" || !strings.Contains(l.Text, "anna nämnde dig: Ärende") ||
		!strings.Contains(l.Text, "please answer") || !strings.Contains(l.Text, at) {
		t.Errorf("%s got\n%s", l.To, l.Text)
	}
	person := anna.find(func(n *html.Node) bool { return n.Data == "option" && inner(n) == "bo" })
	anna.submit(at+"/responsible", "responsible", attr(person, "value"))
	if l = post.Next(t); !strings.Contains(l.Text, "gjorde dig ansvarig") {
		t.Errorf("bo got %s", l.Text)
	}
	o.write(func(tx *db.Tx) error {
		_, _, err := support.Say(tx, at[len("/tickets/"):], support.Message{Body: "Hello?", AuthorType: support.Customer})
		return err
	})
	if l = post.Next(t); !strings.Contains(l.Text, "Hello?") || !strings.Contains(l.Text, "Kim skrev") || l.To[0] != "bo@acme.test" {
		t.Errorf("bo got %s to %s", l.Text, l.To)
	}
	bo.get("/account/profile")
	bo.submit("/account/profile", "isQuiet", "on")
	anna.submit(at+"/comments", "comment", "@bo, once more.")
	anna.see("told to bo.")
	bo.get("/notifications?unread=yes")
	bo.see("once more.")
	anna.get("/new/users")
	anna.submit("/new/users", "email", "vera@acme.test", "name", "Vera", "role", "viewer", "language", "en")
	if l = post.Next(t); l.To[0] != "vera@acme.test" {
		t.Errorf("who wants no mails got %s", l.Text)
	}
}

// In a browser the names of colleagues are offered behind an @.
func TestACommentNamesAColleague(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	bo := o.signedIn("bo.ek@acme.test", identity.Sales)
	goods(o.signedIn("anna@acme.test", identity.Admin))
	w.do("sign in", w.to("/items/A-100"), typed("email", "anna@acme.test"), typed("password", password+"\r"),
		said("form.comment"))
	w.do("what is typed", typed("comment", "Please look, @b"), said(".naming [aria-selected=true]"))
	w.do("the choice", chromedp.KeyEvent(kb.ArrowDown), click(".naming [aria-selected=true]"), typed("comment", "and @nobody"))
	if got := w.ask(`document.querySelector("#f-comment").value`); got != "Please look, @bo.ek and @nobody" {
		t.Errorf("the comment is %q", got)
	}
	w.do("the comment", click("form.comment .gos button"), said(".flash"))
	w.see("told to bo.ek.", "Please look, @bo.ek")
	w.looksAt("comments")
	w.do("the notifications", w.to("/notifications"))
	bo.get("/notifications")
	bo.see("Mentioned you")
	w.ask(`document.querySelector('form[action="/sign-out"]').submit(), ""`)
	w.do("somebody else", said("#f-email"), typed("email", "bo.ek@acme.test"), typed("password", password+"\r"), said(".bell .count"), w.to("/notifications"))
	w.looksAt("notifications")
}
