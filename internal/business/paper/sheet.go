package paper

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg" // another format of logos
	"image/png"
	"strconv"
	"strings"

	"github.com/boombuler/barcode/code128"
	"github.com/signintech/gopdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"kontor/internal/foundation/letters"
)

// The sheet's measures, in points: A4 with margins.
const (
	leftEdge, rightEdge = 52.0, 543.0
	topEdge, bottomEdge = 56.0, 770.0
	textSize, smallSize = 9.5, 8.0
	lineHeight, gap     = 14.0, 38.0
	middle              = 330.0 // where the right half begins
)

// The fonts.
const (
	plain = "text"
	bold  = "bold"
)

// sheet is a paper being printed: what was wrong once stays wrong, so that a caller asks only at the end.
type sheet struct {
	pdf gopdf.GoPdf
	y   float64
	err error

	sender   Sender
	receiver Receiver
	lang     string
	say      words
	running  string // what further pages begin with
}

func newSheet(s Sender, r Receiver) *sheet {
	lang := letters.Language(r.Language)
	p := &sheet{y: topEdge, sender: s, receiver: r, lang: lang, say: wordsOf(lang)}
	p.pdf.Start(gopdf.Config{PageSize: *gopdf.PageSizeA4})
	p.keep(p.pdf.AddTTFFontData(plain, goregular.TTF))
	p.keep(p.pdf.AddTTFFontData(bold, gobold.TTF))
	p.pdf.AddPage()
	return p
}

func (p *sheet) keep(err error) { p.err = errors.Join(p.err, err) }

// write puts text at x, at most so wide; align is gopdf.Left or gopdf.Right.
func (p *sheet) write(font string, size, x, width float64, align int, text string) {
	p.keep(p.pdf.SetFont(font, "", size))
	p.pdf.SetXY(x, p.y)
	p.keep(p.pdf.CellWithOption(&gopdf.Rect{W: width, H: lineHeight}, p.fit(text, width),
		gopdf.CellOption{Align: align}))
}

// fit shortens text to a width.
func (p *sheet) fit(text string, width float64) string {
	text = strings.Join(strings.Fields(drawable(text)), " ")
	for r := []rune(text); len(r) > 1; r = r[:len(r)-1] {
		shown := string(r)
		if len(r) < len([]rune(text)) {
			shown += "…"
		}
		w, err := p.pdf.MeasureTextWidth(shown)
		if err != nil || w <= width {
			return shown
		}
	}
	return text
}

// rule draws a line across.
func (p *sheet) rule() {
	p.pdf.SetLineWidth(0.5)
	p.pdf.Line(leftEdge, p.y, rightEdge, p.y)
	p.y += 5
}

// room begins a new page where less than so much is left, and reports that it did.
func (p *sheet) room(height float64) bool {
	if p.y+height <= bottomEdge {
		return false
	}
	p.pdf.AddPage()
	p.y = topEdge
	return true
}

// block writes lines below each other, beginning at y, and answers where they end.
func (p *sheet) block(x, y, width float64, title string, lines []string) float64 {
	p.y = y
	p.write(plain, smallSize, x, width, gopdf.Left, title)
	p.y += lineHeight
	for _, line := range lines {
		for _, part := range p.broken(plain, textSize, line, width) {
			p.write(plain, textSize, x, width, gopdf.Left, part)
			p.y += lineHeight
		}
	}
	return p.y
}

// prose writes text across the page, broken between words.
func (p *sheet) prose(font string, size float64, text string) {
	for paragraph := range strings.Lines(text) {
		for _, line := range p.broken(font, size, paragraph, rightEdge-leftEdge) {
			p.room(lineHeight)
			p.write(font, size, leftEdge, rightEdge-leftEdge, gopdf.Left, line)
			p.y += lineHeight
		}
	}
}

