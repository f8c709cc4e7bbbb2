package page

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"
	"unicode/utf8"

	"kontor/internal/foundation/dec"
)

// Bars is a chart of a bar for each point, drawn on the server.
type Bars struct {
	Title  string
	Points []Point
	// Currency is what the values are in, "" for plain numbers.
	Currency string
	Go       []Go
}

// Point is a value with the label below it.
type Point struct {
	Label string
	Value dec.Dec
	// Full is the label as it is read out, "" = Label.
	Full string
}

// The drawing's measures, in its own units.
const (
	chartWidth, chartHeight = 640, 190
	chartLeft, chartBottom  = 8, 26
	chartTop                = 26
	barShare                = 0.68
	mostLabels              = 8
	letter                  = 7 // about as wide as one below the bars
)

func (b Bars) part(x *exchange) partView {
	return partView{Kind: "chart", Title: x.t.say(b.Title), HTML: b.draw(x.t), Go: x.gos(b.Go)}
}

// draw is the chart as SVG: the highest bar has its value above it, every bar tells its own when it is pointed at, and
// the whole is told in words to those who do not see it.
func (b Bars) draw(t *translator) template.HTML {
	var top dec.Dec
	best := 0
	for i, p := range b.Points {
		if p.Value > top {
			top, best = p.Value, i
		}
	}
	text := func(d dec.Dec) string {
		if b.Currency != "" {
			return t.orMore(d, t.group(d.Round(0).String())+"\u00a0"+b.Currency)
		}
		return t.number(d)
	}
	var out strings.Builder
	told := t.say(b.Title)
	if len(b.Points) > 0 {
		told += ". " + t.say("Highest: %s, %s", full(b.Points[best]), text(top))
	}
	fmt.Fprintf(&out, `<svg class="chart" viewBox="0 0 %d %d" role="img" aria-label="%s">`, chartWidth, chartHeight,
		html.EscapeString(told))
	floor := chartHeight - chartBottom
	fmt.Fprintf(&out, `<line class="axis" x1="%d" y1="%d" x2="%d" y2="%d"/>`, chartLeft, floor, chartWidth-chartLeft,
		floor)
	step := float64(chartWidth-2*chartLeft) / float64(max(len(b.Points), 1))
	every := max((len(b.Points)+mostLabels-1)/mostLabels, b.apart(step))
	for i, p := range b.Points {
		height := 0.0
		if top > 0 {
			height = float64(p.Value.MulDiv(dec.Int(int64(floor-chartTop)), top)) / float64(dec.One)
		}
		left, width := float64(chartLeft)+step*float64(i)+step*(1-barShare)/2, step*barShare
		class := "bar"
		if i == len(b.Points)-1 {
			class += " last"
		}
		fmt.Fprintf(&out,
			`<g><title>%s: %s</title><rect class="hit" x="%.1f" y="%d" width="%.1f" height="%d"/><rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="2"/></g>`,
			html.EscapeString(full(p)), html.EscapeString(text(p.Value)), left, chartTop, width, floor-chartTop, class,
			left, float64(floor)-height, width, height)
		if (len(b.Points)-1-i)%every == 0 {
			at, anchor := left+width/2, "middle"
			if i == len(b.Points)-1 {
				at, anchor = chartWidth-chartLeft, "end"
			}
			fmt.Fprintf(&out, `<text class="tick" x="%.1f" y="%d" text-anchor="%s">%s</text>`, at, chartHeight-8,
				anchor, html.EscapeString(p.Label))
		}
	}
	if top > 0 {
		at := float64(chartLeft) + step*float64(best) + step/2
		anchor := "middle"
		switch {
		case at < 90:
			anchor, at = "start", float64(chartLeft)
		case at > chartWidth-90:
			anchor, at = "end", float64(chartWidth-chartLeft)
		}
		fmt.Fprintf(&out, `<text class="peak" x="%.1f" y="%d" text-anchor="%s">%s</text>`, at, chartTop-9, anchor,
			html.EscapeString(text(top)))
	}
	out.WriteString("</svg>")
	return template.HTML(out.String())
}

// apart is how many bars lie between two labels at least: the last one ends where its bar does, so it reaches half its
// width further back than the others.
func (b Bars) apart(step float64) int {
	longest := 1
	for _, p := range b.Points {
		longest = max(longest, utf8.RuneCountInString(p.Label)+1)
	}
	return int(math.Ceil(1.5 * letter * float64(longest) / step))
}

func full(p Point) string { return cmp.Or(p.Full, p.Label) }
