package mailing

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Readers are the ids of the subscribers whom a mailing is for now. A reader is a customer's by the address of one of
// its people, and has bought what an order was written to their address for, or what their customer has ordered.
func Readers(tx *db.Tx, m Mailing) (ids []string, err error) {
	s, language := m.Segment, ""
	if s.SameLanguage {
		language = m.Language
	}
	var grouped, bought map[string]bool
	if s.GroupCode != "" {
		if grouped, err = inGroup(tx, s.GroupCode); err != nil {
			return nil, err
		}
	}
	if s.byPurchase() {
		if bought, err = s.buyers(tx); err != nil {
			return nil, err
		}
	}
	err = readers(tx, m.ChannelCode, language, func(id, email string) {
		if (grouped == nil || grouped[email]) && (bought == nil || bought[email]) {
			ids = append(ids, id)
		}
	})
	return ids, err
}

// inGroup are the folded addresses of the people of a group's customers.
func inGroup(tx *db.Tx, code string) (map[string]bool, error) {
	all := map[string]bool{}
	return all, party.MailAddresses(tx, code, func(_, email string) { all[email] = true })
}

// buyers are the folded addresses of those who bought what a segment asks for.
func (s Segment) buyers(tx *db.Tx) (map[string]bool, error) {
	p := sales.Purchases{}
	if s.BoughtDays > 0 {
		p.Since = tx.Today().AddDays(-s.BoughtDays)
	}
	if s.ItemNumber != "" || s.CategoryCode != "" {
		var below []string
		var err error
		if s.CategoryCode != "" {
			if below, err = catalog.CategorySubtree(tx, s.CategoryCode); err != nil {
				return nil, err
			}
		}
		if p.ItemIDs, err = boughtItems(tx, s.ItemNumber, below); err != nil {
			return nil, err
		}
	}
	all, customers := map[string]bool{}, map[string]bool{}
	err := sales.Buyers(tx, p, func(b sales.Buyer) {
		customers[b.Customer] = true
		all[record.Fold(b.Delivery)], all[record.Fold(b.Invoice)] = true, true
	})
	if err != nil {
		return nil, err
	}
	return all, party.MailAddresses(tx, "", func(customer, email string) {
		if customers[customer] {
			all[email] = true
		}
	})
}
