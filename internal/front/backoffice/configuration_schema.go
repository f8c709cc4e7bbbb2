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
	"kontor/internal/foundation/fault"
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

func featureAt(c *page.Ctx, s *configure.Schema) (int, error) {
	at := s.Index(c.Path("feature"))
	if at < 0 {
		return at, configuration.ErrSchemaNotFound.Because("the item has no such choice any more")
	}
	return at, nil
}

func ruleAt(c *page.Ctx, s *configure.Schema) (int, error) {
	at := slices.IndexFunc(s.Rules, func(r configure.Rule) bool { return ruleKey(r) == c.Path("rule") })
	if at < 0 {
		return at, configuration.ErrSchemaNotFound.Because("the item has no such rule any more")
	}
	return at, nil
}

// madeToOrder are the pages in which people say what can be chosen of an item, and try it.
func madeToOrder() []page.Page {
	return []page.Page{
		page.Record[made]{Path: schemaBase, Permission: readsSchemas, Crumbs: itemCrumbs, Load: loadMade,
			Show: showSchema},
		page.Record[made]{Path: schemaBase + "/new-feature", Permission: writesSchemas, Crumbs: schemaCrumbs,
			Load: loadMade, Show: featureKinds},
		newFeature(), editFeature(), newRule(), editRule(),
		schemaDeed("/features/{feature}/move", "", func(c *page.Ctx, s *configure.Schema) (err error) {
			at, err := featureAt(c, s)
			s.Features = movedTo(c, s.Features, at)
			return err
		}),
		schemaDeed("/features/{feature}/delete", "The choice is removed.",
			func(c *page.Ctx, s *configure.Schema) error {
				at, err := featureAt(c, s)
				if err == nil {
					s.Features = slices.Delete(s.Features, at, at+1)
				}
				return err
			}),
		schemaDeed("/rules/{rule}/move", "", func(c *page.Ctx, s *configure.Schema) (err error) {
			at, err := ruleAt(c, s)
			s.Rules = movedTo(c, s.Rules, at)
			return err
		}),
		schemaDeed("/rules/{rule}/delete", "The rule is removed.", func(c *page.Ctx, s *configure.Schema) error {
			at, err := ruleAt(c, s)
			if err == nil {
				s.Rules = slices.Delete(s.Rules, at, at+1)
			}
			return err
		}),
	}
}

// movedTo puts what stands at a place where it was moved to.
func movedTo[T any](c *page.Ctx, all []T, at int) []T {
	to := c.Place()
	if at < 0 || to < 0 || to >= len(all) {
		return all
	}
	moved := all[at]
	return slices.Insert(slices.Delete(all, at, at+1), to, moved)
}

