package paper

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"image"
	"image/color"
	"image/png"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kontor/internal/business/paper/papertest"
)

// streamOf is what the stream of an object holds.
func streamOf(t *testing.T, object []byte) []byte {
	t.Helper()
	head, rest, found := bytes.Cut(object, []byte("\nstream\n"))
	length := regexp.MustCompile(`/Length (\d+)`).FindSubmatch(head)
	if !found || length == nil {
		t.Fatalf("no stream: %.200q", object)
	}
	n, _ := strconv.Atoi(string(length[1]))
	if n > len(rest) || !bytes.HasPrefix(rest[n:], []byte("\nendstream\n")) {
		t.Fatalf("a stream of %d bytes does not end there", n)
	}
	if !bytes.Contains(head, []byte("/FlateDecode")) {
		return rest[:n]
	}
	r, err := zlib.NewReader(bytes.NewReader(rest[:n]))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A booked invoice is a PDF/A-3: it says so, and what its colours and fonts mean; inside lies the electronic invoice,
// and on it stands what stood on it before. The same invoice is the same file.
func TestABookedInvoiceIsForArchives(t *testing.T) {
	s, r, i := sender(), receiver("de"), invoice()
	plain, err := Invoice(s, r, i)
	if err != nil {
		t.Fatal(err)
	}
	e := enclosed{File{Name: "invoice-1001.xml", Body: []byte("<Invoice>é</Invoice>")}, "text/xml", "2026-11-22"}
	about := described{"Rechnung <1001>", "Fjäll & Skog", "de"}
	body, err := archive(plain.Body, about, e)
	if err != nil {
		t.Fatal(err)
	}
	again, err := archive(plain.Body, about, e)
	if err != nil || !bytes.Equal(body, again) {
		t.Errorf("the same invoice is another file: %v", err)
	}
	if !bytes.HasPrefix(body, []byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")) || !bytes.HasSuffix(body, []byte("\n%%EOF\n")) {
		t.Error("the file does not begin and end as a PDF does")
	}
	if !regexp.MustCompile(`/ID \[<[0-9a-f]{32}> <[0-9a-f]{32}>\]`).Match(body) || bytes.Contains(body, []byte("/Encrypt")) {
		t.Error("the file has no name, or a password")
	}
	objects, err := objectsOf(body)
	if err != nil {
		t.Fatal(err)
	}
	object := func(key, in string) []byte {
		m := regexp.MustCompile(key + ` (\d+) 0 R`).FindStringSubmatch(in)
		if m == nil {
			t.Fatalf("no %s in %s", key, in)
		}
		n, _ := strconv.Atoi(m[1])
		return objects[n-1]
	}
	streams := 0
	for _, o := range objects {
		if bytes.Contains(o, []byte("\nstream\n")) {
			streamOf(t, o)
			streams++
		}
	}
	if ends := bytes.Count(body, []byte("endstream\n")); streams == 0 || ends != streams {
		t.Errorf("%d streams with %d ends", streams, ends)
	}
	root := string(objects[0])
	said := streamOf(t, object("/Metadata", root))
	var any struct{ XMLName xml.Name }
	if err := xml.Unmarshal(said, &any); err != nil || any.XMLName.Local != "xmpmeta" {
		t.Errorf("the metadata are no XML: %v", err)
	}
	for _, want := range []string{"<pdfaid:part>3</pdfaid:part>", "<pdfaid:conformance>B</pdfaid:conformance>",
		"Rechnung &lt;1001&gt;", "Fjäll &amp; Skog"} {
		if !strings.Contains(string(said), want) {
			t.Errorf("the metadata do not say %s", want)
		}
	}
	if got := streamOf(t, object("/DestOutputProfile", root)); !bytes.Equal(got, sRGB()) {
		t.Error("the colours mean something else")
	}
	inside := string(object(`/AF \[`, strings.ReplaceAll(root, "/AF [", "/AF [ ")))
	if !strings.Contains(inside, "/AFRelationship /Alternative") || !strings.Contains(root, "/EmbeddedFiles") {
		t.Errorf("what the file inside is, is not said: %s", inside)
	}
	if got := streamOf(t, object("/EF << /F", inside)); !bytes.Equal(got, e.Body) {
		t.Errorf("inside lies %q", got)
	}
	fonts := bytes.Count(body, []byte("/Subtype /CIDFontType2"))
	if fonts == 0 || fonts != bytes.Count(body, []byte("/CIDToGIDMap /Identity")) ||
		fonts != bytes.Count(body, []byte("/FontFile2 ")) {
		t.Errorf("%d fonts, and not all of them are inside with their glyphs", fonts)
	}
	before, err := papertest.Text(plain.Body)
	if err != nil {
		t.Fatal(err)
	}
	if after, err := papertest.Text(body); err != nil || after != before {
		t.Errorf("another text stands on it: %v\n%s", err, after)
	}
}

// The profile is one by its own account: sizes and places of its parts add up.
func TestTheColoursHaveAProfile(t *testing.T) {
	p, be := sRGB(), binary.BigEndian
	if int(be.Uint32(p)) != len(p) || string(p[12:24]) != "mntrRGB XYZ " || string(p[36:40]) != "acsp" {
		t.Errorf("the head says %q, %d bytes of %d", p[12:24], be.Uint32(p), len(p))
	}
	for n := range int(be.Uint32(p[128:])) {
		tag := p[132+12*n:]
		at, size := int(be.Uint32(tag[4:])), int(be.Uint32(tag[8:]))
		if at%4 != 0 || at < 132+12*9 || at+size > len(p) {
			t.Errorf("%s lies at %d, %d bytes", tag[:4], at, size)
		}
	}
}

// What is no print of gopdf's is refused, wherever it breaks off.
func TestWhatIsNoPrintIsNotArchived(t *testing.T) {
	f, err := Invoice(sender(), receiver("en"), invoice())
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(f.Body)-1; n += 1 + n/50 {
		if _, err := archive(f.Body[:n], described{}); err == nil {
			t.Fatalf("the first %d bytes are archived", n)
		}
	}
	for _, garbage := range []string{"", "startxref\n0\n%%EOF\n", "xref\n0 9\nstartxref\n0\n%%EOF\n",
		"startxref\n-1\n%%EOF\n", "xref\n0 99999999999999999999\nstartxref\n0\n%%EOF\n"} {
		if _, err := archive([]byte(garbage), described{}); err == nil {
			t.Errorf("%q is archived", garbage)
		}
	}
}

// printersJPEG is a picture of 8 by 8 points in cyan, magenta, yellow and black.
const printersJPEG = "/9j/7gAOQWRvYmUAZAAAAAAC/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBtUVdfYmdo" +
	"Zz5NcXlwZHhcZWdj/9sAQwEREhIYFRgvGhovY0I4QmNjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj" +
	"Y2NjY2Nj/8AAFAgACAAIBAEiAAIRAQMRAQQiAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAFB//EABQQAQAAAAAAAAAAAAAAAAAAAAD/" +
	"xAAVAQEBAAAAAAAAAAAAAAAAAAAFBv/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAOBAEAAhEDEQQAAD8AkAK4I0AB/9k="

// interlacedPNG is a picture of 8 by 8 points whose lines come in seven passes.
const interlacedPNG = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAAE8ahlKAAAAb0lEQVR42hWNSREAMAgDURIlKFklKIkSlERRKTM8clcVNfc1" +
	"zFBd7KEe9lA13UyzfWDpZZZdSgWFi5xbDY2bnE0Dg4dcgRYWL7lMCYkWiBEWK6ITPnMN/y7tnyE3UEam/bkxNmviE4JC59sm" +
	"OGxIeAkGSwFngmKxAAAAAElFTkSuQmCC"

// A logo in the colours of printers, in finer ones than screens show, or with its lines out of order is put on the
// paper in those of screens.
func TestALogoOfEveryKind(t *testing.T) {
	finer := image.NewNRGBA64(image.Rect(3, 3, 11, 11))
	var b bytes.Buffer
	if err := png.Encode(&b, finer); err != nil {
		t.Fatal(err)
	}
	printers, interlaced := decoded(t, printersJPEG), decoded(t, interlacedPNG)
	if c, _, err := image.DecodeConfig(bytes.NewReader(printers)); err != nil || c.ColorModel != color.CMYKModel {
		t.Fatalf("the logo is none of printers: %v", err)
	}
	for name, logo := range map[string][]byte{"printers": printers, "16 bits": b.Bytes(), "interlaced": interlaced} {
		p := newSheet(sender(), receiver("en"))
		if !p.picture(logo, 10, 10, 50, 50) {
			t.Errorf("%s: no picture: %v", name, p.err)
			continue
		}
		f, err := p.file("x")
		if err != nil || bytes.Contains(f.Body, []byte("/DeviceCMYK")) || !bytes.Contains(f.Body, []byte("/DeviceRGB")) {
			t.Errorf("%s: the logo keeps its colours: %v", name, err)
		}
	}
}

func decoded(t *testing.T, in64 string) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(in64)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A file inside is found by its name, whatever letters that has.
func TestTheNameOfAFileInside(t *testing.T) {
	for name, want := range map[string]string{"invoice-1.xml": "(invoice-1.xml)", `a(\)`: `(a\(\\\))`,
		"Ä𝄞": "<feff00c4d834dd1e>"} {
		if got := literal(name); got != want {
			t.Errorf("%s is written %s, not %s", name, got, want)
		}
	}
}
