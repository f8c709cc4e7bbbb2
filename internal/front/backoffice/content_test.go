package backoffice_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/net/html"

	"kontor/internal/business/content"
	"kontor/internal/business/identity"
)

func painted(c color.Color) []byte {
	p := image.NewRGBA(image.Rect(0, 0, 640, 400))
	for x := range 640 {
		for y := range 400 {
			p.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	png.Encode(&b, p)
	return b.Bytes()
}

// store is a channel with an item shown in it, and a picture in its library.
func store(b *browser) {
	b.t.Helper()
	goods(b)
	b.get("/new/publications")
	b.submit("/new/publications", "itemNumber", "A-100", "channelCode", "WEB")
	b.get("/libraries/WEB/new")
	b.send("/libraries/WEB/new", "file", "oak.png", painted(color.RGBA{90, 140, 60, 255}), "altText",
		"An oak in summer", "focusX", "80", "focusY", "20")
	b.see("The picture is added.", "oak.png")
}

// A page is written from nothing: its head, sections with forms of their own, another order, a refusal beside its
// field, publication, another address, versions and what was before.
func TestPagesAreWritten(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		store(b)
		picture := inner(b.find(func(n *html.Node) bool { return n.Data == "code" && has(n, "data-copy") }))
		b.get("/new/pages")
		b.submit("/new/pages", "title", "About us", "slug", "About Us", "channelCode", "WEB")
		b.see("may hold lower-case letters", "about-us")
		b.submit("/new/pages", "slug", "about-us", "tags", "Company\nPeople\ncompany")
		b.see("The page is made, as a draft.", "Draft", "Company, People")

		b.get("/pages/WEB/about-us/sections/new/Hero")
		b.submit("/pages/WEB/about-us/sections/new/Hero", "title", "Welcome", "heroImageUrl", "javascript:alert(1)",
			"buttons[0].text", "Buy", "buttons[0].url", "//evil.example")
		if b.status != 422 {
			t.Errorf("an address that runs is taken: %d", b.status)
		}
		for name, want := range map[string]string{"heroImageUrl": "must be an http or https address",
			"buttons[0].url": "must be an http or https address"} {
			field := b.find(byName(name))
			if said := inner(b.find(func(n *html.Node) bool {
				return attr(n, "id") == attr(field, "id")+"-error"
			})); !strings.Contains(said, want) {
				t.Errorf("beside %s stands %q", name, said)
			}
		}
		b.submit("/pages/WEB/about-us/sections/new/Hero", "heroImageUrl", picture, "buttons[0].url", "/sale")
		b.see("The section is added.", "Welcome")
		b.get("/pages/WEB/about-us/sections/new/Products")
		b.submit("/pages/WEB/about-us/sections/new/Products", "productNumbers[0].code", "A-100",
			"productNumbers[1].code", "nothing")
		b.see("no item has the number")
		b.submit("/pages/WEB/about-us/sections/new/Products", "title", "Our best", "productNumbers[1].code", "")
		b.get("/pages/WEB/about-us/sections/new/Gallery")
		b.submit("/pages/WEB/about-us/sections/new/Gallery", "galleryImages[0].imageUrl", picture)
		b.see("The section is added.", "Gallery")
		entries := func() (out []string) {
			walk(b.doc, func(n *html.Node) {
				if n.Data == "div" && attr(n, "class") == "what" {
					out = append(out, strings.Fields(inner(n))[0])
				}
			})
			return out
		}
		if got := fmt.Sprint(entries()); got != "[Welcome Our Gallery]" {
			t.Errorf("the sections are %s", got)
		}
		moves := func(place int) string {
			at := ""
			walk(b.doc, func(n *html.Node) {
				if n.Data == "li" && attr(n, "data-place") == fmt.Sprint(place) {
					walk(n, func(f *html.Node) {
						if f.Data == "form" && strings.HasSuffix(attr(f, "action"), "/move") {
							at = attr(f, "action")
						}
					})
				}
			})
			return at
		}
		b.submit(moves(2), "to", "0")
		if got := fmt.Sprint(entries()); got != "[Gallery Welcome Our]" {
			t.Errorf("moved, the sections are %s", got)
		}
		b.submit(strings.TrimSuffix(moves(1), "/move") + "/hide")
		b.see("Hidden")
		b.get("/pages/WEB/about-us/preview")
		b.see("Our best", "Hammer")
		b.miss("Welcome")
		if !strings.Contains(b.text, `alt="An oak in summer"`) || !strings.Contains(b.text, "fx-80 fy-20") {
			t.Error("the picture does not say what it shows, or where its middle is")
		}
		b.get("/pages/WEB/about-us")
		b.submit("/pages/WEB/about-us/publish")
		b.see("Published")
		b.get("/pages/WEB/about-us/edit")
		b.submit("/pages/WEB/about-us/edit", "slug", "who-we-are", "title", "Who we are")
		b.see("Who we are")
		restores(t, b)
	})
}

