package backoffice_test

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"kontor/internal/business/identity"
	"kontor/internal/business/quoting"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/jobs"
)

// option is the value of a choice that is called so.
func (b *browser) option(name string) string {
	b.t.Helper()
	o := b.find(func(n *html.Node) bool { return n.Data == "option" && inner(n) == name })
	if o == nil {
		b.t.Fatalf("no choice %q at %s", name, b.at)
	}
	return attr(o, "value")
}

// What the company promises is worked out for each ticket, and its clock stands still while the customer is waited for.
// Who is responsible is told once when it is late, and reads it in the list.
func TestATicketIsLate(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		anna := o.signedIn("anna@acme.test", identity.Admin)
		sara := o.signedIn("sara@acme.test", identity.Support)
		at := "/settings/service-level"
		anna.get(at + "/edit")
		anna.submit(at+"/edit", "normalAnswer", "1", "normalSolve", "8")
		anna.see("say when somebody is there")
		anna.submit(at+"/edit", "monday", "8-17", "closed", "tomorrow", "urgentSolve", "1", "urgentAnswer", "2")
		anna.see("are no hours", "is no day", "nobody is helped before they are answered")
		var always []string
		for _, d := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
			always = append(always, d, "00:00-24:00")
		}
		anna.submit(at+"/edit", append(always, "closed", "", "normalAnswer", "1", "normalSolve", "8", "urgentAnswer",
			"0.5", "urgentSolve", "4")...)
		anna.see("Saved.", "00:00-24:00")

		sara.get("/new/tickets")
		sara.submit("/new/tickets", "subject", "Where is it?", "contactName", "Bo Ek", "contactEmail", "bo@example.com",
			"queueCode", "SUPPORT", "priority", "Normal")
		sara.see("is made.", "Answer by")
		ticket := sara.at
		number := ticket[strings.LastIndex(ticket, "/")+1:]
		due := func() (out support.Ticket) {
			t.Helper()
			o.write(func(tx *db.Tx) (err error) { out, err = support.Find(tx, number); return err })
			return out
		}
		hour := db.Time(time.Hour.Microseconds())
		is := due()
		if is.AnswerBy != is.CreatedAt+hour || is.SolveBy != is.CreatedAt+8*hour || is.DueAt != is.AnswerBy {
			t.Errorf("made at %v: to be answered by %v and solved by %v", is.CreatedAt, is.AnswerBy, is.SolveBy)
		}

		// Nobody is responsible for it: whoever is for the promises is told, once.
		anna.get(at)
		anna.submit(at+"/responsible", "responsible", anna.option("anna"))
		passes := func(by db.Time) {
			t.Helper()
			o.write(func(tx *db.Tx) error {
				_, err := tx.Exec(`-- test.passes
					update ticket set due_at = due_at - :by, answer_by = answer_by - :by, solve_by = solve_by - :by, created_at = created_at - :by
					where company = :company`, db.Args{"by": by})
				return err
			})
			now := due()
			o.write(func(tx *db.Tx) error {
				_, err := jobs.Add(tx, support.OverdueKind, number, now.DueAt, jobs.Options{Key: now.ID})
				return err
			})
			o.works(t.Context())
		}
		passes(2 * hour)
		anna.get("/notifications?unread=yes")
		anna.see("Late", "Bo Ek", "Where is it?")
		sara.get("/notifications")
		sara.miss("Where is it?")
		sara.get("/tickets?overdue=yes")
		sara.see(number, "Late")
		sara.get("/")
		sara.see("Late tickets")

		// Who answers is responsible from then on; the customer is waited for, so nothing is late.
		sara.get(ticket + "/answer")
		sara.submit(ticket+"/answer", "body", "On its way.")
		sara.see("The answer is sent.")
		sara.miss("Late")
		if is := due(); is.DueAt != 0 || is.PausedAt == 0 {
			t.Errorf("the customer is waited for, and it is due at %v", is.DueAt)
		}
		sara.get("/tickets?overdue=yes")
		sara.miss(number)
		o.write(func(tx *db.Tx) error {
			_, err := tx.Exec(`-- test.waits
				update ticket set paused_at = paused_at - :by where company = :company`, db.Args{"by": 3 * hour})
			if err != nil {
				return err
			}
			_, _, err = support.Say(tx, number, support.Message{Body: "It is not here.", AuthorType: support.Customer})
			return err
		})
		if is := due(); is.Waited < 3*3600 || is.Waited > 3*3600+60 || is.DueAt != is.SolveBy ||
			is.SolveBy-is.CreatedAt < 11*hour || is.SolveBy-is.CreatedAt > 11*hour+db.Time(time.Minute.Microseconds()) {
			t.Errorf("waited for three hours of eight: %d s, to be solved by %v after %v", is.Waited, is.SolveBy,
				is.CreatedAt)
		}
		passes(10 * hour)
		sara.get("/notifications")
		sara.see("Late", "Where is it?")
		o.write(func(tx *db.Tx) error {
			return support.Verify(tx, func(d string) { t.Error(d) })
		})
	})
}

// The seller who sent a quote is told what became of it.
func TestASellerHearsOfAQuote(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		anna := o.signedIn("anna@acme.test", identity.Admin)
		bo := o.signedIn("bo@acme.test", identity.Sales)
		goods(anna)
		for _, answer := range []string{"accept", "decline"} {
			bo.get("/new/quotes")
			bo.submit("/new/quotes", "customerNumber", "C-1", "title", "For you to "+answer, "lines[0].itemNumber", "A-100",
				"lines[0].quantity", "1")
			bo.see("is made.")
			quote := bo.at
			bo.get(quote + "/send")
			bo.submit(quote + "/send")
			bo.see("The quote counts as sent.")
			number := quote[strings.LastIndex(quote, "/")+1:]
			o.write(func(tx *db.Tx) (err error) {
				if answer == "accept" {
					_, _, err = quoting.Accept(tx, number, quoting.Acceptance{ByReader: true})
				} else {
					_, err = quoting.Decline(tx, number, "Too dear.")
				}
				return err
			})
		}
		bo.get("/notifications?unread=yes")
		bo.see("Accepted", "For you to accept", "Declined", "For you to decline", "Too dear.")
	})
}

// Tickets stand beside the order and the customer that they are about, and beside no other.
func TestTicketsStandBesideWhatTheyAreAbout(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		anna := o.signedIn("anna@acme.test", identity.Admin)
		goods(anna)
		about, other := order(anna), order(anna)
		anna.get("/new/tickets?order=" + about)
		anna.submit("/new/tickets", "subject", "Where is it?")
		anna.see("is made.")
		for _, at := range []string{"/orders/" + about, "/customers/C-1"} {
			anna.get(at)
			anna.see("Where is it?")
		}
		anna.get("/orders/" + other)
		anna.miss("Where is it?")
	})
}
