package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/foundation/db"
)

// Person is somebody who is taken out of the activity log, which is written once and changed by nothing else.
type Person struct {
	ID       string   `json:"id"`       // as the log names who acted
	Resource string   `json:"resource"` // of the record that the person was kept in,
	Record   string   `json:"record"`   // and its id
	Action   string   `json:"action"`   // of the log, by which values of the person were changed
	Email    string   `json:"email,omitzero"`
	Texts    []string `json:"texts,omitzero"` // names, numbers, streets: what is taken out beside the e-mail
}

// Token is what stands in the log in the person's place: the same in all entries, and nobody can tell from it who it
// was.
func (p Person) Token() string {
	sum := sha256.Sum256([]byte(p.ID))
	return "person-" + hex.EncodeToString(sum[:4])
}

// Known is a person with what the log says that he was called before: whose field was changed from or to one of his
// values had the other one too.
func (p Person) Known(tx *db.Tx) (Person, error) {
	p.Texts = slices.Clone(p.Texts)
	for before := db.Time(0); ; {
		part, err := History(tx, Resource{Name: p.Resource}, p.Record, before, eraseBatch)
		if err != nil || len(part) == 0 {
			return p, err
		}
		for _, e := range part {
			if e.Action == p.Action {
				p.learn(e)
			}
		}
		before = part[len(part)-1].At
	}
}

func (p *Person) learn(e Entry) {
	for _, pair := range e.Changes {
		from, _ := pair[0].(string)
		to, _ := pair[1].(string)
		if from != "" && to != "" && p.is(from) != p.is(to) {
			p.Texts = append(p.Texts, from, to)
		}
	}
}

// Place is where a walk through the activity log stands; the zero value is before its first entry.
type Place struct {
	At         db.Time
	ID, Action string
}

// eraseBatch is how many entries one transaction goes through, so that others need not wait long.
const eraseBatch = 2_000

// Erase takes people out of the next part of the activity log, and answers where that ends; false = there is no more.
// Of entries about the record that a person was kept in, of what the person did, and of those that show the e-mail, but
// for records of the same kind, whose people may share it, every value that is one of the person's becomes the token.
func Erase(tx *db.Tx, people []Person, after Place) (to Place, more bool, err error) {
	part, err := logAfter(tx, after, eraseBatch)
	if err != nil || len(part) == 0 {
		return after, false, err
	}
	for _, e := range part {
		if err := e.erase(tx, people); err != nil {
			return after, false, err
		}
	}
	return part[len(part)-1].Place, len(part) == eraseBatch, nil
}

func (e *logRow) erase(tx *db.Tx, people []Person) (err error) {
	detail, isThere := Fold(e.detail), false
	for _, p := range people {
		if !p.isIn(e, detail) {
			continue
		}
		if isThere = true; e.actorID == p.ID {
			e.actorName = p.Token()
		}
		if e.detail, err = p.outOf(e.detail); err != nil {
			return err
		}
	}
	if !isThere {
		return nil
	}
	return rewrite(tx, e)
}

// isIn reports whether an entry, of which this is the folded detail, may name the person.
func (p Person) isIn(e *logRow, detail string) bool {
	if e.resource == p.Resource && e.ID == p.Record || e.actorID == p.ID {
		return true
	}
	return e.resource != p.Resource && p.Email != "" && strings.Contains(detail, Fold(p.Email))
}

// outOf is a detail without the person.
func (p Person) outOf(detail string) (string, error) {
	if detail == "" {
		return "", nil
	}
	var out bytes.Buffer
	lax := jsontext.AllowInvalidUTF8(true) // one odd entry must not keep anybody in the log
	in, to := jsontext.NewDecoder(strings.NewReader(detail), lax), jsontext.NewEncoder(&out, lax)
	for {
		kind, n := in.StackIndex(in.StackDepth())
		isName := kind == '{' && n%2 == 0
		token, err := in.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return strings.TrimSuffix(out.String(), "\n"), nil
		case err != nil:
			return "", err
		case token.Kind() == '"' && !isName && p.is(token.String()):
			token = jsontext.String(p.Token())
		}
		if err := to.WriteToken(token); err != nil {
			return "", err
		}
	}
}

// is reports whether a value is one of the person's.
func (p Person) is(value string) bool {
	same := func(text string) bool { return text != "" && strings.EqualFold(value, text) }
	return same(p.Email) || slices.ContainsFunc(p.Texts, same)
}
