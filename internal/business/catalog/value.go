package catalog

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lazy"
)

// Value is what an item has of an attribute.
type Value struct {
	Attribute Attribute
	Values    []string
}

// PutValues sets the values an item has of an attribute, in place of those it had. Refusals:
// Item.NotFound, Attribute.NotFound, ItemAttribute.InvalidValue naming each rule broken.
func PutValues(tx *db.Tx, itemNumber, attribute string, values []string) (Item, error) {
	a, err := FindAttribute(tx, attribute)
	if err != nil {
		return Item{}, err
	}
	plain, err := CheckValues(a, values)
	if err != nil {
		return Item{}, err
	}
	i, err := items.Lock(tx, itemNumber)
	if err != nil {
		return i, err
	}
	return i, replaceValues(tx, &i, a, plain)
}

// ClearValues removes what an item has of an attribute. Refusals: Item.NotFound,
// Attribute.NotFound, ItemAttribute.NotFound where it has nothing.
func ClearValues(tx *db.Tx, itemNumber, attribute string) (Item, error) {
	a, err := FindAttribute(tx, attribute)
	if err != nil {
		return Item{}, err
	}
	i, err := items.Lock(tx, itemNumber)
	if err != nil {
		return i, err
	}
	had, err := valuesOf(tx, i.ID, a.Code)
	if err != nil {
		return i, err
	}
	if len(had) == 0 {
		return i, ErrValueNotFound.Because("item %s has no value of %s", i.Number, a.Code)
	}
	return i, replaceValues(tx, &i, a, nil)
}

func replaceValues(tx *db.Tx, i *Item, a Attribute, values []string) error {
	had, err := valuesOf(tx, i.ID, a.Code)
	if err != nil {
		return err
	}
	if len(had) == 0 {
		tx.Adds()
	}
	if slices.Equal(had, values) {
		return tx.Match(i.ID, i.ETag())
	}
	if err := writeValues(tx, i.ID, a.Code, values); err != nil {
		return err
	}
	return Items.Touched(tx, &i.Root, i.Number, "changed", map[string][2]any{"attributes." + a.Code: {had, values}})
}

// CheckValues brings values to the plain form of the attribute's data type. Refusal:
// ItemAttribute.InvalidValue, each value for itself.
func CheckValues(a Attribute, values []string) ([]string, error) {
	var wrong fault.List
	switch {
	case len(values) == 0:
		wrong.Add(ErrInvalidValue, "values", "needs at least one value: DELETE clears an attribute")
	case len(values) > 1 && !a.IsMultiValue:
		wrong.Add(ErrInvalidValue, "values", "%s takes one value, not %d", a.Code, len(values))
	}
	c := checkerOf(a)
	out := make([]string, 0, len(values))
	for n, v := range values {
		at := fmt.Sprintf("values[%d]", n)
		plain, problem := c.plain(v)
		switch {
		case problem.Is():
			wrong.Note(ErrInvalidValue, at, problem)
		case slices.Contains(out, plain):
			wrong.Add(ErrInvalidValue, at, "%s is given twice", plain)
		}
		out = append(out, plain)
	}
	return out, wrong.Err()
}

// checker holds single values against one attribute.
type checker struct {
	kind     DataType
	min, max *dec.Dec
	allowed  []string
	pattern  *regexp.Regexp
}

func checkerOf(a Attribute) checker {
	c := checker{kind: a.DataType, min: a.MinValue, max: a.MaxValue, allowed: a.AllowedValues}
	if a.Pattern != "" {
		c.pattern = regexp.MustCompile(whole(a.Pattern)) // SaveAttribute compiled it
	}
	return c
}

// userHTML is what people may write of goods. It is made once: that takes longer than to read a product's page.
var userHTML = sync.OnceValue(bluemonday.UGCPolicy)

// Sanitized is HTML that somebody wrote of goods, without script, style, frame, form or event handler.
func Sanitized(html string) string { return userHTML().Sanitize(html) }

// Described is what people wrote of goods, as sanitised HTML; what is more than a line is in Paragraphs.
func Described(text string) string {
	if !strings.Contains(strings.TrimSpace(text), "\n") {
		return Sanitized(strings.TrimSpace(text))
	}
	return Sanitized(Paragraphs(text))
}

