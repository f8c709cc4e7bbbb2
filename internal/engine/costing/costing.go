// Package costing values stock by its moving average.
package costing

import "kontor/internal/foundation/dec"

// Average is the average cost of an item in a warehouse after received units came in at cost:
// (on hand * average + received * cost) / (on hand + received), rounded once to six decimals. It is
// never taken from negative stock: with nothing on hand the arriving cost is the new average. Goods
// that do not come in (received of 0 or less) leave the average alone.
//
// Used by every receipt of the ledger and by its verification.
func Average(onHand, average, received, cost dec.Dec) dec.Dec {
	switch {
	case received <= 0:
		return average
	case onHand <= 0:
		return cost
	}
	// Both costs weighted against the lower one: the sum of the products, which may leave the
	// range, is never formed, and the one rounding is of a number that is not negative.
	total := onHand.Add(received)
	if cost < average {
		return cost.Add(average.Sub(cost).MulDiv(onHand, total))
	}
	return average.Add(cost.Sub(average).MulDiv(received, total))
}

// Without is the average cost of what is left when taken units, which came in at cost, are taken back because they
// should never have come in: (on hand * average - taken * cost) / (on hand - taken), rounded once to six decimals (a
// half away from the present average). It is never below zero, which
// it would be where goods left at an average that these had raised; where nothing is left the average stays as it is.
//
// Used by the reversal of receipts and by its verification.
func Without(onHand, average, taken, cost dec.Dec) dec.Dec {
	left := onHand.Sub(taken)
	switch {
	case taken <= 0 || left <= 0:
		return average
	case cost < average:
		return average.Add(average.Sub(cost).MulDiv(taken, left))
	}
	return max(0, average.Sub(cost.Sub(average).MulDiv(taken, left)))
}

// Holding is what one warehouse has of an item, and at which average cost.
type Holding struct{ OnHand, Average dec.Dec }

// WeightedAverage is the average cost of an item over its warehouses, weighted by their stock, and
// false when no warehouse knows a cost. Where nothing is in stock anywhere, the last known costs count
// alike, so that an item sold out for a day does not become worthless.
func WeightedAverage(holdings []Holding) (dec.Dec, bool) {
	var quantity, costs, known dec.Dec
	var weights, averages []dec.Dec
	for _, h := range holdings {
		if h.OnHand > 0 {
			quantity = quantity.Add(h.OnHand)
			weights, averages = append(weights, h.OnHand), append(averages, h.Average)
		}
		if h.Average != 0 {
			costs = costs.Add(h.Average)
			known = known.Add(dec.One)
		}
	}
	switch {
	case known == 0:
		return 0, false
	case quantity > 0:
		return dec.Mean(weights, averages), true
	}
	return costs.Div(known), true
}
