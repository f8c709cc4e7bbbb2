package backoffice

import (
	"strings"
	"time"

	"kontor/internal/business/support"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/page"
)

const levelPath = "/settings/service-level"

// serviceLevel are the pages of what the company promises whoever asks.
func serviceLevel() []page.Page {
	load := func(c *page.Ctx) (support.ServiceLevel, error) { return support.Level(c.Tx) }
	return []page.Page{
		page.Record[support.ServiceLevel]{Path: levelPath, Title: "Response times", Menu: true,
			Permission: "settings:read", Resource: support.ServiceLevels, Load: load, Show: showLevel,
			Edit: func(*page.Ctx, support.ServiceLevel) []page.Go {
				return []page.Go{{Label: "Edit", Path: levelPath + "/edit", Primary: true}}
			}},
		page.Form[support.ServiceLevel]{Path: levelPath + "/edit", Title: "Response times",
			Permission: "settings:write", Resource: support.ServiceLevels, Load: load, Fields: levelFields,
			Lead: "How soon customers are answered and helped, in hours in which somebody is there. Tickets that there are keep their times.",
			Save: func(c *page.Ctx, lay func(*support.ServiceLevel) error) (page.Done, error) {
				return page.Did("Saved."), support.SaveLevel(c.Tx, lay)
			}},
	}
}

// weekdays are the days of a week as people go through it.
var weekdays = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday,
	time.Sunday}

func levelFields(_ *page.Ctx, l *support.ServiceLevel) []page.Field {
	var week, goals []page.Field
	for _, d := range weekdays {
		week = append(week, page.Text(strings.ToLower(d.String()), d.String(), &l.Hours[d]))
	}
	week[0] = week[0].Hint("Such as 08:00-17:00, or 08:00-12:00, 13:00-17:00. Empty: nobody is there.")
	for i, p := range support.Priority("").Values() {
		at := strings.ToLower(string(p))
		goals = append(goals, page.Group(string(p), page.Decimal(at+"Answer", "Answer within, hours", &l.Goals[i].Answer),
			page.Decimal(at+"Solve", "Solve within, hours", &l.Goals[i].Solve)))
	}
	week = append(week, page.Items("closed", "Days off", &l.DaysOff).Hint("One a line, such as 2026-12-25."))
	return append([]page.Field{page.Group("When somebody is there", week...)}, goals...)
}

func showLevel(c *page.Ctx, l support.ServiceLevel) (page.Sheet, error) {
	week := page.Facts{Title: "When somebody is there"}
	for _, d := range weekdays {
		week.Facts = append(week.Facts, page.Fact{Label: d.String(), Value: page.T(l.Hours[d])})
	}
	week.Facts = append(week.Facts, page.Fact{Label: "Days off", Value: page.T(strings.Join(l.DaysOff, ", "))})
	goals := page.Grid{Title: "Hours", Heads: []string{"Priority", "Answer within, hours", "Solve within, hours"}}
	for i, p := range support.Priority("").Values() {
		goals.Rows = append(goals.Rows, []page.Value{page.Word(string(p)), promised(l.Goals[i].Answer),
			promised(l.Goals[i].Solve)})
	}
	told := c.Say(
		"When a ticket is late, whoever is responsible for it is told; where nobody is, whoever is responsible for this page.")
	return page.Sheet{Title: c.Say("Response times"), Side: []page.Part{week},
		Parts: []page.Part{goals, page.Note{Title: "Late", Text: told}}}, nil
}

// promised are hours, or nothing.
func promised(d dec.Dec) page.Value {
	return page.Qty(d).If(d != 0)
}
