package paper

import (
	_ "embed"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/returns"
	"kontor/internal/foundation/texts"
)

//go:embed words.tsv
var wordTable string

// wordsOf are the words of a language.
var wordsOf = texts.Fields[words](texts.Must(wordTable))

//go:embed swiss.tsv
var swissTable string

// swissWordsOf are the words of a bill in a language.
var swissWordsOf = texts.Fields[swissWords](texts.Must(swissTable))

// words are what papers say in one language.
type words struct {
	To, From, Number, Date, SuppliedOn, Due, Customer, CustomerVAT, Order, Orders, Credits, NotBooked           string
	Item, Name, Description, Quantity, Price, Tax, Total, WithoutTax, Paid, Settled, Balance, Surplus, Exempt   string
	ExemptExport, PurchaseOrder, DeliverTo, YourItem, WantedBy, OrderCancelled                                  string
	Quote, Draft, ValidUntil, ReplacedBy, Yes, No                                                               string
	CountSheet, Warehouse, CountedBy, Location, Books, Counted                                                  string
	OrgNumber, VATNumber, Seat, FTax                                                                            string
	DeliveryNote, Shipment, ShippingMethod, TrackingNumber, Left, Ordered, Batch, Serial, Serials               string
	ReturnSlip, SendTo, Return, RMANumber, ReturnCode, Reason, Condition, SlipHow, NotApproved, ReturnCancelled string

	Types   map[invoicing.Type]string
	Reasons map[returns.Reason]string
}
