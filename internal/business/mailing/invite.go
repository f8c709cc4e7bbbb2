package mailing

import (
	"errors"
	"time"

	"kontor/internal/business/channel"
	"kontor/internal/business/newsletter"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
)

// InviteKind is the work of inviting the buyer of an order to review what came, some days after it left.
var InviteKind = jobs.Kind{Name: "review-invitation", Counted: true}

// Inviting is fired in the transaction that invites the buyer of an order to review what they bought.
type Inviting struct {
	Order      *sales.Order
	Channel    channel.Channel
	Reader     newsletter.Subscriber
	Lines      []Reviewable
	LeaveToken string
}

// Reviewable is something that was bought, and where in the shop it is reviewed.
type Reviewable struct{ Name, URL string }

// OnHandedOver asks for the invitations of orders of which something is on its way: one for each order, ever, and only
// where the store invites.
func OnHandedOver(tx *db.Tx, e shipping.HandedOver) error {
	for _, o := range e.Orders {
		if o.ChannelCode == "" || o.IsNew() {
			continue
		}
		c, err := channel.Find(tx, o.ChannelCode)
		if fault.Is(err, channel.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if !c.Store.Invites() {
			continue
		}
		first, err := askInvitation(tx, o.ID)
		if err == nil && first {
			at := tx.Now.Time().Add(time.Duration(c.Store.ReviewInviteDays) * 24 * time.Hour)
			_, err = jobs.Add(tx, InviteKind, o.Number, o.Number, jobs.Options{RunAt: db.TimeOf(at)})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Why nobody is invited.
var (
	errNotInvited = errors.New("not invited: the store does not invite any more, or nothing of the order was kept")
	errMayNot     = errors.New("not invited: the buyer has not confirmed that they want mails of the store")
)

// Invite invites the buyer of an order, if they may be written to: who has confirmed that they want the store's
// newsletter, and not ended it since.
func Invite(tx *db.Tx, j jobs.Job) error {
	var number string
	if err := j.Read(&number); err != nil {
		return err
	}
	o, err := sales.Find(tx, number)
	if err != nil {
		return err
	}
	c, err := channel.Find(tx, o.ChannelCode)
	if err != nil {
		return err
	}
	e := Inviting{Order: &o, Channel: c}
	if e.Lines, err = reviewable(tx, c, &o); err != nil {
		return err
	}
	if !c.Store.Invites() || len(e.Lines) == 0 {
		return jobs.Drop(errNotInvited)
	}
	for _, email := range []string{o.DeliveryAddress.Email, o.InvoiceAddress.Email} {
		if e.Reader.Status != newsletter.Confirmed && email != "" {
			if e.Reader, err = newsletter.OfAddress(tx, c.Code, email); err != nil {
				return err
			}
		}
	}
	if e.Reader.Status != newsletter.Confirmed {
		return jobs.Drop(errMayNot)
	}
	if e.LeaveToken, err = newsletter.LeaveToken(tx, e.Reader.ID); err != nil {
		return err
	}
	return tx.Fire(e)
}

// reviewable are the goods of an order that were delivered and kept, and that the store still shows.
func reviewable(tx *db.Tx, c channel.Channel, o *sales.Order) (out []Reviewable, err error) {
	met := map[string]bool{}
	for i := range o.Lines {
		l := &o.Lines[i]
		if l.ItemID == "" || met[l.ItemID] || l.Delivered <= l.Returned {
			continue
		}
		met[l.ItemID] = true
		p, err := channel.FindPublication(tx, l.Item, c.Code)
		if fault.Is(err, channel.ErrPublicationNotFound) || err == nil && !p.IsPublished {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, Reviewable{l.Description, c.URL() + c.Paths.ProductPath(p.Slug) + "#reviews"})
	}
	return out, nil
}
