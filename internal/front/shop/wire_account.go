package shop

import "slices"

// Order is an order of the customer who is signed in.
type Order struct {
	ID                      string      `json:"id"`
	OrderNumber             string      `json:"orderNumber"`
	OrderDate               string      `json:"orderDate"`
	Status                  string      `json:"status"`
	DeliveryStatus          string      `json:"deliveryStatus"`
	ApprovalStatus          string      `json:"approvalStatus"`
	RejectionReason         string      `json:"rejectionReason"`
	PaymentStatus           string      `json:"paymentStatus"` // told to who has no account
	Reference               string      `json:"reference"`
	CurrencyCode            string      `json:"currencyCode"`
	TotalAmount             string      `json:"totalAmount"`
	TotalVAT                string      `json:"totalVat"`
	TotalAmountIncludingTax string      `json:"totalAmountIncludingTax"`
	ShippingMethodName      string      `json:"shippingMethodName"`
	DeliveryAddress         *Address    `json:"deliveryAddress"`
	InvoiceAddress          *Address    `json:"invoiceAddress"`
	Lines                   []OrderLine `json:"lines"`
}

// OrderLine is a line of an order with what has become of it.
type OrderLine struct {
	ItemNumber            string   `json:"itemNumber"`
	Description           string   `json:"description"`
	Unit                  string   `json:"unit"`
	LineTotal             string   `json:"lineTotal"`
	LineTotalIncludingTax string   `json:"lineTotalIncludingTax"`
	OrderedQuantity       string   `json:"orderedQuantity"`
	DeliveredQuantity     string   `json:"deliveredQuantity"`
	ReturnedQuantity      string   `json:"returnedQuantity"`
	Shipments             []Parcel `json:"shipments"`
	// Values are what is chosen of a line that is made to order.
	Values []ChosenValue `json:"values"`
}

// Parcel is a shipment that carries a line.
type Parcel struct {
	ShipmentNumber string `json:"shipmentNumber"`
	Status         string `json:"status"`
	TrackingNumber string `json:"trackingNumber"`
	TrackingURL    string `json:"trackingUrl"`
	ShippedDate    string `json:"shippedDate"`
	DeliveredDate  string `json:"deliveredDate"`
}

// Parcels are the shipments of an order, each once.
func (o Order) Parcels() []Parcel {
	var out []Parcel
	seen := map[string]bool{}
	for _, l := range o.Lines {
		for _, p := range l.Shipments {
			if !seen[p.ShipmentNumber] {
				seen[p.ShipmentNumber] = true
				out = append(out, p)
			}
		}
	}
	return out
}

// State is how far the order is for who waits for it: of what the house has released, its parcels say it. Nothing is
// being packed of what waits for goods.
func (o Order) State() string {
	if o.Status != "Released" {
		return o.Status
	}
	isUnderWay := false
	for _, p := range o.Parcels() {
		switch p.Status {
		case "Cancelled", "Delivered":
		case "ReadyForPickup":
			return p.Status
		case "PickedUp", "InTransit", "Failed":
			isUnderWay = true
		default:
			return "Packing"
		}
	}
	switch {
	case o.DeliveryStatus == "NotDelivered":
		return "Confirmed"
	case isUnderWay && o.DeliveryStatus == "FullyDelivered":
		return "InTransit"
	}
	return o.DeliveryStatus
}

// HasReturnable reports whether anything has arrived that was not sent back.
func (o Order) HasReturnable() bool {
	return slices.ContainsFunc(o.Lines, func(l OrderLine) bool { return l.DeliveredQuantity != l.ReturnedQuantity })
}

// Invoice is a booked invoice.
type Invoice struct {
	ID                      string   `json:"id"`
	InvoiceNumber           string   `json:"invoiceNumber"`
	Type                    string   `json:"type"`
	PaymentStatus           string   `json:"paymentStatus"`
	InvoiceDate             string   `json:"invoiceDate"`
	DueDate                 string   `json:"dueDate"`
	CurrencyCode            string   `json:"currencyCode"`
	TotalAmountIncludingTax string   `json:"totalAmountIncludingTax"`
	Credits                 string   `json:"creditsInvoiceNumber"` // of a credit note, the invoice that it takes back
	OrderNumbers            []string `json:"orderNumbers"`
	PDF                     string   `json:"pdf"` // its path; "" where there is none
}