// What a text links to within its store is the store's, also where the office shows it.
func TestLinksOfAPreviewLeadIntoTheStore(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		store(b)
		b.get("/stores/WEB/edit")
		b.submit("/stores/WEB/edit", "store.baseUrl", "https://shop.acme.test")
		b.get("/pages/WEB/-/sections/new/Text")
		b.submit("/pages/WEB/-/sections/new/Text", "title", "Hello", "htmlContent",
			`<p><a href="/terms">Terms</a> <a href="https://else.example/">Others</a></p>`)
		b.get("/pages/WEB/-/preview")
		for _, want := range []string{`href="https://shop.acme.test/terms"`, `href="https://else.example/"`} {
			if !strings.Contains(b.text, want) {
				t.Errorf("no link with %s", want)
			}
		}
	})
}

// restores lets the page be what it was before its first section was moved.
func restores(t *testing.T, b *browser) {
	t.Helper()
	if at := b.ends("/pages/WEB/who-we-are"); at != "/pages/WEB/who-we-are" {
		t.Fatal(at)
	}
	b.get("/pages/WEB/who-we-are/versions/3")
	b.see("Our best", "Welcome")
	b.get("/pages/WEB/who-we-are/versions/3/restore")
	b.submit("/pages/WEB/who-we-are/versions/3/restore")
	b.see("The version is in the draft", "About us", "Published", "Our best", "Unpublished draft")
	b.miss("Hidden")
	if b.find(func(n *html.Node) bool { return attr(n, "data-place") == "2" }) != nil {
		t.Error("the section that came later is still there")
	}
	b.get("/pages/WEB/who-we-are/versions/99")
	if b.status != 404 {
		t.Errorf("a version that never was answers %d", b.status)
	}
	b.get("/pages?type=Page&store=WEB&tag=people")
	b.see("About us")
}

// Every type of section has a form that asks for all that the type has, and nothing else; what the form shows empty is
// kept as nothing.
func TestEverySectionHasItsForm(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	store(b)
	for _, kind := range content.SectionType("").Values() {
		b.get("/pages/WEB/-/sections/new/" + string(kind))
		names := map[string]bool{}
		walk(b.doc, func(n *html.Node) {
			if name := attr(n, "name"); name != "" {
				name, _, _ = strings.Cut(name, "[")
				names[strings.SplitN(name, ".", 2)[0]] = true
				names[attr(n, "name")] = true
			}
		})
		for _, field := range kind.OwnFields() {
			if !names[field] {
				t.Errorf("the form of %s does not ask for %s", kind, field)
			}
		}
		for name := range names {
			if _, known := fieldOf(reflect.TypeFor[content.Section](), name); known &&
				!slices.Contains(kind.OwnFields(), name) &&
				!slices.Contains([]string{"title", "eyebrow", "subtitle", "lead", "alignment", "spacing", "tone",
					"anchor", "cssClass"}, name) {
				t.Errorf("the form of %s asks for %s, which it has not", kind, name)
			}
		}
		for _, nested := range nestedOf(kind) {
			if !names[nested] {
				t.Errorf("the form of %s does not ask for %s", kind, nested)
			}
		}
	}
	for _, kind := range []string{"Newsletter", "Text", "Brands", "Posts"} {
		b.get("/pages/WEB/-/sections/new/" + strings.Replace(kind, "Posts", "Articles", 1))
		b.submit("/pages/WEB/-/sections/new/" + strings.Replace(kind, "Posts", "Articles", 1))
		b.see("The section is added.")
	}
	const testimonials = "/pages/WEB/-/sections/new/Testimonials"
	b.get(testimonials)
	b.submit(testimonials, "testimonials[0].quote", "It leaks.", "testimonials[0].rating", "0")
	added := ""
	walk(b.doc, func(n *html.Node) {
		if at := attr(n, "href"); strings.Contains(at, "/sections/") && !strings.HasSuffix(at, "/new") {
			added = at
		}
	})
	b.get(added)
	if got := attr(b.find(byName("testimonials[0].rating")), "value"); got != "0" {
		t.Errorf("no star at all is kept as %q", got)
	}
}

func fieldOf(of reflect.Type, name string) (reflect.StructField, bool) {
	return of.FieldByNameFunc(func(n string) bool {
		f, _ := of.FieldByName(n)
		json, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return json == name
	})
}

