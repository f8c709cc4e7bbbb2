package backoffice

import (
	"strings"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/page"
)

var errNoCode = fault.New(fault.NotFound, "Reference.NotFound")

// yes is a box that is only worth showing ticked.
func yes(on bool) page.Value {
	return page.Word("Yes").If(on)
}

// tradeCodes are the pages of the codes that orders and invoices name.
func tradeCodes() []page.Page {
	return pages(
		codes[reference.OrderType]{kind: orderTypes, resource: reference.OrderTypes, title: "Order types",
			one: "Order type", new: "New order type", lead: "What happens to an order by itself.",
			save:  reference.SaveOrderTypes,
			begin: func(*page.Ctx) reference.OrderType { return reference.OrderType{AutoInvoice: reference.Never} },
			fields: func(_ *page.Ctx, t *reference.OrderType) []page.Field {
				return []page.Field{page.Check("autoRelease", "Is released by itself", &t.AutoRelease),
					page.Check("autoShip", "Becomes a shipment by itself", &t.AutoShip),
					page.Radio("autoInvoice", "Is invoiced by itself", &t.AutoInvoice,
						page.Options(reference.Never.Values())).Required()}
			},
			shown: func(t reference.OrderType) []page.Column {
				return []page.Column{page.Minor("Is released by itself", yes(t.AutoRelease)),
					page.Minor("Becomes a shipment by itself", yes(t.AutoShip)),
					page.Minor("Is invoiced by itself", page.Word(page.Words(string(t.AutoInvoice))))}
			}}.pages(),
		codes[reference.PaymentTerm]{kind: paymentTerms, resource: reference.PaymentTerms, title: "Payment terms",
			one: "Payment term", new: "New payment term", lead: "When an invoice is due.",
			save: reference.SavePaymentTerms,
			fields: func(_ *page.Ctx, t *reference.PaymentTerm) []page.Field {
				return []page.Field{page.Number("days", "Days", &t.Days),
					page.Check("endOfMonth", "Then to the end of the month", &t.EndOfMonth)}
			},
			shown: func(t reference.PaymentTerm) []page.Column {
				return []page.Column{page.Col("Days", page.Count(t.Days)),
					page.Minor("Then to the end of the month", yes(t.EndOfMonth))}
			}}.pages(),
		codes[reference.DeliveryTerm]{kind: deliveryTerms, resource: reference.DeliveryTerms, title: "Delivery terms",
			one: "Delivery term", new: "New delivery term",
			lead: "Who carries freight and risk.", save: reference.SaveDeliveryTerms,
			fields: func(c *page.Ctx, t *reference.DeliveryTerm) []page.Field {
				return []page.Field{page.Select("incotermsCode", "Incoterms 2020", &t.IncotermsCode, incoterms(c))}
			},
			shown: func(t reference.DeliveryTerm) []page.Column {
				return []page.Column{page.Minor("Incoterms 2020", page.T(t.IncotermsCode))}
			}}.pages(),
		codes[reference.ShippingMethod]{kind: shippingMethods, resource: reference.ShippingMethods,
			title: "Shipping methods", one: "Shipping method", new: "New shipping method",
			lead: "How goods reach the customer. What they cost stands under Freight.",
			save: reference.SaveShippingMethods,
			fields: func(_ *page.Ctx, m *reference.ShippingMethod) []page.Field {
				return []page.Field{page.Text("carrier", "Carrier", &m.Carrier),
					page.Check("isPickup", "The customer fetches the goods", &m.IsPickup),
					page.Text("trackingUrlTemplate", "Address of the tracking page", &m.TrackingURLTemplate).Max(2000).
						Wide().Hint("With {trackingNumber} where the number stands.")}
			},
			shown: func(m reference.ShippingMethod) []page.Column {
				return []page.Column{page.Minor("Carrier", page.T(m.Carrier)),
					page.Minor("The customer fetches the goods", yes(m.IsPickup))}
			}, parts: ratesOf}.pages(),
	)
}

