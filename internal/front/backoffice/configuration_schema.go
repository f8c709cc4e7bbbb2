package backoffice

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/engine/configure"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

const (
	readsSchemas  = "items:read"
	writesSchemas = "items:write"
	schemaBase    = "/items/{number}/configuration"
)

// made is an item with what can be chosen of it.
type made struct {
	catalog.Item
	schema configure.Schema
}

// aFeature is a feature as its form holds it.
type aFeature struct {
	record.Root // of the item
	configure.Feature
	cost configure.Option // of a feature without a list of options: what its choice costs and consists of
}

// aRule is a rule as its form holds it.
type aRule struct {
	record.Root // of the item
	configure.Rule
	schema configure.Schema
}

func loadMade(c *page.Ctx) (made, error) {
	item, err := loadItem(c)
	if err != nil {
		return made{}, err
	}
	s, err := configuration.SchemaWritten(c.Tx, item.ID)
	return made{item, s}, err
}

func schemaPath(c *page.Ctx, more ...string) string {
	return page.Path(append([]string{"items", c.Path("number"), "configuration"}, more...)...)
}

func toSchema(c *page.Ctx) string { return schemaPath(c) }

func schemaCrumbs(c *page.Ctx) []page.Link {
	return append(itemCrumbs(c), page.Link{Label: c.Say("What can be chosen"), Href: toSchema(c)})
}

// ruleKey names a rule by what it says, so that an address never means another one that took its place.
func ruleKey(r configure.Rule) string {
	h := sha256.Sum256([]byte(r.Message + "\x00" + r.Expression))
	return hex.EncodeToString(h[:8])
}

// madeToOrder are the pages in which people say what can be chosen of an item, and try it.
func madeToOrder() []page.Page {
	return pages([]page.Page{
		page.Record[made]{Path: schemaBase, Permission: readsSchemas, Crumbs: itemCrumbs, Load: loadMade,
			Show: showSchema},
		page.Record[made]{Path: schemaBase + "/new-feature", Permission: writesSchemas, Crumbs: schemaCrumbs,
			Load: loadMade, Show: featureKinds}},
		schemaFeatures().pages(), schemaRules().pages())
}

func readSchema(c *page.Ctx) (configure.Schema, record.Root, error) {
	m, err := loadMade(c)
	return m.schema, m.Root, err
}

func writeSchema(c *page.Ctx, edit func(*configure.Schema) error) error {
	_, err := configuration.ChangeSchema(c.Tx, c.Path("number"), edit)
	return err
}

func showSchema(c *page.Ctx, m made) (page.Sheet, error) {
	s := page.Sheet{Title: c.Say("What can be chosen"), Subtitle: m.Number + " " + m.Name,
		Parts: []page.Part{featuresOf(c, m.schema), rulesOf(c, m.schema)}}
	if len(m.schema.Features) == 0 {
		return s, nil
	}
	tried, err := tryOut(c, m)
	s.Parts = append(s.Parts, tried)
	return s, err
}

// featuresOf are the things to choose, in their order.
func featuresOf(c *page.Ctx, s configure.Schema) page.Part {
	out := page.Sequence{Title: "Choices", Empty: "None yet: the item is sold as it is. Add the first one.",
		Go: []page.Go{{Label: "Add a choice", Path: schemaPath(c, "new-feature"), Primary: true}}}
	for _, f := range s.Features {
		at := func(more ...string) string { return schemaPath(c, append([]string{"features", f.Code}, more...)...) }
		e := page.Entry{Title: f.Name, Note: noteOf(c, f), Href: at(), Move: at("move"),
			Acts: []page.Value{page.Post("Remove", at("delete"))}}
		if f.IsRequired {
			e.Notes = []page.Value{page.Badge("Must be chosen", page.Calm)}
		}
		out.Entries = append(out.Entries, e)
	}
	return out
}

// noteOf says in a line what a feature offers.
func noteOf(c *page.Ctx, f configure.Feature) string {
	parts := []string{c.Say(featureWords(f.Type))}
	if f.Type == configure.TypeOption {
		names := each.Of(f.Options, func(o configure.Option) string { return o.Name })
		parts = append(parts, strings.Join(names, ", "))
	}
	if f.TakesNumber() && (f.Min != nil || f.Max != nil) {
		var low, high string
		if f.Min != nil {
			low = c.Show(page.Qty(*f.Min))
		}
		if f.Max != nil {
			high = c.Show(page.Qty(*f.Max))
		}
		parts = append(parts, strings.TrimSpace(low+"–"+high+" "+f.Unit))
	}
	return strings.Join(parts, " · ")
}

