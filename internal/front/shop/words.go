package shop

import (
	"cmp"
	"fmt"
	"html/template"
	"io/fs"
	"math"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"kontor/internal/foundation/texts"
)

// The pages are written in English; the tables of words hold what they say in others, and what the API's codes are
// called, in English too. Names and texts from the API are in the session's language already.

// language is a choice of the language switch.
type language struct{ Code, Name string }

const fallback = "en"

// languagesOf are the languages of the store; a single one is no choice.
func languagesOf(s *Session) []language {
	if len(s.Store.Languages) < 2 {
		return nil
	}
	names := map[string]string{"en": "English", "nb": "Norsk", "no": "Norsk", "nn": "Nynorsk", "sv": "Svenska",
		"da": "Dansk", "fi": "Suomi", "de": "Deutsch"}
	out := []language{}
	for _, code := range s.Store.Languages {
		short, _, _ := strings.Cut(strings.ToLower(code), "-")
		name := cmp.Or(names[short], strings.ToUpper(code))
		out = append(out, language{code, name})
	}
	return out
}

// say is a text in a language of the pages.
func (s *Shop) say(lang, text string, values ...any) string {
	return texts.Fill(lang, cmp.Or(s.words[lang][text], text), values...)
}

// parse reads the templates: for each language every page inside the layout.
func (s *Shop) parse() (map[string]map[string]*template.Template, error) {
	pages, err := fs.Glob(files, "templates/page_*.html")
	if err != nil {
		return nil, err
	}
	out := map[string]map[string]*template.Template{}
	for lang := range s.words {
		base, err := template.New("base").Funcs(s.functions(lang)).
			ParseFS(files, "templates/layout.html", "templates/parts*.html")
		if err != nil {
			return nil, err
		}
		out[lang] = map[string]*template.Template{}
		for _, file := range pages {
			t, err := base.Clone()
			if err == nil {
				t, err = t.ParseFS(files, file)
			}
			if err != nil {
				return nil, err
			}
			name := strings.TrimSuffix(strings.TrimPrefix(path.Base(file), "page_"), ".html")
			out[lang][name] = t
		}
	}
	return out, nil
}

// functions are what templates may call.
func (s *Shop) functions(lang string) template.FuncMap {
	n := numbers{lang}
	return template.FuncMap{
		"t":    func(text string, values ...any) string { return s.say(lang, text, values...) },
		"lang": func() string { return lang }, "money": n.money, "number": n.number, "date": n.date,
		"price": n.price, "other": n.otherPrice, "was": n.was,
		"negative": func(amount string) string { return "-" + amount },
		"unit":     func(code string) string { return s.unit(lang, "1", code) },
		"unitOf":   func(quantity, code string) string { return s.unit(lang, quantity, code) },
		"static":   func(name string) string { return "/static/" + name + "?v=" + s.version },
		"icon":     icon, "srcset": srcset, "shown": shown, "stars": stars, "summary": summary,
		// of fields that the API declares to be sanitised HTML
		"image": image, "safe": func(html string) template.HTML { return template.HTML(html) },
		"dict": func(pairs ...any) map[string]any {
			m := map[string]any{}
			for i := 0; i+1 < len(pairs); i += 2 {
				m[fmt.Sprint(pairs[i])] = pairs[i+1]
			}
			return m
		},
		"isZero": func(amount string) bool { return strings.Trim(amount, "0.-") == "" },
		// of two amounts, the one of the kind that the visitor is shown
		"kind": func(with bool, including, excluding string) string {
			if with {
				return including
			}
			return excluding
		},
		"country": func(code string) string { return cmp.Or(texts.Country(lang, code), code) },
	}
}

// unit is what a unit is called beside a quantity; one that the shop has no word for by its code.
func (s *Shop) unit(lang, quantity, code string) string {
	if quantity != "1" {
		if many := s.say(lang, "units "+code); many != "units "+code {
			return many
		}
	}
	return strings.TrimPrefix(s.say(lang, "unit "+code), "unit ")
}

// numbers writes numbers the way a language does. They are text throughout: money never passes through a float.
type numbers struct{ lang string }

func (n numbers) signs() (group, point string) {
	if n.lang != fallback {
		return "\u00a0", ","
	}
	return ",", "."
}

// number is a decimal number of the API, with groups of thousands.
func (n numbers) number(text string) string {
	group, point := n.signs()
	sign := ""
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		sign, text = "\u2212", rest
	}
	whole, part, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + group + whole[i:]
	}
	if part != "" {
		whole += point + part
	}
	return sign + whole
}

