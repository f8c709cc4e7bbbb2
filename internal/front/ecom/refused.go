package ecom

import (
	"kontor/internal/foundation/dec"
	"kontor/internal/front/wire"
)

// Refused is what refusals of the commerce API may say beside what every problem says.
type Refused struct {
	wire.Refused
	LineIDs     []string  `json:"lineIds" doc:"The lines of the cart that there is too little of; where goods are short."`
	AmountToPay dec.Fixed `json:"amountToPay" doc:"What the order comes to now; where it has changed."`
	CreditLimit dec.Fixed `json:"creditLimit" doc:"How much the customer may owe, in the currency of the order; where it is exceeded."`
	Owed        dec.Fixed `json:"owed" doc:"What the customer owes already, in the same currency; where the limit is exceeded."`
	ErrorType   string    `json:"error_type" doc:"In Klarna's words, for its checkout; where that is refused an order."`
	ErrorText   string    `json:"error_text" doc:"What Klarna shows the buyer; where its checkout is refused an order."`
}
