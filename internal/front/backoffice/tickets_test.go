package backoffice_test

import (
	"testing"

	"kontor/internal/business/identity"
)

// Agents keep what they answer often, and one click puts it into an answer, filled in with what the ticket says.
func TestCannedAnswers(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("sara@acme.test", identity.Support)
		b.get("/new/tickets")
		b.submit("/new/tickets", "subject", "Where is it?", "contactName", "Bo Ek", "contactEmail", "bo@example.com",
			"queueCode", "SUPPORT", "priority", "Normal")
		b.see("is made.", "Where is it?")
		ticket := b.at

		b.get("/new/settings/canned-answers")
		b.submit("/new/settings/canned-answers", "code", "LATE", "name", "It is late", "language", "en", "body",
			"Dear {contactName}, {number} is late.", "isActive", "on")
		b.see("there is no placeholder {number}: use one of {contactName}, {customerName}")
		b.submit("/new/settings/canned-answers", "code", "LATE", "name", "It is late", "language", "en", "body",
			"Dear {contactName}, your order {orderNumber} of ticket {ticketNumber} is late.", "isActive", "on")
		b.see("LATE is made.", "It is late")
		b.get("/new/settings/canned-answers")
		b.submit("/new/settings/canned-answers", "code", "OLD", "name", "Not used any more", "body", "No.")
		b.get("/settings/canned-answers/OLD/edit")
		b.submit("/settings/canned-answers/OLD/edit", "isActive", "")

		b.get(ticket + "/answer")
		b.see("Begin with", "It is late (en)")
		if got := b.value("body"); got != "" {
			t.Errorf("an answer begins with %q", got)
		}
		b.get(ticket + "/answer?canned=LATE")
		want := "Dear Bo Ek, your order {orderNumber} of ticket T-10001 is late."
		if got := b.value("body"); got != want {
			t.Errorf("the answer begins with %q, want %q", got, want)
		}
		b.submit(ticket+"/answer", "body", "Dear Bo Ek, it is late.")
		b.see("The answer is sent.", "Dear Bo Ek, it is late.")
		b.get(ticket + "/note")
		b.miss("Begin with")
		b.get("/settings/canned-answers/LATE")
		b.see("It is late")

		v := o.signedIn("vera@acme.test", identity.Viewer)
		v.get("/new/settings/canned-answers")
		if v.status != 403 {
			t.Errorf("somebody who may only read writes canned answers: %d", v.status)
		}
	})
}
