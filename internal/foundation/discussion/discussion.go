// Package discussion is what the company's own people say to each other about records, who of them is responsible for
// one, and who is told. Nothing of it leaves the office: no API shows it, and no customer sees it.
package discussion

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/fold"
	"kontor/internal/foundation/record"
)

// Refusals of the room.
var (
	ErrInvalid  = fault.New(fault.Invalid, "Comment.Invalid")
	ErrNotFound = fault.New(fault.NotFound, "Comment.NotFound")
	ErrNotYours = fault.New(fault.Denied, "Comment.NotYours")
)

// MaxBody is the most characters of a comment.
const MaxBody = 4000

// About is the record that something is about.
type About struct {
	Resource string // as the activity log names its kind
	ID       string
	Path     string // of its page in the office
	// Permission is what the page takes; "" = none.
	Permission string
	// Title is what the page is called in a language.
	Title func(language string) string
}

// Person is somebody who works in the company and may see the record.
type Person struct{ ID, Name, Email, Language string }

// Comment is what somebody said about a record.
type Comment struct {
	ID, AuthorID, AuthorName string
	Body                     string // plain text, "" once it is withdrawn
	SaidAt, WithdrawnAt      db.Time
	Files                    []File
}

// File is a file that a comment brings.
type File struct {
	ID            string // which nobody can guess
	FileName      string
	Hash          string // SHA-256 of its bytes, in hexadecimal digits
	ContentType   string
	FileSize      int
	Width, Height int // 0 where they are not known
}

// Say keeps a comment, and tells those whom it names with an @, whoever is responsible for the record, and those who
// spoke of it before. people are those who may see the record; nobody else is told. It answers who was named.
// Refusal: Comment.Invalid.
func Say(tx *db.Tx, about About, body string, files []File, people []Person) ([]Person, error) {
	body = strings.TrimSpace(body)
	switch n := utf8.RuneCountInString(body); {
	case n == 0:
		return nil, ErrInvalid.At("comment", "is missing: write what there is to say")
	case n > MaxBody:
		return nil, ErrInvalid.At("comment", "is longer than %d characters; shorten it", MaxBody)
	}
	c := Comment{ID: record.NewID(), AuthorID: tx.Actor.ID, AuthorName: tx.Actor.Name, Body: body, SaidAt: tx.Now,
		Files: slices.Clone(files)}
	for i := range c.Files {
		c.Files[i].ID = record.NewID()
	}
	others, err := participants(tx, about)
	if err != nil {
		return nil, err
	}
	if err := insert(tx, about, c); err != nil {
		return nil, err
	}
	named := Named(body, people)
	for _, p := range people {
		switch {
		case slices.Contains(named, p):
			err = Tell(tx, about, p, Notification{Reason: Mentioned, CommentID: c.ID, Excerpt: body})
		case others[p.ID]:
			err = Tell(tx, about, p, Notification{Reason: Commented, CommentID: c.ID, Excerpt: body})
		}
		if err != nil {
			return nil, err
		}
	}
	return named, nil
}

// mostNotes is how many notes machines may leave on a record.
const mostNotes = 20

// Note keeps what nobody said but happened to a record, as a comment of by, and tells whoever is responsible for it.
func Note(tx *db.Tx, about About, reason Reason, by, body string) error {
	notes, err := countNotes(tx, about)
	if err != nil || notes >= mostNotes {
		return err
	}
	c := Comment{ID: record.NewID(), AuthorName: by, Body: body, SaidAt: tx.Now}
	if err := insert(tx, about, c); err != nil {
		return err
	}
	_, err = TellResponsible(tx, about, Notification{Reason: reason, CommentID: c.ID, By: by, Excerpt: body})
	return err
}

// Withdraw takes the words and files of a comment away; that something was said stays. Only its author may.
// Refusals: Comment.NotFound, Comment.NotYours.
func Withdraw(tx *db.Tx, about About, id string) error {
	c, err := lock(tx, about, id)
	if err != nil {
		return err
	}
	if c.AuthorID != tx.Actor.ID {
		return ErrNotYours.Because("%s wrote this: only they can withdraw it", c.AuthorName)
	}
	return withdraw(tx, id)
}

// Charge makes somebody responsible for a record, "" nobody, and tells them. people are those who may see the record.
// Refusal: Comment.Invalid.
func Charge(tx *db.Tx, about About, personID string, people []Person) error {
	i := slices.IndexFunc(people, func(p Person) bool { return p.ID == personID })
	if personID != "" && i < 0 {
		return ErrInvalid.At("responsible", "is nobody who may see this: choose somebody of the list")
	}
	before, err := Responsible(tx, about)
	if err != nil || before.ID == personID {
		return err
	}
	if personID == "" {
		return uncharge(tx, about)
	}
	if err := charge(tx, about, people[i]); err != nil {
		return err
	}
	return Tell(tx, about, people[i], Notification{Reason: Charged})
}

// TakeCharge makes who does something with a record responsible for it where nobody is, so that what comes of it is
// told to somebody.
func TakeCharge(tx *db.Tx, about About, p Person) error {
	before, err := Responsible(tx, about)
	if err != nil || before.ID != "" {
		return err
	}
	return charge(tx, about, p)
}

// Named are the people whom a text names: with an @ and their whole name, their address, or their first name where
// nobody else has it.
func Named(text string, people []Person) (named []Person) {
	folded := fold.Key(text)
	for _, p := range people {
		first, _, _ := strings.Cut(p.Name, " ")
		alone := first != "" && !slices.ContainsFunc(people, func(o Person) bool {
			other, _, _ := strings.Cut(o.Name, " ")
			return o.ID != p.ID && fold.Key(other) == fold.Key(first)
		})
		if names(folded, p.Name) || names(folded, p.Email) || alone && names(folded, first) {
			named = append(named, p)
		}
	}
	slices.SortFunc(named, func(a, b Person) int { return cmp.Compare(a.Name, b.Name) })
	return named
}

// names reports whether a folded text holds a name behind an @ that begins a word.
func names(folded, name string) bool {
	name = "@" + fold.Key(name)
	if len(name) == 1 {
		return false
	}
	for rest := folded; ; {
		before, after, found := strings.Cut(rest, name)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if (before == "" || !isWord(last)) && (after == "" || !isWord(next)) {
			return true
		}
		rest = after
	}
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
