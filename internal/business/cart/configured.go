package cart

import (
	"kontor/internal/business/configuration"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// configured finds the number of the configuration that an addition, of which a row was made, is to have; "" where its
// item needs none.
type configured func(tx *db.Tx, v *storefront.Visit, a *Addition, r *row) (string, error)

// notAhead leaves what is made to order to the transaction, which saves what was chosen.
func notAhead(*db.Tx, *storefront.Visit, *Addition, *row) (string, error) {
	return "", configuration.ErrInvalid.Because("what is made to order is put in by the transaction")
}

// configured is that of an addition which names one, or brings choices: those of a line that lies in the cart, else
// saved as a new configuration.
func (c *Cart) configured(tx *db.Tx, v *storefront.Visit, a *Addition, r *row) (string, error) {
	choices := a.Choices
	if a.ConfigurationNumber != "" {
		known, err := c.named(tx, v, a)
		if err != nil || known.OrderNumber == "" {
			return known.Number, err
		}
		choices = known.Choices() // the same again
	}
	item := &c.sold[a.ItemID].Item
	model, err := configuration.ModelOf(tx, item.ID)
	switch {
	case err != nil:
		return "", err
	case (model == nil || !v.Channel.Store.Offers().Configurator) && len(choices) > 0:
		return "", configuration.ErrNotConfigurable.At("values", "nothing can be chosen of %s: leave the values out",
			item.Name)
	case model == nil:
		return "", nil
	}
	if answer := model.Ask(choices); len(choices) == 0 && answer.IsValid() {
		return "", nil // it is sold as it is, too
	}
	mine, err := configuration.FindMany(tx, c.configurationsOf(item.ID))
	if err != nil {
		return "", err
	}
	for _, known := range mine {
		if known.OrderNumber == "" && known.Same(choices) {
			return known.Number, nil
		}
	}
	factor, _ := item.Factor(r.Unit)
	d := configuration.Draft{Item: item.Number, Quantity: r.Quantity.Mul(factor), Choices: choices, IsFromCart: true}
	if v.SignedIn() {
		d.CustomerNumber = v.Customer.Number
	}
	made, err := configuration.Create(tx, d)
	return made.Number, err
}

// named is the configuration that an addition names. Whoever knows a number knows no configuration: it lies in the
// cart, or is of the visitor's customer.
func (c *Cart) named(tx *db.Tx, v *storefront.Visit, a *Addition) (configuration.Configuration, error) {
	known, err := configuration.Find(tx, a.ConfigurationNumber)
	if err != nil && !fault.Is(err, configuration.ErrNotFound) {
		return known, err
	}
	isMine := v.SignedIn() && v.Customer.Number != "" &&
		record.Fold(known.CustomerNumber) == record.Fold(v.Customer.Number)
	for _, l := range c.Lines {
		isMine = isMine || l.ItemID == a.ItemID &&
			record.Fold(l.ConfigurationNumber) == record.Fold(a.ConfigurationNumber)
	}
	if err != nil || known.ItemID != a.ItemID || !isMine {
		return known, configuration.ErrNotFound.At("configurationNumber", "no configuration has the number %q",
			a.ConfigurationNumber)
	}
	return known, nil
}

// configurationsOf are the numbers of the configurations of an item that lie in the cart.
func (c *Cart) configurationsOf(itemID string) (numbers []string) {
	for _, l := range c.Lines {
		if l.ItemID == itemID && l.IsMadeToOrder() {
			numbers = append(numbers, l.ConfigurationNumber)
		}
	}
	return numbers
}

// configurations finds what was chosen of the lines that are looked at. What the item is no longer made like cannot be
// bought.
func (p *pricer) configurations() error {
	var numbers []string
	for _, n := range p.fresh {
		if l := p.cart.Lines[n]; l.IsMadeToOrder() {
			numbers = append(numbers, l.ConfigurationNumber)
		}
	}
	found, err := configuration.FindMany(p.tx, numbers)
	if err != nil {
		return err
	}
	for _, n := range p.fresh {
		l := p.cart.Lines[n]
		if !l.IsMadeToOrder() || !l.IsSellable {
			continue
		}
		if l.Configuration = found[record.Fold(l.ConfigurationNumber)]; l.Configuration == nil ||
			l.Configuration.OrderNumber != "" {
			l.IsSellable = false
			l.warn(NoLongerMade, "%s is no longer kept as it was configured: configure it again", l.Article.Name)
			continue
		}
		if err := l.Configuration.Refresh(p.tx); fault.Is(err, configuration.ErrInvalid) {
			l.IsSellable = false
			l.warn(NoLongerMade, "%s is no longer made like this: %s", l.Article.Name, fault.As(err).Fields[0].Message)
		} else if err != nil {
			return err
		}
	}
	return nil
}
