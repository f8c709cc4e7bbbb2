package wire

import "kontor/internal/foundation/dec"

// Refused is what refusals of both APIs may say beside what every problem says.
type Refused struct {
	Missing   []string   `json:"missing" doc:"The steps that a checkout lacks, or what a document lacks; where something is missing."`
	Shortages []Shortage `json:"shortages" doc:"Which goods there are too few of; where goods are short."`
}

// Shortage is an item of which there is not as much as was wanted.
type Shortage struct {
	ItemNumber string   `json:"itemNumber"`
	Wanted     dec.Dec  `json:"wanted" doc:"In the item's base unit."`
	There      *dec.Dec `json:"there" doc:"What can be had of it, in the item's base unit. Null where a store does not show quantities."`
}
