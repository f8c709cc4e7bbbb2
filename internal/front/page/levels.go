package page

import (
	"fmt"
	"html"
	"html/template"
	"strings"

	"kontor/internal/foundation/dec"
)

// Levels is a chart of quantities that change by steps from day to day, drawn on the server.
type Levels struct {
	Title string
	// Days is how many days are shown; the first is today.
	Days  int
	Lines []Level
	// Least is a level that lines should not fall below, with its name; nil draws none.
	Least     *dec.Dec
	LeastName string
	// Day is what stands below a day.
	Day func(day int) string
	Go  []Go
}

// Level is a quantity from day to day.
type Level struct {
	Label string
	Steps []Step
	// Quiet draws it paler, as what would be.
	Quiet bool
}

// Step is what a quantity is from a day on.
type Step struct {
	Day   int
	Value dec.Dec
}

func (l Levels) part(x *exchange) partView {
	return partView{Kind: "chart", Title: x.t.say(l.Title), HTML: l.draw(x.t), Go: x.gos(l.Go)}
}

// scale is where values lie on the drawing.
type scale struct {
	low, high dec.Dec
	days      int
}

func (l Levels) scale() scale {
	s := scale{days: max(l.Days, 1)}
	if l.Least != nil {
		s.high = *l.Least
	}
	for _, line := range l.Lines {
		for _, at := range line.Steps {
			s.low, s.high = min(s.low, at.Value), max(s.high, at.Value)
		}
	}
	if s.high == s.low {
		s.high = s.low.Add(dec.One)
	}
	return s
}

func (s scale) x(day int) float64 {
	return chartLeft + float64(chartWidth-2*chartLeft)*float64(min(day, s.days))/float64(s.days)
}

func (s scale) y(v dec.Dec) float64 {
	share := float64(v.Sub(s.low)) / float64(s.high.Sub(s.low))
	return float64(chartHeight-chartBottom) - share*float64(chartHeight-chartBottom-chartTop)
}

// ticks are round numbers that the scale is read by, at most five.
func (s scale) ticks() (out []dec.Dec) {
	low, high, step := int64(s.low), int64(s.high), int64(1) // millionths
	for i := 0; high-low > step*4; i++ {
		if step *= 2; i%3 == 1 { // 1, 2, 5, 10, …
			step += step / 4
		}
	}
	for at := low / step * step; at <= high; at += step {
		if at >= low {
			out = append(out, dec.Dec(at))
		}
	}
	return out
}

// draw is the chart as SVG. The whole is told in words to those who do not see it, with the lowest of each line.
func (l Levels) draw(t *translator) template.HTML {
	s := l.scale()
	var lines, key, told strings.Builder
	told.WriteString(t.say(l.Title))
	for _, line := range l.Lines {
		class := "level"
		if line.Quiet {
			class += " quiet"
		}
		label := t.say(line.Label)
		fmt.Fprintf(&lines, `<path class="%s" d="%s"/>`, class, line.path(s))
		fmt.Fprintf(&key, `<li><svg viewBox="0 0 18 4" aria-hidden="true"><path class="%s" d="M0 2h18"/></svg>%s</li>`, class,
			html.EscapeString(label))
		if low, ok := line.lowest(); ok {
			told.WriteString(". " + label + ": " + t.say("lowest %s on %s", t.number(low.Value), l.Day(low.Day)))
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, `<ul class="key">%s</ul>`, key.String())
	fmt.Fprintf(&out, `<svg class="chart levels" viewBox="0 0 %d %d" role="img" aria-label="%s">`, chartWidth, chartHeight,
		html.EscapeString(told.String()))
	fmt.Fprintf(&out, `<line class="axis" x1="%d" y1="%.1f" x2="%d" y2="%.1f"/>`, chartLeft, s.y(0),
		chartWidth-chartLeft, s.y(0))
	if l.Least != nil && *l.Least > 0 {
		y := s.y(*l.Least)
		fmt.Fprintf(&out, `<line class="least" x1="%d" y1="%.1f" x2="%d" y2="%.1f"/>`, chartLeft, y,
			chartWidth-chartLeft, y)
		fmt.Fprintf(&out, `<text x="%d" y="%.1f" text-anchor="end">%s %s</text>`, chartWidth-chartLeft, y-4,
			html.EscapeString(t.say(l.LeastName)), html.EscapeString(t.number(*l.Least)))
	}
	out.WriteString(lines.String())
	for _, v := range s.ticks() {
		fmt.Fprintf(&out, `<line class="rule" x1="%d" y1="%.1f" x2="%d" y2="%.1f"/><text class="tick" x="%d" y="%.1f">%s</text>`,
			chartLeft, s.y(v), chartWidth-chartLeft, s.y(v), chartLeft, s.y(v)-3, html.EscapeString(t.number(v)))
	}
	for i, anchor := range []string{"start", "middle", "end"} {
		day := s.days * i / 2
		fmt.Fprintf(&out, `<text class="tick" x="%.1f" y="%d" text-anchor="%s">%s</text>`, s.x(day), chartHeight-8, anchor,
			html.EscapeString(l.Day(day)))
	}
	out.WriteString("</svg>")
	return template.HTML(out.String())
}

// path goes from step to step, and from the last to the end.
func (l Level) path(s scale) string {
	var out strings.Builder
	x, y := 0.0, 0.0
	for i, at := range l.Steps {
		nextX, nextY := s.x(at.Day), s.y(at.Value)
		if i == 0 {
			fmt.Fprintf(&out, "m%.1f %.1f", nextX, nextY)
		} else {
			fmt.Fprintf(&out, "h%.1fv%.1f", nextX-x, nextY-y)
		}
		x, y = nextX, nextY
	}
	fmt.Fprintf(&out, "h%.1f", s.x(s.days)-x)
	return out.String()
}

// lowest is the first step of the lowest value.
func (l Level) lowest() (low Step, ok bool) {
	for i, at := range l.Steps {
		if i == 0 || at.Value < low.Value {
			low = at
		}
	}
	return low, len(l.Steps) > 0
}
