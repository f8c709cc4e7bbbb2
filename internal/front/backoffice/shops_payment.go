package backoffice

import (
	"maps"
	"slices"
	"strings"

	"kontor/internal/business/checkout"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// methodForm is a payment method as its form holds it, with a place for each of its provider's settings.
type methodForm struct {
	checkout.Method
	values map[string]*string
}

// at is the place of a setting. A secret one is never shown.
func (f *methodForm) at(s payment.Setting) *string {
	if f.values == nil {
		f.values = map[string]*string{}
	}
	v := f.values[s.Name]
	if v == nil {
		v = new(string)
		if f.values[s.Name] = v; !s.IsSecret {
			*v = f.Settings[s.Name]
		}
	}
	return v
}

// method is the payment method with the settings that were typed.
func (f *methodForm) method() checkout.Method {
	m := f.Method
	m.Settings = payment.Settings{}
	for name, v := range f.values {
		m.Settings[name] = *v
	}
	return m
}

// paymentMethods are the pages of the ways to pay.
func (o Office) paymentMethods() []page.Page {
	load := func(c *page.Ctx) (checkout.Method, error) { return checkout.FindMethod(c.Tx, c.Path("code")) }
	return []page.Page{
		page.List[checkout.Method]{Path: "/payment-methods", Title: "Payment methods", Permission: "settings:read",
			Menu: true, Lead: "The ways to pay, in the order in which buyers see them.",
			Find: func(c *page.Ctx, q page.Query) (record.Found[checkout.Method], error) {
				return checkout.ListMethods(c.Tx, q.Page)
			},
			Href: func(m checkout.Method) string { return page.Path("payment-methods", m.Code) },
			Columns: func(m checkout.Method) []page.Column {
				return []page.Column{page.Col("Code", page.T(m.Code)), page.Col("Name", page.T(m.Name)),
					page.Col("Provider", page.T(m.Provider)),
					page.Minor("Channels", orAllOf(m.Channels, channels.name)),
					page.Minor("Countries", orAllOf(m.Countries, countryName)), page.Minor("Fee", costs(&m.Fee)),
					page.Col("Status", page.Active(m.IsActive))}
			},
			New: []page.Go{{Label: "New payment method", Path: "/new/payment-methods", Primary: true}}},
		page.Record[checkout.Method]{Path: "/payment-methods/{code}", Permission: "settings:read",
			Resource: checkout.Methods, Load: load, Show: o.showMethod,
			Edit: func(_ *page.Ctx, m checkout.Method) []page.Go {
				return onlyEdit("payment-methods", m.Code)
			}},
		page.Record[struct{}]{Path: "/new/payment-methods", Title: "New payment method", Permission: "settings:write",
			Show: o.chooseProvider, Load: func(*page.Ctx) (struct{}, error) { return struct{}{}, nil }},
		o.newMethod(),
		page.Form[methodForm]{Path: "/payment-methods/{code}/edit", Title: "Edit payment method",
			Permission: "settings:write", Resource: checkout.Methods, Fields: o.methodFields,
			Back: func(c *page.Ctx) string { return page.Path("payment-methods", c.Path("code")) },
			Load: func(c *page.Ctx) (methodForm, error) {
				m, err := load(c)
				return methodForm{Method: m}, err
			},
			Save: func(c *page.Ctx, lay func(*methodForm) error) (page.Done, error) {
				m, err := load(c)
				if err != nil {
					return page.Done{}, err
				}
				f := methodForm{Method: m}
				if err := lay(&f); err != nil {
					return page.Done{}, err
				}
				_, err = checkout.Save(c.Tx, o.Payments.Providers(), f.method())
				return page.Did("Saved."), err
			}},
	}
}

func (o Office) newMethod() page.Page {
	return page.Form[methodForm]{Path: "/new/payment-methods/{provider}", Title: "New payment method",
		Permission: "settings:write", Fields: o.methodFields, Load: func(c *page.Ctx) (methodForm, error) {
			p, err := o.Payments.Providers().Of(c.Path("provider"))
			if err != nil {
				return methodForm{}, checkout.ErrMethodNotFound.Because("there is no payment provider %q",
					c.Path("provider"))
			}
			return methodForm{Method: checkout.Method{Provider: p.Describe().Name, IsActive: true,
				FeeIncludesTax: true}}, nil
		},
		Save: func(c *page.Ctx, lay func(*methodForm) error) (page.Done, error) {
			f := methodForm{Method: checkout.Method{Provider: c.Path("provider")}}
			if err := lay(&f); err != nil {
				return page.Done{}, err
			}
			if old, err := checkout.FindMethod(c.Tx, f.Code); err == nil {
				return page.Done{}, page.Refusal("code", "there is a payment method %s already", old.Code)
			}
			m, err := checkout.Save(c.Tx, o.Payments.Providers(), f.method())
			return page.Went(page.Path("payment-methods", m.Code), "Payment method %s is made.", m.Name), err
		}}
}

func (o Office) methodFields(c *page.Ctx, f *methodForm) []page.Field {
	m := &f.Method
	fields := []page.Field{
		page.Code("code", "Code", &m.Code).Required().FixedIf(m.ID != ""), page.Text("name", "Name, as buyers read it",
			&m.Name).Required(), page.Text("provider", "Provider", &m.Provider).Fixed(),
		page.Number("sortOrder", "Sort order", &m.SortOrder), page.Check("isActive", "Active", &m.IsActive),
	}
	if p, err := o.Payments.Providers().Of(m.Provider); err == nil {
		if d := p.Describe(); len(d.Settings) > 0 {
			fields = append(fields, page.Group(d.Name, providerFields(d, f)...))
		}
	}
	return append(fields,
		page.Group("Whom it is offered to", page.Checks("channels", "Channels", &m.Channels, channels.offered(c)).
			Hint("None chosen: all."), countriesIn("countries", "Countries, one a line", &m.Countries).
			Hint("Of the billing address. None: everywhere.")),
		page.Group("Fee and terms", page.Decimal("fee", "Fee", &m.Fee).Hint("In %s.", base(c)),
			page.Check("feeIncludesTax", "The fee includes tax", &m.FeeIncludesTax),
			page.Select("feeTaxCode", "Tax code", &m.FeeTaxCode, taxCodes.offered(c)),
			page.Select("paymentTermCode", "Payment term", &m.PaymentTermCode, paymentTerms.offered(c)).
				Hint("Of orders paid so. Left empty: the customer's."),
			page.Prose("instructions", "How to pay", &m.Instructions).Hint("Stands in the confirmation of the order.")))
}

// providerFields are what a provider wants to be told. A secret is written and never shown.
func providerFields(d payment.Description, f *methodForm) []page.Field {
	var out []page.Field
	for _, s := range d.Settings {
		name, label, at := "settings."+s.Name, page.Words(s.Name), f.at(s)
		switch {
		case s.IsSecret && f.Settings[s.Name] != "":
			out = append(out, page.Password(name, label, at).Auto("new-password").
				Hint("There is one. Left empty, it stays; it is shown to nobody."))
		case s.IsSecret:
			out = append(out, page.Password(name, label, at).Auto("new-password").Hint(s.Means))
		case len(s.Choices) > 0:
			out = append(out, page.Select(name, label, at, page.Options(s.Choices)).Hint(s.Means))
		default:
			out = append(out, page.Text(name, label, at).Max(1000).Hint(s.Means))
		}
	}
	return out
}

// providersNamed say what a provider is for.
var providersNamed = map[string]string{
	"Invoice":    "Pay later by invoice, for customers with credit",
	"Prepayment": "A transfer to your account before the goods leave", "Stripe": "Cards and wallets by Stripe",
	"Klarna": "Klarna: pay now, later or in parts", "Hosted": "Another provider's own page, by address and key",
	"Test": "Plays every outcome, without money",
}

func (o Office) chooseProvider(c *page.Ctx, _ struct{}) (page.Sheet, error) {
	grid := page.Grid{Title: "Who takes the payment?", Heads: []string{"Provider", "What it is"}}
	all := o.Payments.Providers()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if d := all[name].Describe(); !d.TestOnly || c.Tx.Info.Environment == "Test" {
			grid.Rows = append(grid.Rows, []page.Value{page.To(name, page.Path("new", "payment-methods", name)),
				page.Word(providersNamed[name])})
		}
	}
	return page.Sheet{Title: c.Say("New payment method"), Parts: []page.Part{grid}}, nil
}

