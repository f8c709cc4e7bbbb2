package backoffice

import (
	"maps"
	"slices"
	"strings"

	"kontor/internal/business/channel"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// shop is a channel's store as its forms hold it: with copies of all that the channel shares with others.
type shop struct {
	record.Root
	Code, Name     string
	Store          channel.Store
	Offers         channel.Features
	Menu, Promises string
	Colors, Social []setting
}

// setting is a value with a name.
type setting struct{ Name, Value string }

func shopOf(ch channel.Channel) shop {
	s := shop{Root: ch.Root, Code: ch.Code, Name: ch.Name, Store: ch.Store, Offers: ch.Store.Offers(),
		Menu: menuText(ch.Store.Navigation), Promises: strings.Join(ch.Store.Promises, "\n"),
		Colors: settingsOf(ch.Store.Profile.Colors), Social: settingsOf(ch.Store.Profile.SocialLinks)}
	s.Store.StockDisplay = ch.Store.Shows()
	s.Store.StockWarehouses = slices.Clone(ch.Store.StockWarehouses)
	s.Store.Redirects = slices.Clone(ch.Store.Redirects)
	return s
}

// onto writes the forms' values back.
func (s shop) onto(ch *channel.Channel) error {
	menu, _, err := readMenu(s.Menu)
	if err != nil {
		return err
	}
	was := ch.Store
	ch.Store = s.Store
	if ch.Store.Navigation = was.Navigation; menuText(was.Navigation) != menuText(menu) {
		ch.Store.Navigation = menu
	}
	if ch.Store.Promises = was.Promises; strings.Join(was.Promises, "\n") != s.Promises {
		ch.Store.Promises = nil
		for p := range strings.Lines(s.Promises) {
			if p = strings.TrimSpace(p); p != "" {
				ch.Store.Promises = append(ch.Store.Promises, p)
			}
		}
	}
	if s.Offers != was.Offers() {
		ch.Store.Features = &s.Offers
	}
	if was.StockDisplay == "" && s.Store.StockDisplay == was.Shows() {
		ch.Store.StockDisplay = ""
	}
	ch.Store.Profile.Colors, ch.Store.Profile.SocialLinks = keyed(s.Colors), keyed(s.Social)
	return nil
}

func settingsOf(values map[string]string) (out []setting) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		out = append(out, setting{name, values[name]})
	}
	return out
}

func keyed(rows []setting) map[string]string {
	if len(rows) == 0 {
		return nil
	}
	out := make(map[string]string, len(rows))
	for _, s := range rows {
		if s.Name = strings.TrimSpace(s.Name); s.Name != "" {
			out[s.Name] = s.Value
		}
	}
	return out
}

// shops are the pages of what makes a channel a store.
func (o Office) shops() []page.Page {
	load := func(c *page.Ctx) (channel.Channel, error) { return channel.Find(c.Tx, c.Path("code")) }
	return []page.Page{
		page.List[channel.Channel]{Path: "/stores", Title: "Stores", Permission: "channels:read", Menu: true,
			Lead: "How each channel looks and behaves as a store.",
			Find: func(c *page.Ctx, q page.Query) (record.Found[channel.Channel], error) {
				return channel.List(c.Tx, channel.Filter{}, q.Page)
			},
			Href: func(ch channel.Channel) string { return page.Path("stores", ch.Code) },
			Columns: func(ch channel.Channel) []page.Column {
				return []page.Column{page.Col("Code", page.T(ch.Code)), page.Col("Name", page.T(ch.Name)),
					page.Minor("Address", page.T(ch.URL())),
					page.Minor("Stock is shown", page.Word(stockWords(ch.Store.Shows()))),
					page.Minor("Languages", page.T(strings.Join(ch.Languages, ", "))),
					page.Col("Status", page.Active(ch.IsActive))}
			},
			New: []page.Go{{Label: "New channel", Path: "/new/channels", Primary: true}}},
		page.Record[channel.Channel]{Path: "/stores/{code}", Permission: "channels:read", Resource: channel.Channels,
			Load: load, Show: func(c *page.Ctx, ch channel.Channel) (page.Sheet, error) {
				s := showShop(c, ch)
				model, err := o.modelOf(c, ch)
				s.Side = append(s.Side, model, o.feedOf(c, ch))
				return s, err
			},
			Edit: func(_ *page.Ctx, ch channel.Channel) []page.Go {
				return []page.Go{{Label: "Home page", Path: contentPath(ch.Code, "")},
					{Label: "Pages and posts", Path: "/pages?store=" + query(ch.Code)},
					{Label: "Redirects", Path: "/redirects?store=" + query(ch.Code)},
					{Label: "Channel", Path: page.Path("channels", ch.Code)},
					{Label: "Settings", Path: page.Path("stores", ch.Code, "edit"), Primary: true}}
			}},
		shopForm("edit", "Settings of the store", shopFields),
		shopForm("profile", "Who sells", shopProfile),
		shopForm("terms", "Terms and promises", shopTerms),
		shopForm("navigation", "Navigation and searches", shopNavigation),
	}
}

