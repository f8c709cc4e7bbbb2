package media

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// inside is what is left of a drawing's inside.
func inside(t *testing.T, text string) string {
	t.Helper()
	d, err := cleanSVG([]byte(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">` +
		text + `</svg>`))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	_, left, _ := strings.Cut(string(d.data), ">")
	return strings.TrimSuffix(left, "</svg>")
}

func TestDrawingsLoseWhatRunsOrReachesOutside(t *testing.T) {
	for text, want := range map[string]string{
		`<path d="M0 0L1 1" fill="#f00"/>`:                                                             `<path d="M0 0L1 1" fill="#f00"></path>`,
		`<script>alert(1)</script><g/>`:                                                                `<g></g>`,
		`<g><SCRIPT/><rect onclick="x()" onload="y()" width="1"/></g>`:                                 `<g><rect width="1"></rect></g>`,
		`<foreignObject><div xmlns="http://www.w3.org/1999/xhtml"><p/></div></foreignObject>`:          ``,
		`<a href="javascript:x()" xlink:href="https://e"><text>Hi &amp; bye</text></a>`:                `<g><text>Hi &amp; bye</text></g>`,
		`<use href="#a"/><use xlink:href="#b"/>`:                                                       `<use href="#a"></use><use xlink:href="#b"></use>`,
		`<use href="https://evil/x.svg#a"/><use href="data:image/svg+xml,x#a"/>`:                       `<use></use><use></use>`,
		`<image href="https://evil/x.png"/><image href="file:///etc/passwd"/>`:                         `<image></image><image></image>`,
		`<image xlink:href="data:image/png;base64,AA BB=="/>`:                                          `<image xlink:href="data:image/png;base64,AABB=="></image>`,
		`<image href="data:image/svg+xml;base64,AAAA"/><image href="data:image/png,x"/>`:               `<image></image><image></image>`,
		`<animate attributeName="href" to="javascript:x()"/><set/>`:                                    ``,
		`<rect fill="url(#g)" stroke="url('#h')" transform="rotate(45 1 1)"/>`:                         `<rect fill="url(#g)" stroke="url('#h')" transform="rotate(45 1 1)"></rect>`,
		`<rect fill="url(https://evil)" filter="URL( 'x.svg#f' )"/>`:                                   `<rect></rect>`,
		`<rect style="fill:red;background:url(//evil)"/><rect style="fill:rgb(1,2,3)"/>`:               `<rect></rect><rect style="fill:rgb(1,2,3)"></rect>`,
		`<rect style="background:u\72l(//evil)"/>`:                                                     `<rect></rect>`,
		`<style>.a{fill:#fff}.b>c{mask:url(#m)}</style>`:                                               `<style>.a{fill:#fff}.b&gt;c{mask:url(#m)}</style>`,
		`<style>@import "https://evil";</style>`:                                                       `<style></style>`,
		`<style>@media print{a{fill:red}}</style>`:                                                     `<style>@media print{a{fill:red}}</style>`,
		`<style>a{content:"/*";fill:url(//evil);content:"*/"}</style>`:                                 `<style></style>`,
		`<style>a{fill:image-set("//evil" 1x)}</style>`:                                                `<style></style>`,
		`<style>a{fill:red}<script/><![CDATA[b{fill:url(//evil)}]]></style>`:                           `<style></style>`,
		`<!-- c --><?php x ?><metadata><x/></metadata><unknown><rect/></unknown>`:                      ``,
		`<x:rect xmlns:x="http://www.w3.org/2000/svg" x="1"/><y:rect xmlns:y="urn:y"/>`:                `<rect x="1"></rect>`,
		`<g id="Layer (1)" class="a(b)" aria-label="(x)" aria-X="1" data-x="1" xml:space="preserve"/>`: `<g id="Layer (1)" class="a(b)" aria-label="(x)" xml:space="preserve"></g>`,
		`<rect x="1" x="2" title="&quot;&#10;&lt;"/><text lang="&quot;&#10;&lt;">&#13;</text>`:         `<rect x="1"></rect><text lang="&#34;&#xA;&lt;">&#xD;</text>`,
		`<svg onload="x()"><g/></svg>`:                                                                 `<svg><g></g></svg>`,
	} {
		if got := inside(t, text); got != want {
			t.Errorf("%s\n became %s\n wanted %s", text, got, want)
		}
	}
}

func TestWhatIsNoDrawing(t *testing.T) {
	for _, text := range []string{"", "x", "<html/>", "<svg>", "<svg/><svg/>", `<svg xmlns="urn:other"/>`,
		"<svg>&nbsp;</svg>", "<svg>\xff</svg>",
		`<?xml version="1.0" encoding="utf-16"?><svg/>`, "<svg>" + strings.Repeat("<g>", 300) +
			strings.Repeat("</g>", 300) + "</svg>", "<!DOCTYPE svg [<!ENTITY x 'y'>]><svg>&x;</svg>",
		"<svg>" + strings.Repeat("<x>", 300) +
			strings.Repeat("</x>", 300) + "</svg>"} {
		if d, err := cleanSVG([]byte(text)); err == nil {
			t.Errorf("%.60q passed as %s", text, d.data)
		}
	}
}

