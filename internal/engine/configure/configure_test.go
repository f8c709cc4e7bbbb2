package configure_test

import (
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kontor/internal/engine/configure"
	"kontor/internal/foundation/dec"
)

func d(s string) *dec.Dec { n := dec.Must(s); return &n }

func option(code string) configure.Option { return configure.Option{Code: code, Name: code} }

// desk is a desk made to order.
func desk(rules ...string) configure.Schema {
	s := configure.Schema{Features: []configure.Feature{
		{Code: "top", Name: "Top", Type: configure.TypeOption, IsRequired: true, Options: []configure.Option{
			{Code: "oak", Name: "Oak", PricePercent: d("25"), ItemNumber: "T-OAK"},
			{Code: "pine", Name: "Pine", IsDefault: true, ItemNumber: "T-PINE"}}},
		{Code: "width", Name: "Width", Type: configure.TypeNumber, IsRequired: true, Unit: "cm", Min: d("80"),
			Max: d("240"), Step: d("2.5")},
		{Code: "cable-duct", Name: "Cable duct", Type: configure.TypeNumber, IsMeasured: true, Unit: "m",
			Options: []configure.Option{{Code: "m", Name: "per metre", PriceImpact: d("12.35"), ItemNumber: "DUCT"}}},
		{Code: "lift", Name: "Motor", Type: configure.TypeBoolean,
			Options: []configure.Option{{Code: "lift", Name: "Motor", PriceImpact: d("1500")}}},
		{Code: "text", Name: "Engraving", Type: configure.TypeText, MaxLength: 10,
			Options: []configure.Option{{Code: "text", Name: "Engraving", PriceImpact: d("99")}}},
	}}
	for _, r := range rules {
		s.Rules = append(s.Rules, configure.Rule{Message: "broken: " + r, Expression: r})
	}
	return s
}

func model(t testing.TB, s configure.Schema) *configure.Model {
	t.Helper()
	m, wrong := configure.Compile(s)
	for _, w := range wrong {
		t.Errorf("%s: %s", w.Path, w.Said)
	}
	if m == nil {
		t.FailNow()
	}
	return m
}

// choices are "top=oak width=100 lift=true text:Hello".
func choices(m *configure.Model, text string) (out []configure.Value) {
	for _, w := range strings.Fields(text) {
		code, is, _ := strings.Cut(w, "=")
		v := configure.Value{Feature: code}
		i := m.Index(code)
		if i < 0 {
			v.Text = is
			out = append(out, v)
			continue
		}
		switch m.Features[i].Type {
		case configure.TypeOption:
			v.Option = is
		case configure.TypeNumber:
			v.Number = d(is)
		case configure.TypeBoolean:
			b := is == "true"
			v.Boolean = &b
		default:
			v.Text = is
		}
		out = append(out, v)
	}
	return out
}

func said(a configure.Answer) string {
	var out []string
	for _, b := range a.Broken {
		out = append(out, strings.Join(b.Features, "+")+": "+b.Said.String())
	}
	return strings.Join(out, "; ")
}

