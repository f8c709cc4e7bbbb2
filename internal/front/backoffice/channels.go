package backoffice

import (
	"fmt"
	"strings"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// rowErrors is the first refusal of rows that were written each for itself: a form is done whole or not at all.
func rowErrors[O any](outcomes []O, of func(O) error) error {
	var wrong fault.List
	for i, o := range outcomes {
		err := of(o)
		if err == nil {
			continue
		}
		f := fault.As(err)
		if f.Kind == fault.Internal {
			return err
		}
		fields := f.Fields
		if len(fields) == 0 {
			fields = []fault.Field{f.Field("itemNumber")}
		}
		for _, field := range fields {
			wrong.Note(fault.New(fault.Invalid, field.Code), fmt.Sprintf("lines[%d].%s", i, field.Path), field.Said())
		}
	}
	return wrong.Err()
}

// reserving keeps the host name that a channel is about to get, so that no other company's channel takes it.
func (o Office) reserving(c *page.Ctx, lay func(*channel.Channel) error) func(*channel.Channel) error {
	return func(ch *channel.Channel) error {
		before := ch.Domain
		if err := lay(ch); err != nil {
			return err
		}
		host := strings.ToLower(strings.TrimSpace(ch.Domain))
		if host == "" || host == before {
			return nil
		}
		if err := o.Reserve(c.Context(), c.Visitor.Company, host, ch.Code); err != nil {
			return atField(err, "domain")
		}
		return nil
	}
}

// channelPages are the pages of channels and of what is published in them.
func (o Office) channelPages() []page.Page {
	return []page.Page{
		page.Records[channel.Channel]{Path: "/channels", Title: "Channels", Area: "channels", By: "code",
			Key: func(ch channel.Channel) string { return ch.Code }, Find: channel.Find, Resource: channel.Channels,
			List: page.List[channel.Channel]{
				Filters: []page.Filter{page.Choice("type", "Type", page.Options(channel.Type("").Values())),
					page.Flag("active", "Status", "Active", "Inactive")},
				Find: func(c *page.Ctx, q page.Query) (record.Found[channel.Channel], error) {
					return channel.List(c.Tx,
						channel.Filter{Type: channel.Type(q.Get("type")), IsActive: q.Bool("active")}, q.Page)
				},
				Columns: func(ch channel.Channel) []page.Column {
					return []page.Column{page.Col("Code", page.T(ch.Code)), page.Col("Name", page.T(ch.Name)),
						page.Minor("Type", page.Word(page.Words(string(ch.Type)))),
						page.Minor("Domain", page.T(ch.Domain)), page.Minor("Currency", page.T(ch.CurrencyCode)),
						page.Minor("Price list", page.T(ch.PriceListCode)),
						page.Col("Status", page.Active(ch.IsActive))}
				}},
			Record: page.Record[channel.Channel]{Show: showChannel,
				Edit: func(_ *page.Ctx, ch channel.Channel) []page.Go {
					return append([]page.Go{{Label: "Publications", Path: "/publications?channel=" + query(ch.Code)}},
						onlyEdit("channels", ch.Code)...)
				}},
			New: page.Form[channel.Channel]{Title: "New channel",
				Save: func(c *page.Ctx, lay func(*channel.Channel) error) (page.Done, error) {
					ch := channel.Channel{IsActive: true}
					if err := o.reserving(c, lay)(&ch); err != nil {
						return page.Done{}, err
					}
					ch, err := channel.Create(c.Tx, ch)
					return page.Went(page.Path("channels", ch.Code), "Channel %s is made.", ch.Code), err
				}},
			Edit: page.Form[channel.Channel]{Title: "Edit channel",
				Save: func(c *page.Ctx, lay func(*channel.Channel) error) (page.Done, error) {
					return page.Changed("code", channel.Change)(c, o.reserving(c, lay))
				}},
			Fields: channelFields, Begin: func(c *page.Ctx) (channel.Channel, error) {
				return channel.Channel{IsActive: true, CurrencyCode: base(c)}, nil
			}},
		publications(), publicationForm("/publications/{channel}/{item}", "Publication"),
		publicationForm("/new/publications", "Publish an item"),
		page.Deed{Path: "/publications/{channel}/{item}/withdraw", Permission: "channels:write",
			Do: func(c *page.Ctx) (page.Done, error) {
				return page.Went("/publications?channel="+query(c.Path("channel")), "The item is withdrawn."),
					channel.Withdraw(c.Tx, c.Path("item"), c.Path("channel"))
			}},
	}
}

func channelFields(c *page.Ctx, ch *channel.Channel) []page.Field {
	return []page.Field{page.Code("code", "Code", &ch.Code).Required().FixedIf(ch.ID != ""),
		page.Text("name", "Name", &ch.Name).Required(),
		page.OneOf("type", "Type", &ch.Type).Required(),
		page.Text("domain", "Domain", &ch.Domain), page.Select("currencyCode", "Currency", &ch.CurrencyCode,
			currencies.offered(c)).Required(),
		page.Code("priceListCode", "Price list", &ch.PriceListCode),
		page.Select("warehouseCode", "Warehouse", &ch.WarehouseCode, warehouses.offered(c)),
		page.Select("orderTypeCode", "Order type", &ch.OrderTypeCode, orderTypes.offered(c)),
		page.Check("isActive", "Active", &ch.IsActive), page.Check("isPriceIncludingTax", "Prices include tax",
			&ch.IsPriceIncludingTax),
		page.Items("languages", "Languages, one a line", &ch.Languages).Hint("The first is the usual one."),
		countriesIn("countries", "Countries, one a line", &ch.Countries).Hint("None: everywhere."),
		page.Group("Addresses of pages", page.Text("paths.product", "Items", &ch.Paths.Product),
			page.Text("paths.category", "Categories", &ch.Paths.Category),
			page.Text("paths.brand", "Brands", &ch.Paths.Brand))}
}

func showChannel(c *page.Ctx, ch channel.Channel) (page.Sheet, error) {
	return page.Sheet{Title: ch.Name, Subtitle: ch.Code, Badges: []page.Value{page.Active(ch.IsActive)},
		Parts: []page.Part{page.Facts{Title: "Channel", Facts: []page.Fact{
			{Label: "Type", Value: page.Word(page.Words(string(ch.Type)))}, {Label: "Domain", Value: page.T(ch.Domain)},
			{Label: "Currency", Value: page.T(ch.CurrencyCode)}, {Label: "Price list", Value: page.T(ch.PriceListCode)},
			{Label: "Warehouse", Value: warehouses.called(c, ch.WarehouseCode)},
			{Label: "Order type", Value: orderTypes.called(c, ch.OrderTypeCode)},
			{Label: "Prices include tax", Value: page.YesNo(ch.IsPriceIncludingTax)},
			{Label: "Languages", Value: page.T(strings.Join(ch.Languages, ", "))},
			{Label: "Countries", Value: page.T(names(c, ch.Countries, countryName))}}}}}, nil
}

func publications() page.Page {
	return page.List[channel.Publication]{Path: "/publications", Own: page.Own("item"), Title: "Publications",
		Permission: "channels:read", Menu: true, Lead: "Which items each channel shows.",
		Filters: []page.Filter{page.ChoiceOf("channel", "Channel", channels.offered), page.Match("item", "Item").
			Lookup(findItems), page.Flag("published", "Status", "Published", "Not published")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[channel.Publication], error) {
			return channel.ListPublications(c.Tx, channel.PublicationFilter{ItemNumber: q.Get("item"),
				ChannelCode: q.Get("channel"), IsPublished: q.Bool("published")}, q.Page)
		},
		Href: func(p channel.Publication) string { return page.Path("publications", p.ChannelCode, p.ItemNumber) },
		Columns: func(p channel.Publication) []page.Column {
			return []page.Column{page.Col("Item", page.T(p.ItemNumber)).By("item"),
				page.Col("Channel", channels.of(p.ChannelCode)), page.Minor("Title", page.T(p.Title)),
				page.Minor("Address", page.T(p.Slug)), page.Minor("From", page.At(p.PublishFrom)),
				page.Minor("To", page.At(p.PublishTo)), page.Col("Status", publishedBadge(p)),
				page.Minor("", page.Post("Withdraw",
					page.Path("publications", p.ChannelCode, p.ItemNumber, "withdraw")))}
		},
		New: []page.Go{{Label: "Publish an item", Path: "/new/publications", Primary: true}}}
}

func publishedBadge(p channel.Publication) page.Value {
	if p.IsPublished {
		return page.Badge("Published", page.Good)
	}
	return page.Badge("Not published", page.Plain)
}

func publicationForm(path, title string) page.Page {
	known := strings.Contains(path, "{")
	return page.Form[channel.Publication]{Path: path, Title: title, Permission: "channels:write",
		Resource: channel.Publications,
		Load: func(c *page.Ctx) (channel.Publication, error) {
			if known {
				return channel.FindPublication(c.Tx, c.Path("item"), c.Path("channel"))
			}
			return channel.Publication{IsPublished: true, IsPurchasable: true, ItemNumber: c.Query("item")}, nil
		},
		Fields: func(c *page.Ctx, p *channel.Publication) []page.Field {
			return []page.Field{page.Code("itemNumber", "Item", &p.ItemNumber).Required().FixedIf(known).
				Lookup(findItems), page.Select("channelCode", "Channel", &p.ChannelCode, channels.offered(c)).Required().
				FixedIf(known), page.Check("isPublished", "Published", &p.IsPublished),
				page.Check("isFeatured", "Featured", &p.IsFeatured), page.Check("isPurchasable", "May be bought",
					&p.IsPurchasable), page.Check("allowBackorder", "May be ordered without stock", &p.AllowBackorder),
				page.Moment("publishFrom", "From", &p.PublishFrom), page.Moment("publishTo", "To", &p.PublishTo),
				page.Text("slug", "Address", &p.Slug).Hint("Left empty, it is made from the name."),
				page.Number("sortOrder", "Sort order", &p.SortOrder), page.Text("title", "Title", &p.Title).Wide(),
				page.Prose("shortDescription", "Short description",
					&p.ShortDescription), page.Prose("description", "Description", &p.Description).Max(100_000),
				page.Text("metaTitle", "Title for search engines", &p.MetaTitle),
				page.Prose("metaDescription", "Description for search engines", &p.MetaDescription)}
		},
		Save: func(c *page.Ctx, lay func(*channel.Publication) error) (page.Done, error) {
			p := channel.Publication{ItemNumber: c.Path("item"), ChannelCode: c.Path("channel")}
			if err := lay(&p); err != nil {
				return page.Done{}, err
			}
			outcomes, err := channel.Publish(c.Tx, []channel.Publication{p})
			if err == nil {
				err = outcomes[0].Err
			}
			to := "/publications?channel=" + query(p.ChannelCode)
			if item := c.Query("item"); item != "" { // it was asked for on the item's page
				to = page.Path("items", item)
			}
			return page.Went(to, "Saved."), err
		}}
}