// Illustrator names the addresses of name spaces in the document type, and other programs write what Windows does.
func TestDrawingsOfOlderPrograms(t *testing.T) {
	for text, want := range map[string]string{
		`<?xml version="1.0" encoding="utf-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd" [
			<!ENTITY ns_svg "http://www.w3.org/2000/svg">
			<!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">
		]><svg xmlns="&ns_svg;" xmlns:i="&ns_ai;" width="8" height="6"><i:pgf/><g i:extraneous="self"/></svg>`: "<g></g>",
		"<?xml version='1.0' encoding='windows-1252'?><svg width='8' height='6'><text>K\xf6ln \x80</text></svg>": "<text>Köln €</text>",
	} {
		d, err := cleanSVG([]byte(text))
		if err != nil || d.width != 8 || !strings.Contains(string(d.data), ">"+want+"</svg>") {
			t.Errorf("%.60s became %s: %v", text, d.data, err)
		}
	}
	many := `<!DOCTYPE svg [<!ENTITY x "` + strings.Repeat("y", 100) + `">]><svg><text>` + strings.Repeat("&x;", 1<<20)
	if d, err := cleanSVG([]byte(many + "</text></svg>")); err == nil {
		t.Errorf("a drawing of 3 MB became one of %d", len(d.data))
	}
}

func TestExtentOfDrawings(t *testing.T) {
	for attributes, want := range map[string][2]int{
		`width="120" height="80"`:            {120, 80},
		`width="120px" height=" 80.6px "`:    {120, 81},
		`width="1in" height="2.54cm"`:        {96, 96},
		`width="100%" viewBox="0 0 24 48"`:   {24, 48},
		`width="48" viewBox="0,0,24,48"`:     {48, 96},
		`height="48" viewBox="0 0 24 48"`:    {24, 48},
		`width="100%"`:                       {},
		`width="x" height="1"`:               {},
		`width="1e400" height="NaN"`:         {},
		`viewBox="0 0 -1 5"`:                 {},
		`width="99999999" height="99999999"`: {},
	} {
		d, err := cleanSVG([]byte("\ufeff<?xml version='1.0'?><!DOCTYPE svg>\n<svg " + attributes + "/>"))
		if got := [2]int{d.width, d.height}; err != nil || got != want {
			t.Errorf("%s: %v %v, want %v", attributes, got, err, want)
		}
	}
}

// Whatever comes in, what comes out is a drawing of known parts that reaches nowhere, and clean already.
func FuzzDrawing(f *testing.F) {
	for _, s := range []string{`<svg onload="x"><script/></svg>`,
		`<svg xmlns:x="http://www.w3.org/1999/xlink"><use x:href="#a" x:href="//b"/></svg>`,
		`<svg><style>a{b:url(#c)}</style></svg>`,
		`<svg><a:b xmlns:a="http://www.w3.org/2000/svg"/><image href="data:image/png;base64,AA"/></svg>`,
		`<svg><rect style="a:url(//b)" fill='u&#114;l(x)'/><![CDATA[<script>]]></svg>`,
		`<svg><text>&#60;script&#62;</text></svg>`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		clean, err := cleanSVG(data)
		if err != nil {
			return
		}
		again, err := cleanSVG(clean.data)
		if err != nil || !bytes.Equal(again.data, clean.data) {
			t.Fatalf("not clean at once (%v):\n%s\n%s", err, clean.data, again.data)
		}
		d := xml.NewDecoder(bytes.NewReader(clean.data))
		for {
			token, err := d.RawToken()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatalf("%v: %s", err, clean.data)
			}
			e, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			if name, known := elements[e.Name.Local]; !known || name != e.Name.Local || e.Name.Space != "" {
				t.Fatalf("element %v: %s", e.Name, clean.data)
			}
			for _, a := range e.Attr {
				value := strings.ToLower(strings.Join(strings.Fields(a.Value), ""))
				switch name := a.Name.Local; {
				case name == "xmlns" || a.Name.Space == "xmlns":
				case strings.HasPrefix(strings.ToLower(name), "on"):
					t.Fatalf("event handler: %s", clean.data)
				case name == "href" && !strings.HasPrefix(value, "#") && !strings.HasPrefix(value, "data:image/"):
					t.Fatalf("reference %q: %s", a.Value, clean.data)
				case !isName[name] && !strings.HasPrefix(name, "aria-") &&
					strings.Contains(strings.NewReplacer("url(#", "", `url("#`, "", "url('#", "").Replace(value),
						"url("):
					t.Fatalf("style reaches outside %q: %s", a.Value, clean.data)
				}
			}
		}
	})
}
