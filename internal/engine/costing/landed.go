package costing

import "kontor/internal/foundation/dec"

// Landed is what a charge of amount on received units does to the average cost of an item: each unit of those on hand
// is raised by perUnit, rounded down to six decimals, which makes the stock worth inStock more. As nobody knows which
// of equal goods have left, as many of the received ones are taken to be there still as there are any; the rest of the
// amount went with those that left.
//
// Used by landed costs and by their verification.
func Landed(amount, received, onHand dec.Dec) (perUnit, inStock dec.Dec) {
	still := min(received, onHand)
	if still <= 0 || amount <= 0 {
		return 0, 0
	}
	perUnit = amount.MulDiv(still, received).DivDown(onHand)
	return perUnit, perUnit.Mul(onHand)
}

// Unlanded is what taking back a charge does, of which inStock had been laid on landed units: as many of these are
// taken to be there still as there are any, and the average never falls below zero.
//
// Used by the reversal of landed costs and by its verification.
func Unlanded(inStock, landed, onHand, average dec.Dec) (perUnit, returned dec.Dec) {
	still := min(landed, onHand)
	if still <= 0 || inStock <= 0 {
		return 0, 0
	}
	perUnit = min(inStock.MulDiv(still, landed).DivDown(onHand), average)
	return perUnit, perUnit.Mul(onHand)
}

// Repriced is what it does to the average cost that received units are billed at amount more, or less, than they came
// in at: more is landed on those that are there still, less is taken off them.
//
// Used by suppliers' invoices, by their cancellation and by their verification.
func Repriced(amount, received, onHand, average dec.Dec) (perUnit, inStock dec.Dec) {
	if amount >= 0 {
		return Landed(amount, received, onHand)
	}
	perUnit, inStock = Unlanded(amount.Neg(), received, onHand, average)
	return perUnit.Neg(), inStock.Neg()
}
