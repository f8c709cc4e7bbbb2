// Package stock is what lies in the warehouses: one append-only ledger of entries, the balances that
// are its sums, and the levels that orders reserve from.
//
// A *level* is an item in a warehouse: on hand, allocated and average cost. It is the row that is
// locked: whoever moves or reserves goods locks the levels concerned in the order of item id and
// warehouse, after any order, shipment or return and before any number series. A *balance* is what
// lies at one location of one batch under one serial number; balances of an item in a warehouse add up
// to its level's on hand and change under its lock only. An *entry* is one movement; nothing but an
// entry changes a balance, and entries are never changed.
//
// Goods of a warehouse share one average cost, whatever their location; whatever comes in at a cost of
// its own (a receipt, goods that come back) moves it, everything else moves at it. On hand never goes
// below zero. Goods in a quarantine, returns or inactive location are on hand but held: they cover no
// order until they are relocated.
package stock

import (
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// The resources of this room. Transactions are the ledger's entries: those a document causes are part
// of that document's change, those made by hand (adjustments, relocations) are reported by themselves.
var (
	Transactions = record.Define("inventory-transactions", "stock_entry", "InventoryTransaction")
	Batches      = record.Define("batches", "stock_batch", "Batch")
)

// Resource names what answers made of levels, balances and entries depend on: it is touched for an
// item number whenever stock of that item moves, is reserved or expected. It writes no rows of the change log, so
// the lists of this room count their totals each time.
const Resource = "stock"

// StatusResource is Resource for what says of stock no more than whether there is plenty, little or none: it is not
// touched for an item of which a warehouse had plenty and has it still (see PlentyWanted). Another process, which
// learns of the movement alone, takes each for one of these too.
const StatusResource = "stock-status"

// LevelRows are what Resource says of an item, as answers that show them are kept, and LevelStatus what StatusResource
// does.
var (
	LevelRows   = record.Resource{Name: Resource, Table: "stock_level", Parts: []string{"stock_balance", "stock_expected"}}
	LevelStatus = record.Resource{Name: StatusResource, Table: "stock_level", Parts: []string{"stock_balance", "stock_expected"}}
)

// What this room refuses.
var (
	ErrNotFound       = fault.New(fault.NotFound, "InventoryTransaction.NotFound")
	ErrInsufficient   = fault.New(fault.Conflict, "Inventory.InsufficientStock")
	ErrNoStock        = fault.New(fault.Conflict, "Inventory.NoStockAtLocation")
	ErrSerialInStock  = fault.New(fault.Conflict, "Inventory.SerialInStock")
	ErrLocation       = fault.New(fault.NotFound, "WarehouseLocation.NotFound")
	ErrNoLocation     = fault.New(fault.Conflict, "Warehouse.NoActiveLocation")
	ErrBatchNotFound  = fault.New(fault.NotFound, "Batch.NotFound")
	ErrClosed         = fault.New(fault.Invalid, "Inventory.LocationInactive")
	ErrBatchRequired  = fault.New(fault.Invalid, "Inventory.BatchRequired")
	ErrSerialRequired = fault.New(fault.Invalid, "Inventory.SerialRequired")
	ErrSerialQuantity = fault.New(fault.Invalid, "Inventory.SerialQuantity")
	ErrNotTracked     = fault.New(fault.Invalid, "Inventory.NotTracked")
	ErrNotStocked     = fault.New(fault.Invalid, "Inventory.ItemNotStocked")
	ErrQuantity       = fault.New(fault.Invalid, "Inventory.InvalidQuantity")
	ErrKind           = fault.New(fault.Invalid, "Inventory.InvalidTransactionType")
	ErrSameLocation   = fault.New(fault.Invalid, "Inventory.SameLocation")
	ErrCost           = fault.New(fault.Invalid, "Inventory.InvalidUnitCost")
)

// Kind is what an entry did.
type Kind string

// The kinds of entries.
const (
	Receipt     Kind = "Receipt"
	Issued      Kind = "Issue"
	Adjusted    Kind = "Adjustment"
	Transferred Kind = "Transfer"
	Return      Kind = "Return"
	Scrapped    Kind = "Scrap"
	Consignment Kind = "ConsignmentConsumption"
	Revaluation Kind = "Revaluation"
)

// Values are the kinds, in the order they are shown.
func (Kind) Values() []Kind {
	return []Kind{Receipt, Issued, Adjusted, Transferred, Return, Scrapped, Consignment, Revaluation}
}

// Key names a level. Warehouse is the code as the reference book spells it.
type Key struct{ ItemID, Warehouse string }

// Level is an item in a warehouse. Allocated is the part of OnHand that orders have reserved;
// Average is the cost of one unit, and stays known when nothing is left.
type Level struct{ OnHand, Allocated, Average dec.Dec }

// Available is on hand less allocated. It is below zero when goods that were promised got lost.
func (l Level) Available() dec.Dec { return l.OnHand.Sub(l.Allocated) }

// Entry is one movement in the ledger. Quantity is signed, except that a Transfer within a warehouse
// moves its positive quantity from Location to TargetLocation. BalanceAfter is what lies at Location
// (of this batch, under this serial number) afterwards; AverageAfter is the warehouse's average cost.
type Entry struct {
	record.Root
	Kind           Kind
	At             db.Time // the business moment
	Warehouse      string
	Location       string
	TargetLocation string
	ItemID         string
	Item           string // number
	Batch, Serial  string
	Quantity       dec.Dec
	BalanceAfter   dec.Dec
	UnitCost       *dec.Dec
	AverageAfter   dec.Dec
	RefType, RefID string // the document that caused it
	RefKey         string // its number, folded
	Notes          string
	Seq            int64 // counts the entries of a level from 1 without gaps
	Move           int   // index of the move it belongs to, in the answer of the verb that made it
}

// Move is goods coming in or going out. Quantity is above zero, in base units.
type Move struct {
	ItemID     string
	Item       string // number
	Tracking   catalog.TrackingType
	Warehouse  string
	Location   string // "" = chosen: see Issue and Receive
	Batch      string
	Serial     string
	Expiry     day.Date // of a batch that Receive meets for the first time
	Quantity   dec.Dec
	UnitCost   *dec.Dec
	Allocated  dec.Dec // the part of Quantity that consumes an allocation
	Unclaimed  bool    // Issue takes only what could still be promised: nothing that is reserved for others
	Unpromised bool    // taken in for what takes it out again, scrapping or a history: it covers no back-order
	At         db.Time // when it moved; 0 = now
	RefType    string
	RefID      string
	Notes      string
	Field      string // that the quantity was given in, such as "lines[2].quantity"; "" where nobody named it
}

// PlentyWanted asks when there is plenty of an item: as soon as a warehouse could promise more than Above, in base
// units, nobody says more of it than that.
type PlentyWanted struct{ Above *dec.Dec }

// Arriving is fired before goods come in, or goods that may be promised are written off, and their levels are locked:
// who will change documents because of them locks these first. Coming is what every level will be able to promise more,
// in base units; less where it is below zero.
type Arriving struct{ Coming map[Key]dec.Dec }

// Appearing is fired before pieces with serial numbers come in, so that who has one of them on its way refuses it.
type Appearing struct{ Moves []Move }

// Arrived is fired after goods have come in, so that back-orders waiting for them are covered.
type Arrived struct{ Keys []Key }

// Missed is fired after goods were written off, or moved to where they cover no order, that are promised: Missing is
// what levels promise beyond what they have for it, in base units.
type Missed struct{ Missing map[Key]dec.Dec }

// Lock locks levels for several verbs that follow in the transaction: one after another they would lock them in an
// order of their own.
func Lock(tx *db.Tx, keys []Key) error {
	_, err := open(tx, keys)
	return err
}
