package page

import (
	"regexp"
	"strconv"
	"testing"
	"unicode/utf8"

	"kontor/internal/foundation/dec"
)

// The labels below the bars stand apart, however long they are: 26 Nov in one language is 2026-11-26 in another.
func TestLabelsOfAChartStandApart(t *testing.T) {
	en, _ := spoken(t)
	tick := regexp.MustCompile(`class="tick" x="([\d.]+)" y="\d+" text-anchor="(\w+)">([^<]+)<`)
	for _, label := range []string{"1", "11-26", "26 Nov", "2026-11-26", "26 November 2026"} {
		for _, points := range []int{1, 2, 7, 12, 30, 31, 90} {
			b := Bars{Title: "Visits"}
			for range points {
				b.Points = append(b.Points, Point{Label: label, Value: dec.One})
			}
			end, drawn := -100.0, tick.FindAllStringSubmatch(string(b.draw(en)), -1)
			if len(drawn) == 0 || points > 1 && len(drawn) < 2 && utf8.RuneCountInString(label) < 12 {
				t.Errorf("%d bars of %s have %d labels", points, label, len(drawn))
			}
			for _, m := range drawn {
				at, err := strconv.ParseFloat(m[1], 64)
				if err != nil {
					t.Fatal(err)
				}
				width := 6.7 * float64(utf8.RuneCountInString(m[3]))
				if from := map[string]float64{"middle": at - width/2, "end": at - width}[m[2]]; from < end {
					t.Errorf("%d bars: %s begins at %.0f, the one before ends at %.0f", points, label, from, end)
				}
				end = map[string]float64{"middle": at + width/2, "end": at}[m[2]]
			}
		}
	}
}
