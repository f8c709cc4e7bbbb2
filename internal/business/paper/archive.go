package paper

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/lazy"
)

// An archived paper says the same for as long as it must be kept: PDF/A-3, conformance B (ISO 19005-3:2012). Beside
// what is printed with gopdf (fonts embedded, no passwords, no scripts, nothing fetched) that wants
//   - metadata in XMP that name the part and the conformance (6.6.4),
//   - streams that end on a line of their own, beyond their length (6.1.7.1),
//   - what the colours mean, as an ICC profile (6.2.4),
//   - how characters of a font are found in it (CIDToGIDMap, 6.2.11.3.2),
//   - a name of the file itself (ID, 6.1.3),
//   - for each file inside what it is to the paper (AFRelationship, 6.8).

// enclosed is a file inside a paper.
type enclosed struct {
	File
	media string
	on    day.Date // of its last change
}

// described is what the metadata of a paper say.
type described struct{ title, author, language string }

var errNoPrint = errors.New("paper: what was printed is no PDF of gopdf's form")

// archive makes a printed paper one for archives. The same paper has the same bytes.
func archive(printed []byte, d described, files ...enclosed) ([]byte, error) {
	objects, err := objectsOf(printed)
	if err != nil {
		return nil, err
	}
	for i, o := range objects {
		o = bytes.Replace(o, []byte("/Subtype /CIDFontType2\n"),
			[]byte("/Subtype /CIDFontType2\n/CIDToGIDMap /Identity\n"), 1)
		objects[i] = ended(o)
	}
	add := func(o string) (reference string) {
		objects = append(objects, []byte(o))
		return strconv.Itoa(len(objects)) + " 0 R"
	}
	metadata := add(stream("/Type /Metadata /Subtype /XML", xmp(d)))
	colours := add(stream("/N 3 /Filter /FlateDecode", deflated(sRGB())))
	root := fmt.Sprintf("/Metadata %s /Lang %s\n/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFA1 "+
		"/OutputConditionIdentifier (sRGB IEC61966-2.1) /Info (sRGB IEC61966-2.1) /DestOutputProfile %s >>]\n",
		metadata, literal(d.language), colours)
	var names, parts []string
	for _, f := range files {
		part := add(specification(f, add(content(f))))
		names, parts = append(names, literal(f.Name)+" "+part), append(parts, part)
	}
	if len(files) > 0 {
		root += fmt.Sprintf("/AF [%s] /Names << /EmbeddedFiles << /Names [%s] >> >>\n", strings.Join(parts, " "),
			strings.Join(names, " "))
	}
	end := bytes.LastIndex(objects[0], []byte(">>"))
	if end < 0 || !bytes.Contains(objects[0], []byte("/Type /Catalog")) {
		return nil, errNoPrint
	}
	objects[0] = []byte(string(objects[0][:end]) + root + ">>\n")
	return assembled(objects), nil
}

var streamLength = lazy.Regexp(`/Length (\d+)`)

// ended is an object whose stream, if it has one, has a line's end behind what its Length counts. That of a map from
// glyphs to characters counts its own last one.
func ended(object []byte) []byte {
	const begin, end = "\nstream\n", "endstream\n"
	head, rest, found := bytes.Cut(object, []byte(begin))
	length := streamLength().FindSubmatch(head)
	if !found || length == nil {
		return object
	}
	n, err := strconv.Atoi(string(length[1]))
	if err != nil || n > len(rest) || string(rest[n:]) != end {
		return object
	}
	return slices.Concat(head, []byte(begin), rest[:n], []byte("\n"+end))
}

// content is the bytes of a file inside.
func content(f enclosed) string {
	return stream(fmt.Sprintf("/Type /EmbeddedFile /Subtype /%s /Params << /ModDate (D:%s000000Z) /Size %d >> "+
		"/Filter /FlateDecode", strings.ReplaceAll(f.media, "/", "#2F"), strings.ReplaceAll(string(f.on), "-", ""),
		len(f.Body)), deflated(f.Body))
}

// specification says what a file inside is to the paper: another form of the same.
func specification(f enclosed, content string) string {
	return fmt.Sprintf(
		"<< /Type /Filespec /F %[1]s /UF %[1]s /AFRelationship /Alternative /EF << /F %[2]s /UF %[2]s >> >>\n",
		literal(f.Name),
		content,
	)
}

// objectsOf are the objects of what gopdf has printed, by its table of where they begin.
func objectsOf(printed []byte) ([][]byte, error) {
	_, tail, found := bytes.Cut(printed[max(0, len(printed)-64):], []byte("startxref\n"))
	at, err := strconv.Atoi(string(bytes.TrimSuffix(tail, []byte("\n%%EOF\n"))))
	if !found || err != nil || at < 0 || at >= len(printed) {
		return nil, errNoPrint
	}
	var n int
	if _, err := fmt.Sscanf(string(printed[at:min(len(printed), at+32)]), "xref\n0 %d\n", &n); err != nil {
		return nil, errNoPrint
	}
	const entry = 20 // bytes of a line of the table (ISO 32000-1, 7.5.4)
	table := printed[at+len("xref\n0 "+strconv.Itoa(n)+"\n"):]
	if n < 2 || len(table) < n*entry {
		return nil, errNoPrint
	}
	starts := make([]int, n, n+1)
	for i := 1; i < n; i++ {
		if starts[i], err = strconv.Atoi(string(table[i*entry : i*entry+10])); err != nil {
			return nil, errNoPrint
		}
	}
	starts = append(starts, at)
	objects := make([][]byte, 0, n-1)
	for i := 1; i < n; i++ {
		head := []byte(strconv.Itoa(i) + " 0 obj\n")
		if starts[i] >= starts[i+1] || !bytes.HasPrefix(printed[starts[i]:starts[i+1]], head) {
			return nil, errNoPrint
		}
		body := bytes.TrimRight(printed[starts[i]+len(head):starts[i+1]], "\n")
		objects = append(objects, bytes.TrimSuffix(body, []byte("endobj")))
	}
	return objects, nil
}

