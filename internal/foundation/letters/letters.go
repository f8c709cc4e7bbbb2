// Package letters is what the mails of a shop and of the office say: pure functions from the facts to a message, as
// text and as HTML, in the languages of the north, German and English. Who is written to in another language gets
// English.
package letters

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/mail"
)

// Store is who writes: a shop, or a company's office. Whatever is empty is left out.
type Store struct {
	Code      string // of the channel; empty = the office
	Name      string
	URL       string // of the front page
	LogoURL   string
	Email     string // where answers go
	Phone     string
	Color     string // of the head and the button, such as #1a5fb4
	LegalName string
	VATNumber string
	Address   []string // lines
	// CountryCode is the address's last line, ISO 3166-1: each reader is told the country in their own language.
	CountryCode string
}

// layoutText is the one frame of all letters: tables and inline styles, because that is what mail programs show alike.
//
//go:embed layout.html
var layoutText string

var layout = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("letter").Parse(layoutText))
})

// letter is a mail before it is text and HTML, which are made of the same parts in the same order; its job keeps it for
// the HTML.
type letter struct {
	Store       Store
	Lang        string
	Subject     string
	About       string // business key for the list of jobs; "" = Subject
	Title       string // "" = Subject
	Greeting    string
	Paragraphs  []string
	Body        template.HTML // sanitised, as somebody wrote it; BodyText is the same for who reads no HTML
	BodyText    string
	Alone       bool // a browser shows it as a page of its own
	ImageURL    string
	Code        string
	Facts       []fact
	Button      link
	Links       []link
	Notes       []string // in small print
	Columns     columns
	Rows        []row
	Sums        []fact
	Blocks      []block
	Read        link // shows the letter in a browser
	Unsubscribe link
	words       words
}

type fact struct {
	Label, Value string
	Strong       bool
}

type link struct{ Label, URL string }

type columns struct{ Item, Quantity, Amount string }

type row struct {
	Name     string
	Under    []string // small lines below the name
	Quantity string
	Amount   string
}

type block struct {
	Title string
	Lines []string
}

// begin is a letter with its greeting.
func begin(lang string, s Store, to mail.Address) letter {
	lang = Language(lang)
	w := wordsOf(lang)
	l := letter{Store: s, Lang: lang, Greeting: w.Hello, words: w}
	if name := oneLine(to.Name); name != "" && to.Confirmed {
		l.Greeting = fmt.Sprintf(w.HelloName, name)
	}
	return l
}

// Preview is what lists of mails show beside the subject.
func (l letter) Preview() string {
	if len(l.Paragraphs) == 0 {
		return l.Title
	}
	return l.Paragraphs[0]
}

// usualColor is the head's colour of who has none.
const usualColor = "#243b53"

// Color is the store's colour, where it is one.
func (l letter) Color() string {
	if _, ok := rgb(l.Store.Color); ok {
		return l.Store.Color
	}
	return usualColor
}

// OnColor is white or black, whichever reads better on the colour: the one with the greater contrast.
func (l letter) OnColor() string {
	if c, ok := rgb(l.Store.Color); ok && (luminance(c)+0.05)/0.05 > 1.05/(luminance(c)+0.05) {
		return "#000000"
	}
	return "#ffffff"
}

