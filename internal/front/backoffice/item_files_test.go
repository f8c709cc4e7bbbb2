package backoffice_test

import (
	"bytes"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kontor/internal/business/identity"
)

func drawing(t *testing.T, width int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, width))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// pictures are the names below the pictures of a page, in their order.
func (b *browser) pictures() (out []string) {
	walk(b.doc, func(n *html.Node) {
		if n.Data == "span" && attr(n, "class") == "name" && n.Parent.Data == "a" {
			out = append(out, inner(n))
		}
	})
	return out
}

// act presses the button of a name.
func (b *browser) act(name string) {
	b.t.Helper()
	button := b.find(func(n *html.Node) bool { return n.Data == "button" && attr(n, "aria-label") == name })
	if button == nil {
		b.t.Fatalf("%s has no button %q", b.at, name)
	}
	b.submit(attr(button.Parent, "action"))
}

// A file is called as on the machine that it comes from, inches included.
func TestAFileKeepsItsName(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.get("/items/A-100/files/new")
	b.send("/items/A-100/files/new", "file", "Pipe 2%22 & 3%22.png", drawing(t, 40))
	if got := b.pictures(); !slices.Equal(got, []string{`Pipe 2" & 3".png`}) {
		t.Errorf("the item has %q", got)
	}
}

func TestAnItemHasPictures(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		const adding = "/items/A-100/files/new"
		for i, name := range []string{"front.png", "side.png", "back.png"} {
			b.get(adding)
			b.send(adding, "file", name, drawing(t, 40+i))
			b.see("The file is added.", name, "Not described yet")
		}
		b.get(adding)
		b.send(adding, "file", "sheet.pdf", []byte("%PDF-1.7\n%%EOF\n"), "title", "Data sheet")
		if got := b.pictures(); !slices.Equal(got, []string{"front.png", "side.png", "back.png", "Data sheet"}) {
			t.Fatalf("the item has %q", got)
		}
		b.act("Earlier: back.png")
		b.act("Later: front.png")
		if got := b.pictures(); !slices.Equal(got, []string{"back.png", "front.png", "side.png", "Data sheet"}) {
			t.Errorf("moved, they are %q", got)
		}
		describe := b.find(func(n *html.Node) bool { return attr(n, "aria-label") == "Describe: side.png" })
		b.get(attr(describe, "href"))
		b.submit(attr(describe, "href"), "title", "Side", "altText", "The hammer from the side", "isPrimary", "on")
		b.see("Saved.", "Side")
		shown := b.find(func(n *html.Node) bool {
			return n.Data == "img" && attr(n, "alt") == "The hammer from the side"
		})
		if shown == nil || !strings.HasPrefix(attr(shown, "src"), "/media/") {
			t.Fatal("the description is not the picture's")
		}
		if mark := b.find(byClass("tone-calm")); mark == nil || !strings.Contains(inner(mark.Parent.Parent), "Side") {
			t.Error("the main picture is not marked")
		}
		b.act("Remove: Side")
		b.see("The file is removed.", "Main picture") // the first that is left
		if got := b.pictures(); !slices.Equal(got, []string{"back.png", "front.png", "Data sheet"}) {
			t.Errorf("without the side they are %q", got)
		}
		b.get(adding)
		b.send(adding, "file", "notes.txt", []byte("nothing to look at"))
		b.see("the content of the file is of none of the accepted types")
		b.get("/items/nothing/files/new")
		if b.status != 404 {
			t.Errorf("an item that is none: %d", b.status)
		}
		viewer := o.signedIn("vera@acme.test", identity.Viewer)
		viewer.get("/items/A-100")
		viewer.see("front.png")
		viewer.miss("Describe", "Earlier", "Add a picture")
		if viewer.find(func(n *html.Node) bool { return n.Data == "button" && inner(n) == "Remove" }) != nil {
			t.Error("who may only look is offered to remove pictures")
		}
	})
}