func schemaDeed(path, say string, edit func(c *page.Ctx, s *configure.Schema) error) page.Page {
	return page.Deed{Path: schemaBase + path, Permission: writesSchemas, Do: func(c *page.Ctx) (page.Done, error) {
		_, err := configuration.ChangeSchema(c.Tx, c.Path("number"),
			func(s *configure.Schema) error { return edit(c, s) })
		return page.Went(toSchema(c), say), err
	}}
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

func formOf(root record.Root, f configure.Feature) aFeature {
	out := aFeature{Root: root, Feature: f}
	if f.Type != configure.TypeOption && len(f.Options) > 0 {
		out.cost = f.Options[0]
	}
	return out
}

// read lays what was typed over a feature.
func (f *aFeature) read(lay func(*aFeature) error) (configure.Feature, error) {
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

// ofPart gives refusals of what stands at a place of a list the fields of its form.
func ofPart(err error, list string, at int) error {
	f := fault.As(err)
	if err == nil || len(f.Fields) == 0 {
		return err
	}
	out := *f
	out.Fields = slices.Clone(f.Fields)
	for i := range out.Fields {
		out.Fields[i].Path = strings.TrimPrefix(out.Fields[i].Path, list+"["+strconv.Itoa(at)+"].")
	}
	return &out
}

func newFeature() page.Page {
	kindOf := func(c *page.Ctx) (configure.Type, error) {
		t := configure.Type(c.Path("type"))
		if !slices.Contains(t.Values(), t) {
			return t, configuration.ErrSchemaNotFound.Because("the item has no such choice any more")
		}
		return t, nil
	}
	return page.Form[aFeature]{Path: schemaBase + "/new-feature/{type}", Title: "Add a choice",
		Permission: writesSchemas, Crumbs: schemaCrumbs, Back: toSchema, Settles: true, Fields: featureFields,
		Submit: "Add", Load: func(c *page.Ctx) (f aFeature, err error) {
			f.Type, err = kindOf(c)
			return f, err
		},
		Heading: func(c *page.Ctx, f aFeature) string {
			return c.Say("Add a choice") + ": " + c.Say(featureWords(f.Type))
		},
		Save: func(c *page.Ctx, lay func(*aFeature) error) (page.Done, error) {
			at := 0
			_, err := configuration.ChangeSchema(c.Tx, c.Path("number"), func(s *configure.Schema) (err error) {
				var f aFeature
				if f.Type, err = kindOf(c); err != nil {
					return err
				}
				at = len(s.Features)
				added, err := f.read(lay)
				s.Features = append(s.Features, added)
				return err
			})
			return page.Went(toSchema(c), "The choice is added."), ofPart(err, "features", at)
		}}
}

func editFeature() page.Page {
	return page.Form[aFeature]{Path: schemaBase + "/features/{feature}", Title: "Edit the choice",
		Permission: writesSchemas, Crumbs: schemaCrumbs, Back: toSchema, Fields: featureFields, Resource: catalog.Items,
		Load: func(c *page.Ctx) (aFeature, error) {
			m, err := loadMade(c)
			if err != nil {
				return aFeature{}, err
			}
			at, err := featureAt(c, &m.schema)
			if err != nil {
				return aFeature{}, err
			}
			return formOf(m.Root, m.schema.Features[at]), nil
		},
		Heading: func(c *page.Ctx, f aFeature) string { return c.Say("Edit") + ": " + f.Name },
		Save: func(c *page.Ctx, lay func(*aFeature) error) (page.Done, error) {
			at := 0
			_, err := configuration.ChangeSchema(c.Tx, c.Path("number"), func(s *configure.Schema) (err error) {
				if at, err = featureAt(c, s); err != nil {
					return err
				}
				f := formOf(record.Root{}, s.Features[at])
				s.Features[at], err = f.read(lay)
				return err
			})
			return page.Did("Saved."), ofPart(err, "features", at)
		}}
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

func newRule() page.Page {
	return page.Form[aRule]{Path: schemaBase + "/new-rule", Title: "Add a rule", Permission: writesSchemas,
		Crumbs: schemaCrumbs, Back: toSchema, Settles: true, Fields: ruleFields, Submit: "Add",
		Load: func(c *page.Ctx) (aRule, error) {
			m, err := loadMade(c)
			return aRule{schema: m.schema}, err
		},
		Save: func(c *page.Ctx, lay func(*aRule) error) (page.Done, error) {
			at := 0
			_, err := configuration.ChangeSchema(c.Tx, c.Path("number"), func(s *configure.Schema) error {
				r := aRule{schema: *s}
				if err := lay(&r); err != nil {
					return err
				}
				at, s.Rules = len(s.Rules), append(s.Rules, r.Rule)
				return nil
			})
			return page.Went(toSchema(c), "The rule is added."), ofPart(err, "rules", at)
		}}
}

func editRule() page.Page {
	return page.Form[aRule]{Path: schemaBase + "/rules/{rule}", Title: "Edit the rule", Permission: writesSchemas,
		Crumbs: schemaCrumbs, Back: toSchema, Fields: ruleFields, Resource: catalog.Items,
		Load: func(c *page.Ctx) (aRule, error) {
			m, err := loadMade(c)
			if err != nil {
				return aRule{}, err
			}
			at, err := ruleAt(c, &m.schema)
			if err != nil {
				return aRule{}, err
			}
			return aRule{m.Root, m.schema.Rules[at], m.schema}, nil
		},
		Save: func(c *page.Ctx, lay func(*aRule) error) (page.Done, error) {
			at := 0
			_, err := configuration.ChangeSchema(c.Tx, c.Path("number"), func(s *configure.Schema) (err error) {
				if at, err = ruleAt(c, s); err != nil {
					return err
				}
				r := aRule{Rule: s.Rules[at], schema: *s}
				err = lay(&r)
				s.Rules[at] = r.Rule
				return err
			})
			return page.Did("Saved."), ofPart(err, "rules", at)
		}}
}
