package seal_test

import (
	"errors"
	"strings"
	"testing"

	"kontor/internal/foundation/seal"
)

func ring(t *testing.T, keys string) *seal.Ring {
	t.Helper()
	all, err := seal.Parse(keys)
	if err != nil {
		t.Fatal(err)
	}
	r := new(seal.Ring)
	r.Use(all, nil)
	return r
}

var at = seal.Place{Company: "c", Table: "t", Column: "x", Row: "r"}

// What is sealed opens with its key at its place alone, unchanged.
func TestSealed(t *testing.T) {
	key, other := seal.NewKey(), seal.NewKey()
	r := ring(t, key)
	for _, plain := range []string{"", "a", `{"secret":"sk_live_1"}`, strings.Repeat("å", 5000)} {
		sealed, err := r.Seal(at, plain)
		if err != nil || plain != "" && (len(plain) > 9 && strings.Contains(sealed, plain) ||
			seal.KeyOf(sealed) != r.Current()) {
			t.Fatalf("%.20q is sealed as %.60q, %v", plain, sealed, err)
		}
		if again, _ := r.Seal(at, plain); plain != "" && again == sealed {
			t.Errorf("%.20q is sealed twice alike", plain)
		}
		if got, err := r.Open(at, sealed); err != nil || got != plain {
			t.Errorf("%.20q opens as %.20q, %v", plain, got, err)
		}
		if got, err := ring(t, other+"\n# the old one\n"+key).Open(at, sealed); err != nil || got != plain {
			t.Errorf("%.20q opens after the key was replaced as %.20q, %v", plain, got, err)
		}
		if plain == "" {
			continue
		}
		for i, p := range []seal.Place{{"d", "t", "x", "r"}, {"c", "u", "x", "r"}, {"c", "t", "y", "r"},
			{"c", "t", "x", "s"}} {
			if got, err := r.Open(p, sealed); err == nil {
				t.Errorf("opens at another place, %d: %.20q", i, got)
			}
		}
		if _, err := ring(t, other).Open(at, sealed); !errors.Is(err, seal.ErrNoKey) {
			t.Errorf("without its key: %v", err)
		}
		last := len(sealed) - 2
		changed := sealed[:last] + map[bool]string{true: "B", false: "A"}[sealed[last] == 'A'] + sealed[last+1:]
		if got, err := r.Open(at, changed); err == nil {
			t.Errorf("changed, it opens as %.20q", got)
		}
		if _, err := r.Open(at, sealed[:len(sealed)-8]); err == nil {
			t.Error("cut off, it opens")
		}
	}
	if _, err := new(seal.Ring).Seal(at, "a"); !errors.Is(err, seal.ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
}

// A key that another process has put into the file is found when it is needed.
func TestReload(t *testing.T) {
	key, fresh := seal.NewKey(), seal.NewKey()
	sealed, err := ring(t, fresh).Seal(at, "a")
	if err != nil {
		t.Fatal(err)
	}
	r := ring(t, key)
	old, err := seal.Parse(key)
	if err != nil {
		t.Fatal(err)
	}
	r.Use(old, func() ([]seal.Key, error) { return seal.Parse(fresh + "," + key) })
	if got, err := r.Open(at, sealed); err != nil || got != "a" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "# a note\n", "short", seal.NewKey()[1:], seal.NewKey() + "\nx"} {
		if _, err := seal.Parse(text); err == nil {
			t.Errorf("%q is taken for keys", text)
		}
	}
}