// luminance is how bright a colour is, from 0 to 1 (WCAG 2.2, relative luminance).
func luminance(c [3]int) (sum float64) {
	for i, share := range [3]float64{0.2126, 0.7152, 0.0722} {
		if v := float64(c[i]) / 255; v <= 0.04045 {
			sum += share * v / 12.92
		} else {
			sum += share * math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return sum
}

// rgb reads #rrggbb.
func rgb(text string) (c [3]int, ok bool) {
	if len(text) != 7 || text[0] != '#' {
		return c, false
	}
	n, err := strconv.ParseUint(text[1:], 16, 32)
	return [3]int{int(n >> 16), int(n >> 8 & 255), int(n & 255)}, err == nil
}

// Footer says who writes.
func (l letter) Footer() (lines []string) {
	add := func(label, text string) {
		if text != "" {
			lines = append(lines, label+text)
		}
	}
	if l.Store.Email != "" {
		lines = append(lines, fmt.Sprintf(l.words.Questions, l.Store.Email))
	}
	name := cmp.Or(l.Store.LegalName, l.Store.Name)
	add("",
		strings.Join(some(append(append([]string{name}, l.Store.Address...), Country(l.Lang, l.Store.CountryCode))...),
			", "))
	add(l.words.VATNumber+" ", l.Store.VATNumber)
	add(l.words.Phone+" ", l.Store.Phone)
	return lines
}

// Pairs are the blocks two by two, as they stand beside each other.
func (l letter) Pairs() (rows [][]block) {
	for i := 0; i < len(l.Blocks); i += 2 {
		rows = append(rows, l.Blocks[i:min(i+2, len(l.Blocks))])
	}
	return rows
}

// message is the letter as it is sent.
func (l letter) message(to mail.Address) mail.Message {
	l.Title, l.About = cmp.Or(l.Title, l.Subject), cmp.Or(l.About, l.Subject)
	l.Subject = oneLine(l.Subject)
	answers := l.Store.Email
	if mail.CheckAddress("from", answers) != nil { // a slip in the settings must not keep the mail back
		answers = ""
	}
	if !to.Confirmed {
		to.Name = ""
	}
	m := mail.Message{
		From: mail.Address{Name: oneLine(l.Store.Name), Email: answers},
		To:   []mail.Address{{Name: oneLine(to.Name), Email: to.Email, Confirmed: to.Confirmed}}, Subject: l.Subject,
		Text: l.text(), Letter: l.keep(), About: oneLine(l.About),
	}
	if !to.Confirmed {
		m.Store = l.Store.Code
	}
	if l.Unsubscribe.URL != "" { // RFC 8058: a mail program may offer it as a button
		m.Headers = map[string]string{"List-Unsubscribe": "<" + oneLine(l.Unsubscribe.URL) + ">",
			"List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
	}
	return m
}

func (l letter) keep() []byte {
	kept, err := json.Marshal(l, json.OmitZeroStructFields(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic("letters: " + err.Error()) // cannot be: texts and lists of them can always be encoded
	}
	return kept
}

// HTML is made of what the job of a mail keeps of its letter; "" of what a program of another version has kept in
// another way: the mail says the same as text.
func HTML(kept []byte) string {
	var l letter
	if json.Unmarshal(kept, &l) != nil {
		return ""
	}
	l.words = wordsOf(l.Lang)
	return l.html()
}

// html is the letter for who reads HTML.
func (l letter) html() string {
	var html bytes.Buffer
	if err := layout().Execute(&html, l); err != nil {
		panic("letters: " + err.Error()) // cannot be: a buffer takes everything, and the frame was read at the start
	}
	return html.String()
}

// oneLine makes one line of what people typed into names, so that it may stand in a header.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
}

// text is the letter for who reads no HTML.
func (l letter) text() string {
	var b strings.Builder
	para := func(lines ...string) {
		if len(lines) > 0 {
			b.WriteString(strings.Join(lines, "\n") + "\n\n")
		}
	}
	para(l.Title)
	for _, p := range append([]string{l.Greeting}, append(l.Paragraphs, l.BodyText)...) {
		if p != "" {
			para(p)
		}
	}
	if l.Code != "" {
		para("    " + l.Code)
	}
	para(factLines(l.Facts)...)
	if l.Button.URL != "" {
		para(l.Button.Label+":", l.Button.URL)
	}
	for _, k := range l.Links {
		para(k.Label+":", k.URL)
	}
	for _, n := range l.Notes {
		para(n)
	}
	var rows []string
	for _, r := range l.Rows {
		line := "- " + r.Quantity + " " + r.Name
		if r.Amount != "" {
			line += ": " + r.Amount
		}
		rows = append(rows, line)
		for _, u := range r.Under {
			rows = append(rows, "  "+u)
		}
	}
	para(rows...)
	para(factLines(l.Sums)...)
	for _, k := range l.Blocks {
		para(append([]string{k.Title + ":"}, k.Lines...)...)
	}
	b.WriteString("-- \n")
	for _, f := range l.Footer() {
		b.WriteString(f + "\n")
	}
	if l.Store.URL != "" {
		b.WriteString(l.Store.URL + "\n")
	}
	if l.Read.URL != "" {
		b.WriteString(l.Read.Label + ": " + l.Read.URL + "\n")
	}
	if l.Unsubscribe.URL != "" {
		b.WriteString(l.Unsubscribe.Label + ": " + l.Unsubscribe.URL + "\n")
	}
	return b.String()
}

func factLines(facts []fact) []string {
	return each.Of(facts, func(f fact) string { return f.Label + ": " + f.Value })
}
