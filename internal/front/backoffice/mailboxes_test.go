package backoffice_test

import (
	"strconv"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/front/postbox/imaptest"
)

// A mailbox is set up, tried and read from the pages: who tries it is told what is wrong, its password is shown to
// nobody and goes to no other server, and one that cannot be read says why.
func TestAMailboxIsSetUp(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b, box := o.signedIn("anna@acme.test", identity.Admin), imaptest.Memory(t, nil)
		box.Put("From: bo@example.com\nSubject: The pump\n\nIt leaks.\n")
		const list, making, at = "/settings/mailboxes", "/new/settings/mailboxes", "/settings/mailboxes/HELP"
		b.get(list)
		b.see("Mailboxes", "New mailbox")
		b.get(making)
		b.submit(making, "code", "TWO WORDS", "address", "nobody", "host", "imap.example.com/x", "port", "70000",
			"security", "TLS", "user", "support", "folder", "INBOX")
		b.see("must be a word", "is no mail address", "must be the name of a server", "from 1 to 65535", "is missing")
		b.get(making)
		b.submit(making, "code", "HELP", "address", "help@acme.test", "host", "127.0.0.1", "port",
			strconv.Itoa(box.Port), "security", "None", "user", imaptest.User, "password", "wrong-secret", "folder",
			"INBOX")
		b.see("HELP is made.", "help@acme.test", "Not used", "Try the connection")
		b.miss("wrong-secret")
		b.submit(at + "/try")
		b.see("It does not work: The mail server does not accept the user and the password.")
		b.get(at + "/edit")
		b.miss("wrong-secret")
		b.submit(at+"/edit", "password", imaptest.Password, "folder", "Nowhere")
		b.submit(at + "/try")
		b.see("There is no folder of this name in the mailbox")
		b.get(at + "/edit")
		b.submit(at+"/edit", "folder", "INBOX", "doneFolder", "Done")
		b.submit(at + "/try")
		b.see("It works. 1 mails lie in the folder; 1 of them would be taken now.")
		b.get(at + "/edit")
		b.submit(at+"/edit", "port", "1")
		b.see("is missing") // the password is for whom it was given
		b.get(making)
		b.submit(making, "code", "help", "address", "help@acme.test", "host", "127.0.0.1", "port", "143", "security",
			"None", "user", "x", "password", "y", "folder", "INBOX")
		b.see("there is a mailbox with the code")
		for port, says := range map[string]string{"1": "cannot be reached at this port"} {
			b.get(at + "/edit")
			b.submit(at+"/edit", "port", port, "password", "x", "isUsed", "true")
			b.see("Saved.")
			b.submit(at + "/try")
			b.see(says)
		}
		b.get(at)
		b.submit(at + "/read")
		b.see("The mailbox is being read")
		b.get(list)
		b.see("HELP", "help@acme.test")
		v := o.signedIn("vera@acme.test", identity.Viewer)
		v.get(making)
		if v.status != 403 {
			t.Errorf("somebody who may only read sets up mailboxes: %d", v.status)
		}
		b.get(at + "/delete")
		b.submit(at + "/delete")
		b.see("The mailbox HELP is deleted.")
		b.get(at)
		if b.status != 404 {
			t.Errorf("a mailbox that is deleted answers %d", b.status)
		}
	})
}