func (o Office) showMethod(c *page.Ctx, m checkout.Method) (page.Sheet, error) {
	s := page.Sheet{Title: m.Name, Subtitle: m.Code, Badges: []page.Value{page.Active(m.IsActive)}}
	provider := page.Facts{Title: "Provider", Facts: []page.Fact{{Label: "Provider", Value: page.T(m.Provider)}}}
	if p, err := o.Payments.Providers().Of(m.Provider); err == nil {
		d := p.Describe()
		if d.Ready(m.Account(c.Tx)) != nil {
			s.Badges = append(s.Badges, page.Badge("Not ready: a setting is missing", page.Warn))
		}
		for _, set := range d.Settings {
			value := page.T(m.Settings[set.Name])
			if set.IsSecret && m.Settings[set.Name] != "" {
				value = page.Word("kept, and shown to nobody")
			} else if set.IsSecret {
				value = page.None()
			}
			provider.Facts = append(provider.Facts, page.Fact{Label: page.Words(set.Name), Value: value})
		}
		if d.SendsCallbacks {
			provider.Facts = append(provider.Facts,
				page.Fact{Label: "Address for its reports",
					Value: page.Copied(o.Payments.CallbackURL(c.Tx.Company, m.Provider, m.Code))})
		}
		if len(d.Reports) > 0 {
			provider.Facts = append(provider.Facts,
				page.Fact{Label: "What it has to report", Value: page.T(strings.Join(d.Reports, ", "))})
		}
	}
	s.Parts = []page.Part{provider, page.Note{Title: "How to pay", Text: m.Instructions}}
	s.Side = []page.Part{page.Facts{Title: "Payment method",
		Facts: []page.Fact{{Label: "Channels", Value: c.Called(orAllOf(m.Channels, channels.name))},
			{Label: "Countries", Value: c.Called(orAllOf(m.Countries, countryName))}, {Label: "Sort order", Value: page.Count(m.SortOrder)},
			{Label: "Fee", Value: page.Money(m.Fee, base(c))},
			{Label: "The fee includes tax", Value: page.YesNo(m.FeeIncludesTax)},
			{Label: "Tax code", Value: taxCodes.called(c, m.FeeTaxCode)},
			{Label: "Payment term", Value: paymentTerms.called(c, m.PaymentTermCode)}}}}
	if strings.TrimSpace(m.Instructions) == "" {
		s.Parts = s.Parts[:1]
		if m.Provider == "Prepayment" {
			s.Parts = append(s.Parts, page.Note{Title: "How to pay",
				Text: c.Say("Buyers are not told where the money goes: write it down here.")})
		}
	}
	return s, nil
}
