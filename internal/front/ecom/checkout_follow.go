package ecom

import (
	"kontor/internal/business/checkout"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/rest"
)

type followIn struct {
	Body struct {
		OrderNumber string    `json:"orderNumber" req:"true" max:"60"`
		Email       rest.Text `json:"email" text:"email" doc:"That the order was placed with; not needed with key."`
		Key         rest.Text `json:"key" max:"60" doc:"Of the link in the order's mails: {baseUrl}/orders/{orderNumber}?key={key}."`
	}
}

func (in followIn) trail() checkout.Trail {
	return checkout.Trail{OrderNumber: in.Body.OrderNumber, Email: string(in.Body.Email), Key: string(in.Body.Key)}
}

// FollowedOrder is an order as whoever has its number may know it.
type FollowedOrder struct {
	standing
	PaymentStatus *paymentStatus `json:"paymentStatus" doc:"Null where the order came by another way than the checkout."`
}

// tryTrail counts who guesses at numbers and addresses. A key needs no counting: nobody finds one by trying.
func (e Access) tryTrail(a *rest.Ahead, in *followIn) error {
	if in.Body.Key != "" {
		return nil
	}
	if err := come(a); err != nil {
		return err
	}
	_, err := e.Guard.Try(a.Context, &throttle.OrderTrail, stranger(a, guest(a.Party()).Token), func() (bool, error) {
		err := a.Read(func(tx *db.Tx) error {
			_, _, err := checkout.Follow(tx, in.trail())
			return err
		})
		if fault.Is(err, checkout.ErrOrderNotFound) {
			return false, nil
		}
		return err == nil, err
	})
	return err
}

func (s checkouts) follow(tx *db.Tx, in followIn) (FollowedOrder, error) {
	o, placed, err := checkout.Follow(tx, in.trail())
	if err != nil {
		return FollowedOrder{}, err
	}
	shown, err := portalOrdersOf(tx, []string{o.Number})
	if err != nil {
		return FollowedOrder{}, err
	}
	out := FollowedOrder{standing: shown[0].standing}
	if placed != nil {
		status, err := placed.PaymentStatus(tx)
		if err != nil {
			return out, err
		}
		out.PaymentStatus = rest.OrNull(paymentStatus(status))
	}
	return out, nil
}
