package configure

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// Model is a schema that was found right, with its rules ready to be asked. It never changes, so many may ask it at
// once.
type Model struct {
	Schema
	rules  []rule
	byRead [][]int // the rules that depend on each feature
}

// Compile checks a schema, and makes it ready to be asked. What is wrong with it is told with its place; then there is
// no model.
func Compile(s Schema) (*Model, []Problem) {
	var wrong problems
	s.check(&wrong)
	if len(wrong) > 0 {
		return nil, wrong
	}
	m := &Model{Schema: s, byRead: make([][]int, len(s.Features))}
	m.rules = s.compile(&wrong)
	if len(wrong) > 0 {
		return nil, wrong
	}
	for n, r := range m.rules {
		for _, f := range r.reads {
			m.byRead[f] = append(m.byRead[f], n)
		}
	}
	return m, nil
}

// Costly says where an answer of the model may take too long: each rule is bounded by itself, but is tried for every
// option of what it reads. It is asked where a schema is saved; one that was saved is answered.
func (m *Model) Costly() []Problem {
	total, worst, most := 0, 0, 0
	for n, r := range m.rules {
		tries := 1
		for _, i := range r.reads {
			tries += m.Features[i].tries()
		}
		steps := r.cost * tries
		if total += steps; steps > most {
			worst, most = n, steps
		}
	}
	if total <= MostAsking {
		return nil
	}
	return []Problem{{fmt.Sprintf("rules[%d].expression", worst), fault.Say(
		"all rules, tried with every option of what they read, may take %d steps, more than %d, and this one takes most of them: "+
			"write it shorter, or let it read fewer choices", total, MostAsking)}}
}

// tries is how many choices of a feature an answer says are left or not.
func (f *Feature) tries() int {
	switch f.Type {
	case TypeOption:
		return len(f.Options)
	case TypeBoolean:
		return 2
	}
	return 0
}

// Value is a choice as it is made: of a feature of the type Option its option, else its number, text or boolean; of one
// that is measured its number too.
type Value struct {
	Feature string
	Option  string   // "" = none
	Text    string   // "" = none
	Number  *dec.Dec // nil = none
	Boolean *bool    // nil = none
}

// IsNothing reports whether the value chooses nothing.
func (v *Value) IsNothing() bool {
	return v.Option == "" && v.Text == "" && v.Number == nil && v.Boolean == nil
}

// Choice is a value with what it is a choice of. They are shared: not to be changed.
type Choice struct {
	Value
	Of     *Feature
	Option *Option // that counts for the price and the components; nil = none does
}

// Broken is a choice, or what should be one, that is not right.
type Broken struct {
	Feature  string   // "" = none alone
	Features []string // that a broken rule reads
	Rule     int      // its place among the rules, -1 where it is the schema itself that is broken
	Said     fault.Said
}

// Message is what was said of it, in English.
func (b *Broken) Message() string { return b.Said.String() }

// Left is whether an option can still be chosen, or chosen instead, with all other choices as they are.
type Left struct {
	Code   string // of the option; of a boolean "true" and "false"
	IsLeft bool
	Breaks []int // the rules that it would break
}

// Impact is what one choice adds to the price of a base unit: an amount in the base currency, and a percentage of the
// base price.
type Impact struct {
	Feature, FeatureName string
	Option, OptionName   string
	Amount, Percent      dec.Dec
}

// Component is what one choice puts into a base unit of the product.
type Component struct {
	Feature    string
	ItemNumber string
	Quantity   dec.Dec // 1, or the number of a measured feature; in the component's base unit
}

// Answer is what is to be said of choices.
type Answer struct {
	Choices    []Choice // those that are right in themselves, in the order of the features
	Broken     []Broken
	Left       map[string][]Left // by feature code, of those with options and of booleans
	Impacts    []Impact
	Components []Component
}

// IsValid reports whether nothing is broken.
func (a *Answer) IsValid() bool { return len(a.Broken) == 0 }

// Ask holds choices against the schema. What is broken does not count for price and components.
func (m *Model) Ask(values []Value) Answer {
	a := Answer{Left: map[string][]Left{}}
	made := make([]*Choice, len(m.Features))
	seen := make([]bool, len(m.Features))
	for i := range values {
		m.take(&a, &values[i], made, seen)
	}
	e := &evaluation{model: m, values: make([]ref.Val, len(m.Features))}
	for i, c := range made {
		if f := &m.Features[i]; c == nil && !seen[i] && f.IsRequired {
			a.break_(f.Code, fault.Say("%s must be chosen", f.Name))
		}
		if c == nil {
			continue
		}
		a.Choices = append(a.Choices, *c)
		a.count(c)
		e.values[i] = c.forRules()
	}
	for n := range m.rules {
		if holds, why := e.holds(n); !holds {
			a.Broken = append(a.Broken, m.broken(n, e, why))
		}
	}
	m.left(&a, e)
	return a
}