// nestedOf are the fields within those of a type, as the first row of a form has them.
func nestedOf(kind content.SectionType) (out []string) {
	for _, field := range kind.OwnFields() {
		f, ok := fieldOf(reflect.TypeFor[content.Section](), field)
		if !ok {
			continue
		}
		var look func(of reflect.Type, at string)
		look = func(of reflect.Type, at string) {
			for of.Kind() == reflect.Pointer {
				of = of.Elem()
			}
			switch {
			case of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Struct:
				look(of.Elem(), at+"[0]")
			case of.Kind() == reflect.Struct && at != field || of.Kind() == reflect.Struct && f.Type.Elem().
				Kind() == reflect.Struct:
				for i := range of.NumField() {
					name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
					look(of.Field(i).Type, at+"."+name)
				}
			case strings.Contains(at, "."):
				out = append(out, strings.Replace(at, "properties", "properties[0].name", 1))
			}
		}
		look(f.Type, field)
	}
	return out
}

// Sections are moved by the keyboard and by dragging, and a picture is chosen from the library by sight.
func TestSectionsInABrowser(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	b := o.signedIn("anna@acme.test", identity.Admin)
	store(b)
	for _, kind := range []string{"Hero", "Text", "Faq"} {
		b.get("/pages/WEB/-/sections/new/" + kind)
		b.submit("/pages/WEB/-/sections/new/"+kind, "title", kind+"s")
	}
	w.do("sign in", w.to("/pages/WEB/-"), typed("email", "anna@acme.test"), typed("password", password+"\r"),
		said("[data-ordered]"))
	order := `[...document.querySelectorAll("[data-ordered] .what a")].map((a) => a.textContent).join(" ")`
	if got := w.ask(order); got != "Heros Texts Faqs" {
		t.Fatal(got)
	}
	first := w.ask(
		`document.querySelector("[data-ordered] .what a").focus(), document.activeElement.getAttribute("href").split("/").pop()`)
	w.do("down by the keyboard", chromedp.KeyEvent(kb.ArrowDown, chromedp.KeyModifiers(chromedp.ModifierAlt)),
		said(`[data-place="1"] a[href$="`+first+`"]`))
	if got := w.ask(order + ` + "|" + document.activeElement.textContent`); got != "Texts Heros Faqs|Heros" {
		t.Errorf("moved by the keyboard: %s", got)
	}
	last := w.ask(`document.querySelector("[data-place='2'] .what a").getAttribute("href").split("/").pop()`)
	w.do("dragging", chromedp.DragAndDrop(chromedp.CSS("[data-place='2']"), chromedp.CSS("[data-place='0']")))
	w.do("dragged", said(`[data-place="0"] a[href$="`+last+`"]`))
	w.do("the hero", click("[data-ordered] [data-place='2'] .what a"), said("#f-heroImageUrl"),
		click("#f-heroImageUrl ~ .choosing button"), said("dialog .pictures button"), click("dialog .pictures button"),
		chromedp.WaitNotPresent(chromedp.CSS("dialog")))
	got := ""
	for until := time.Now().Add(5 * time.Second); !strings.HasSuffix(got, " 160") && time.Now().Before(until); {
		got = w.ask(
			`document.querySelector("#f-heroImageUrl").value + " " + document.querySelector("#f-heroImageUrl ~ .choosing img").naturalWidth`)
	}
	if !strings.Contains(got, "/media/") || !strings.HasSuffix(got, " 160") {
		t.Errorf("the picture chosen is %q", got)
	}
	w.looksAt("content-hero")
	w.do("saving by Enter, in a form with rows", typed("title", "!\r"), said(".flash"))
	w.looksAt("content-page")
	w.do("preview", w.to("/pages/WEB/-/preview"), said(".shop img"))
	w.looksAt("content-preview")
}

// looksAt keeps what a page looks like at 1280 and at 390, where somebody asked for pictures, and says where it is
// wider than the window.
func (w *window) looksAt(name string) {
	w.t.Helper()
	folder := os.Getenv("KONTOR_SCREENSHOTS")
	for _, width := range []int64{1280, 390} {
		w.do("a window of another width", chromedp.EmulateViewport(width, 900))
		if got := w.ask("String(document.documentElement.scrollWidth <= innerWidth)"); got != "true" {
			w.t.Errorf("%s is wider than a window of %d", name, width)
		}
		if folder == "" {
			continue
		}
		picture, err := chromedp.Run(w.ctx, chromedp.FullScreenshot(100))
		if err == nil {
			err = os.WriteFile(fmt.Sprintf("%s/%s-%d.png", folder, name, width), picture, 0o600)
		}
		if err != nil {
			w.t.Error(err)
		}
	}
	w.do("the usual width", chromedp.EmulateViewport(1280, 900))
}
