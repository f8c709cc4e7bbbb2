package letters

import (
	"fmt"
	"strings"

	"kontor/internal/foundation/mail"
)

// Answer is what an agent wrote on a ticket.
type Answer struct {
	TicketNumber string
	Subject      string // of the ticket
	Body         string // plain text
	By           string // who wrote it; may be empty
	Files        []File
}

// File is a file that can be fetched.
type File struct{ Name, URL string }

// TicketAnswered brings what an agent wrote. The ticket's number stands in the subject, where it leads an answer back
// to the ticket.
func TicketAnswered(lang string, s Store, to mail.Address, a Answer) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject, l.About = "["+a.TicketNumber+"] "+a.Subject, a.TicketNumber
	l.Title = fmt.Sprintf(w.TicketTitle, a.TicketNumber)
	for line := range strings.Lines(a.Body) {
		if line = strings.TrimSpace(line); line != "" {
			l.Paragraphs = append(l.Paragraphs, line)
		}
	}
	if a.By != "" {
		l.Paragraphs = append(l.Paragraphs, oneLine(a.By))
	}
	for _, f := range a.Files {
		l.Links = append(l.Links, link{oneLine(f.Name), f.URL})
	}
	l.Notes = []string{w.TicketReply}
	return l.message(to)
}