// assembled is the file of objects; the first is its root.
func assembled(objects [][]byte) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	starts := make([]int, len(objects))
	for i, o := range objects {
		starts[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%sendobj\n", i+1, o)
	}
	name, at := sha256.Sum256(b.Bytes()), b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, s := range starts {
		fmt.Fprintf(&b, "%010d 00000 n \n", s)
	}
	fmt.Fprintf(
		&b,
		"trailer\n<< /Size %d /Root 1 0 R /ID [<%[2]x> <%[2]x>] >>\nstartxref\n%d\n%%%%EOF\n",
		len(objects)+1,
		name[:16],
		at,
	)
	return b.Bytes()
}

func stream(entries string, data []byte) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream\n", entries, len(data), data)
}

func deflated(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(data) // a buffer takes everything
	w.Close()
	return b.Bytes()
}

// literal is a text as PDF writes it: ASCII as it is, anything else in UTF-16 (ISO 32000-1, 7.9.2.2).
func literal(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		b := []byte{0xfe, 0xff}
		for _, u := range utf16.Encode([]rune(s)) {
			b = binary.BigEndian.AppendUint16(b, u)
		}
		return fmt.Sprintf("<%x>", b)
	}
	return "(" + strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(s) + ")"
}

// xmp are the metadata of a paper (ISO 16684-1).
func xmp(d described) []byte {
	escaped := func(s string) string {
		var b strings.Builder
		xml.EscapeText(&b, []byte(s)) // a builder takes everything
		return b.String()
	}
	return fmt.Appendf(nil, `<?xpacket begin="`+"\ufeff"+`" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">%s</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>%s</rdf:li></rdf:Seq></dc:creator>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`, escaped(d.title), escaped(d.author))
}

// sRGB is the colour space of IEC 61966-2-1 as an ICC profile, version 2 (ICC.1:2001-04): its primaries adapted to D50,
// and its curve in 1,024 steps.
func sRGB() []byte {
	be := binary.BigEndian
	xyz := func(x, y, z uint32) []byte { // in 65,536ths
		return be.AppendUint32(be.AppendUint32(be.AppendUint32([]byte("XYZ \x00\x00\x00\x00"), x), y), z)
	}
	const steps = 1024
	curve := be.AppendUint32([]byte("curv\x00\x00\x00\x00"), steps)
	for i := range steps {
		v := float64(i) / (steps - 1)
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		curve = be.AppendUint16(curve, uint16(math.Round(v*65535)))
	}
	const name = "sRGB IEC61966-2.1\x00"
	text := append(be.AppendUint32([]byte("desc\x00\x00\x00\x00"), uint32(len(name))), name...)
	text = append(text, make([]byte, 4+4+2+1+67)...) // no translations
	white := xyz(0xf6d6, 0x10000, 0xd32d)
	tags := []struct {
		sign string
		data []byte
	}{{"desc", text}, {"cprt", []byte("text\x00\x00\x00\x00No copyright, use freely\x00")}, {"wtpt", white},
		{"rXYZ", xyz(0x6fa2, 0x38f5, 0x390)}, {"gXYZ", xyz(0x6299, 0xb785, 0x18da)},
		{"bXYZ", xyz(0x24a0, 0xf84, 0xb6cf)}, {"rTRC", curve}, {"gTRC", nil}, {"bTRC", nil}} // one curve for all
	const head = 128
	table, data := be.AppendUint32(nil, uint32(len(tags))), []byte(nil)
	at, size := 0, 0
	for _, t := range tags {
		if t.data != nil {
			at, size = head+4+12*len(tags)+len(data), len(t.data)
			data = append(append(data, t.data...), make([]byte, -len(t.data)&3)...)
		}
		table = be.AppendUint32(be.AppendUint32(append(table, t.sign...), uint32(at)), uint32(size))
	}
	profile := be.AppendUint32(nil, uint32(head+len(table)+len(data)))
	profile = append(profile, "\x00\x00\x00\x00\x02\x10\x00\x00mntrRGB XYZ "...)
	profile = append(profile, "\x07\xea\x00\x01\x00\x01\x00\x00\x00\x00\x00\x00acsp"...) // made on 2026-01-01
	profile = append(profile, make([]byte, 28)...)
	profile = append(append(profile, white[8:]...), make([]byte, 48)...)
	return append(append(profile, table...), data...)
}