func TestChoicesAreHeldAgainstTheirFeatures(t *testing.T) {
	m := model(t, desk())
	for text, want := range map[string]string{
		"top=oak width=100":                      "",
		"width=100":                              "top: Top must be chosen",
		"top=elm width=100":                      `top: Top has no option "elm"`,
		"top=oak width=79":                       "width: Width is 79, below 80",
		"top=oak width=241":                      "width: Width is 241, above 240",
		"top=oak width=81":                       "width: Width goes from 80 on in steps of 2.5, which 81 is not",
		"top=oak top=pine width=100":             "top: Top is chosen twice",
		"top=oak width=100 legs=4":               `legs: there is no feature "legs" to choose`,
		"top=oak width=100 text=twelve-chars":    "text: Engraving has more than 10 characters",
		"top=oak width=100 cable-duct=-1":        "cable-duct: Cable duct is -1, below 0",
		"top=oak width=82.5 lift=false text=åäö": "",
	} {
		if got := said(m.Ask(choices(m, text))); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	a := m.Ask([]configure.Value{{Feature: "top", Option: "oak", Number: d("1")}, {Feature: "width", Text: "100"}})
	if got := said(
		a); got != "top: Top takes a choice of the type Option; width: Width takes a choice of the type Number" {
		t.Error(got)
	}
}

// Codes are written as anybody likes, and read as the schema spells them: rules compare with that.
func TestCodesOfChoicesHaveNoCase(t *testing.T) {
	m := model(t, desk())
	a := m.Ask([]configure.Value{{Feature: "TOP", Option: "Oak"}, {Feature: "Width", Number: d("100")}})
	if got := said(a); got != "" || len(a.Choices) != 2 || a.Choices[0].Feature != "top" ||
		a.Choices[0].Value.Option != "oak" || a.Choices[1].Feature != "width" {
		t.Errorf("%q %+v", got, a.Choices)
	}
	if got := said(m.Ask([]configure.Value{{Feature: "top", Option: "oak"}, {Feature: "Top", Option: "pine"},
		{Feature: "width", Number: d("100")}})); got != "top: Top is chosen twice" {
		t.Error(got)
	}
}

func TestRules(t *testing.T) {
	for _, c := range []struct{ rule, choices, broken string }{
		{`values.top != "oak" || values.width <= 200.0`, "top=oak width=240", "top+width"},
		{`values.top != "oak" || values.width <= 200`, "top=oak width=240", "top+width"},
		{`values["top"] != "oak" || values["width"] <= 200`, "top=pine width=240", ""},
		{`values.width * 2 < 300`, "top=oak width=160", "width"},
		{`values.width == 160`, "top=oak width=160", ""},
		{`values.width in [80, 160]`, "top=oak width=160", ""},
		{`(values.top == "oak" ? 100 : values.width) > 99`, "top=pine width=80", "top+width"},
		{`values["cable-duct"] < 3`, "top=oak width=160 cable-duct=4", "cable-duct"},
		{`values.lift`, "top=oak width=160 lift=false", "lift"},
		{`size(values.text) < 4`, "top=oak width=160 text=long", "text"},
		// What reads a choice that was not made holds.
		{`values["cable-duct"] < 3`, "top=oak width=160", ""},
		{`values.top == "pine" && values["cable-duct"] < 3`, "top=oak width=160", ""},
		{`values["cable-duct"] < 3 && values.top == "pine"`, "top=oak width=160", ""},
		// A rule may ask whether one was made.
		{`has(values.lift)`, "top=oak width=160", "lift"},
		{`"cable-duct" in values || values.top == "pine"`, "top=oak width=160", "top"},
		{`!has(values.lift) || values.width > 100`, "top=oak width=80", ""},
		{`!has(values.lift) || values.width > 100`, "top=oak width=80 lift=true", "width+lift"},
		{`size(values) > 2`, "top=oak width=80", "top+width"},
		{`values.all(k, k != "lift")`, "top=oak width=80 lift=true", "top+width+lift"},
		{`values.exists(k, values[k] == "oak")`, "top=oak width=80 lift=true", ""},
		// A division by what a customer chose.
		{`100 / (values.width - 80) > 1`, "top=oak width=80", "width"},
	} {
		m := model(t, desk(c.rule))
		a := m.Ask(choices(m, c.choices))
		got := ""
		for _, b := range a.Broken {
			got += strings.Join(b.Features, "+")
		}
		if got != c.broken {
			t.Errorf("%s with %s: got %q (%s), want %q", c.rule, c.choices, got, said(a), c.broken)
		}
	}
}

func TestRulesAreRefusedWithTheirPlace(t *testing.T) {
	deep := "values.all(a, values.all(b, values.all(c, values.all(d, values.all(e, values.all(f, a != b || c != d || e != f))))))"
	for rule, want := range map[string]string{
		`values.width >`:                     "at 1:15: something is missing here: write it out, like values.top != \"oak\" || values.width <= 240",
		`values.width <= 200 §`:              `at 1:21: "§" cannot stand here: write it like values.top`,
		`values.top = "oak"`:                 `at 1:12: "= \"oak\"" cannot stand here`,
		`values.top == oak`:                  `at 1:15: nothing is called "oak": choices begin with values.`,
		`values.text.matches(values.top)`:    "must be written out",
		`values.text.matches("(")`:           `"(" is no pattern`,
		`values.text.matches("(x{30}){30}")`: "the pattern is too large",
		`values.widht > 100`:                 `at 1:7: there is no feature "widht"`,
		`values.width + "a" == "b"`:          "at 1:14: + cannot stand between a number and a text",
		`values.width * 2`:                   "must be true or false",
		`true ||` + "\n" + `1/0 > 1`:         "at 2:2: divides by zero",
		`values.width / (5 - 5) > 2`:         "at 1:14: divides by zero",
		`7 % 0 == 1`:                         "divides by zero",
		`nothing == 1`:                       `nothing is called "nothing"`,
		`@v0 == "oak"`:                       "at 1:1",
		deep:                                 "may take more than 10000 steps",
		`[1].all(values, values > 0)`:        "is the name of the choices",
		``:                                   "must not be empty",
		`true || ` + strings.Repeat("(", 100) + "true" + strings.Repeat(")", 100): "nests too deep",
	} {
		m, wrong := configure.Compile(desk(rule))
		if m != nil || len(wrong) != 1 || wrong[0].Path != "rules[0].expression" ||
			!strings.Contains(wrong[0].Said.String(), want) {
			t.Errorf("%s: got %v, want %q", rule, wrong, want)
		}
	}
}

// aHang is longer than any rule takes on a machine that does ten other things: what it ends grows without bounds.
const aHang = 30 * time.Second

// boundedly compiles a rule many times over in one schema, and says where that takes longer or more memory than saving
// may.
func boundedly(t interface{ Errorf(string, ...any) }, rule string) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	_, wrong := configure.Compile(desk(rule, rule, rule))
	runtime.ReadMemStats(&after)
	if took, bytes := time.Since(began), after.TotalAlloc-before.TotalAlloc; took > aHang || bytes > 256<<20 {
		t.Errorf("%d characters, %.60q: took %s and %d MB", len(rule), rule, took, bytes>>20)
	}
	for _, w := range wrong {
		for _, inner := range []string{"Syntax error", "token recognition", "undeclared reference", "overload",
			"mismatched input", "<EOF>", "@v", "@m"} {
			if s := w.Said.Format; strings.Contains(w.Said.String(), inner) && !strings.Contains(rule, inner) {
				t.Errorf("%.60q is refused with the words of the parser: %s %s", rule, s, w.Said)
			}
		}
	}
}

