package rest

import (
	"reflect"
	"strings"
	"testing"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

type grade string

type plank struct {
	Length dec.Dec
	Price  dec.Dec
}

type stand struct{ Street, City string }

type rack struct {
	Code, Room string
	Note       string
	Grade      grade
	Built      day.Date
	Painted    db.Time
	Price      dec.Dec
	Limit      *dec.Dec
	Digits     int
	Stand      stand
	Planks     []plank
	Labels     []string
}

func (r rack) ETag() string    { return r.Code + "-1" }
func (r *rack) Total() dec.Dec { return r.Price.Add(r.Price) }

type wireStand struct {
	Street Text
	City   Text
}

type rackFields struct {
	Note   Text
	Grade  *grade
	Built  Date
	Limit  dec.Dec
	Stand  *wireStand
	Boards []wirePlank `of:"Planks"`
}

type wirePlank struct {
	Length dec.Dec
}

type pricedPlank struct {
	wirePlank
	Price dec.Fixed
}

type wireRack struct {
	Tag
	Number string `of:"Code"`
	rackFields
	Painted Time
	Price   dec.Fixed
	Total   dec.Fixed
	Limit   *dec.Fixed
	Planks  []pricedPlank
	Labels  []string
	Where   string `of:"-"`
	Links   Links  `of:"Room,Code" self:"/rooms/"`
}

func TestAValueIsShownByWhatItsWireTypeHasAlike(t *testing.T) {
	show := Shown[wireRack, rack]()
	limit := dec.Int(9)
	got := show(rack{Code: "R 1", Room: "A", Note: "by the door", Grade: "fine", Built: "2026-02-03", Painted: 7,
		Price: dec.Int(2), Limit: &limit, Digits: 2, Stand: stand{City: "Lund"},
		Planks: []plank{{Length: dec.Int(3), Price: dec.Int(4)}}})
	fine := grade("fine")
	length := wirePlank{dec.Int(3)}
	want := wireRack{Tag: Tag{"R 1-1"}, Number: "R 1", Painted: 7, Price: dec.Fixed{Value: dec.Int(2), Digits: 2},
		Total: dec.Fixed{Value: dec.Int(4), Digits: 2}, Limit: &dec.Fixed{Value: limit, Digits: 2},
		Links:      Links{"/rooms/A/R%201"},
		Planks:     []pricedPlank{{length, dec.Fixed{Value: dec.Int(4), Digits: 2}}},
		rackFields: rackFields{"by the door", &fine, "2026-02-03", limit, &wireStand{City: "Lund"}, []wirePlank{length}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v is shown as\n%+v, and not as\n%+v", "a rack", got, want)
	}
	if none := show(rack{}); none.Grade != nil || none.Stand != nil || none.Planks == nil {
		t.Errorf("what there is not is shown as %+v", none)
	}
}

func TestWhatIsWrittenIsAllThatIsAlike(t *testing.T) {
	fine := grade("fine")
	in := rackFields{Note: "n", Grade: &fine, Built: "2026-02-03", Stand: &wireStand{City: "Lund"},
		Boards: []wirePlank{{dec.Int(3)}}}
	r := rack{Code: "R 1", Labels: []string{"kept"}}
	fields := Alike[rackFields, rack]()
	fields.Onto(in, &r)
	zero := dec.Dec(0)
	want := rack{Code: "R 1", Labels: []string{"kept"}, Limit: &zero, Note: "n", Grade: "fine", Built: "2026-02-03",
		Stand: stand{City: "Lund"}, Planks: []plank{{Length: dec.Int(3)}}}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("%+v is written, and not %+v", r, want)
	}
	if back := fields.Of(r); !reflect.DeepEqual(back, in) {
		t.Errorf("what was written reads %+v, and not %+v", back, in)
	}
	fields.Onto(rackFields{}, &r)
	if !reflect.DeepEqual(r, rack{Code: "R 1", Labels: []string{"kept"}, Limit: &zero}) {
		t.Errorf("null leaves %+v", r)
	}
}

func TestWhatIsNullLeavesWhatItLiesOver(t *testing.T) {
	type row struct {
		Note   *Text    `of:"Note"`
		Limit  *dec.Dec `of:"Limit"`
		Grade  *grade
		Boards *[]wirePlank `of:"Planks"`
	}
	over := Over[row, rack]()
	limit, none, fine := dec.Int(5), Text(""), grade("fine")
	there := rack{Code: "R 1", Note: "kept", Grade: "poor", Limit: &limit, Planks: []plank{{Length: dec.Int(3)}}}
	r := there
	if over(row{}, &r); !reflect.DeepEqual(r, there) {
		t.Errorf("nothing leaves %+v of %+v", r, there)
	}
	over(row{Note: &none, Grade: &fine, Boards: &[]wirePlank{}}, &r)
	if want := (rack{Code: "R 1", Grade: "fine", Limit: &limit}); !reflect.DeepEqual(r, want) {
		t.Errorf("%+v, and not %+v", r, want)
	}
}

// A wire type that says something of a room's value which that has not.
func TestWhatIsNotAlikeIsRefused(t *testing.T) {
	for want, declare := range map[string]func(){
		"rest.wireShelf.Name is like no Name of rest.rack": func() { Shown[wireShelf, rack]()(rack{}) },
		".Note is like no Note of rest.rack":               func() { Shown[struct{ Note int }, rack]()(rack{}) },
		"rest.rack is not like string":                     func() { Written[string, rack]()("") },
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); !strings.Contains(got, want) {
					t.Errorf("%q is said, and not %q", got, want)
				}
			}()
			declare()
		}()
	}
}
