package page

import (
	"html/template"
	"strconv"
)

// Sequence are parts of a record in an order that people change: by dragging, by the keyboard, by buttons, and without
// scripts.
type Sequence struct {
	Title, Empty string
	Entries      []Entry
	Go           []Go
}

// Entry is one of them.
type Entry struct {
	Title, Note, Href string
	Notes             []Value
	// Move is the path that is posted the new place as "to", counted from 0.
	Move string
	Acts []Value
}

type entryOf struct {
	Title, Note, Href, Move string
	Earlier, Later          string // places, "" at an end
	Place                   int
	Notes, Acts             []cell
}

func (o Sequence) part(x *exchange) partView {
	v := partView{Kind: "ordered", Title: x.t.say(o.Title), Empty: x.t.say(o.Empty), Go: x.gos(o.Go)}
	for i, e := range o.Entries {
		shown := entryOf{Title: e.Title, Note: e.Note, Href: x.ajar(e.Href), Place: i, Notes: x.cells(e.Notes)}
		if !x.shut(e.Move, true) {
			shown.Move = e.Move
		}
		if i > 0 {
			shown.Earlier = strconv.Itoa(i - 1)
		}
		if i < len(o.Entries)-1 {
			shown.Later = strconv.Itoa(i + 1)
		}
		for _, c := range x.cells(e.Acts) {
			if c.Text != "" {
				c.Title = c.Text + ": " + e.Title
				shown.Acts = append(shown.Acts, c)
			}
		}
		v.Entries = append(v.Entries, shown)
	}
	return v
}

// Place is where a Sequence's entry was moved to.
func (c *Ctx) Place() int {
	n, err := strconv.Atoi(c.Request.PostFormValue("to"))
	if err != nil {
		return -1
	}
	return n
}

// Drawn is a part that is drawn elsewhere, such as a store's page. Its pictures may lie anywhere, as those of the store
// do; nothing else may.
type Drawn struct {
	Title string
	HTML  template.HTML
}

func (d Drawn) part(x *exchange) partView {
	x.w.Header().Set("Content-Security-Policy", policy(" https: http:", false))
	return partView{Kind: "drawn", Title: x.t.say(d.Title), HTML: d.HTML}
}
