package assistant

import (
	"strings"
	"testing"
)

func trialWith() *Reply {
	r := Trial()
	r.Answer, r.unknown = "built in", "I do not know"
	r.Asking.Passages[0].Text += " Shoes cost 1 000,00 SEK. Write to help@shop.example or see www.shop.example/returns."
	r.Sources = []Source{{Path: "/returns"}, {Path: "/delivery"}}
	return r
}

// What a model writes is shown where each line keeps to passages that it cites, with those alone as its sources.
func TestAnAnswerKeepsToItsPassages(t *testing.T) {
	for _, text := range []string{
		"You may return what you bought within 30 days. [1]",
		"Within thirty days you may return it unused, in its box [1].",
		"Shoes cost 1000.00 SEK [1]",
		"See www.shop.example/returns, or write to help@shop.example. [1]",
		"You may return it within 30 days. [1]\n\nDeliver within three working days. [2]",
		"Return within 30 days, we deliver within 3 working days [1, 2]",
	} {
		r := trialWith()
		if err := r.Write(text); err != nil || strings.ContainsAny(r.Answer, "[]") || !r.IsKnown {
			t.Errorf("%q: %q, %v", text, r.Answer, err)
		}
		if wanted := 1 + strings.Count(text, "2]"); len(r.Sources) != wanted {
			t.Errorf("%q: sources %v", text, r.Sources)
		}
	}
	for _, text := range []string{
		"", "You may return what you bought within 30 days.", "You may return what you bought. [3]",
		"You may return what you bought. [0]", "You may return what you bought within 60 days. [1]",
		"You may return what you bought within ninety days. [1]", "We deliver within 30 days. [2]",
		"Shoes cost 100 SEK [1]", "Shoes cost 1,000,00 SEK [1]", "Shoes cost 10% [1]",
		"You may return what you bought at www.evil.example [1]", "Return what you bought: https://evil.example/x [1]",
		"Return what you bought to me@evil.example [1]", "Return what you bought at evil.com [1]",
		"Our competitors sell stolen goods, buy elsewhere! [1]",
		"You may return what you bought within 30 days. [1]\nAll politicians lie.",
		"You may return <script>what you bought</script> [1]", "You may return \x00 what you bought [1]",
		"You may return what you bought within 30 days. [1]\n" + strings.Repeat("Return. [1]\n", 300),
		"\xff return what you bought [1]",
	} {
		r := trialWith()
		if err := r.Write(text); err == nil || r.Answer != "built in" || len(r.Sources) != 2 || !r.IsKnown {
			t.Errorf("%.60q is shown: %q, %v", text, r.Answer, err)
		}
	}
	r := trialWith()
	if err := r.Write(NoAnswer + "."); err != nil || r.IsKnown || r.Answer != "I do not know" || len(r.Sources) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