// Return is a return of goods.
type Return struct {
	ID           string `json:"id"`
	ReturnNumber string `json:"returnNumber"`
	OrderNumber  string `json:"orderNumber"`
	Status       string `json:"status"`
	ReturnDate   string `json:"returnDate"`
	CurrencyCode string `json:"currencyCode"`
	TotalAmount  string `json:"totalAmount"`
	Lines        []struct {
		ItemName string `json:"itemName"`
		Quantity string `json:"quantity"`
	} `json:"lines"`

	Refunds []Invoice `json:"-"` // credit notes of its order
}

// Returnable is a delivered line of an order of which something can still be sent back.
type Returnable struct {
	OrderLineNumber    int    `json:"orderLineNumber"`
	ItemNumber         string `json:"itemNumber"`
	Description        string `json:"description"`
	DeliveredQuantity  string `json:"deliveredQuantity"`
	ReturnableQuantity string `json:"returnableQuantity"`
}

// Dashboard is everything at a glance.
type Dashboard struct {
	OpenOrders        int       `json:"openOrders"`
	WaitingApprovals  int       `json:"waitingApprovals"`
	UnpaidInvoices    int       `json:"unpaidInvoices"`
	ShipmentsUnderway int       `json:"shipmentsUnderway"`
	OpenReturns       int       `json:"openReturns"`
	LatestOrders      []Order   `json:"latestOrders"`
	LatestInvoices    []Invoice `json:"latestInvoices"`
}

// SavedAddress is an address of the address book.
type SavedAddress struct {
	ID        string `json:"id"`
	IsDefault bool   `json:"isDefault"`
	Address
}

// Profile is who is signed in.
type Profile struct {
	Email        string `json:"email"`
	Name         string `json:"name"`
	Phone        string `json:"phone"`
	Mobile       string `json:"mobile"`
	LanguageCode string `json:"languageCode"`
	HasPassword  bool   `json:"hasPassword"`
	Company      struct {
		Name               string `json:"name"`
		CustomerNumber     string `json:"customerNumber"`
		OrganizationNumber string `json:"organizationNumber"`
	} `json:"company"`
}

// Quote is an offer to the customer; lists have no lines.
type Quote struct {
	ID                      string `json:"id"`
	QuoteNumber             string `json:"quoteNumber"`
	Title                   string `json:"title"`
	Description             string `json:"description"`
	Status                  string `json:"status"`
	ValidUntil              string `json:"validUntil"`
	CustomerMessage         string `json:"customerMessage"`
	CurrencyCode            string `json:"currencyCode"`
	TotalAmount             string `json:"totalAmount"`
	TotalVAT                string `json:"totalVat"`
	TotalAmountIncludingTax string `json:"totalAmountIncludingTax"`
	CanAccept               bool   `json:"canAccept"`
	CanDecline              bool   `json:"canDecline"`
	OrderID                 string `json:"orderId"` // of the order that it has become
	OrderNumber             string `json:"orderNumber"`
	Lines                   []struct {
		ItemNumber            string `json:"itemNumber"`
		Description           string `json:"description"`
		Quantity              string `json:"quantity"`
		UnitPrice             string `json:"unitPrice"`
		LineTotal             string `json:"lineTotal"`
		LineTotalIncludingTax string `json:"lineTotalIncludingTax"`
		// Values are what is chosen of a line that is made to order.
		Values []ChosenValue `json:"values"`
	} `json:"lines"`
}

// Approval is an order of a colleague that waits.
type Approval struct {
	ID          string `json:"id"` // the order's
	RequestedBy string `json:"requestedBy"`
	RequestedAt string `json:"requestedAt"`
	Order       Order  `json:"order"`
}

// Ticket is a question; lists have no messages.
type Ticket struct {
	ID           string `json:"id"`
	TicketNumber string `json:"ticketNumber"`
	Subject      string `json:"subject"`
	Description  string `json:"description"`
	Status       string `json:"status"`
	OrderNumber  string `json:"orderNumber"`
	ContactName  string `json:"contactName"`
	Resolution   string `json:"resolution"`
	CreatedDate  string `json:"createdDate"`
	Messages     []struct {
		Body        string `json:"body"`
		AuthorName  string `json:"authorName"`
		AuthorType  string `json:"authorType"`
		CreatedDate string `json:"createdDate"`
		Attachments []struct {
			FileName string `json:"fileName"`
			URL      string `json:"url"`
		} `json:"attachments"`
	} `json:"messages"`
}
