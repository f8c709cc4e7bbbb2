package catalog_test

import (
	"testing"

	"kontor/internal/business/catalog"
)

func TestADescriptionKeepsItsParagraphs(t *testing.T) {
	for text, want := range map[string]string{
		"One line & no more":                     "One line &amp; no more",
		"Brass.\r\n\r\nBurns long.\r\nVery.\r\n": "<p>Brass.</p><p>Burns long.<br>Very.</p>",
		"Below 5 kg: 4 < 5\n \n\nAbove":          "<p>Below 5 kg: 4 &lt; 5</p><p>Above</p>",
		"<p>Forged</p>\n\n<p>Twice</p>":          "<p>Forged</p>\n\n<p>Twice</p>",
		"Dear friends\n\n<b>New</b> <a href=\"/x\">here</a>": `<p>Dear friends</p>` +
			`<p><b>New</b> <a href="/x" rel="nofollow">here</a></p>`,
		"Forged<script>alert(1)</script>\ntwice": "Forged\ntwice",
	} {
		if got := catalog.Described(text); got != want {
			t.Errorf("%q is shown as %q, not %q", text, got, want)
		}
	}
}
