package party

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
)

// contactChanged is how the activity log calls the change of a contact.
const contactChanged = "contact changed"

// People keep the contacts of the records of a resource, its owners: in a table of their own, one of an owner's the
// first to call, and a change of one is a change of its owner.
type People struct {
	Resource record.Resource
	Table    string
	Owner    string // the column of the owner's id
	SignIn   bool   // they may sign in: the table has what that needs
	// Lock reads an owner that is about to change.
	Lock func(tx *db.Tx, number string) (root record.Root, ownNumber string, err error)
	// Missing refuses an id that is none of the owner's contacts.
	Missing                   func(id string) error
	EmailInvalid, UnknownCode fault.Code
}

// Create adds a contact to the owner of a number. Refuses as Lock does, with the codes of the book, and with
// CustomerContact.EmailRequired and .EmailTaken for who signs in.
func (p *People) Create(tx *db.Tx, number string, c Contact) (Contact, error) {
	root, number, err := p.Lock(tx, number)
	if err == nil {
		err = p.check(tx, &c)
	}
	if err != nil {
		return c, err
	}
	at := tx.Stamp()
	c.ID, c.CreatedAt, c.ModifiedAt, c.ChangedAt = record.NewID(), at, 0, at
	if err := p.writeContact(tx, root.ID, &c); err != nil {
		return c, err
	}
	return c, p.Resource.Touched(tx, &root, number, "contact created", map[string][2]any{"contact": {nil, c}})
}

// Change lays edit over a contact. Refuses as Missing and Create do.
func (p *People) Change(tx *db.Tx, number, id string, edit func(*Contact) error) (before, c Contact, err error) {
	root, number, before, err := p.lockOne(tx, number, id)
	if err != nil {
		return before, before, err
	}
	c = before
	if err := edit(&c); err != nil {
		return before, c, err
	}
	if err := p.check(tx, &c); err != nil {
		return before, c, err
	}
	if c == before {
		return before, c, tx.Match(root.ID, root.ETag())
	}
	c.ModifiedAt = max(tx.Stamp(), before.ChangedAt+1)
	c.ChangedAt = c.ModifiedAt
	if err := p.writeContact(tx, root.ID, &c); err != nil {
		return before, c, err
	}
	return before, c, p.Resource.Touched(tx, &root, number, contactChanged, record.Diff(before, c))
}

// Delete removes a contact, whom the activity log names no longer. Refuses as Lock and Missing do.
func (p *People) Delete(tx *db.Tx, number, id string) error {
	root, number, c, err := p.lockOne(tx, number, id)
	if err != nil {
		return err
	}
	if err := p.removeContact(tx, root.ID, c.ID); err != nil {
		return err
	}
	person := p.person(root.ID, c)
	if err := Erase(tx, person); err != nil {
		return err
	}
	return p.Resource.Touched(tx, &root, number, "contact deleted", map[string][2]any{"contact": {person.Token(), nil}})
}

func (p *People) lockOne(tx *db.Tx, number, id string) (root record.Root, ownNumber string, c Contact, err error) {
	if root, ownNumber, err = p.Lock(tx, number); err == nil {
		c, err = p.FindContact(tx, root.ID, id)
	}
	return root, ownNumber, c, err
}

func (p *People) check(tx *db.Tx, c *Contact) error {
	var wrong fault.List
	wrong.If(c.Email == "" && c.HasPortalAccess, ErrPortalEmail, "email",
		"a contact with portal access signs in with an e-mail: give one, or set hasPortalAccess to false")
	mail.Check(&wrong, p.EmailInvalid, "email", c.Email)
	CheckLanguage(&wrong, p.UnknownCode, &c.LanguageCode)
	if err := wrong.Err(); err != nil || !c.HasPortalAccess {
		return err
	}
	return portalEmailFree(tx, *c)
}