// Paragraphs is a text that people typed, as HTML, which would run together the paragraphs and lines that it was typed
// in. One with tags that lay it out, rather than a link or an emphasis, stays as it is.
func Paragraphs(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if text == "" || anyTag().MatchString(inlineTag().ReplaceAllString(text, "")) {
		return text
	}
	var b strings.Builder
	for _, paragraph := range blankLines().Split(text, -1) {
		b.WriteString("<p>" + strings.ReplaceAll(strings.TrimSpace(paragraph), "\n", "<br>") + "</p>")
	}
	return b.String()
}

var (
	anyTag     = lazy.Regexp(`<[a-zA-Z/!]`)
	inlineTag  = lazy.Regexp(`(?i)</?(?:a|b|code|em|i|mark|s|small|span|strong|sub|sup|u)(?:\s[^<>]*)?>`)
	blankLines = lazy.Regexp(`\n[ \t]*\n\s*`)
)

// whole anchors a pattern: a value must match it in full.
func whole(pattern string) string { return `\A(?:` + pattern + `)\z` }

// plain is v in the form it is kept in, or the problem with it.
func (c checker) plain(v string) (plain string, problem fault.Said) {
	v = strings.TrimSpace(v)
	if v == "" {
		return v, fault.Say("must not be empty")
	}
	if plain, problem = c.typed(v); problem.Is() {
		return v, problem
	}
	if c.pattern != nil && !c.pattern.MatchString(plain) {
		return v, fault.Say("does not match the attribute's pattern %s",
			strings.TrimSuffix(strings.TrimPrefix(c.pattern.String(), `\A(?:`), `)\z`))
	}
	if len(c.allowed) > 0 && !slices.Contains(c.allowed, plain) {
		return v, fault.Say("is none of the allowed values: %s", strings.Join(c.allowed, ", "))
	}
	return plain, fault.Said{}
}

// typed reads v as the attribute's data type.
func (c checker) typed(v string) (plain string, problem fault.Said) {
	switch c.kind {
	case WholeNumber:
		if _, err := strconv.ParseInt(v, 10, 64); err != nil || strings.HasPrefix(v, "+") {
			return v, fault.Say("is not a whole number")
		}
		return c.number(v)
	case DecimalNumber:
		return c.number(v)
	case Boolean:
		if v = strings.ToLower(v); v != "true" && v != "false" {
			return v, fault.Say("must be true or false")
		}
		return v, fault.Said{}
	case Date:
		if _, err := day.Parse(v); err != nil {
			return v, fault.Say("is not a date of the form YYYY-MM-DD")
		}
		return v, fault.Said{}
	case URL:
		return v, checkURL(v)
	case Color:
		if !isColor(v) {
			return v, fault.Say("is not a colour of the form #RRGGBB")
		}
		return strings.ToUpper(v), fault.Said{}
	case HTML: // storefronts show it as it is, so what could run there is never kept
		if plain = Sanitized(v); plain == "" {
			return v, fault.Say("holds nothing but markup that is not allowed")
		}
		return plain, tooLong(v, maxHTML)
	}
	return v, tooLong(v, maxValue)
}

// The longest values, in characters.
const (
	maxValue = 4_000
	maxHTML  = 100_000
	maxURL   = 2_000
)

func (c checker) number(v string) (plain string, problem fault.Said) {
	d, err := dec.Parse(v)
	switch {
	case err != nil:
		return v, fault.Say("is not a number of at most 12 digits before the point and 6 after it")
	case c.min != nil && d < *c.min:
		return v, fault.Say("is below the least value %s", c.min)
	case c.max != nil && d > *c.max:
		return v, fault.Say("is above the greatest value %s", c.max)
	}
	return d.String(), fault.Said{}
}

func checkURL(v string) fault.Said {
	if !reference.IsWebAddress(v) {
		return fault.Say("is not an absolute http or https address")
	}
	return tooLong(v, maxURL)
}

// isColor reports whether v is a hexadecimal colour of CSS Color 4, section 5.2: #RGB, #RRGGBB or #RRGGBBAA.
func isColor(v string) bool {
	return v[0] == '#' && (len(v) == 4 || len(v) == 7 || len(v) == 9) &&
		strings.Trim(v[1:], "0123456789abcdefABCDEF") == ""
}

func tooLong(v string, most int) fault.Said {
	if len(v) > most && len([]rune(v)) > most {
		return fault.Say("is longer than %d characters", most)
	}
	return fault.Said{}
}
