package backoffice

import (
	"errors"
	"strings"

	"github.com/signintech/gopdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

// The paper's measures, in points: A4 with margins.
const (
	paperLeft, paperRight  = 52.0, 543.0
	paperTop, paperBottom  = 56.0, 770.0
	paperText, paperSmall  = 9.5, 8.0
	paperLine, paperHeader = 14.0, 19.0
)

// paper is a document being printed: what was wrong once stays wrong, so that a caller asks only at the end.
type paper struct {
	pdf gopdf.GoPdf
	y   float64
	err error
}

func newPaper() *paper {
	p := &paper{y: paperTop}
	p.pdf.Start(gopdf.Config{PageSize: *gopdf.PageSizeA4})
	p.keep(p.pdf.AddTTFFontData("text", goregular.TTF))
	p.keep(p.pdf.AddTTFFontData("bold", gobold.TTF))
	p.pdf.AddPage()
	return p
}

func (p *paper) keep(err error) { p.err = errors.Join(p.err, err) }

// write puts text at x, at most so wide; align is gopdf.Left or gopdf.Right.
func (p *paper) write(font string, size, x, width float64, align int, text string) {
	p.keep(p.pdf.SetFont(font, "", size))
	p.pdf.SetXY(x, p.y)
	p.keep(p.pdf.CellWithOption(&gopdf.Rect{W: width, H: paperLine}, p.fit(text, width), gopdf.CellOption{Align: align}))
}

// fit shortens text to a width.
func (p *paper) fit(text string, width float64) string {
	text = strings.Join(strings.Fields(text), " ")
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
func (p *paper) rule() {
	p.pdf.SetLineWidth(0.5)
	p.pdf.Line(paperLeft, p.y, paperRight, p.y)
	p.y += 5
}

// room begins a new page where less than so much is left, and reports that it did.
func (p *paper) room(height float64) bool {
	if p.y+height <= paperBottom {
		return false
	}
	p.pdf.AddPage()
	p.y = paperTop
	return true
}

// block writes lines below each other, beginning at y, and answers where they end.
func (p *paper) block(x, y, width float64, title, text string) float64 {
	p.y = y
	p.write("text", paperSmall, x, width, gopdf.Left, title)
	p.y += paperLine
	for line := range strings.Lines(text) {
		p.write("text", paperText, x, width, gopdf.Left, line)
		p.y += paperLine
	}
	return p.y
}

// pair writes a name and a value beside it.
func (p *paper) pair(x, width float64, font, name, value string) {
	if value == "" {
		return
	}
	p.write(font, paperText, x, width*0.55, gopdf.Left, name)
	p.write(font, paperText, x+width*0.5, width*0.5, gopdf.Right, value)
	p.y += paperLine
}

// column is a column of a printed table.
type column struct {
	title    string
	x, width float64
	right    bool
}

func (p *paper) row(font string, size float64, columns []column, values []string) {
	for i, c := range columns {
		align := gopdf.Left
		if c.right {
			align = gopdf.Right
		}
		p.write(font, size, c.x, c.width, align, values[i])
	}
	p.y += paperLine
}

func (p *paper) heads(columns []column) {
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i] = c.title
	}
	p.row("text", paperSmall, columns, titles)
	p.rule()
}

// bytes is the printed document.
func (p *paper) bytes() ([]byte, error) {
	if p.err != nil {
		return nil, p.err
	}
	return p.pdf.GetBytesPdfReturnErr()
}
