package mailing

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"kontor/internal/foundation/lazy"
)

// Absolute is a letter's text with addresses within the store made whole: who reads a mail is not there.
func Absolute(text, base string) string { return whole(text, base, "href", "src") }

// Linked is a text whose links alone lead into the store, for who reads it elsewhere and has its pictures there.
func Linked(text, base string) string { return whole(text, base, "href") }

// whole puts base before the paths of attributes.
func whole(text, base string, attributes ...string) string {
	var b strings.Builder
	for z := html.NewTokenizer(strings.NewReader(text)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return b.String()
		}
		raw := string(z.Raw())
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			b.WriteString(raw)
			continue
		}
		t, changed := z.Token(), false
		for i, a := range t.Attr {
			if slices.Contains(attributes, a.Key) && strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "//") {
				t.Attr[i].Val, changed = strings.TrimSuffix(base, "/")+a.Val, true
			}
		}
		if changed {
			raw = t.String()
		}
		b.WriteString(raw)
	}
}

// breaks are the elements that begin a line of their own.
var breaks = []string{"p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "table", "ul", "ol",
	"hr", "br", "figure"}

var spaces = lazy.Regexp(`\s+`)

var blanks = lazy.Regexp(`[ \t]*\n[ \t]*`)

var manyBlank = lazy.Regexp(`\n{3,}`)

// Plain is a letter's text for who reads no HTML: links stand in brackets behind what they are called.
func Plain(text, base string) string {
	var b strings.Builder
	var leads []string
	for z := html.NewTokenizer(strings.NewReader(Absolute(text, base))); ; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return strings.TrimSpace(manyBlank().ReplaceAllString(blanks().ReplaceAllString(b.String(), "\n"), "\n\n"))
		case html.TextToken:
			b.WriteString(spaces().ReplaceAllString(string(z.Text()), " "))
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch {
			case t.Data == "a":
				leads = append(leads, attr(t, "href"))
			case t.Data == "li":
				b.WriteString("\n- ")
			case t.Data == "img" && attr(t, "alt") != "":
				b.WriteString("[" + attr(t, "alt") + "]")
			case t.Data == "p" || strings.HasPrefix(t.Data, "h"):
				b.WriteString("\n\n")
			case slices.Contains(breaks, t.Data):
				b.WriteString("\n")
			}
		case html.EndTagToken:
			t := z.Token()
			if n := len(leads); t.Data == "a" && n > 0 {
				if leads[n-1] != "" {
					b.WriteString(" (" + leads[n-1] + ")")
				}
				leads = leads[:n-1]
			} else if slices.Contains(breaks, t.Data) {
				b.WriteString("\n")
			}
		}
	}
}

func attr(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
