package storefront

import (
	"kontor/internal/business/assortment"
	"kontor/internal/business/party"
)

// Viewer is the visit as the assortment sees it: what is shown, and at what price, depends on it.
func (v *Visit) Viewer() assortment.Viewer {
	out := assortment.Viewer{Channel: v.Channel, Language: v.Language, Country: v.Country, IncludesTax: v.IncludesTax}
	if v.SignedIn() {
		out.Customer = &party.Customer{Number: v.Customer.Number, Name: v.Customer.Name,
			GroupCode: v.Customer.GroupCode, CurrencyCode: v.Customer.CurrencyCode}
		out.Customer.ID = v.Customer.ID
	}
	return out
}