// rulesOf is what goes together.
func rulesOf(c *page.Ctx, s configure.Schema) page.Part {
	out := page.Sequence{Title: "Rules", Empty: "None: every choice goes with every other."}
	if len(s.Features) > 0 {
		out.Go = []page.Go{{Label: "Add a rule", Path: schemaPath(c, "new-rule")}}
	}
	for _, r := range s.Rules {
		at := func(more ...string) string { return schemaPath(c, append([]string{"rules", ruleKey(r)}, more...)...) }
		out.Entries = append(out.Entries, page.Entry{Title: r.Message, Note: r.Expression, Href: at(), Move: at("move"),
			Acts: []page.Value{page.Post("Remove", at("delete"))}})
	}
	return out
}

// featureWords says what a type of features is.
func featureWords(t configure.Type) string {
	switch t {
	case configure.TypeNumber:
		return "A number"
	case configure.TypeText:
		return "A text"
	case configure.TypeBoolean:
		return "Yes or no"
	}
	return "One of a list"
}

// featureKinds are the types of features with what each is for.
func featureKinds(c *page.Ctx, _ made) (page.Sheet, error) {
	grid := page.Grid{Title: "What does the customer choose?", Heads: []string{"Choice", "For example"}}
	examples := map[configure.Type]string{configure.TypeOption: "The kind of wood, the colour, the handles",
		configure.TypeNumber: "The width in centimetres, the metres of cable", configure.TypeText: "What is engraved",
		configure.TypeBoolean: "With a motor, or without"}
	for _, t := range configure.Type("").Values() {
		grid.Rows = append(grid.Rows, []page.Value{page.Word(featureWords(t)).
			Linked(schemaPath(c, "new-feature", string(t))), page.Word(examples[t])})
	}
	return page.Sheet{Title: c.Say("Add a choice"), Parts: []page.Part{grid}}, nil
}

// featureFields are the fields of a feature's form: what every feature has, and what its type has.
func featureFields(_ *page.Ctx, f *aFeature) []page.Field {
	fields := []page.Field{page.Code("code", "Code", &f.Code).Required().
		Hint("By it rules name the choice, such as width in values.width."), page.Text("name", "Name", &f.Name).
		Required(), page.Check("isRequired", "Must be chosen", &f.IsRequired)}
	numbers := []page.Field{page.Code("unit", "Unit", &f.Unit), page.Maybe("min", "Least", &f.Min),
		page.Maybe("max", "Greatest", &f.Max), page.Maybe("step", "In steps of", &f.Step)}
	measured := page.Check("isMeasured", "Price and components count for each unit of the number", &f.IsMeasured)
	switch f.Type {
	case configure.TypeOption:
		return append(fields, page.Lines("options", "Options", &f.Options, func(o *configure.Option) []page.Field {
			return append([]page.Field{page.Code("code", "Code", &o.Code), page.Text("name", "Name", &o.Name)},
				costFields("", o, page.Check("isDefault", "Proposed", &o.IsDefault))...)
		}).Required().Max(configure.MostOptions), page.Group("How much of it",
			append([]page.Field{page.Check("isMeasured",
				"A number is asked for too, and price and components count for each unit of it", &f.IsMeasured)},
				numbers...)...))
	case configure.TypeNumber:
		fields = append(append(fields, numbers...), measured)
	case configure.TypeText:
		fields = append(fields, page.Number("maxLength", "Characters at most", &f.MaxLength).Hint("0 is the usual %d.",
			configure.MostText))
	}
	return append(fields, page.Group("What the choice costs and needs", costFields("options[0].", &f.cost)...))
}

// costFields are what an option costs and consists of.
func costFields(prefix string, o *configure.Option, more ...page.Field) []page.Field {
	return append([]page.Field{page.Maybe(prefix+"priceImpact", "Surcharge", &o.PriceImpact),
		page.Maybe(prefix+"pricePercent", "Surcharge, % of the base price", &o.PricePercent),
		page.Code(prefix+"itemNumber", "Item that goes in", &o.ItemNumber).Lookup(findItems)}, more...)
}

func heldFeature(root record.Root, _ configure.Schema, f configure.Feature) aFeature {
	out := aFeature{Root: root, Feature: f}
	if f.Type != configure.TypeOption && len(f.Options) > 0 {
		out.cost = f.Options[0]
	}
	return out
}

