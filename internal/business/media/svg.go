package media

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"kontor/internal/foundation/lazy"
)

// Names by which XML calls what we let pass.
const (
	svgSpace   = "http://www.w3.org/2000/svg"
	xlinkSpace = "http://www.w3.org/1999/xlink"
	xmlSpace   = "http://www.w3.org/XML/1998/namespace"
)

// maxDepth is how deeply a drawing may nest: deeper ones are made to break whoever shows them.
const maxDepth = 200

// drawing is an SVG that was made harmless.
type drawing struct {
	data          []byte
	width, height int // pixels; 0 where the drawing does not say
}

// cleanSVG writes a drawing anew from what an allow-list knows: shapes, texts, gradients, filters, style that reaches
// nothing outside. Scripts, event handlers, foreign objects, animation, links, references to other places, comments,
// processing instructions and a document type are not on it, so they are gone whatever they look like. Its error says
// why data is no drawing. Cleaning what is clean changes nothing.
func cleanSVG(data []byte) (drawing, error) {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	d.CharsetReader, d.Entity = decodedFrom, map[string]string{}
	c := &cleaner{}
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if doctype, ok := t.(xml.Directive); ok && bytes.Count(data, []byte("&")) < mostReferences {
			for _, e := range entity().FindAllSubmatch(doctype, -1) {
				d.Entity[string(e[1])] = string(e[2])
			}
		}
		if err == nil {
			err = c.take(t)
		}
		if err != nil {
			return drawing{}, err
		}
	}
	if !c.begun {
		return drawing{}, errors.New("it holds no drawing")
	}
	c.drawing.data = c.out.Bytes()
	return c.drawing, nil
}

// mostReferences is how many references a drawing may hold that names texts of its own in its document type, as those
// of Illustrator do with the addresses of name spaces: what they stand for comes to a megabyte at most.
const mostReferences = 10_000

// entity is such a text with its name. It holds no markup and no other.
var entity = lazy.Regexp(`<!ENTITY\s+([A-Za-z_][\w.-]*)\s+"([^"&%<]{0,100})"\s*>`)

// decodedFrom reads a drawing that says it is written otherwise than in UTF-8.
func decodedFrom(encoding string, in io.Reader) (io.Reader, error) {
	e, err := htmlindex.Get(encoding)
	if err != nil {
		return nil, fmt.Errorf("its encoding %q is unknown", encoding)
	}
	return e.NewDecoder().Reader(in), nil
}

// cleaner writes what may stay of the tokens it is given.
type cleaner struct {
	out     bytes.Buffer
	open    []string      // elements written and not yet closed
	hidden  int           // depth below the topmost element that was left out
	style   *bytes.Buffer // text of the style element we are in
	begun   bool
	drawing drawing
}

func (c *cleaner) take(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		return c.start(t)
	case xml.EndElement:
		c.end()
	case xml.CharData:
		switch {
		case c.hidden > 0 || len(c.open) == 0:
		case c.style != nil:
			c.style.Write(t)
		default:
			writeEscaped(&c.out, string(t), false)
		}
	}
	return nil
}

func (c *cleaner) start(t xml.StartElement) error {
	if len(c.open)+c.hidden > maxDepth {
		return fmt.Errorf("its elements nest more than %d deep", maxDepth)
	}
	name, known := elements[t.Name.Local]
	if t.Name.Space != svgSpace && t.Name.Space != "" {
		known = false
	}
	if len(c.open) == 0 && c.hidden == 0 {
		if !known || name != "svg" || c.begun {
			return errors.New("its one outermost element must be svg")
		}
		c.begun = true
		c.drawing.width, c.drawing.height = extent(t.Attr)
	}
	if c.hidden > 0 || !known || c.style != nil {
		c.hidden++
		return nil
	}
	c.out.WriteString("<" + name)
	if len(c.open) == 0 {
		c.out.WriteString(` xmlns="` + svgSpace + `" xmlns:xlink="` + xlinkSpace + `"`)
	}
	c.attributes(name, t.Attr)
	c.out.WriteByte('>')
	c.open = append(c.open, name)
	if name == "style" {
		c.style = &bytes.Buffer{}
	}
	return nil
}

