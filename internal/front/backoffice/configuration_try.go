package backoffice

import (
	"strconv"
	"strings"

	"kontor/internal/business/configuration"
	"kontor/internal/engine/configure"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/page"
)

// trial is what is tried of an item's choices, as the address says it.
type trial struct {
	customer string
	quantity dec.Dec
	values   []tried
}

// tried is a choice as its fields hold it.
type tried struct {
	option, text string
	number       *dec.Dec
	yes          bool
}

// trialOf reads what the address chooses; where it chooses nothing at all, it is what the schema proposes.
func trialOf(c *page.Ctx, s *configure.Schema) (t trial, ask page.Asking) {
	t = trial{quantity: dec.One, values: make([]tried, len(s.Features))}
	if !c.Request.URL.Query().Has("quantity") {
		for _, v := range configuration.Proposed(s) {
			t.values[s.Index(v.Feature)] = tried{option: v.Option, number: v.Number}
		}
	}
	ask = page.Asking{Title: "Try it", Button: "Calculate", Fields: t.fields(s)}
	ask.Wrong = askAmount(c, ask.Fields, &t.quantity)
	return t, ask
}

// fields are the fields of a trial.
func (t *trial) fields(s *configure.Schema) (out []page.Field) {
	for i := range s.Features {
		f, v, n := &s.Features[i], &t.values[i], strconv.Itoa(i)
		label := f.Name
		switch f.Type {
		case configure.TypeOption:
			options := each.Of(f.Options,
				func(o configure.Option) page.Option { return page.Option{Value: o.Code, Label: o.Name} })
			out = append(out, page.Select("option"+n, label, &v.option, options))
		case configure.TypeText:
			out = append(out, page.Text("text"+n, label, &v.text))
		case configure.TypeBoolean:
			out = append(out, page.Check("yes"+n, label, &v.yes))
		}
		if f.TakesNumber() {
			if f.Unit != "" {
				label += ", " + f.Unit
			}
			out = append(out, page.Maybe("number"+n, label, &v.number))
		}
	}
	return append(out, page.Decimal("quantity", "Quantity", &t.quantity),
		page.Code("customer", "Customer", &t.customer).Lookup(findCustomers))
}

// choices are the trial as the engine takes it. What is not required and left at "no" is no choice.
func (t *trial) choices(s *configure.Schema) (out []configure.Value) {
	for i := range s.Features {
		f, v := &s.Features[i], t.values[i]
		c := configure.Value{Feature: f.Code}
		switch f.Type {
		case configure.TypeOption:
			c.Option = v.option
		case configure.TypeText:
			c.Text = v.text
		case configure.TypeBoolean:
			if v.yes || f.IsRequired {
				c.Boolean = &v.yes
			}
		}
		if f.TakesNumber() && (f.Type == configure.TypeNumber || v.option != "") {
			c.Number = v.number
		}
		out = append(out, c)
	}
	return out
}

// tryOut lets people choose as a customer does: which choice breaks which rule, and the price line by line.
func tryOut(c *page.Ctx, m made) (page.Part, error) {
	t, ask := trialOf(c, &m.schema)
	if ask.Wrong != nil {
		return ask, nil
	}
	answer, err := t.answer(c, m)
	if f := fault.As(err); err != nil && f.Kind != fault.Internal {
		answer, err = []page.Part{page.Note{Title: "There is no answer", Text: c.Refusal(err)}}, nil
	}
	ask.Answer = answer
	return ask, err
}

func (t *trial) answer(c *page.Ctx, m made) ([]page.Part, error) {
	asking, model, err := configuration.Question(c.Tx, m.Number, t.customer, "", t.quantity)
	if err != nil {
		return nil, err
	}
	found, err := configuration.Calculate(c.Tx, asking, model, t.choices(&m.schema))
	if err != nil {
		return nil, err
	}
	grid := page.Grid{Title: "What goes in", Heads: []string{"Item", "Quantity"}}
	for _, k := range found.Components {
		grid.Rows = append(grid.Rows, []page.Value{itemLink(c, k.ItemNumber), page.Qty(k.Quantity)})
	}
	return []page.Part{brokenOf(c, &m.schema, &found), linesOf(&found), leftOf(&m.schema, &found), grid.IfAny()}, nil
}

// brokenOf is what is wrong with the choices, and which of them are to blame.
func brokenOf(c *page.Ctx, s *configure.Schema, found *configuration.Calculation) page.Part {
	grid := page.Grid{Title: "Do the choices go together?", Heads: []string{"Choices", "What is wrong"},
		Empty: "They go together, and the item can be ordered like this."}
	for _, b := range found.Broken {
		var names []string
		for _, code := range b.Features {
			if i := s.Index(code); i >= 0 {
				names = append(names, s.Features[i].Name)
			}
		}
		grid.Rows = append(grid.Rows, []page.Value{page.T(strings.Join(names, ", ")).Strong(),
			page.T(c.Refused(b.Said))})
	}
	return grid
}

// linesOf explains the price of one unit line by line.
func linesOf(found *configuration.Calculation) page.Part {
	q := &found.Quote
	grid := page.Grid{Title: "The price, line by line", Heads: []string{"Because of", "Surcharge", "Price"},
		Empty: "There is no price: the item has none, and no price list names it."}
	for _, l := range found.Lines {
		why := page.Word("Base price")
		if l.Feature != "" {
			why = page.T(l.FeatureName)
			if l.OptionName != l.FeatureName {
				why = page.T(l.FeatureName + ": " + l.OptionName)
			}
		}
		percent := page.Value{}
		if l.Percent != 0 {
			percent = page.Percent(l.Percent)
		}
		grid.Rows = append(grid.Rows, []page.Value{why, percent, page.Money(l.Amount, q.CurrencyCode)})
	}
	if q.UnitPrice != nil {
		grid.Foot = []page.Value{page.Word("For one"), {}, page.Money(*q.UnitPrice, q.CurrencyCode).Strong()}
	}
	return grid
}

// leftOf is what could be chosen instead, with all other choices as they are, and which rule it would break.
func leftOf(s *configure.Schema, found *configuration.Calculation) page.Part {
	grid := page.Grid{Title: "What can be chosen instead", Heads: []string{"Choice", "Option", ""},
		Empty: "There is no list to choose from."}
	for _, f := range s.Features {
		for _, l := range found.Left[f.Code] {
			what := page.YesNo(l.Code == "true")
			if o := f.Option(l.Code); f.Type == configure.TypeOption && o != nil {
				what = page.T(o.Name)
			}
			row := []page.Value{page.T(f.Name), what, page.Badge("Can be chosen", page.Good)}
			if !l.IsLeft {
				said := each.Of(l.Breaks, func(n int) string { return s.Rules[n].Message })
				row[2] = page.T(strings.Join(said, "; "))
			}
			grid.Rows = append(grid.Rows, row)
		}
	}
	return grid
}
