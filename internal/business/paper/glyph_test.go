package paper

import (
	"strings"
	"testing"

	"kontor/internal/business/paper/papertest"
)

// What the languages of Europe are written with stands on a paper as it is.
func TestScriptsOfEuropeAreDrawn(t *testing.T) {
	for language, letters := range map[string]string{
		"Polish": "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ", "Czech": "áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ", "Slovak": "äĺľŕôÄĹĽŔÔ",
		"Hungarian": "őűŐŰ", "Romanian": "ăâîșțĂÂÎȘȚ", "Croatian": "đĐćžĆŽ", "Latvian": "āčēģīķļņšūžĀČĒĢĪĶĻŅŠŪŽ",
		"Lithuanian": "ąčęėįšųūžĄČĘĖĮŠŲŪŽ", "Estonian": "õäöüšžÕÄÖÜŠŽ", "Maltese": "ċġħżĊĠĦŻ", "Welsh": "ŵŷŴŶ",
		"Icelandic": "ðþæÐÞÆ", "Turkish": "ğıİşçĞŞÇ", "Northern Sámi": "đŋšŧžčĐŊŠŦŽČ", "French": "àâçéèêëîïôœùûüÿŸ",
		"Spanish": "áéíñóúü¿¡", "Portuguese": "ãõâêôç", "German": "äöüßÄÖÜ",
		"Greek": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰΆΈΉΊΌΎΏ", "Bulgarian": "абвгдежзийклмнопрстуфхцчшщъьюяѝ",
		"Russian": "ыэёЫЭЁ", "Ukrainian": "іїєґІЇЄҐ", "Serbian": "ђјљњћџЂЈЉЊЋЏ", "Macedonian": "ѓќѕЃЌЅ", "Belarusian": "ўЎ",
	} {
		if got := drawable(letters); got != letters {
			t.Errorf("%s: %s is drawn as %s", language, letters, got)
		}
	}
}

// What the fonts have no letter for is never left blank.
func TestWhatCannotBeDrawnIsSeen(t *testing.T) {
	for text, want := range map[string]string{
		"山田 Ltd":                 "□□ Ltd",
		"שלום":                   "□□□□",
		"Nguyễn Thị Ánh":         "Nguyen Thi Ánh",
		"Cafe\u0301":             "Café", // as macOS writes it
		"Ａ１２":                    "A12",
		"a\u200bb\ufeffc\u00add": "abc\u00add",
		"1\u202f000":             "1 000",
		"non\u2011stop":          "non-stop",
		"🙂":                      "□",
	} {
		if got := drawable(text); got != want {
			t.Errorf("%q is drawn as %q, not %q", text, got, want)
		}
	}
	i := invoice()
	i.InvoiceAddress.Name = "山田商店"
	f, err := Invoice(sender(), receiver("en"), i)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := papertest.Text(f.Body); err != nil || !strings.Contains(text, "□□□□") {
		t.Errorf("nothing stands where the name cannot: %v\n%s", err, text)
	}
}
