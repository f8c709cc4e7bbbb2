package fault

import "testing"

// However the last thing in a sentence ends, it ends with one full stop: a refusal of a part, a name such as Acme Inc.
func TestASentenceEndsOnce(t *testing.T) {
	var part, whole List
	part.Add(ErrInvalid, "quantity", "must be above 0")
	refused := As(part.Err())
	whole.Note(ErrInvalid, "lines[0]", Say("%s", refused.Detail))
	whole.Add(ErrInvalid, "lines[1]", "names %s", "Acme Inc.")
	want := "lines[0]: quantity: must be above 0. lines[1]: names Acme Inc."
	if got := As(whole.Err()).Detail; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	for said, want := range map[string]string{"": "", "a": "a.", "a.": "a.", "a..": "a.", "a...": "a..."} {
		if got := Ended(said); got != want {
			t.Errorf("%q ends as %q, not %q", said, got, want)
		}
	}
}

// What may be chosen is listed as people list it.
func TestWordsOfASentenceHaveCommas(t *testing.T) {
	type colour string
	want := `"blue" is none of red, green`
	if got := Say("%q is none of %v", "blue", []colour{"red", "green"}).String(); got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if got := Say("left are %v", none{}).String(); got != "left are no more" {
		t.Errorf("a list that says itself what it is became %q", got)
	}
}

type none []string

func (none) String() string { return "no more" }