// Whatever is written as a rule is taken or refused in bounded time and memory, in words for people.
func TestHostileRulesAreBounded(t *testing.T) {
	again := strings.Repeat
	for _, rule := range []string{
		again("(", 1000) + "true" + again(")", 990), again("[", 1990), again("{1:", 660), again("-", 1990) + "1 > 0",
		again("!", 1990) + "true", again("true ? ", 280),
		"values" + again(".a", 990), again("1 + ", 490) + "1 > 0", again("true && ", 240) + "true",
		again("true || ", 55) + "true", `"` + again("x", 1990), "1" + again("0", 1990) + " > 0",
		again("values.all(k, ", 130) + "true" + again(")", 130), again("[1,2,3,4,5,6,7,8,9].all(x, ", 12) + "true" +
			again(")", 12), again("[1,2,3,4,5,6,7,8,9].map(x, ", 30) + "x" + again(")", 30) + " == []",
		"[" + again("1,", 900) +
			"1].all(a, [" + again("1,", 90) + "1].all(b, a == b))",
		`values.text.matches("` + again("x{1000}", 280) + `")`, `values.text.matches("` + again("(", 900) + "x" +
			again(")*", 900) + `")`,
		`values.text.matches("` + again("(x+x+)+", 280) + `y")`, `"` + again("x", 900) + `".matches("` +
			again("x?", 400) + `")`, `values.text.matches("(((x{10}){10}){10}){10}")`,
		again("values.text + ", 140) + "values.text == values.text", "size(" + again("[", 50) + "1" + again("]", 50) +
			") == 1", again("\x00", 100), again("\u202e", 600), again("@v0", 600), "/*", "//", "\n\n\n(", "has(values)",
		"values", "values[values.top]", "values[1]", "values.top[0] == 'o'", "in", "x.y(z).all(",
		"true\n  &&\n  oak", "google.protobuf.Any{}", "b'\\xff' == b''", "duration('1h') > duration('x')",
	} {
		boundedly(t, rule)
	}
	words := []string{"values", ".", "width", "top", "text", "[", "]", "(", ")", "{", "}", "\"oak\"", "1", "2.5", "+",
		"-", "*", "/", "%", "<", "==", "!=", "&&", "||", "!", "?", ":", ",", "in", "all", "exists", "map", "filter",
		"has", "size", "matches", "x", "true", "null", "§", "\n", "'", "\\", "é", "9999999999999999999", "@v0"}
	rapid.Check(t, func(t *rapid.T) {
		boundedly(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 120).Draw(t, "words"),
			rapid.SampledFrom([]string{"", " "}).Draw(t, "between")))
	})
}

func TestSchemasAreChecked(t *testing.T) {
	for want, change := range map[string]func(s *configure.Schema){
		"features[1].code: TOP is the code of another feature already": func(
			s *configure.Schema) {
			s.Features[1].Code = "TOP"
		},
		"features[0].name: must not be empty": func(
			s *configure.Schema) {
			s.Features[0].Name = " "
		},
		"features[0].options: must not be empty: the feature has the type Option": func(
			s *configure.Schema) {
			s.Features[0].Options = nil
		},
		"features[0].options[1].code: oak is the code of another option of the feature already": func(
			s *configure.Schema) {
			s.Features[0].Options[1].Code = "oak"
		},
		"features[0].options[1].isDefault: is true for another option of the feature already": func(
			s *configure.Schema) {
			s.Features[0].Options[0].IsDefault = true
		},
		"features[1].max: 240 is below min, which is 300": func(
			s *configure.Schema) {
			s.Features[1].Min = d("300")
		},
		"features[1].step: must be above 0, not 0": func(
			s *configure.Schema) {
			s.Features[1].Step = d("0")
		},
		"features[3].min: is for features that take a number": func(
			s *configure.Schema) {
			s.Features[3].Min = d("0")
		},
		"features[3].isMeasured: is for features of the type Number or Option": func(
			s *configure.Schema) {
			s.Features[3].IsMeasured = true
		},
		"features[0].options[0].pricePercent: must be from -100 to 1000": func(
			s *configure.Schema) {
			s.Features[0].Options[0].PricePercent = d("-101")
		},
		"features[4].maxLength: must be from 1 to 1000": func(
			s *configure.Schema) {
			s.Features[4].MaxLength = -1
		},
	} {
		s := desk()
		change(&s)
		_, wrong := configure.Compile(s)
		got := ""
		for _, w := range wrong {
			got += w.Path + ": " + w.Said.String()
		}
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestWhatIsLeft(t *testing.T) {
	m := model(t, desk(`values.top != "oak" || values.width <= 200`, `!values.lift || values.top == "oak"`))
	a := m.Ask(choices(m, "top=pine width=240"))
	if !a.IsValid() {
		t.Fatal(said(a))
	}
	if got := fmt.Sprint(
		a.Left); got != "map[lift:[{true false [1]} {false true []}] top:[{oak false [0]} {pine true []}]]" {
		t.Error(got)
	}
}

func TestImpactsAndComponents(t *testing.T) {
	m := model(t, desk())
	a := m.Ask(choices(m, "top=oak width=100 cable-duct=2.5 lift=true text=Hi"))
	var got []string
	for _, i := range a.Impacts {
		got = append(got, fmt.Sprintf("%s/%s %s %s%%", i.Feature, i.Option, i.Amount, i.Percent))
	}
	if s := strings.Join(got, ", "); s != "top/oak 0 25%, cable-duct/m 30.875 0%, lift/lift 1500 0%, text/text 99 0%" {
		t.Error(s)
	}
	if s := fmt.Sprint(a.Components); s != "[{top T-OAK 1} {cable-duct DUCT 2.5}]" {
		t.Error(s)
	}
	if a = m.Ask(choices(m, "top=pine width=100 lift=false")); len(a.Impacts) != 0 {
		t.Error(a.Impacts)
	}
}

// What is left is what asking again would find: an option that is left breaks no rule that reads its feature, and the
// order in which choices are made does not matter.
func TestProperties(t *testing.T) {
	s := desk(`values.top != "oak" || values.width <= 200`, `!values.lift || values.top == "oak"`,
		`!has(values.text) || values.lift`,
		`values["cable-duct"] * 100 <= values.width`)
	m := model(t, s)
	rapid.Check(t, func(t *rapid.T) {
		var values []configure.Value
		if rapid.Bool().Draw(t, "has top") {
			values = append(values, configure.Value{Feature: "top",
				Option: rapid.SampledFrom([]string{"oak", "pine", "elm"}).Draw(t, "top")})
		}
		if rapid.Bool().Draw(t, "has width") {
			n := dec.OfUnits(rapid.Int64Range(700, 2500).Draw(t, "width"), 1)
			values = append(values, configure.Value{Feature: "width", Number: &n})
		}
		if rapid.Bool().Draw(t, "has duct") {
			n := dec.OfUnits(rapid.Int64Range(0, 400).Draw(t, "duct"), 2)
			values = append(values, configure.Value{Feature: "cable-duct", Number: &n})
		}
		if rapid.Bool().Draw(t, "has lift") {
			b := rapid.Bool().Draw(t, "lift")
			values = append(values, configure.Value{Feature: "lift", Boolean: &b})
		}
		if rapid.Bool().Draw(t, "has text") {
			values = append(values, configure.Value{Feature: "text", Text: rapid.StringN(1, 12, -1).Draw(t, "text")})
		}
		a := m.Ask(values)
		shuffled := slices.Clone(values)
		slices.Reverse(shuffled)
		if b := m.Ask(shuffled); fmt.Sprint(b.Impacts, b.Components, b.Left, b.IsValid()) != fmt.Sprint(a.Impacts,
			a.Components, a.Left, a.IsValid()) {
			t.Fatalf("the order of the choices matters: %v, %v", a, b)
		}
		exact := new(big.Rat)
		for _, c := range a.Choices {
			if c.Option != nil && c.Option.PriceImpact != nil {
				x, _ := new(big.Rat).SetString(c.Option.PriceImpact.String())
				if c.Of.IsMeasured {
					n, _ := new(big.Rat).SetString(c.Number.String())
					x.Mul(x, n)
				}
				exact.Add(exact, x)
			}
		}
		var sum dec.Dec
		for _, i := range a.Impacts {
			sum = sum.Add(i.Amount)
		}
		if got, _ := new(big.Rat).SetString(sum.String()); got.Cmp(exact) != 0 {
			t.Fatalf("the impacts come to %s, not %s", sum, exact.FloatString(8))
		}
		for _, feature := range []string{"top", "lift"} {
			for _, l := range a.Left[feature] {
				other := configure.Value{Feature: feature, Option: l.Code}
				if feature == "lift" {
					b := l.Code == "true"
					other = configure.Value{Feature: feature, Boolean: &b}
				}
				changed := append(slices.DeleteFunc(slices.Clone(values),
					func(v configure.Value) bool { return v.Feature == feature }), other)
				var breaks []int
				for _, b := range m.Ask(changed).Broken {
					if b.Rule >= 0 && strings.Contains(m.Rules[b.Rule].Expression, "values."+feature) {
						breaks = append(breaks, b.Rule)
					}
				}
				if !slices.Equal(breaks, l.Breaks) {
					t.Fatalf("with %s=%s the rules %v are broken, not %v", feature, l.Code, breaks, l.Breaks)
				}
			}
		}
	})
}

// No rule that is accepted fails, takes long or is found broken otherwise than by saying false.
func FuzzRules(f *testing.F) {
	for _, s := range []string{`values.top == "oak"`, `values.width / 0`, `values["width"] in [1, 2.0]`,
		`has(values.lift) ? values.lift : true`,
		`values.all(k, size(k) < 9)`, `"a".matches(values.text)`,
		`timestamp(values.text) < timestamp("2026-01-01T00:00:00Z")`, `[[1]][0][3] == 2`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, rule string) {
		m, wrong := configure.Compile(desk(rule))
		if (m == nil) == (len(wrong) == 0) {
			t.Fatal("a schema is right, or says what is wrong with it")
		}
		for _, w := range wrong {
			if w.Path == "" || w.Said.String() == "" {
				t.Fatalf("%q: a problem without a place or a sentence", rule)
			}
		}
		if m == nil {
			return
		}
		m.Ask(choices(m, "top=oak width=240 lift=true cable-duct=3"))
		m.Ask(nil)
	})
}

// large is a schema of 30 features and 50 rules, half of the features options of five.
func large() (configure.Schema, []configure.Value) {
	var s configure.Schema
	var values []configure.Value
	for i := range 30 {
		f := configure.Feature{Code: fmt.Sprintf("f%d", i), Name: "F", IsRequired: true}
		v := configure.Value{Feature: f.Code}
		switch i % 5 {
		case 0, 1, 2:
			f.Type = configure.TypeOption
			for o := range 5 {
				x := option(fmt.Sprintf("o%d", o))
				x.PriceImpact, x.PricePercent = d("10"), d("1")
				f.Options = append(f.Options, x)
			}
			v.Option = "o1"
		case 3:
			f.Type, f.Min, f.Max, f.Step = configure.TypeNumber, d("0"), d("100"), d("0.5")
			v.Number = d("12.5")
		case 4:
			f.Type = configure.TypeBoolean
			b := true
			v.Boolean = &b
		}
		s.Features, values = append(s.Features, f), append(values, v)
	}
	for i := range 50 {
		r := fmt.Sprintf(`values.f%d != "o3" || values.f%d <= 50 || values.f%d`, (i*5)%30, (i*5+3)%30, (i*10+4)%30)
		if i%2 == 1 {
			r = fmt.Sprintf(`values.f%d in ["o1", "o2"] || values.f%d != "o4"`, (i*5+1)%30, (i*5+12)%30)
		}
		s.Rules = append(s.Rules, configure.Rule{Message: "m", Expression: r})
	}
	return s, values
}

func BenchmarkAsk(b *testing.B) {
	s, values := large()
	m := model(b, s)
	if a := m.Ask(values); !a.IsValid() {
		b.Fatal(said(a))
	}
	b.ReportAllocs()
	for b.Loop() {
		m.Ask(values)
	}
}

func BenchmarkCompile(b *testing.B) {
	s, _ := large()
	for b.Loop() {
		model(b, s)
	}
}

// A schema whose rules are each within bounds, and all of them for every option are not, is refused as it is saved; the
// dearest that is taken answers in bounded time.
func TestAnswersAreBounded(t *testing.T) {
	hostile := func(features, options, rules int) configure.Schema {
		var s configure.Schema
		for i := range features {
			f := configure.Feature{Code: fmt.Sprintf("f%d", i), Name: "F", Type: configure.TypeOption}
			for j := range options {
				f.Options = append(f.Options, configure.Option{Code: fmt.Sprintf("o%d", j), Name: "O"})
			}
			s.Features = append(s.Features, f)
		}
		for i := range rules {
			s.Rules = append(s.Rules, configure.Rule{Message: "no",
				Expression: fmt.Sprintf("values.all(k, values[k] != 'x%d' && values.f0 + 'x' != 'y')", i)})
		}
		return s
	}
	m, wrong := configure.Compile(hostile(configure.MostFeatures, configure.MostOptions, configure.MostRules))
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	if wrong = m.Costly(); len(wrong) != 1 || !strings.HasPrefix(wrong[0].Path, "rules[") ||
		!strings.Contains(wrong[0].Said.String(), "more than 1000000") {
		t.Errorf("a schema that takes minutes to answer: %v", wrong)
	}
	usual, _ := large()
	for range 3 { // four times the rules of a large schema of a merchant's
		usual.Rules = append(usual.Rules, usual.Rules[:50]...)
	}
	if m, wrong = configure.Compile(usual); len(wrong) > 0 || len(m.Costly()) > 0 {
		t.Errorf("a large schema of the usual kind is refused: %v %v", wrong, m.Costly())
	}
	for rules := 200; ; rules /= 2 { // the dearest of its kind that is taken
		if m, _ = configure.Compile(hostile(20, 50, rules)); len(m.Costly()) > 0 && rules > 1 {
			continue
		}
		var values []configure.Value
		for i := range 20 {
			values = append(values, configure.Value{Feature: fmt.Sprintf("f%d", i), Option: "o1"})
		}
		began := time.Now()
		m.Ask(values)
		if took := time.Since(began); took > aHang {
			t.Errorf("%d rules took %s", rules, took)
		}
		t.Logf("%d rules: %s", rules, time.Since(began))
		return
	}
}