// broken is text in lines of a width, broken between words, and in one that is longer than a line; at least one line.
func (p *sheet) broken(font string, size float64, text string, width float64) []string {
	lines := []string{""}
	for word := range strings.FieldsSeq(text) {
		for _, part := range p.pieces(font, size, word, width) {
			last := &lines[len(lines)-1]
			if longer := strings.TrimSpace(*last + " " + part); *last == "" || p.measure(font, size, longer) <= width {
				*last = longer
			} else {
				lines = append(lines, part)
			}
		}
	}
	return lines
}

// pieces are a word in parts that a line of a width has room for.
func (p *sheet) pieces(font string, size float64, word string, width float64) (parts []string) {
	if p.measure(font, size, word) <= width {
		return []string{word}
	}
	part := ""
	for _, letter := range word {
		if longer := part + string(letter); part == "" || p.measure(font, size, longer) <= width {
			part = longer
			continue
		}
		parts, part = append(parts, part), string(letter)
	}
	return append(parts, part)
}

// shrunk is the size, from one down to the least, at which text fits a width.
func (p *sheet) shrunk(font, text string, width, from, least float64) float64 {
	for from > least && p.measure(font, from, text) > width {
		from--
	}
	return from
}

// measure is how wide text is.
func (p *sheet) measure(font string, size float64, text string) float64 {
	p.keep(p.pdf.SetFont(font, "", size))
	w, err := p.pdf.MeasureTextWidth(drawable(text))
	p.keep(err)
	return w
}

// pair is a name and what stands beside it.
type pair struct{ name, value string }

// pairs writes names and values in the right half; those without a value are left out. A long value takes of the name's
// room, but not all, and then several lines.
func (p *sheet) pairs(font string, them ...pair) {
	const width, apart = rightEdge - middle, 6
	for _, f := range them {
		if f.value == "" {
			continue
		}
		value := min(p.measure(font, textSize, f.value)+1,
			max(width*0.5, width-apart-p.measure(font, textSize, f.name)))
		for n, part := range p.broken(font, textSize, f.value, value) {
			p.room(lineHeight)
			if n == 0 {
				p.write(font, textSize, middle, width-apart-value, gopdf.Left, f.name)
			}
			p.write(font, textSize, rightEdge-value, value, gopdf.Right, part)
			p.y += lineHeight
		}
	}
}

// column is a column of a printed table.
type column struct {
	title    string
	x, width float64
	kind     columnKind
}

type columnKind int

const (
	whole  columnKind = iota // as many lines as it takes
	figure                   // a line that ends at the right, in smaller letters where it would be shortened
)

// row writes a row of a table, beginning or going on on a new page, with the heads of the columns, where there is no
// room for it.
func (p *sheet) row(columns []column, values ...string) {
	lines, most := make([][]string, len(columns)), 1
	for i, c := range columns {
		lines[i] = []string{values[i]}
		if c.kind == whole {
			lines[i] = nil
			for part := range strings.Lines(values[i]) {
				lines[i] = append(lines[i], p.broken(plain, textSize, part, c.width)...)
			}
		}
		most = max(most, len(lines[i]))
	}
	const atOnce = (bottomEdge - topEdge) / 2
	for n := range most {
		needed := lineHeight
		if n == 0 { // a row stands on one page, unless it is very long
			needed = min(float64(most)*lineHeight, atOnce)
		}
		if p.room(needed) {
			p.heads(columns)
		}
		for i, c := range columns {
			if n < len(lines[i]) {
				p.write(plain, p.size(c, lines[i][n]), c.x, c.width, c.align(), lines[i][n])
			}
		}
		p.y += lineHeight
	}
}

// size is that of the letters of a cell. A figure that is shortened is another figure, so it is made to fit.
func (p *sheet) size(c column, text string) float64 {
	if w := p.measure(plain, textSize, text); c.kind == figure && w > c.width {
		return textSize * c.width / w * 0.99 // letters are measured in whole units
	}
	return textSize
}

