package ecom

import (
	"cmp"

	"kontor/internal/business/cart"
	"kontor/internal/business/freight"
	"kontor/internal/business/reference"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/rest"
)

// deliveryMethods is the part of the Store group that freight answers.
func deliveryMethods() rest.Op {
	return rest.List("listDeliveryMethods", "/store/delivery-methods",
		"The ways the store delivers to a country, with what they cost, cheapest first.", listDeliveryMethods).
		Extension()
}

// postalCodes is the part of the Checkout group that the table of postal codes answers.
func postalCodes() rest.Op {
	return rest.Get("lookupPostalCode", "/checkout/postal-codes/{countryCode}/{postalCode}",
		"The town that has a postal code, and its region where that is known.", lookupPostalCode).
		Raises(freight.ErrPostalNotFound)
}

// DeliveryMethod is a way to be delivered to, with what it costs.
type DeliveryMethod struct {
	ShippingMethodCode string     `json:"shippingMethodCode" of:"Code"`
	Name               string     `json:"name"`
	Carrier            rest.Text  `json:"carrier"`
	IsPickup           bool       `json:"isPickup"`
	Price              dec.Fixed  `json:"price" of:"PriceNet" doc:"Without tax."`
	PriceIncludingTax  dec.Fixed  `json:"priceIncludingTax"`
	FreeFrom           *dec.Fixed `json:"freeFrom" doc:"Value of the goods, as the store shows prices, from which delivery is free."`
	EstimatedDays      *int       `json:"estimatedDays"`
}

var (
	deliveryMethodIn = rest.ShownIn[DeliveryMethod, freight.Method]()
	towns            = rest.Shown[[]PostalTown, []freight.Town]()
)

// deliveryMethodOf shows ways to deliver.
func deliveryMethodOf(book *reference.Book) func(freight.Method) DeliveryMethod {
	return func(m freight.Method) DeliveryMethod { return deliveryMethodIn(book.Digits(m.CurrencyCode), m) }
}

type listDeliveryMethodsIn struct {
	rest.Paging
	CountryCode string   `query:"countryCode" doc:"Left out: the session's." example:"SE"`
	PostalCode  string   `query:"postalCode" doc:"Left out: prices that hold for the whole country."`
	Value       *dec.Dec `query:"value" min:"0" doc:"Of the goods, as the store shows prices; left out: what lies in the cart."`
	WeightKg    *dec.Dec `query:"weightKg" min:"0" doc:"Of the goods; left out: what lies in the cart."`
}

func listDeliveryMethods(tx *db.Tx, in listDeliveryMethodsIn) (rest.Paged[DeliveryMethod], error) {
	book, err := reference.Of(tx)
	if err != nil {
		return rest.Paged[DeliveryMethod]{}, err
	}
	v := storefront.Of(tx)
	c, err := cart.Summary(tx)
	if err != nil {
		return rest.Paged[DeliveryMethod]{}, err
	}
	s := c.Shipping(v, cart.Delivery{CountryCode: cmp.Or(in.CountryCode, v.Country), PostalCode: in.PostalCode})
	if in.Value != nil {
		s.Value = *in.Value
	}
	if in.WeightKg != nil {
		s.WeightKg = *in.WeightKg
	}
	all, err := freight.Methods(tx, s)
	return rest.PageOfAll(all, in.Paging, deliveryMethodOf(book)), err
}

// PostalCode is where a postal code leads.
type PostalCode struct {
	CountryCode string       `json:"countryCode"`
	PostalCode  string       `json:"postalCode" doc:"As the country writes it; without what the table does not tell apart, such as the inward half in GB."`
	City        string       `json:"city" doc:"The best known of the cities."`
	Region      rest.Text    `json:"region"`
	Cities      []PostalTown `json:"cities" doc:"All of them."`
}

// PostalTown is a town that has a postal code.
type PostalTown struct {
	City   string    `json:"city"`
	Region rest.Text `json:"region"`
}

func lookupPostalCode(tx *db.Tx, in rest.Part) (PostalCode, error) {
	found, err := freight.Lookup(tx, in.Of, in.Key)
	if err != nil {
		return PostalCode{}, err
	}
	first := found[0]
	return PostalCode{CountryCode: first.CountryCode, City: first.City, Region: rest.Text(first.Region),
		PostalCode: freight.Spelled(first.CountryCode, first.PostalCode), Cities: towns(found)}, nil
}