// incotermsNamed are the eleven rules of Incoterms 2020.
var incotermsNamed = [][2]string{{"EXW", "Ex works"}, {"FCA", "Free carrier"}, {"CPT", "Carriage paid to"},
	{"CIP", "Carriage and insurance paid to"}, {"DAP", "Delivered at place"}, {"DPU", "Delivered at place unloaded"},
	{"DDP", "Delivered duty paid"}, {"FAS", "Free alongside ship"}, {"FOB", "Free on board"},
	{"CFR", "Cost and freight"}, {"CIF", "Cost, insurance and freight"}}

func incoterms(c *page.Ctx) []page.Option {
	return each.Of(incotermsNamed, func(rule [2]string) page.Option {
		return page.Option{Value: rule[0], Label: named(rule[0], c.Say(rule[1]))}
	})
}

// incoterm is a rule by its name and code.
func incoterm(c *page.Ctx, code string) string {
	for _, rule := range incotermsNamed {
		if rule[0] == code {
			return named(code, c.Say(rule[1]))
		}
	}
	return code
}

// plainCodes are the pages of codes that are little more than a name.
func plainCodes() []page.Page {
	return pages(
		codes[reference.Unit]{kind: units, resource: reference.Units, title: "Units", one: "Unit", new: "New unit",
			save: reference.SaveUnits,
			fields: func(_ *page.Ctx, u *reference.Unit) []page.Field {
				return []page.Field{page.Code("commonCode", "UN/ECE code", &u.CommonCode).Max(3).
					Hint("As electronic invoices need it, such as H87 for a piece, KGM, MTR.")}
			},
			shown: func(u reference.Unit) []page.Column {
				return []page.Column{page.Minor("UN/ECE code", page.T(u.CommonCode))}
			}}.pages(),
		codes[reference.CustomerGroup]{kind: customerGroups, resource: reference.CustomerGroups,
			title: "Customer groups", one: "Customer group", new: "New customer group",
			lead: "Customers that share prices.", save: reference.SaveCustomerGroups}.pages(),
		codes[reference.TicketQueue]{kind: ticketQueues, resource: reference.TicketQueues, title: "Ticket queues",
			one: "Ticket queue", new: "New ticket queue",
			lead: "Where support tickets wait for the people of one field.", save: reference.SaveTicketQueues}.pages(),
		cannedCodes().pages(),
	)
}

// cannedCodes are the pages of what agents answer often, kept by those who answer.
func cannedCodes() codes[reference.CannedAnswer] {
	return codes[reference.CannedAnswer]{resource: reference.CannedAnswers, area: "tickets",
		kind: kind[reference.CannedAnswer]{path: "canned-answers", list: reference.ListCannedAnswers,
			known: (*reference.Book).CannedAnswer,
			head:  func(a *reference.CannedAnswer) head { return head{a.ID, &a.Code, &a.Name, &a.IsActive} }},
		title: "Canned answers", one: "Canned answer", new: "New canned answer",
		lead: "What is often answered to tickets, chosen by a click in the form of an answer.",
		save: reference.SaveCannedAnswers,
		fields: func(c *page.Ctx, a *reference.CannedAnswer) []page.Field {
			return []page.Field{page.Code("language", "Language", &a.Language).Suggest(languages()).Max(2),
				page.Prose("body", "Text", &a.Body).Required().
					Hint("These are filled in: %s.", "{"+strings.Join(reference.Placeholders(), "}, {")+"}")}
		},
		shown: func(a reference.CannedAnswer) []page.Column {
			return []page.Column{page.Minor("Language", page.T(a.Language))}
		},
		parts: func(_ *page.Ctx, a reference.CannedAnswer) ([]page.Part, error) {
			return []page.Part{page.Note{Title: "Text", Text: a.Body}}, nil
		}}
}
