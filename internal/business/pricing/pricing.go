// Package pricing holds the price lists of a company: who they are for, what they say an item costs, and the
// reading of everything that the price engine needs to price a document in one go.
//
// A price list and each of its lines are aggregates of their own: a list may have hundreds of thousands of
// lines that many clients write at once, and every line has a change stamp for modifiedSince. A line of the
// strategy Fixed is written over the APIs; the others are calculated and written by SaveLines alone. Orders
// are always priced afresh; the price a calculated line shows is the last one calculated, see Recalculate.
//
// Locks are taken in this order: the list, its lines, then the calculated lines of other lists by item and list.
package pricing

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// The resources of this room.
var (
	Lists = record.Define("price-lists", "price_list", "PriceList", "price_list_target")
	Lines = record.Define("price-list-lines", "price_list_line", "PriceListLine")
)

// What this room refuses.
var (
	ErrNotFound     = fault.New(fault.NotFound, "PriceList.NotFound")
	ErrExists       = fault.New(fault.Conflict, "PriceList.AlreadyExists")
	ErrUnknownCode  = fault.New(fault.Invalid, "PriceList.UnknownCode")
	ErrInvalid      = fault.New(fault.Invalid, "PriceList.Invalid")
	ErrListValidity = fault.New(fault.Invalid, "PriceList.ValidityRange.Invalid")

	ErrLineNotFound  = fault.New(fault.NotFound, "PriceListLine.NotFound")
	ErrLineInvalid   = fault.New(fault.Invalid, "PriceListLine.Invalid")
	ErrQuantityRange = fault.New(fault.Invalid, "PriceListLine.QuantityRange.Invalid")
	ErrValidityRange = fault.New(fault.Invalid, "PriceListLine.ValidityRange.Invalid")
	ErrNotFixed      = fault.New(fault.Conflict, "PriceListLine.NotFixedPrice")
	ErrAmbiguous     = fault.New(fault.Conflict, "PriceListLine.Ambiguous")

	// Codes of the rows of a batch.
	ErrUnknownItem = fault.New(fault.Invalid, "PriceListLine.UnknownItem")
	ErrDuplicate   = fault.New(fault.Invalid, "PriceListLine.DuplicateInBatch")
	ErrLineExists  = fault.New(fault.Conflict, "PriceListLine.AlreadyExists")
	ErrNoSuchLine  = fault.New(fault.Invalid, "PriceListLine.NoSuchLine")

	ErrUnknownCurrency = fault.New(fault.Invalid, "Price.UnknownCurrency")
	ErrUnknownCustomer = fault.New(fault.Invalid, "Customer.NotFound")
	ErrUnknownChannel  = fault.New(fault.Invalid, "Channel.NotFound")
	ErrUnknownUnit     = fault.New(fault.Invalid, "ItemUnit.UnknownUnit")
)

// CostsWanted asks whoever keeps stock for the average cost of a base unit of items, in the base currency. The
// answer goes into Costs, by item id; an item without an entry has no cost.
type CostsWanted struct {
	ItemIDs []string
	Costs   map[string]dec.Dec
}

// Channel is what a price depends on of a sales channel.
type Channel struct {
	Code          string
	CurrencyCode  string
	PriceListCode string // of its own Standard list
}

// ChannelsWanted asks whoever keeps the sales channels for all of them. The answer goes into Known, by folded code.
type ChannelsWanted struct{ Known map[string]Channel }

// Channels are all sales channels, by folded code. They are reference data, and must not be changed.
func Channels(tx *db.Tx) (map[string]Channel, error) {
	known, err := db.FromReference(tx, "channels of pricing", func() (*map[string]Channel, error) {
		wanted := ChannelsWanted{map[string]Channel{}}
		return &wanted.Known, tx.Fire(wanted)
	})
	if err != nil {
		return nil, err
	}
	return *known, nil
}