// shopForm is one of the forms of a store.
func shopForm(name, title string, fields func(*page.Ctx, *shop) []page.Field) page.Page {
	return page.Form[shop]{Path: "/stores/{code}/" + name, Title: title, Permission: "channels:write",
		Resource: channel.Channels, Fields: fields, Crumbs: crumbs("Stores", "/stores", "", "code"),
		Load: func(c *page.Ctx) (shop, error) {
			ch, err := channel.Find(c.Tx, c.Path("code"))
			return shopOf(ch), err
		},
		Save: func(c *page.Ctx, lay func(*shop) error) (page.Done, error) {
			_, err := channel.Change(c.Tx, c.Path("code"), func(ch *channel.Channel) error {
				s, before := shopOf(*ch), ch.Store.Navigation
				if err := lay(&s); err != nil {
					return err
				}
				if err := s.onto(ch); err != nil {
					return err
				}
				return leadSomewhere(c, ch.Code, s.Menu, before)
			})
			return page.Did("Saved."), err
		}}
}

func stockWords(d channel.StockDisplay) string {
	switch d {
	case channel.ShowNone:
		return "Not at all"
	case channel.ShowQuantity:
		return "In numbers"
	}
	return "In words"
}

func shopFields(c *page.Ctx, s *shop) []page.Field {
	displays := each.Of(channel.StockDisplay("").Values(),
		func(d channel.StockDisplay) page.Option { return page.Option{Value: string(d), Label: stockWords(d)} })
	return []page.Field{
		page.Text("store.baseUrl", "Address of the shop", &s.Store.BaseURL).Max(2000).Wide().
			Hint("Such as https://shop.example.com. Left empty, it is the channel's domain."),
		page.Group("Stock in the store",
			page.Radio("store.stockDisplay", "Stock is shown", &s.Store.StockDisplay, displays).Required().
				Hint("In words: in stock, few left, sold out."),
			page.Decimal("store.lowStock", "Few left, at and below", &s.Store.LowStock).Hint("Left empty: 5."),
			page.Checks("store.stockWarehouseCodes", "Warehouses that count", &s.Store.StockWarehouses, warehouses.offered(c)).
				Hint("None chosen: the channel's own.")),
		page.Group("Checkout and accounts",
			page.Number("store.holdMinutes", "Minutes that a started payment holds its goods", &s.Store.HoldMinutes).
				Hint("0: half an hour."), page.Check("requiresStoreKey", "Only callers with a store key are served",
				&s.Store.KeyRequired).
				Hint("Make the key, and give it to the server of the storefront, before you tick this."),
			page.Number("store.strangersMails", "Mails an hour to addresses that nobody has confirmed",
				&s.Store.StrangersMails).
				Hint("Confirmations to guests and codes; further ones wait. 0: 200."),
			page.Number("store.reviewInviteDays", "Days until buyers are invited to review", &s.Store.ReviewInviteDays).
				Hint("After goods have left, once for each order, and only readers of the newsletter. 0: never."),
			page.Check("approvesRegistrations", "New accounts wait until somebody lets them in", &s.Store.NeedsSignUp),
			page.Maybe("store.approvalOver", "Orders of buyers wait for an approver above", &s.Store.ApprovalOver).
				Hint("With tax, in the channel's currency. Left empty: never.")),
		page.Group("What the store offers", offers(&s.Offers)...),
	}
}

// feature is something that a store may offer.
type feature struct {
	name, label string
	on          *bool
}

