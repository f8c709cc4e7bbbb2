package backoffice_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"kontor/internal/app"
	"kontor/internal/business/identity"
	"kontor/internal/demo"
	"kontor/internal/foundation/db"
)

// oddNumbers are typed into every field that takes a number.
var oddNumbers = []string{"1,2,3", "12,34.5", "abc", "∞", "0x10", "1e9", "0.123456789012", "999999999999999", "-1",
	"-0.000001", " ", "99999999999", "9223372036854775807", "0.123456", "0"}

// numbersOf are what is known of the fields of all forms while they are tried.
type numbersOf struct {
	*browser
	o                  *office
	pages              map[string]int      // how many were looked at, by likeness
	tried              map[string]int      // how many of the odd numbers, by form and field
	closed             map[string]string   // forms that refuse whatever is typed, and what they say
	opened             map[string]bool     // forms that took something
	found              map[string][]string // what a lookup offers
	made               int                 // pictures
	form               *shownForm
	posts, taken, seen int
}

// shownForm is a form as a page shows it.
type shownForm struct {
	page, action, to, alike string
	node                    *html.Node
}

// Every field for a number of every form of the office takes exactly the number that is typed, or refuses it beside the
// field and changes nothing; whatever is typed, every page can be seen and the books are right afterwards.
func TestEveryNumberOfEveryForm(t *testing.T) {
	o := sample(t, "sqlite")
	n := o.everyForm()
	n.walks(func(path string) {
		for _, f := range n.forms(path) {
			n.numbers(f)
		}
	})
	t.Logf("%d forms, %d fields, %d posts, %d taken, %d seen again", len(n.opened), len(n.tried), n.posts, n.taken,
		n.seen)
	for form, said := range n.closed {
		if !n.opened[form] {
			t.Errorf("nothing that is typed opens %s: %s", form, said)
		}
	}
	if len(n.tried) < 190 || n.seen < 300 {
		t.Errorf("only %d fields were tried, and %d numbers seen again", len(n.tried), n.seen)
	}
	if err := o.kontor.Verify(t.Context(), o.company, func(text string) { t.Error(text) }); err != nil {
		t.Error(err)
	}
}

// everyForm is somebody who is about to try all forms of the office.
func (o *office) everyForm() *numbersOf {
	o.t.Helper()
	return &numbersOf{browser: o.signedIn("anna@acme.test", identity.Admin), o: o, pages: map[string]int{},
		tried: map[string]int{}, closed: map[string]string{}, opened: map[string]bool{}, found: map[string][]string{}}
}

// walks looks at every page that a link leads to, some of each kind.
func (n *numbersOf) walks(look func(path string)) {
	todo, from := []string{"/"}, map[string]string{}
	for len(todo) > 0 {
		path := todo[0]
		todo = todo[1:]
		if !n.isNew(path) {
			continue
		}
		n.get(path)
		if n.status >= 400 {
			n.t.Errorf("%s cannot be seen: %d %s (from %s)", path, n.status, n.words(), from[path])
		}
		if strings.HasPrefix(n.header.Get("Content-Type"), "text/html") {
			for _, to := range links(n.browser) {
				if from[to] == "" && !ofStore.MatchString(path) {
					todo, from[to] = append(todo, to), path
				}
			}
			look(path)
		}
	}
}

// ofStore are pages of the office that show what the store says, with links that lead about there.
var ofStore = regexp.MustCompile(`/preview$|/versions/`)

