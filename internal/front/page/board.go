package page

import (
	"net/http"
)

// Board is a page of figures and charts.
type Board struct {
	Path, Title, Permission string
	Menu                    bool
	Show                    func(c *Ctx) ([]Part, error)
}

type boardView struct {
	Title string
	Parts []partView
}

func (b Board) routes() ([]route, *item) {
	return []route{{method: "GET", path: b.Path, permission: b.Permission, serve: func(x *exchange) error {
		v := boardView{Title: x.t.say(b.Title)}
		err := x.read(InCompany, func(c *Ctx) error {
			parts, err := b.Show(c)
			v.Parts = x.parts(parts)
			return err
		})
		if err != nil {
			return err
		}
		x.render("board", http.StatusOK, frame{Title: v.Title, Body: v})
		return nil
	}}}, item{b.Title, b.Path, b.Permission}.in(b.Menu)
}

// Figures are numbers to be seen at a glance.
type Figures []Figure

// Figure is a number with its name, leading to what it counts.
type Figure struct {
	Label, Note string
	Value       Value
	Href        string
	Tone        Tone
}

type figureView struct {
	Label, Note, Href string
	Cell              cell
	Tone              Tone
}

// Titled are figures with a heading of their own.
type Titled struct {
	Title   string
	Figures Figures
}

func (t Titled) part(x *exchange) partView {
	v := t.Figures.part(x)
	v.Title = x.t.say(t.Title)
	return v
}

func (f Figures) part(x *exchange) partView {
	v := partView{Kind: "figures", Wide: true}
	for _, one := range f {
		v.Figures = append(v.Figures, figureView{x.t.say(one.Label), x.t.say(one.Note), x.ajar(one.Href),
			x.t.cell(one.Value), one.Tone})
	}
	return v
}