func (c *cleaner) end() {
	if c.hidden > 0 {
		c.hidden--
		return
	}
	name := c.open[len(c.open)-1]
	c.open = c.open[:len(c.open)-1]
	if c.style != nil {
		if css := c.style.String(); harmless(css) {
			writeEscaped(&c.out, css, false)
		}
		c.style = nil
	}
	c.out.WriteString("</" + name + ">")
}

// attributes writes those of an element that may stay, each once.
func (c *cleaner) attributes(element string, list []xml.Attr) {
	written := map[string]bool{}
	for _, a := range list {
		name := a.Name.Local
		switch a.Name.Space {
		case "":
		case xlinkSpace:
			name = "xlink:" + name
		case "xml", xmlSpace:
			name = "xml:" + name
		default:
			continue
		}
		value, ok := kept(element, name, a.Value)
		if !ok || written[name] {
			continue
		}
		written[name] = true
		c.out.WriteString(" " + name + `="`)
		writeEscaped(&c.out, value, true)
		c.out.WriteByte('"')
	}
}

// kept is the value of an attribute as it may stay.
func kept(element, name, value string) (string, bool) {
	switch {
	case name == "href" || name == "xlink:href":
		if element == "image" {
			return picture(value)
		}
		return value, refers[element] && fragment().MatchString(value)
	case strings.HasPrefix(name, "aria-"):
		return value, plainName(name)
	case !attributes[name]:
		return "", false
	case isName[name]:
		return value, true
	}
	return value, harmless(value)
}

func plainName(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz-") == ""
}

// picture is the value of an image's reference that holds a picture itself, in a form that cannot run.
func picture(value string) (string, bool) {
	media, text, ok := strings.Cut(strings.TrimSpace(value), ";base64,")
	switch media {
	case "data:image/png", "data:image/jpeg", "data:image/jpg", "data:image/gif", "data:image/webp":
	default:
		return "", false
	}
	text = strings.Join(strings.Fields(text), "")
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
	return media + ";base64," + text, ok && strings.Trim(text, alphabet) == ""
}

// writeEscaped writes text so that it reads back as it is.
func writeEscaped(b *bytes.Buffer, s string, attribute bool) {
	from := 0
	for i := range len(s) {
		var as string
		switch s[i] {
		case '&':
			as = "&amp;"
		case '<':
			as = "&lt;"
		case '>':
			as = "&gt;"
		case '\r':
			as = "&#xD;"
		case '"', '\n', '\t':
			if !attribute {
				continue
			}
			as = map[byte]string{'"': "&#34;", '\n': "&#xA;", '\t': "&#x9;"}[s[i]]
		default:
			continue
		}
		b.WriteString(s[from:i])
		b.WriteString(as)
		from = i + 1
	}
	b.WriteString(s[from:])
}

// extent is the size of a drawing in pixels: its width and height, else those of its view box.
func extent(list []xml.Attr) (width, height int) {
	var w, h, bw, bh float64
	for _, a := range list {
		if a.Name.Space != "" {
			continue
		}
		switch a.Name.Local {
		case "width":
			w = pixels(a.Value)
		case "height":
			h = pixels(a.Value)
		case "viewBox":
			if f := strings.FieldsFunc(a.Value, func(r rune) bool {
				return r == ',' || r == ' ' || r == '\n' || r == '\t'
			}); len(f) == 4 {
				bw, bh = pixels(f[2]), pixels(f[3])
			}
		}
	}
	switch {
	case w > 0 && h > 0:
	case bw <= 0 || bh <= 0:
		return 0, 0
	case w > 0:
		h = w * bh / bw
	case h > 0:
		w = h * bw / bh
	default:
		w, h = bw, bh
	}
	if w < 0.5 || h < 0.5 || w > 1e6 || h > 1e6 {
		return 0, 0
	}
	return int(math.Round(w)), int(math.Round(h))
}

// perUnit are the pixels of the absolute units of CSS (CSS Values and Units, section 6.2: 1in = 96px).
var perUnit = map[string]float64{"": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "pt": 96.0 / 72, "pc": 16}

// pixels reads a length; 0 where it is none, or relative to something.
func pixels(s string) float64 {
	s = strings.TrimSpace(s)
	number := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz%")
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0
	}
	return n * perUnit[s[len(number):]]
}