func (c column) align() int {
	if c.kind == figure {
		return gopdf.Right
	}
	return gopdf.Left
}

func (p *sheet) heads(columns []column) {
	p.room(3 * lineHeight) // for a row below them
	for _, c := range columns {
		p.write(plain, p.shrunk(plain, c.title, c.width, smallSize, smallSize/2), c.x, c.width, c.align(), c.title)
	}
	p.y += lineHeight
	p.rule()
}

// picture puts a picture into a box and reports whether there was one. One that cannot be drawn is none: a paper
// without its logo is worth more than no paper.
func (p *sheet) picture(data []byte, x, y, width, height float64) bool {
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return false
	}
	if !printable(data, size.ColorModel) {
		if data, err = plainPNG(data); err != nil {
			return false
		}
	}
	w, h := float64(size.Width), float64(size.Height)
	scale := min(width/w, height/h)
	holder, err := gopdf.ImageHolderByBytes(data)
	if err == nil {
		err = p.pdf.ImageByHolder(holder, x, y, &gopdf.Rect{W: w * scale, H: h * scale})
	}
	return err == nil
}

// printable reports whether a picture can lie in a paper as it is: its colours are those of sRGB, and a PNG has at
// most 8 bits of each and its lines in their order, since gopdf knows no others.
func printable(data []byte, model color.Model) bool {
	const bitDepth, interlace = 24, 28 // places in a PNG's first chunk (ISO/IEC 15948, 11.2.2)
	isPNG := bytes.HasPrefix(data, []byte("\x89PNG"))
	return model != color.CMYKModel && (!isPNG || data[bitDepth] <= 8 && data[interlace] == 0)
}

// plainPNG is a picture in the form that every paper takes.
func plainPNG(data []byte) ([]byte, error) {
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	plain := image.NewNRGBA(picture.Bounds())
	draw.Draw(plain, plain.Bounds(), picture, plain.Bounds().Min, draw.Src)
	var b bytes.Buffer
	err = png.Encode(&b, plain)
	return b.Bytes(), err
}

// barcode draws text as Code 128, so high, ending at the right edge. Text that Code 128 does not know, or that would be
// too fine to be read, gets none: it stands on the paper in letters too.
func (p *sheet) barcode(text string, height float64) {
	const coarse, fine = 1.0, 0.55 // points of the narrowest bar
	code, err := code128.Encode(text)
	if err != nil {
		return
	}
	n := code.Bounds().Dx()
	module := min(coarse, (rightEdge-middle)/float64(n))
	if module < fine {
		return
	}
	x := rightEdge - module*float64(n)
	for from := 0; from < n; {
		to := from
		for to < n && isBar(code.At(to, 0).RGBA()) {
			to++
		}
		if to > from {
			p.pdf.RectFromUpperLeftWithStyle(x+module*float64(from), p.y, module*float64(to-from), height, "F")
		}
		from = max(to, from+1)
	}
	p.y += height
}

func isBar(red, _, _, _ uint32) bool { return red == 0 }

// numbered says at the top of further pages of which paper they are, and which of how many, so that none is missed.
func (p *sheet) numbered() {
	all := p.pdf.GetNumberOfPages()
	for n := 2; n <= all; n++ {
		p.keep(p.pdf.SetPage(n))
		p.y = topEdge - 2*lineHeight
		p.write(plain, smallSize, leftEdge, middle, gopdf.Left, p.running)
		p.write(plain, smallSize, middle, rightEdge-middle, gopdf.Right, strconv.Itoa(n)+" / "+strconv.Itoa(all))
	}
}

// file is the printed paper.
func (p *sheet) file(name string) (File, error) {
	p.numbered()
	if p.err != nil {
		return File{}, p.err
	}
	body, err := p.pdf.GetBytesPdfReturnErr()
	return File{Name: name + ".pdf", Body: body, Language: p.lang}, err
}