// money is an amount with its currency. Whole amounts go without decimals.
func (n numbers) money(amount, currency string) string {
	if amount == "" {
		return ""
	}
	text := n.number(strings.TrimSuffix(amount, ".00"))
	sign := map[string]string{"NOK": "kr", "SEK": "kr", "DKK": "kr", "EUR": "€", "GBP": "£", "USD": "$"}[currency]
	switch {
	case sign == "":
		return currency + "\u00a0" + text
	case n.lang == fallback && sign != "kr":
		return sign + text
	}
	return text + "\u00a0" + sign
}

// price is what an item costs, as the session shows prices.
func (n numbers) price(p Price) string {
	if p.IsPriceIncludingTax {
		return n.money(p.UnitPriceIncludingTax, p.CurrencyCode)
	}
	return n.money(p.UnitPrice, p.CurrencyCode)
}

// otherPrice is the price the other way round: without tax where the session shows it with tax.
func (n numbers) otherPrice(p Price) string {
	p.IsPriceIncludingTax = !p.IsPriceIncludingTax
	return n.price(p)
}

// was is the price before a reduction.
func (n numbers) was(p Price) string { return n.money(p.ComparePrice, p.CurrencyCode) }

// date is a day, or the day of a moment.
func (n numbers) date(text string) string {
	if len(text) < len(time.DateOnly) {
		return ""
	}
	d, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)])
	if err != nil {
		return text
	}
	switch n.lang {
	case "nb":
		months := []string{"jan.", "feb.", "mars", "april", "mai", "juni", "juli", "aug.", "sep.", "okt.", "nov.",
			"des."}
		return fmt.Sprintf("%d.\u00a0%s %d", d.Day(), months[d.Month()-1], d.Year())
	case "sv":
		months := []string{"jan.", "feb.", "mars", "april", "maj", "juni", "juli", "aug.", "sep.", "okt.", "nov.",
			"dec."}
		return fmt.Sprintf("%d\u00a0%s %d", d.Day(), months[d.Month()-1], d.Year())
	}
	return d.Format("2\u00a0Jan 2006")
}

// image is where a browser fetches a picture of the API, at most so many pixels wide: from here, whose server fetches
// it there.
func image(address string, width int) string {
	u, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(u.Path, "/media/") {
		return "/static/nothing.svg"
	}
	if width == 0 {
		return u.Path
	}
	return u.Path + "?w=" + strconv.Itoa(width)
}

// srcset are the widths in which a browser may fetch a picture of the API.
func srcset(address string) string {
	if u, err := url.Parse(address); err != nil || !strings.HasPrefix(u.Path, "/media/") {
		return ""
	}
	var all []string
	for _, width := range []int{320, 640, 1280} {
		all = append(all, fmt.Sprintf("%s %dw", image(address, width), width))
	}
	return strings.Join(all, ", ")
}

// shown is where a browser fetches a picture of a page: from here where it is the API's, else from there.
func shown(address string) string {
	if strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "/media/") {
		return address
	}
	if at := picture(address); !strings.HasPrefix(at, "/media/") {
		return at
	}
	return image(address, 1280)
}

// stars are a rating of 5 as signs.
func stars(rating any) string {
	n, _ := strconv.ParseFloat(fmt.Sprint(rating), 64)
	full := min(5, max(0, int(math.Round(n))))
	return strings.Repeat("★", full) + strings.Repeat("☆", 5-full)
}

// isPale reports whether a colour, a name or #rrggbb, is one for dark grounds.
func isPale(colour string) bool {
	var r, g, b int
	if n, _ := fmt.Sscanf(colour, "#%02x%02x%02x", &r, &g, &b); n == 3 {
		return r+g+b > 380
	}
	return slices.Contains([]string{"white", "#fff", "ivory", "beige", "yellow"}, strings.ToLower(colour))
}

// picture is where a browser fetches a picture that the store names by its address: from here where it is the API's,
// else from there.
func picture(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil || address == "":
		return ""
	case strings.HasPrefix(u.Path, "/media/"):
		return u.Path
	case u.Scheme == "https" || u.Scheme == "http":
		return address
	}
	return ""
}

// percent is how much lower a price is than the one before, for a label; whole percent, so a float will do.
func percent(now, before string) int {
	a, err1 := strconv.ParseFloat(now, 64)
	b, err2 := strconv.ParseFloat(before, 64)
	if err1 != nil || err2 != nil || b <= 0 || a >= b {
		return 0
	}
	return int(math.Round((b - a) / b * 100))
}

// Saving is the label of a reduced price: "-20 %", or nothing.
func (p Price) Saving() string {
	now := p.UnitPrice
	if p.IsPriceIncludingTax {
		now = p.UnitPriceIncludingTax
	}
	if n := percent(now, p.ComparePrice); n > 0 {
		return fmt.Sprintf("\u2212%d\u00a0%%", n)
	}
	return ""
}
