package configure

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// Problem is something wrong with a schema, at a place of it: features[2].options[0].code, rules[1].expression.
type Problem struct {
	Path string
	Said fault.Said
}

// problems gathers what is wrong with a schema.
type problems []Problem

func (p *problems) add(path, format string, args ...any) {
	*p = append(*p, Problem{path, fault.Say(format, args...)})
}

// when notes what is wrong where it is so.
func (p *problems) when(is bool, path, format string, args ...any) {
	if is {
		p.add(path, format, args...)
	}
}

// text checks a text that is required, or not, and bounded.
func (p *problems) text(path, text string, isRequired bool, most int) {
	switch {
	case isRequired && strings.TrimSpace(text) == "":
		p.add(path, "must not be empty")
	case utf8.RuneCountInString(text) > most:
		p.add(path, "is longer than %d characters", most)
	}
}

// check holds everything but the rules against what a schema may say.
func (s *Schema) check(wrong *problems) {
	wrong.when(len(s.Features) > MostFeatures, "features", "are %d, more than %d", len(s.Features), MostFeatures)
	wrong.when(len(s.Rules) > MostRules, "rules", "are %d, more than %d", len(s.Rules), MostRules)
	seen := map[string]bool{}
	for i := range s.Features {
		f, at := &s.Features[i], fmt.Sprintf("features[%d].", i)
		wrong.text(at+"code", f.Code, true, MostCode)
		wrong.text(at+"name", f.Name, true, MostName)
		wrong.text(at+"unit", f.Unit, false, MostCode)
		wrong.when(seen[strings.ToLower(f.Code)], at+"code", "%s is the code of another feature already", f.Code)
		seen[strings.ToLower(f.Code)] = true
		f.checkNumbers(wrong, at)
		f.checkOptions(wrong, at)
	}
}

func (f *Feature) checkNumbers(wrong *problems, at string) {
	wrong.when(f.IsMeasured && f.Type != TypeNumber && f.Type != TypeOption, at+"isMeasured",
		"is for features of the type Number or Option")
	for _, n := range []struct {
		name string
		is   *dec.Dec
	}{{"min", f.Min}, {"max", f.Max}, {"step", f.Step}} {
		switch {
		case n.is == nil:
		case !f.TakesNumber():
			wrong.add(at+n.name, "is for features that take a number")
		case n.is.Abs() > mostNumber:
			wrong.add(at+n.name, "must be from -%s to %s", dec.Dec(mostNumber), dec.Dec(mostNumber))
		}
	}
	wrong.when(f.Min != nil && f.Max != nil && *f.Min > *f.Max, at+"max", "%s is below min, which is %s", f.Max, f.Min)
	wrong.when(f.IsMeasured && f.Min != nil && *f.Min < 0, at+"min", "must not be below 0: the feature is measured")
	wrong.when(f.Step != nil && *f.Step <= 0, at+"step", "must be above 0, not %s", f.Step)
	switch {
	case f.MaxLength == 0:
	case f.Type != TypeText:
		wrong.add(at+"maxLength", "is for features of the type Text")
	case f.MaxLength < 1 || f.MaxLength > MostText:
		wrong.add(at+"maxLength", "must be from 1 to %d", MostText)
	}
}

func (f *Feature) checkOptions(wrong *problems, at string) {
	switch {
	case f.Type == TypeOption && len(f.Options) == 0:
		wrong.add(at+"options", "must not be empty: the feature has the type Option")
	case f.Type != TypeOption && len(f.Options) > 1:
		wrong.add(at+"options", "are %d: a feature of the type %s has at most one, which says what it costs",
			len(f.Options), f.Type)
	case len(f.Options) > MostOptions:
		wrong.add(at+"options", "are %d, more than %d", len(f.Options), MostOptions)
	}
	seen, defaults := map[string]bool{}, 0
	for j := range f.Options {
		o, at := &f.Options[j], fmt.Sprintf("%soptions[%d].", at, j)
		wrong.text(at+"code", o.Code, true, MostCode)
		wrong.text(at+"name", o.Name, true, MostName)
		wrong.when(seen[strings.ToLower(o.Code)], at+"code", "%s is the code of another option of the feature already",
			o.Code)
		seen[strings.ToLower(o.Code)] = true
		wrong.when(o.PriceImpact != nil && o.PriceImpact.Abs() > mostNumber, at+"priceImpact", "must be from -%s to %s",
			dec.Dec(mostNumber), dec.Dec(mostNumber))
		wrong.when(o.PricePercent != nil && (*o.PricePercent < -100*dec.One || *o.PricePercent > mostPercent),
			at+"pricePercent", "must be from -100 to %s", dec.Dec(mostPercent))
		if o.IsDefault {
			if defaults++; defaults > 1 {
				wrong.add(at+"isDefault", "is true for another option of the feature already")
			}
		}
	}
}