func (a *Answer) break_(feature string, said fault.Said) {
	a.Broken = append(a.Broken, Broken{Feature: feature, Features: []string{feature}, Rule: -1, Said: said})
}

// take holds one value against its feature.
func (m *Model) take(a *Answer, v *Value, made []*Choice, seen []bool) {
	i := m.named(v.Feature)
	if i < 0 {
		a.break_(v.Feature, fault.Say("there is no feature %q to choose", v.Feature))
		return
	}
	f := &m.Features[i]
	if seen[i] {
		a.break_(f.Code, fault.Say("%s is chosen twice", f.Name))
		return
	}
	if v.IsNothing() {
		return
	}
	seen[i] = true
	c := &Choice{Value: *v, Of: f}
	c.Feature = f.Code
	if o := f.Option(v.Option); o != nil {
		c.Value.Option = o.Code
	}
	if said := f.accept(c); said.Is() {
		a.break_(f.Code, said)
		return
	}
	made[i] = c
}

// accept says what is wrong with a choice in itself, and finds the option that counts for it.
func (f *Feature) accept(c *Choice) fault.Said {
	if len(f.Options) == 1 && f.Type != TypeOption {
		c.Option = &f.Options[0]
	}
	isOption := f.Type == TypeOption
	switch {
	case f.isForeign(c):
		return fault.Say("%s takes a choice of the type %s", f.Name, f.Type)
	case isOption && c.Value.Option == "":
		return fault.Say("%s must be chosen", f.Name)
	case f.TakesNumber() && c.Number == nil:
		return fault.Say("%s needs a number", f.Name)
	case f.Type == TypeText && c.Text == "", f.Type == TypeBoolean && c.Boolean == nil:
		return fault.Say("%s takes a choice of the type %s", f.Name, f.Type)
	}
	if isOption {
		if c.Option = f.Option(c.Value.Option); c.Option == nil {
			return fault.Say("%s has no option %q", f.Name, c.Value.Option)
		}
	}
	if f.Type == TypeBoolean && !*c.Boolean {
		c.Option = nil
	}
	if utf8.RuneCountInString(c.Text) > f.maxLength() {
		return fault.Say("%s has more than %d characters", f.Name, f.maxLength())
	}
	if c.Number != nil {
		return f.acceptNumber(*c.Number)
	}
	return fault.Said{}
}

// isForeign reports whether a choice says something that features of another type take.
func (f *Feature) isForeign(c *Choice) bool {
	isOther := f.Type != TypeOption && c.Value.Option != "" && (c.Option == nil || c.Option.Code != c.Value.Option)
	return isOther || c.Text != "" && f.Type != TypeText || c.Boolean != nil && f.Type != TypeBoolean ||
		c.Number != nil && !f.TakesNumber()
}

func (f *Feature) acceptNumber(n dec.Dec) fault.Said {
	var start dec.Dec
	if f.Min != nil {
		start = *f.Min
	}
	switch {
	case f.Min != nil && n < *f.Min:
		return fault.Say("%s is %s, below %s", f.Name, n, f.Min)
	case f.IsMeasured && n < 0:
		return fault.Say("%s is %s, below %s", f.Name, n, dec.Dec(0))
	case f.Max != nil && n > *f.Max:
		return fault.Say("%s is %s, above %s", f.Name, n, f.Max)
	case n > mostNumber:
		return fault.Say("%s is %s, above %s", f.Name, n, dec.Dec(mostNumber))
	case n < -mostNumber:
		return fault.Say("%s is %s, below %s", f.Name, n, dec.Dec(-mostNumber))
	}
	if f.Step != nil {
		from, _ := n.Sub(start).Units(dec.Scale)
		step, _ := f.Step.Units(dec.Scale)
		if from%step != 0 {
			return fault.Say("%s goes from %s on in steps of %s, which %s is not", f.Name, start, f.Step, n)
		}
	}
	return fault.Said{}
}