// takenFeature is a feature with what was typed over it.
func takenFeature(_ *page.Ctx, f *aFeature, lay func(*aFeature) error) (configure.Feature, error) {
	if err := lay(f); err != nil || f.Type == configure.TypeOption {
		return f.Feature, err
	}
	f.Options = nil
	if o := f.cost; o.ItemNumber != "" || o.PriceImpact != nil || o.PricePercent != nil {
		o.Code, o.Name = cmp.Or(o.Code, f.Code), f.Name
		f.Options = []configure.Option{o}
	}
	return f.Feature, nil
}

// schemaFeatures are the pages of the choices of an item.
func schemaFeatures() series[configure.Schema, configure.Feature, aFeature] {
	gone := func() error { return configuration.ErrSchemaNotFound.Because("the item has no such choice any more") }
	return series[configure.Schema, configure.Feature, aFeature]{base: schemaBase + "/features", key: "feature",
		list: "features", of: func(s *configure.Schema) *[]configure.Feature { return &s.Features },
		is: func(f configure.Feature, key string) bool { return f.Code == key }, gone: gone,
		read: readSchema, write: writeSchema, held: heldFeature, taken: takenFeature,
		begin: func(c *page.Ctx, _ configure.Schema) (f aFeature, err error) {
			if f.Type = configure.Type(c.Path("type")); !slices.Contains(f.Type.Values(), f.Type) {
				err = gone()
			}
			return f, err
		},
		added: "The choice is added.", removed: "The choice is removed.",
		form: page.Form[aFeature]{Permission: writesSchemas, Crumbs: schemaCrumbs, Back: toSchema,
			Fields: featureFields},
		add: page.Form[aFeature]{Path: schemaBase + "/new-feature/{type}", Title: "Add a choice",
			Heading: func(c *page.Ctx, f aFeature) string {
				return c.Say("Add a choice") + ": " + c.Say(featureWords(f.Type))
			}},
		edit: page.Form[aFeature]{Title: "Edit the choice", Resource: catalog.Items,
			Heading: func(c *page.Ctx, f aFeature) string { return c.Say("Edit") + ": " + f.Name }}}
}

// ruleFields are the fields of a rule's form, with what its condition may speak of.
func ruleFields(c *page.Ctx, r *aRule) []page.Field {
	names := each.Of(r.schema.Features, func(f configure.Feature) string { return nameInRules(c, f) })
	return []page.Field{
		page.Prose("expression", "Choices go together where", &r.Expression).Max(configure.MostExpression).Required().
			Hint("Written in CEL. It may speak of %s. For example: %s", strings.Join(names, ", "), r.schema.Example()),
		page.Prose("message", "What is said where they do not", &r.Message).Max(configure.MostMessage).Required()}
}

// nameInRules is how rules speak of a feature, with what it is there.
func nameInRules(c *page.Ctx, f configure.Feature) string {
	if f.Type != configure.TypeOption {
		return f.NameInRules() + " (" + strings.ToLower(c.Say(featureWords(f.Type))) + ")"
	}
	codes := make([]string, 0, 4)
	for i, o := range f.Options {
		if i == 3 && len(f.Options) > 4 {
			codes = append(codes, "…")
			break
		}
		codes = append(codes, strconv.Quote(o.Code))
	}
	return f.NameInRules() + " (" + strings.Join(codes, ", ") + ")"
}

// schemaRules are the pages of what goes together.
func schemaRules() series[configure.Schema, configure.Rule, aRule] {
	return series[configure.Schema, configure.Rule, aRule]{base: schemaBase + "/rules", key: "rule", list: "rules",
		of:   func(s *configure.Schema) *[]configure.Rule { return &s.Rules },
		is:   func(r configure.Rule, key string) bool { return ruleKey(r) == key },
		gone: func() error { return configuration.ErrSchemaNotFound.Because("the item has no such rule any more") },
		read: readSchema, write: writeSchema,
		begin: func(_ *page.Ctx, s configure.Schema) (aRule, error) { return aRule{schema: s}, nil },
		held:  func(root record.Root, s configure.Schema, r configure.Rule) aRule { return aRule{root, r, s} },
		taken: func(_ *page.Ctx, r *aRule, lay func(*aRule) error) (configure.Rule, error) {
			err := lay(r)
			return r.Rule, err
		},
		added: "The rule is added.", removed: "The rule is removed.",
		form: page.Form[aRule]{Permission: writesSchemas, Crumbs: schemaCrumbs, Back: toSchema, Fields: ruleFields},
		add:  page.Form[aRule]{Path: schemaBase + "/new-rule", Title: "Add a rule"},
		edit: page.Form[aRule]{Title: "Edit the rule", Resource: catalog.Items}}
}
