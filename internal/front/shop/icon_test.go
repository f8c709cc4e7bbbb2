package shop

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Every icon that the sample company's cards name is drawn, and a name that nobody knows leaves no gap.
func TestIconsOfCards(t *testing.T) {
	files, err := filepath.Glob("../../demo/content/*.json")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range append(files, "testdata/sections.json") {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"iconName": "([^"]+)"`).FindAllSubmatch(b, -1) {
			found++
			if icon(string(m[1])) == "" {
				t.Errorf("%s: the icon %s is not drawn", file, m[1])
			}
		}
	}
	if found < 6 {
		t.Errorf("%d icons are named", found)
	}
	if got := icon(`"><script>`); got != "" {
		t.Errorf("an icon that there is not is %q", got)
	}
}