func features(f *channel.Features) []feature {
	return []feature{{"guestCheckout", "Checkout without an account", &f.GuestCheckout},
		{"registration", "Registration", &f.Registration}, {"discountCodes", "Discount codes", &f.DiscountCodes},
		{"giftCards", "Gift cards", &f.GiftCards}, {"returns", "Returns", &f.Returns}, {"quotes", "Quotes", &f.Quotes},
		{"tickets", "Support tickets", &f.Tickets}, {"reviews", "Reviews", &f.Reviews},
		{"newsletter", "Newsletter", &f.Newsletter}, {"assistant", "Assistant", &f.Assistant},
		{"configurator", "Configurator", &f.Configurator}}
}

// offers are the features of a store, each a box to tick.
func offers(f *channel.Features) []page.Field {
	return each.Of(features(f), func(o feature) page.Field { return page.Check("features."+o.name, o.label, o.on) })
}

func shopProfile(_ *page.Ctx, s *shop) []page.Field {
	p := &s.Store.Profile
	pairs := func(name *string, label string, value *string, of string) []page.Field {
		return []page.Field{page.Code("name", label, name), page.Text("value", of, value).Max(2000)}
	}
	return []page.Field{
		page.Text("profile.legalName", "Legal name", &p.LegalName).Hint("Left empty, the name in the company profile."),
		page.Code("profile.organizationNumber", "Organisation number", &p.OrganizationNumber),
		page.Email("profile.email", "E-mail", &p.Email), page.Code("profile.phone", "Phone", &p.Phone),
		page.Prose("profile.address", "Address", &p.Address), page.Text("profile.logoUrl", "Address of the logo",
			&p.LogoURL).Max(2000),
		page.Text("profile.faviconUrl", "Address of the small icon", &p.FaviconURL).Max(2000),
		page.Lines("profile.colors", "Colours", &s.Colors,
			func(v *setting) []page.Field { return pairs(&v.Name, "Name", &v.Value, "Colour") }).
			Hint("Such as primary and #1a5fb4; mails take the one named primary."),
		page.Lines("profile.socialLinks", "Social media", &s.Social,
			func(v *setting) []page.Field { return pairs(&v.Name, "Name", &v.Value, "Address") }),
	}
}

func shopTerms(_ *page.Ctx, s *shop) []page.Field {
	reading := func(name, address, text string, r *channel.Reading) []page.Field {
		return []page.Field{
			page.Prose(name+".text", text, &r.Text).Max(50_000),
			page.Text(name+".url", address, &r.URL).Max(2000).Wide().
				Hint("Where they stand on a page of your own; it goes before the text."),
		}
	}
	return []page.Field{
		page.Group("Terms of sale", reading("store.terms", "Address of the terms", "Terms of sale", &s.Store.Terms)...),
		page.Group("Personal data", reading("store.privacy", "Address of the words about personal data",
			"What becomes of personal data", &s.Store.Privacy)...),
		page.Group("Beside the goods",
			page.Number("store.returnDays", "Days to change one's mind", &s.Store.ReturnDays).
				Hint("0: the store says nothing of it."), page.Prose("store.promises", "Promises", &s.Promises).
				Max(500).
				Hint("One a line, at most six, such as: Sent the next working day.")),
	}
}

func shopNavigation(_ *page.Ctx, s *shop) []page.Field {
	return []page.Field{
		page.Prose("store.navigation", "Navigation", &s.Menu).Max(20_000).
			Hint(
				"An entry a line, such as Chairs: category chairs. What it leads to is category, brand or page with its address, or an address such as /sale or https://example.com. A hyphen before an entry puts it below the one above, two put it one deeper."),
		page.Lines("store.searchRedirects", "Searches that lead to a page", &s.Store.Redirects,
			func(h *channel.SearchHop) []page.Field {
				return []page.Field{page.Text("query", "Searched for", &h.Query), page.Text("to", "Leads to", &h.To).
					Max(2000)}
			}).Hint("Who searches for the word comes to the page instead."),
	}
}

