package content

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/mail"
)

// Filled is a form as a visitor filled it in.
type Filled struct {
	Text  string // every field with its value, a paragraph each
	Email string // of the first field of the type Email; "" = none was given
	Name  string // of the field name
}

// longestFilled is how many characters a form makes at most: what a ticket's description holds.
const longestFilled = 4_000

// Asks reports whether the form has a field.
func (f *FormPart) Asks(name string) bool {
	return slices.ContainsFunc(f.Fields, func(field FormField) bool { return field.Name == name })
}

// Read takes what a visitor filled in and says everything that is wrong with it: ContentForm.Invalid.
func (f *FormPart) Read(values map[string]string) (out Filled, err error) {
	var wrong fault.List
	var b strings.Builder
	for i := range f.Fields {
		field := &f.Fields[i]
		value, kind := strings.TrimSpace(values[field.Name]), strings.ToLower(or(field.Type, ""))
		if value == "" || kind == "checkbox" && value == "false" {
			wrong.If(field.IsRequired, ErrFormInvalid, "values."+field.Name, "%s must be filled in",
				or(field.Label, field.Name))
			continue
		}
		field.check(kind, value, &wrong)
		if kind == "email" && out.Email == "" {
			out.Email = value
		}
		if strings.EqualFold(field.Name, "name") && utf8.RuneCountInString(value) <= 200 &&
			!strings.Contains(value, "\n") {
			out.Name = value
		}
		fmt.Fprintf(&b, "%s: %s\n\n", or(field.Label, field.Name), value)
	}
	out.Text = strings.TrimSpace(b.String())
	wrong.If(utf8.RuneCountInString(out.Text) > longestFilled, ErrFormInvalid, "values",
		"are more than %d characters together: shorten them", longestFilled)
	wrong.If(wrong.Empty() && out.Text == "", ErrFormInvalid, "values", "nothing was filled in")
	return out, wrong.Err()
}

func (f *FormField) check(kind, value string, wrong *fault.List) {
	at := "values." + f.Name
	switch kind {
	case "email":
		wrong.If(!mail.IsAddress(value), ErrFormInvalid, at, "%q is no mail address such as name@example.com", value)
	case "number":
		if _, err := dec.Parse(value); err != nil {
			wrong.Add(ErrFormInvalid, at, "%q is no number", value)
		}
	case "date":
		if _, err := day.Parse(value); err != nil {
			wrong.Add(ErrFormInvalid, at, "%q is no day such as 2026-12-31", value)
		}
	}
}
