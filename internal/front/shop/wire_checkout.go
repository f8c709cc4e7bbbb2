package shop

// Checkout is the way to the order as it stands, with what may be chosen.
type Checkout struct {
	CurrencyCode string   `json:"currencyCode"`
	Contact      *Contact `json:"contact"`
	Addresses    struct {
		Billing  *Address `json:"billing"`
		Delivery *Address `json:"delivery"` // null: as billing
	} `json:"addresses"`
	Delivery        *DeliveryMethod  `json:"delivery"`
	Payment         *PaymentMethod   `json:"payment"`
	Codes           []Code           `json:"codes"`
	Totals          Totals           `json:"totals"`
	Missing         []string         `json:"missing"`
	Messages        []Message        `json:"messages"`
	DeliveryMethods []DeliveryMethod `json:"deliveryMethods"`
	PaymentMethods  []PaymentMethod  `json:"paymentMethods"`
	Countries       []struct {
		Code string `json:"code"`
		Name string `json:"name"`
	} `json:"countries"`
}

// Contact is who buys.
type Contact struct {
	Email              string `json:"email"`
	FirstName          string `json:"firstName"`
	LastName           string `json:"lastName"`
	Phone              string `json:"phone"`
	CompanyName        string `json:"companyName"`
	OrganizationNumber string `json:"organizationNumber"`
}

// Address is an address of an order or of the address book.
type Address struct {
	Name          string `json:"name"`
	ContactPerson string `json:"contactPerson"`
	Street1       string `json:"street1"`
	Street2       string `json:"street2"`
	PostalCode    string `json:"postalCode"`
	City          string `json:"city"`
	CountryCode   string `json:"countryCode"`
	Phone         string `json:"phone"`
}

// DeliveryMethod is a way to be delivered to.
type DeliveryMethod struct {
	ShippingMethodCode string `json:"shippingMethodCode"`
	Name               string `json:"name"`
	Carrier            string `json:"carrier"`
	Price              string `json:"price"`
	PriceIncludingTax  string `json:"priceIncludingTax"`
	EstimatedDays      int    `json:"estimatedDays"`
}

// PaymentMethod is a way to pay.
type PaymentMethod struct {
	PaymentMethodCode string `json:"paymentMethodCode"`
	Name              string `json:"name"`
	Fee               string `json:"fee"`
	FeeIncludingTax   string `json:"feeIncludingTax"`
}

// Payment is a payment that was started. RenderMode says what to do; the provider's name does not matter.
type Payment struct {
	ID           string `json:"id"`
	Status       string `json:"status"`
	RenderMode   string `json:"renderMode"`
	HTMLFragment string `json:"htmlFragment"`
	RedirectURL  string `json:"redirectUrl"`
	ClientKey    string `json:"clientKey"`
	PublicKey    string `json:"publicKey"`
	Amount       string `json:"amount"`
	CurrencyCode string `json:"currencyCode"`
	OrderNumber  string `json:"orderNumber"`
}

// Confirmation is an order that this session has placed.
type Confirmation struct {
	IsWaiting     bool    `json:"-"` // for the approval of a colleague
	OrderNumber   string  `json:"orderNumber"`
	CurrencyCode  string  `json:"currencyCode"`
	Totals        Totals  `json:"totals"`
	PaymentStatus string  `json:"paymentStatus"`
	OrderDate     string  `json:"orderDate"`
	Contact       Contact `json:"contact"`
	Addresses     struct {
		Billing  *Address `json:"billing"`
		Delivery *Address `json:"delivery"`
	} `json:"addresses"`
	Delivery struct {
		Name string `json:"name"`
	} `json:"delivery"`
	Payment *struct {
		Name         string `json:"name"`
		Instructions string `json:"instructions"`
	} `json:"payment"`
	Codes []Code `json:"codes"`
	Lines []struct {
		ItemID                string `json:"itemId"`
		ItemNumber            string `json:"itemNumber"`
		Description           string `json:"description"`
		Quantity              string `json:"quantity"`
		Unit                  string `json:"unit"`
		LineTotal             string `json:"lineTotal"`
		LineTotalIncludingTax string `json:"lineTotalIncludingTax"`
		// Values are what is chosen of a line that is made to order.
		Values []ChosenValue `json:"values"`
	} `json:"lines"`
}