// count adds what a choice costs and consists of.
func (a *Answer) count(c *Choice) {
	o := c.Option
	if o == nil {
		return
	}
	times := dec.One
	if c.Of.IsMeasured {
		times = *c.Number
	}
	i := Impact{Feature: c.Of.Code, FeatureName: c.Of.Name, Option: o.Code, OptionName: o.Name}
	if o.PriceImpact != nil {
		i.Amount = o.PriceImpact.Mul(times)
	}
	if o.PricePercent != nil {
		i.Percent = *o.PricePercent
	}
	if i.Amount != 0 || i.Percent != 0 {
		a.Impacts = append(a.Impacts, i)
	}
	if o.ItemNumber != "" && times > 0 {
		a.Components = append(a.Components, Component{c.Of.Code, o.ItemNumber, times})
	}
}

// forRules is a choice as rules see it.
func (c *Choice) forRules() ref.Val {
	switch c.Of.Type {
	case TypeOption:
		return types.String(c.Value.Option)
	case TypeNumber:
		n, _ := strconv.ParseFloat(c.Number.String(), 64) // a decimal of 18 digits is always in range
		return types.Double(n)
	case TypeText:
		return types.String(c.Text)
	}
	return types.Bool(*c.Boolean)
}

// broken is what a broken rule says.
func (m *Model) broken(n int, e *evaluation, why error) Broken {
	b := Broken{Rule: n, Said: fault.Say("%s", m.rules[n].Message)}
	if why != nil {
		b.Said = fault.Say("%s (the rule cannot be worked out with these choices: %s)", m.rules[n].Message, why)
	}
	for _, i := range m.rules[n].reads {
		if e.values[i] != nil {
			b.Features = append(b.Features, m.Features[i].Code)
		}
	}
	if len(b.Features) == 0 {
		for _, i := range m.rules[n].reads {
			b.Features = append(b.Features, m.Features[i].Code)
		}
	}
	if len(b.Features) > 0 {
		b.Feature = b.Features[0]
	}
	return b
}

// left finds which options can still be chosen.
func (m *Model) left(a *Answer, e *evaluation) {
	for i := range m.Features {
		f := &m.Features[i]
		var all []Left
		own := e.values[i]
		try := func(code string, v ref.Val) {
			l := Left{Code: code}
			e.values[i] = v
			for _, n := range m.byRead[i] {
				if holds, _ := e.holds(n); !holds {
					l.Breaks = append(l.Breaks, n)
				}
			}
			l.IsLeft = len(l.Breaks) == 0
			all = append(all, l)
		}
		switch f.Type {
		case TypeOption:
			all = make([]Left, 0, len(f.Options))
			for j := range f.Options {
				try(f.Options[j].Code, types.String(f.Options[j].Code))
			}
		case TypeBoolean:
			try("true", types.True)
			try("false", types.False)
		default:
			continue
		}
		e.values[i] = own
		a.Left[f.Code] = all
	}
}

// evaluation is the choices as rules see them; nil where none was made.
type evaluation struct {
	model  *Model
	values []ref.Val
}

// holds reports whether a rule holds, and why it could not be worked out where it could not. One that reads a choice
// that was not made holds.
func (e *evaluation) holds(n int) (bool, error) {
	r := &e.model.rules[n]
	for _, i := range r.needs {
		if e.values[i] == nil {
			return true, nil
		}
	}
	out, _, err := r.program.Eval(interpreter.Activation(e))
	if err != nil {
		missing := strings.Contains(err.Error(), "no such key") || strings.Contains(err.Error(), "no such attribute")
		return missing, err
	}
	return out == types.True, nil
}

// ResolveName is what a rule reads.
func (e *evaluation) ResolveName(name string) (any, bool) {
	if name == valuesName {
		return e.all(), true
	}
	if len(name) < 3 || name[0] != '@' {
		return nil, false
	}
	i, err := strconv.Atoi(name[len(chosenPrefix):])
	if err != nil || i >= len(e.values) {
		return nil, false
	}
	switch name[:len(chosenPrefix)] {
	case madePrefix:
		return types.Bool(e.values[i] != nil), true
	case chosenPrefix:
		return e.values[i], e.values[i] != nil
	}
	return nil, false
}

// Parent is no one.
func (*evaluation) Parent() interpreter.Activation { return nil }

// all is the map of the choices, for a rule that walks through it.
func (e *evaluation) all() ref.Val {
	m := make(map[ref.Val]ref.Val, len(e.values))
	for i, v := range e.values {
		if v != nil {
			m[types.String(e.model.Features[i].Code)] = v
		}
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, m)
}

// Equal reports whether two values choose the same.
func (v Value) Equal(w Value) bool {
	return v.Feature == w.Feature && v.Option == w.Option && v.Text == w.Text && same(v.Number, w.Number) &&
		same(v.Boolean, w.Boolean)
}

func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }
