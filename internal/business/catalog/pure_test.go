package catalog

import (
	"strings"
	"testing"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

func TestValidGTIN(t *testing.T) {
	for _, good := range []string{"96385074", "036000291452", "4006381333931", "10614141000415", "7350053850019"} {
		if !ValidGTIN(good) {
			t.Errorf("%s is refused", good)
		}
	}
	for _, bad := range []string{"", "4006381333932", "400638133393", "40063813339310", "4006381333 31",
		"400638133393A", "９６３８５０７４", "0"} {
		if ValidGTIN(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{
		"Hand tools":            "hand-tools",
		"  Sågar & bågar! ":     "sagar-and-bagar",
		"Crème brûlée":          "creme-brulee",
		"Straße, Æble, Þór":     "strasse-aeble-thor",
		"Łódź":                  "lodz",
		"O'Neill's":             "oneills",
		"½ inch":                "1-2-inch",
		"ＦＵＬＬ width":            "full-width",
		"already-a-slug":        "already-a-slug",
		"--a--b--":              "a-b",
		"工具":                    "",
		"K":                     "k", // the Kelvin sign is a K to Unicode
		"TOOLS/hand (new) 2026": "tools-hand-new-2026",
	} {
		if got := Slug(in); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
		if got := Slug(in); got != "" && !ValidSlug(got) {
			t.Errorf("Slug(%q) = %q, which is no valid slug", in, got)
		}
	}
	for _, bad := range []string{"", "Hand", "a--b", "-a", "a-", "a_b", "å"} {
		if ValidSlug(bad) {
			t.Errorf("%q is taken as a slug", bad)
		}
	}
	id := "0198f1c2-aaaa-7bbb-8ccc-0123456789ab"
	if got := slugOf("工具", "工", id); got != "0123456789ab" {
		t.Errorf("a slug of nothing: %q", got)
	}
	if got := slugOf(strings.Repeat("a", 189)+" b c", "", id); got != strings.Repeat("a", 189) {
		t.Errorf("a long slug: %q", got)
	}
}

func TestFactor(t *testing.T) {
	i := Item{BaseUnit: "PCS", Units: []Unit{{Code: "BOX", Factor: dec.Int(12)}}}
	for unit, want := range map[string]dec.Dec{"": dec.One, "pcs": dec.One, "box": dec.Int(12)} {
		if got, ok := i.Factor(unit); !ok || got != want {
			t.Errorf("Factor(%q) = %s, %t, want %s", unit, got, ok, want)
		}
	}
	if _, ok := i.Factor("KG"); ok {
		t.Error("a unit without a factor has one")
	}
}

func TestCheckQuantity(t *testing.T) {
	if err := CheckQuantity(&Item{Number: "A", DecimalPlaces: 2}, dec.Must("1.25")); err != nil {
		t.Error(err)
	}
	err := CheckQuantity(&Item{Number: "A", DecimalPlaces: 2}, dec.Must("1.255"))
	if !fault.Is(err, ErrTooManyDecimals) || !strings.Contains(err.Error(), "more than 2 decimals") {
		t.Error(err)
	}
	if err := CheckQuantity(&Item{Number: "A"}, dec.Must("0.5")); !fault.Is(err, ErrTooManyDecimals) {
		t.Error(err)
	}
}

func TestCheckValues(t *testing.T) {
	ten, one := dec.Int(10), dec.One
	for _, c := range []struct {
		name   string
		a      Attribute
		values []string
		want   string // values joined by |, or the sentence that must be part of the refusal
		refuse bool
	}{
		{"text", Attribute{DataType: Text}, []string{" red "}, "red", false},
		{"empty", Attribute{DataType: Text}, []string{"  "}, "must not be empty", true},
		{"none", Attribute{DataType: Text}, nil, "needs at least one value", true},
		{"many of a single", Attribute{Code: "c", DataType: Text}, []string{"a", "b"}, "takes one value, not 2", true},
		{"many", Attribute{DataType: Text, IsMultiValue: true}, []string{"a", "b"}, "a|b", false},
		{"twice", Attribute{DataType: WholeNumber, IsMultiValue: true}, []string{"1", "01"}, "is given twice", true},
		{"whole", Attribute{DataType: WholeNumber}, []string{"007"}, "7", false},
		{"not whole", Attribute{DataType: WholeNumber}, []string{"7.5"}, "not a whole number", true},
		{"plus sign", Attribute{DataType: WholeNumber}, []string{"+7"}, "not a whole number", true},
		{"decimal", Attribute{DataType: DecimalNumber}, []string{"2.50"}, "2.5", false},
		{"exponent", Attribute{DataType: DecimalNumber}, []string{"1e3"}, "is not a number", true},
		{"least", Attribute{DataType: DecimalNumber, MinValue: &one}, []string{"0.999"}, "below the least value 1",
			true},
		{"at the bound", Attribute{DataType: DecimalNumber, MinValue: &one, MaxValue: &ten}, []string{"10"}, "10",
			false},
		{"greatest", Attribute{DataType: WholeNumber, MaxValue: &ten}, []string{"11"}, "above the greatest value 10",
			true},
		{"boolean", Attribute{DataType: Boolean}, []string{"True"}, "true", false},
		{"not boolean", Attribute{DataType: Boolean}, []string{"yes"}, "must be true or false", true},
		{"date", Attribute{DataType: Date}, []string{"2024-02-29"}, "2024-02-29", false},
		{"no such day", Attribute{DataType: Date}, []string{"2023-02-29"}, "is not a date", true},
		{"url", Attribute{DataType: URL}, []string{"https://example.com/a?b"}, "https://example.com/a?b", false},
		{"script", Attribute{DataType: URL}, []string{"javascript:alert(1)"}, "absolute http or https", true},
		{"colour", Attribute{DataType: Color}, []string{"#ff00aa"}, "#FF00AA", false},
		{"no colour", Attribute{DataType: Color}, []string{"red"}, "is not a colour", true},
		{"html", Attribute{DataType: HTML}, []string{`<p onclick="x()">Good <b>oak</b><script>x()</script></p>`},
			"<p>Good <b>oak</b></p>", false},
		{"nothing but a script", Attribute{DataType: HTML}, []string{"<script>x()</script>"},
			"markup that is not allowed", true},
		{"pattern in full", Attribute{DataType: Text, Pattern: "a|ab"}, []string{"ab"}, "ab", false},
		{"pattern in part", Attribute{DataType: Text, Pattern: "a|b"}, []string{"ab"},
			"does not match the attribute's pattern a|b", true},
		{"pattern before a line break", Attribute{DataType: Text, Pattern: "(?m)^a$"}, []string{"a\nb"},
			"does not match", true},
		{"allowed", Attribute{DataType: Text, AllowedValues: []string{"S", "M"}}, []string{"M"}, "M", false},
		{"not allowed", Attribute{DataType: Text, AllowedValues: []string{"S", "M"}}, []string{"XL"},
			"none of the allowed values: S, M", true},
		{"too long", Attribute{DataType: Text}, []string{strings.Repeat("é", 4001)}, "longer than 4000 characters",
			true},
	} {
		got, err := CheckValues(c.a, c.values)
		switch {
		case c.refuse && (!fault.Is(err, ErrInvalidValue) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want a refusal with %q", c.name, err, c.want)
		case !c.refuse && (err != nil || strings.Join(got, "|") != c.want):
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
	_, err := CheckValues(Attribute{DataType: WholeNumber, IsMultiValue: true}, []string{"x", "1", "y"})
	if f := fault.As(err); len(f.Fields) != 2 || f.Fields[1].Path != "values[2]" {
		t.Errorf("not everything that is wrong was said: %v", err)
	}
}

func TestCheckAttribute(t *testing.T) {
	ten, one := dec.Int(10), dec.One
	a := Attribute{Code: "width", Name: "Width", DataType: DecimalNumber, AllowedValues: []string{"1.50", "2"}}
	if err := checkAttribute(&a).Err(); err != nil || strings.Join(a.AllowedValues, "|") != "1.5|2" {
		t.Errorf("%v %v", a.AllowedValues, err)
	}
	for name, a := range map[string]Attribute{
		"pattern":       {Code: "c", Name: "n", DataType: Text, Pattern: "("},
		"maxValue":      {Code: "c", Name: "n", DataType: WholeNumber, MinValue: &ten, MaxValue: &one},
		"minValue":      {Code: "c", Name: "n", DataType: Text, MinValue: &one},
		"dataType":      {Code: "c", Name: "n", DataType: "Number"},
		"allowedValues": {Code: "c", Name: "n", DataType: WholeNumber, AllowedValues: []string{"one"}},
		"name":          {Code: "c", DataType: Text},
	} {
		f := fault.As(checkAttribute(&a).Err())
		if len(f.Fields) != 1 || f.Fields[0].Path != name {
			t.Errorf("%s: %v", name, f)
		}
	}
}

func FuzzSlug(f *testing.F) {
	f.Add("Sågar & bågar")
	f.Fuzz(func(t *testing.T, in string) {
		if s := Slug(in); s != "" && !ValidSlug(s) {
			t.Errorf("Slug(%q) = %q is no valid slug", in, s)
		}
	})
}
