package texts

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestATextIsTheOneOfItsKeyAndNumber(t *testing.T) {
	all, err := Read(fstest.MapFS{"words/a.tsv": {Data: []byte(
		"# of rows\nkey\ten\tpl\nrows\t%d row | %d rows\t%d wiersz | %d wiersze | %d wierszy\n")},
		"words/b.tsv": {Data: []byte("en\tsv\nRow\tRad\n")}}, "words")
	if err != nil {
		t.Fatal(err)
	}
	if all["sv"]["Row"] != "Rad" || all["en"]["Row"] != "" {
		t.Errorf("%v", all)
	}
	for _, c := range []struct {
		lang string
		n    int64
		want string
	}{{"en", 1, "1 row"}, {"en", 0, "0 rows"}, {"en", -1, "-1 row"}, {"en", 21, "21 rows"}, {"pl", 1, "1 wiersz"},
		{"pl", 22, "22 wiersze"}, {"pl", 5, "5 wierszy"}} {
		if got := Fill(c.lang, all[c.lang]["rows"], c.n); got != c.want {
			t.Errorf("%d in %s: %s, not %s", c.n, c.lang, got, c.want)
		}
	}
}

func TestATableThatLacksATextIsRefused(t *testing.T) {
	for table, why := range map[string]string{
		"en\tsv\nRow\n":           "needs a text in each of",
		"key\ten\tsv\nRow\tRow\t": "needs a text in each of",
		"en\tsv\nA\tB\nA\tC":      "is \"B\" already",
		"en\tsv\n%d A\tB | C | D": "has 3 forms, and a number has 2",
	} {
		_, err := Read(fstest.MapFS{"words/a.tsv": {Data: []byte(table)}}, "words")
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, not %s", table, err, why)
		}
	}
}

func TestTextsAreFieldsByTheirNames(t *testing.T) {
	type kind string
	type said struct {
		Title string
		Kinds map[kind]string
	}
	of := Fields[said](Must("key\ten\tsv\nTitle\tA\tB\nKinds X\tC\tD"))
	if s := of("sv-SE"); s.Title != "B" || s.Kinds["X"] != "D" {
		t.Errorf("%+v", s)
	}
	for _, table := range []string{"key\ten\nKinds X\tC", "key\ten\nTitle\tA\nOther\tB"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is taken", table)
				}
			}()
			Fields[said](Must(table))("en")
		}()
	}
}
