package ecom

import (
	"cmp"
	"strings"

	"kontor/internal/business/content"
	"kontor/internal/business/storefront"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
)

// honeypot is a field that storefronts hide from people and robots fill in.
const honeypot = "website"

// submitContentForm makes a ticket of what was filled in. A robot is thanked, and nothing is kept.
func submitContentForm(tx *db.Tx, in submitContentFormIn) (rest.NoContent, error) {
	v := storefront.Of(tx)
	page, section, err := content.SeenForm(tx, v.Channel, in.SectionID)
	if err != nil {
		return rest.NoContent{}, err
	}
	if strings.TrimSpace(in.Body.Values[honeypot]) != "" && !section.Form.Asks(honeypot) {
		return rest.NoContent{}, nil
	}
	said, err := section.Form.Read(in.Body.Values)
	if err != nil {
		return rest.NoContent{}, err
	}
	t := support.Ticket{Source: support.Form, Subject: rest.OrZero(section.Title), Description: said.Text,
		QueueCode: rest.OrZero(section.Form.QueueCode), ContactName: said.Name, ContactEmail: said.Email,
		ChannelCode: v.Channel.Code, Language: v.Language}
	t.Subject = cmp.Or(t.Subject, page.Title)
	if v.SignedIn() {
		t.CustomerNumber, t.ContactName, t.ContactEmail = v.Customer.Number, v.Contact.Name, v.Contact.Email
	}
	_, err = support.Create(tx, t)
	return rest.NoContent{}, err
}