func showShop(c *page.Ctx, ch channel.Channel) page.Sheet {
	s, base := ch.Store, page.Path("stores", ch.Code)
	edit := func(name string) []page.Go {
		return []page.Go{{Label: "Edit", Path: base + "/" + name}}
	}
	sale := page.Facts{Title: "Store", Go: edit("edit"), Facts: []page.Fact{
		{Label: "Address of the shop", Value: page.To(ch.URL(), ch.URL())},
		{Label: "Stock is shown", Value: page.Word(stockWords(s.Shows()))},
		{Label: "Few left, at and below", Value: page.Qty(s.Low())},
		{Label: "Warehouses that count", Value: page.T(names(c, ch.ShownFrom(), warehouses.name))},
		{Label: "A started payment holds its goods", Value: page.T(c.Say("%d minutes", int(s.Hold().Minutes())))},
		{Label: "Only callers with a store key are served", Value: page.YesNo(s.KeyRequired)},
		{Label: "Mails an hour to addresses that nobody has confirmed", Value: page.Count(s.StrangerMails())},
		{Label: "Days until buyers are invited to review", Value: page.Count(s.ReviewInviteDays)},
		{Label: "New accounts wait until somebody lets them in", Value: page.YesNo(s.NeedsSignUp)},
		{Label: "Orders of buyers wait for an approver above",
			Value: page.MaybeMoney(s.ApprovalOver, ch.CurrencyCode)}}}
	offered := page.Facts{Title: "What the store offers", Go: edit("edit")}
	f := s.Offers()
	for _, o := range features(&f) {
		offered.Facts = append(offered.Facts, page.Fact{Label: o.label, Value: page.YesNo(*o.on)})
	}
	p := s.Profile
	who := page.Facts{Title: "Who sells", Go: edit("profile"),
		Facts: []page.Fact{{Label: "Legal name", Value: page.T(p.LegalName)},
			{Label: "Organisation number", Value: page.T(p.OrganizationNumber)},
			{Label: "E-mail", Value: page.T(p.Email)}, {Label: "Phone", Value: page.T(p.Phone)},
			{Label: "Address", Value: page.T(p.Address)}}}
	said := page.Facts{Title: "Terms and promises", Go: edit("terms"),
		Facts: []page.Fact{{Label: "Terms of sale", Value: readingValue(ch.TermsURL())},
			{Label: "Personal data", Value: readingValue(ch.PrivacyURL())},
			{Label: "Days to change one's mind", Value: page.Count(s.ReturnDays)},
			{Label: "Promises", Value: page.T(strings.Join(s.Promises, ", "))}}}
	menu := page.Note{Title: "Navigation", Text: menuText(s.Navigation), Go: edit("navigation")}
	hops := page.Grid{Title: "Searches that lead to a page", Heads: []string{"Searched for", "Leads to"},
		Go: edit("navigation")}
	for _, h := range s.Redirects {
		hops.Rows = append(hops.Rows, []page.Value{page.T(h.Query), page.T(h.To)})
	}
	return page.Sheet{Title: ch.Name, Subtitle: ch.Code, Badges: []page.Value{page.Active(ch.IsActive)},
		Parts: append(closed(c, ch), sale, said, menu, hops), Side: []page.Part{offered, who}}
}

// feedOf says where providers of shopping ads read what the store sells.
func (o Office) feedOf(c *page.Ctx, ch channel.Channel) page.Part {
	base := o.Base()
	return page.Facts{Title: "Product feed",
		Facts: []page.Fact{{Label: "As XML", Value: page.Copied(base + "/ecom/catalog/feed")},
			{Label: "As CSV", Value: page.Copied(base + "/ecom/catalog/feed?format=csv")},
			{Label: "It is asked for with", Value: page.Copied("X-Tenant-Id: " + c.Visitor.Company + "\nX-Channel: " +
				ch.Code)}}}
}

// closed says that nobody can order in a store that has no terms.
func closed(c *page.Ctx, ch channel.Channel) []page.Part {
	if ch.Store.Terms.IsThere() {
		return nil
	}
	text := "The store has no terms of sale that a buyer could accept. Write them before it goes live: a real company's store takes no orders without them."
	if c.Tx.Info.Environment == string(identity.Production) {
		text = "The store takes no orders: it has no terms of sale that a buyer could accept. Write them under Terms and promises."
	}
	return []page.Part{page.Note{Title: "Not open yet", Text: c.Say(text)}}
}

// readingValue is where something is read.
func readingValue(address string) page.Value {
	if strings.Contains(address, "://") {
		return page.To(address, address)
	}
	return page.T(address)
}
