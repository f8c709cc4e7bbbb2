package party

import (
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
)

// ErasureKind takes everybody whose record was deleted out of the activity log, in one walk behind whoever deleted
// them: the log may be long.
var ErasureKind = jobs.Kind{Name: "person-erasure", Parallel: 1, Timeout: 10 * time.Minute}

// Erase takes a person out of the activity log after the commit of tx.
func Erase(tx *db.Tx, p record.Person) error {
	if err := record.ToErase(tx, p); err != nil {
		return err
	}
	_, err := jobs.Add(tx, ErasureKind, ErasureKind.Name, nil, jobs.Options{Key: ErasureKind.Name})
	return err
}

func (p *People) person(ownerID string, c Contact) record.Person {
	return record.Person{ID: c.ID, Resource: p.Resource.Name, Record: ownerID, Action: contactChanged,
		Email: c.Email, Texts: []string{c.Name, c.Phone, c.Mobile}}
}

// EraseAll takes the contacts of an owner that is about to be deleted out of the log.
func (p *People) EraseAll(tx *db.Tx, ownerID string) error {
	all, err := p.every(tx, ownerID)
	for i := 0; i < len(all) && err == nil; i++ {
		err = Erase(tx, p.person(ownerID, all[i]))
	}
	return err
}

// erase takes a customer who is about to be deleted out of the log: contacts, and himself where he is a person, who has
// no organization number.
func (c *Customer) erase(tx *db.Tx) error {
	if err := people.EraseAll(tx, c.ID); err != nil || c.OrganizationNumber != "" {
		return err
	}
	return Erase(tx, record.Person{ID: c.ID, Resource: Resource.Name, Record: c.ID, Action: "changed",
		Email: c.InvoiceEmail, Texts: []string{c.Name, c.Phone, c.Street1, c.Street2}})
}
