package backoffice_test

import (
	"regexp"
	"strings"
	"testing"

	"kontor/internal/business/identity"
)

var readLink = regexp.MustCompile(`https?://[^\s/]*(/newsletter/letter\?token=\S+)`)

// A mailing is written, refused where it is wrong, looked at, tried and sent from the pages; its letter is seen in a
// browser without a password, and a draft is not.
func TestAMailingIsWrittenAndSent(t *testing.T) {
	o, post := openedWithMail(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	o.subscribe("bo@reader.test")
	guest := o.browser()
	guest.get(post.Find(t, "bo@reader.test", confirms)[1])
	guest.submit("/newsletter/confirm")
	b.get("/mailings")
	b.see("Mailings", "New mailing")
	b.get("/new/mailings")
	b.submit("/new/mailings", "channel", "WEB", "subject", "Spring", "html", "<script>x</script>", "language", "en", "pace",
		"0", "item", "NOTHING")
	b.see("whole number from 1 to 6", "there is no item", "must be a text of at most")
	b.get("/new/mailings")
	b.submit("/new/mailings", "channel", "WEB", "subject", "Spring is here", "html",
		"Dear reader,\n\nnew lamps have come.", "language", "en", "pace", "600")
	b.see("Saved.", "Spring is here", "Draft", "Would get it now", "new lamps have come")
	at := regexp.MustCompile(`/mailings/[0-9a-f-]{36}`).FindString(b.text)
	b.get(at + "/letter")
	b.see("Spring is here", "new lamps have come")
	if policy := b.header.Get("Content-Security-Policy"); !strings.Contains(policy, "style-src 'unsafe-inline'") ||
		strings.Contains(policy, "script") {
		t.Errorf("a letter is shown under %q", policy)
	}
	b.get(at)
	b.submit(at + "/try")
	b.see("The trial is on its way to anna@acme.test.")
	post.Find(t, "anna@acme.test", regexp.MustCompile("Spring is here"))
	b.get(at + "/edit")
	b.submit(at+"/edit", "subject", "Spring has come")
	b.see("Saved.", "Spring has come")
	b.get(at + "/send")
	b.see("cannot be taken back")
	b.submit(at + "/send")
	b.see("The mailing has begun.")
	link := post.Find(t, "bo@reader.test", readLink)[1]
	stranger := o.browser()
	stranger.get(link)
	stranger.see("Spring has come", "new lamps have come")
	stranger.miss("bo@reader.test", "Unsubscribe")
	if robots := stranger.header.Get("X-Robots-Tag"); !strings.Contains(robots, "noindex") {
		t.Errorf("robots are told %q", robots)
	}
	stranger.get(link[:len(link)-2] + "xx")
	stranger.see("This link is not valid any more")
	b.get(at)
	b.see("Sent", "Recipients", "Letters sent")
	b.get(at + "/recipients?status=Sent")
	b.see("bo@reader.test", "Sent")
	b.get("/new/mailings")
	b.submit("/new/mailings", "channel", "WEB", "subject", "Never", "html", "x", "language", "en", "pace", "1", "item", "",
		"boughtDays", "3")
	at = regexp.MustCompile(`/mailings/[0-9a-f-]{36}`).FindString(b.text)
	b.get(at + "/send")
	b.submit(at + "/send")
	b.see("Nobody would get it")
	b.get(at + "/delete")
	b.submit(at + "/delete")
	b.see("The mailing is deleted.")
	v := o.signedIn("vera@acme.test", identity.Viewer)
	v.get("/new/mailings")
	if v.status != 403 {
		t.Errorf("somebody who may only read writes mailings: %d", v.status)
	}
}

// What it looks like, on a desk and on a phone.
func TestMailingsInABrowser(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	b := o.signedIn("anna@acme.test", identity.Admin)
	b.get("/new/mailings")
	b.submit("/new/mailings", "channel", "WEB", "subject", "Spring is here, and with it all that grows", "html",
		"<h2>New lamps</h2><p>Dear reader, <a href='/lamps'>new lamps</a> have come.</p>", "language", "en", "pace", "30")
	w.do("sign in", w.to("/mailings"), typed("email", "anna@acme.test"), typed("password", password+"\r"), said("table"))
	w.looksAt("mailings")
	w.do("one of them", click("table a[href^='/mailings/']"), said("dl"))
	w.looksAt("mailing")
	w.do("the letter", click("a[href$='/letter']"), said("h1"))
	w.looksAt("mailing-letter")
	w.do("a new one", w.to("/new/mailings"), said("form"))
	w.looksAt("mailing-new")
}
