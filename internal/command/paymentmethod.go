package command

import (
	"cmp"
	"context"
	"maps"

	"kontor/internal/business/checkout"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
)

type paymentMethodFamily struct {
	Set paymentMethodSet `cmd:"" help:"Make a way to pay, or change the one with this code."`
}

type paymentMethodSet struct {
	Company  string            `required:"" help:"Code or id of the company."`
	Code     string            `required:"" help:"Code of the payment method."`
	Provider string            `help:"Who moves the money, such as Klarna; needed for a new one."`
	Name     string            `help:"What buyers read; the provider's name if left out."`
	Setting  map[string]string `mapsep:"none" placeholder:"NAME=VALUE" help:"A setting of the company's account there; may be given again. What is not named stays."`
}

// Run sets the payment method.
func (c *paymentMethodSet) Run(ctx context.Context, env *Env) error {
	company, err := env.App.Company(ctx, c.Company)
	if err != nil {
		return err
	}
	var saved checkout.Method
	err = env.App.InCompany(ctx, company.ID, func(tx *db.Tx) error {
		m, err := checkout.FindMethod(tx, c.Code)
		switch {
		case fault.Is(err, checkout.ErrMethodNotFound):
			m = checkout.Method{Code: c.Code, Name: c.Provider, SortOrder: 50, IsActive: true}
		case err != nil:
			return err
		}
		m.Provider = cmp.Or(c.Provider, m.Provider)
		m.Name = cmp.Or(c.Name, m.Name)
		settings := payment.Settings{}
		maps.Copy(settings, m.Settings)
		maps.Copy(settings, c.Setting)
		m.Settings = settings
		saved, err = checkout.Save(tx, env.App.Providers(), m)
		return err
	})
	if err != nil {
		return err
	}
	return env.Print(map[string]any{"paymentMethodId": saved.ID, "paymentMethodCode": saved.Code,
		"provider": saved.Provider}, "%s is paid through %s\n", saved.Code, saved.Provider)
}