// sample is an office with the sample company.
func sample(t *testing.T, engine string) *office {
	t.Helper()
	o := served(t, engine, app.Serving{})
	var err error
	if o.company, err = o.kontor.CreateCompany(t.Context(), demo.Company()); err != nil {
		t.Fatal(err)
	}
	now, quiet := time.Now(), func(string) {}
	err = errors.Join(demo.Fill(t.Context(), o.kontor.Store(), o.company.ID, now, quiet),
		demo.Furnish(t.Context(), o.kontor.Store(), o.kontor.Files(), o.company.ID, now, quiet))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// alikePages is how many pages of a kind are looked at: a record in another state has other forms.
const alikePages = 4

func (n *numbersOf) isNew(path string) bool {
	bare, _, _ := strings.Cut(path, "?")
	alike := likeness.ReplaceAllString(bare, "/1")
	if n.pages[path] > 0 || n.pages["~"+alike] >= alikePages || strings.HasPrefix(path, "/account/") {
		return false
	}
	n.pages[path]++
	n.pages["~"+alike]++
	return true
}

// forms are those of the page that is shown, each as it is there.
func (n *numbersOf) forms(path string) (all []shownForm) {
	walk(n.doc, func(f *html.Node) {
		if f.Data == "form" && attr(f, "method") == "post" {
			to := attr(f, "action")
			action, _, _ := strings.Cut(to, "?")
			all = append(all, shownForm{page: path, to: to, action: action, node: n.browser.form(action)})
		}
	})
	return all
}

// numbers tries the fields for numbers of a form.
func (n *numbersOf) numbers(f shownForm) {
	fields := fieldsOf(f.node, isNumberField)
	f.alike = alikeForm(f.action, fields)
	n.form = &f
	for _, field := range fields {
		if !n.tryAll(field) {
			break
		}
	}
}

// alikeForm is what the forms of records of a kind have in common: the area, the verb, and the fields.
func alikeForm(action string, fields []string) string {
	parts := strings.Split(action, "/")
	shapes := make([]string, len(fields))
	for i, f := range fields {
		shapes[i] = anyRow.ReplaceAllString(f, "[]")
	}
	return "/" + parts[1] + likeness.ReplaceAllString("/"+parts[len(parts)-1], "/1") + " " + strings.Join(shapes, " ")
}

var anyRow = regexp.MustCompile(`\[\d+\]`)

// fieldsOf are the fields of a kind in a form, of the rows the first that can be written.
func fieldsOf(form *html.Node, is func(*html.Node) bool) (names []string) {
	seen := map[string]bool{}
	walk(form, func(f *html.Node) {
		name := attr(f, "name")
		shape := anyRow.ReplaceAllString(name, "[]")
		if is(f) && name != "" && !has(f, "disabled") && !seen[shape] {
			seen[shape] = true
			names = append(names, name)
		}
	})
	return names
}

func isNumberField(f *html.Node) bool {
	mode, kind := attr(f, "inputmode"), attr(f, "type")
	return f.Data == "input" && kind != "hidden" && (mode == "decimal" || mode == "numeric" || kind == "number")
}

// tryAll types the numbers that are left to try into a field; it reports whether the form is still there.
func (n *numbersOf) tryAll(field string) bool {
	shape := n.form.alike + " " + anyRow.ReplaceAllString(field, "[]")
	for n.tried[shape] < len(oddNumbers) {
		if n.form.node == nil && !n.opens(field) {
			return false
		}
		number := oddNumbers[n.tried[shape]]
		n.tried[shape]++
		if !n.try(field, number) {
			n.tried[shape]-- // another page may have a form of this kind that can be sent
			return false
		}
	}
	return true
}

// opens shows the page of the form and reports whether the field can be written there.
func (n *numbersOf) opens(field string) bool {
	n.get(n.form.page)
	n.form.node = n.find(func(f *html.Node) bool {
		to, _, _ := strings.Cut(attr(f, "action"), "?")
		return f.Data == "form" && attr(f, "method") == "post" && to == n.form.action && hasField(f, field)
	})
	return n.form.node != nil
}

// try types a number into a field and sends the form; false means that the form refuses any.
func (n *numbersOf) try(field, number string) bool {
	before := n.stand()
	n.sends(field, number)
	what := fmt.Sprintf("%s: %q in %s", n.form.page, number, field)
	if n.status < 400 {
		n.opened[n.form.alike] = true
		n.taken++
		n.holds(field, number, what)
		n.form.node = nil
		return true
	}
	if after := n.stand(); after != before {
		n.t.Errorf("%s is refused (%d), and something has changed: %s, was %s: %s", what, n.status, after, before,
			n.problem())
		n.form.node = nil
		return true
	}
	switch {
	case n.status >= 500:
		n.t.Errorf("%s: %d %s", what, n.status, n.problem())
	case !n.isBeside(field) && !isNothing(number):
		return n.isAboutAnother(field, what)
	}
	return true
}

// isNothing reports whether a form may say elsewhere that this is too little: that one of several fields must be filled
// in.
func isNothing(number string) bool { return number == "0" || number == " " }

// isBeside reports whether the page that is shown says something beside a field, or beside the rows that it is in.
func (n *numbersOf) isBeside(field string) bool {
	rows, _, inRow := strings.Cut(field, "[")
	return n.find(func(f *html.Node) bool {
		return attr(f, "name") == field && attr(f, "aria-invalid") == "true" ||
			inRow && attr(f, "class") == "error" && attr(f, "id") == "f-"+rows+"-error"
	}) != nil
}

// problem is what the page says is wrong.
func (n *numbersOf) problem() string {
	var out []string
	walk(n.doc, func(f *html.Node) {
		if f.Type == html.ElementNode && (slices.Contains(strings.Fields(attr(f, "class")), "problem") ||
			attr(f, "class") == "error") {
			out = append(out, strings.Join(strings.Fields(inner(f)), " "))
		}
	})
	return strings.Join(out, " | ")
}

// isAboutAnother fails unless the form is refused in the same way with a number that nobody doubts.
func (n *numbersOf) isAboutAnother(field, what string) bool {
	said, status := n.problem(), n.status
	n.sends(field, "1")
	if n.status >= 400 && n.problem() == said {
		n.closed[n.form.alike] = said
		return false
	}
	if n.status < 400 {
		n.form.node = nil
	}
	n.t.Errorf("%s is refused (%d), but not beside the field: %s", what, status, said)
	return true
}

// stand is how far the company's records have been changed.
func (n *numbersOf) stand() (out string) {
	n.o.write(func(tx *db.Tx) error {
		var changes, newest int64
		_, err := tx.One("-- backoffice_test.stand whole\nselect count(*), max(stamp) from change where company = :company",
			nil, &changes, &newest)
		out = fmt.Sprint(changes, newest)
		return err
	})
	return out
}

// sends fills in the form and sends it.
func (n *numbersOf) sends(field, number string) {
	n.t.Helper()
	n.posts++
	values := n.complete(n.form.node)
	values.Set(field, number)
	if attr(n.form.node, "enctype") == "" {
		n.post(n.form.to, values)
		return
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for key, all := range values {
		form.WriteField(key, all[0])
	}
	walk(n.form.node, func(f *html.Node) {
		if attr(f, "type") == "file" && has(f, "required") {
			n.made++
			part, _ := form.CreateFormFile(attr(f, "name"), "picture.png")
			part.Write(painted(color.RGBA{uint8(n.made), uint8(n.made >> 8), 60, 255}))
		}
	})
	form.Close()
	r, err := http.NewRequest("POST", n.base+n.form.to, &body)
	if err != nil {
		n.t.Fatal(err)
	}
	r.Header.Set("Content-Type", form.FormDataContentType())
	n.do(r)
}

// complete are the values of a form as somebody would fill it in: what is there, and something sensible where a field
// is empty that must not be, and in the first of blank rows.
func (n *numbersOf) complete(form *html.Node) url.Values {
	values := filledIn(form)
	walk(form, func(f *html.Node) {
		name := attr(f, "name")
		if name == "" || has(f, "disabled") || f.Data == "button" || values.Get(name) != "" {
			return
		}
		if wanted := has(f, "required") || strings.Contains(name, "[0].") || slices.Contains(alsoFilled, name); !wanted {
			return
		}
		if text := n.sensible(f); text != "" {
			values.Set(name, text)
		}
	})
	return values
}

// alsoFilled are fields that forms ask for only together with others, or instead of them.
var alsoFilled = []string{"itemNumber", "customerNumber", "currencyCode", "baseUnitCode", "quantity",
	"options[0].code", "options[0].name"}

func (n *numbersOf) sensible(f *html.Node) string {
	code := "t" + strconv.Itoa(n.taken)
	switch kind := attr(f, "type"); {
	case f.Data == "select":
		return offered(f)
	case kind == "radio":
		return attr(f, "value")
	case f.Data == "textarea" && has(f, "required"):
		return code
	case f.Data != "input", kind == "hidden", kind == "checkbox", kind == "file":
		return ""
	case isNumberField(f):
		return "1"
	case kind == "email":
		return code + "@example.com"
	case kind == "date":
		return time.Now().Format(time.DateOnly)
	case kind == "datetime-local":
		return time.Now().Format("2006-01-02T15:04")
	case strings.HasPrefix(attr(f, "name"), "crossReferences"):
		return "" // of another type than the first it has a customer
	case attr(f, "data-lookup") != "":
		all := n.looksUp(attr(f, "data-lookup"))
		if isRow := strings.Contains(attr(f, "name"), "["); isRow && len(all) > 1 {
			return all[1] // no part of itself
		}
		if len(all) > 0 {
			return all[0]
		}
	case attr(f, "list") != "":
		return offered(f.NextSibling)
	case attr(f, "name") == "units[0].unitCode":
		return "PCS"
	case strings.HasSuffix(attr(f, "name"), "receiptNumber"):
		return n.firstOf("/receipts")
	case attr(f, "name") == "orderNumber":
		return n.firstOf("/orders?status=Closed")
	case has(f, "required"), slices.Contains(alsoFilled, attr(f, "name")):
		return code
	}
	return ""
}

// firstOf is the first record of a list.
func (n *numbersOf) firstOf(list string) string {
	b := *n.browser
	b.get(list)
	path, _, _ := strings.Cut(list, "?")
	for _, to := range links(&b) {
		if number, ok := strings.CutPrefix(to, path+"/"); ok && !strings.Contains(number, "/") {
			return number
		}
	}
	return ""
}

// offered is the first thing that can be chosen.
func offered(list *html.Node) (value string) {
	walk(list, func(o *html.Node) {
		if o.Data == "option" && value == "" {
			value = attr(o, "value")
		}
	})
	return value
}

func (n *numbersOf) looksUp(path string) []string {
	if all, ok := n.found[path]; ok {
		return all
	}
	resp, err := n.client.Get(n.base + path)
	if err != nil {
		n.t.Fatal(err)
	}
	defer resp.Body.Close()
	var options []struct{ Value string }
	if err := json.NewDecoder(resp.Body).Decode(&options); err != nil {
		n.t.Errorf("%s: %d %v", path, resp.StatusCode, err)
	}
	n.found[path] = nil
	for _, o := range options {
		n.found[path] = append(n.found[path], o.Value)
	}
	return n.found[path]
}

// holds looks for a number that was taken: where it was typed, or on the page that the form has led to.
func (n *numbersOf) holds(field, number, what string) {
	words := asTyped.Replace(n.words())
	if isRecord := hasField(n.form.node, "_was") && !strings.Contains(n.form.action, "/new"); isRecord && n.opens(field) {
		if !n.stands(field, number) {
			n.t.Errorf("%s is taken, and then there stands %q", what, n.value(field))
		}
		n.seen++
		return
	}
	if number = strings.TrimSpace(number); number == "" || number == "0" {
		return
	}
	if strings.Contains(words, number) { // a page need not show all that was typed
		n.seen++
	}
}

// asTyped undoes how numbers are written for people.
var asTyped = strings.NewReplacer(",", "", "\u00a0", "", "\u2212", "-")

// stands reports whether a field of the page holds a number, of rows that of any: they may be kept in an order. Nothing
// is as good as 0.
func (n *numbersOf) stands(field, number string) bool {
	shape := anyRow.ReplaceAllString(field, "[]")
	number = cmp.Or(strings.TrimSpace(number), "0")
	return n.find(func(f *html.Node) bool {
		return anyRow.ReplaceAllString(attr(f, "name"), "[]") == shape && cmp.Or(attr(f, "value"), "0") == number
	}) != nil
}
