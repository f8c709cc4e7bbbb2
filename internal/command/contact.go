package command

import (
	"context"
	"strings"

	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
)

type contactFamily struct {
	Create contactCreate `cmd:"" help:"Create a contact of a customer who signs in to the portal."`
}

type contactCreate struct {
	Company  string `required:"" help:"Code or id of the company."`
	Customer string `required:"" help:"Number of the customer."`
	Name     string `required:"" help:"Name of the person."`
	Email    string `required:"" help:"Mail address to sign in with."`
	Password string `help:"At least 10 characters; asked for on a terminal if left out."`
}

// Ask asks for the password where a person can answer.
func (c *contactCreate) Ask(env *Env) (map[string]string, error) {
	return askPassword(env, "Password: ", &c.Password)
}

// Run creates the contact.
func (c *contactCreate) Run(ctx context.Context, env *Env) error {
	hash, err := env.App.Hasher.Hash(ctx, strings.TrimSpace(c.Password)) // as the API reads every text
	if err != nil {
		return err
	}
	var contact party.Contact
	var customer party.Customer
	err = env.App.InCompany(ctx, c.Company, func(tx *db.Tx) error {
		if contact, err = party.CreateContact(tx, c.Customer, party.Contact{
			Name: c.Name, Email: c.Email, IsActive: true, HasPortalAccess: true, PasswordHash: hash}); err != nil {
			return err
		}
		customer, err = party.Find(tx, c.Customer) // whose number may be written otherwise than it was typed
		return err
	})
	if err != nil {
		return err
	}
	return env.Print(map[string]any{"contactId": contact.ID, "customerNumber": customer.Number, "email": contact.Email},
		"contactId: %s\n", contact.ID)
}
