package search

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/swedish"
)

// language is what the index knows of a language.
type language struct {
	code string // of IETF, "en"; also the order of its letters
	stem func(*snowballstem.Env) bool
	stop map[string]bool
	// forms and lasts are words bent beyond endings, lasts also as the last part of a compound; endings are what the
	// stemmer leaves, in their order.
	forms, lasts map[string]string
	endings      []ending
	// compounds tells that words are written together: slang is found in trädgårdsslang.
	compounds bool
	// links are what stands between the parts of a compound, the empty one first.
	links []string
	// respelled turns what is written for letters that a keyboard lacks (ue for ü) into those letters as they are
	// compared; nil where nobody writes so.
	respelled *strings.Replacer
	// analysers are those that nobody uses at the moment.
	analysers sync.Pool
}

// languageOf is the language of a code such as "sv" or "sv-SE"; of others only the words themselves are known.
func languageOf(code string) *language {
	base, _, _ := strings.Cut(strings.ToLower(code), "-")
	switch base {
	case "sv":
		return &language{code: "sv", stem: swedish.Stem, stop: stopWords(swedishStop), compounds: true,
			forms: formsOf("sv"), lasts: formsOf("sv-lasts"), endings: swedishEndings,
			links:     []string{"", "s", "o", "a", "e", "u"},
			respelled: strings.NewReplacer("aa", "a", "ae", "a", "oe", "o")}
	case "nb", "no", "nn":
		return &language{code: "nb", stem: norwegian.Stem, stop: stopWords(norwegianStop), compounds: true,
			forms: formsOf("nb"), lasts: formsOf("nb-lasts"), endings: fallen,
			links:     []string{"", "s", "e"},
			respelled: strings.NewReplacer("aa", "a", "oe", "o")}
	case "da":
		return &language{code: "da", stem: danish.Stem, stop: stopWords(danishStop), compounds: true,
			forms: formsOf("da"), lasts: formsOf("da-lasts"), endings: fallen,
			links:     []string{"", "s", "e"},
			respelled: strings.NewReplacer("aa", "a", "oe", "o")}
	case "fi":
		return &language{code: "fi", stem: finnish.Stem, stop: stopWords(finnishStop), compounds: true,
			links: []string{"", "n", "en", "s", "is"}}
	case "de":
		return &language{code: "de", stem: german.Stem, stop: stopWords(germanStop), compounds: true,
			forms: formsOf("de"), endings: germanEndings,
			links:     []string{"", "s", "es", "n", "en", "er", "e"},
			respelled: strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")}
	case "en":
		return &language{code: "en", stem: english.Stem, stop: stopWords(englishStop), compounds: false,
			forms: formsOf("en"), lasts: formsOf("en-lasts"),
			links: []string{""}}
	}
	return &language{code: base, stop: map[string]bool{}, links: []string{""}}
}

func stopWords(list string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		words[fold(w)] = true
	}
	return words
}

// The words that say little. Words that are also goods (German "arm", Swedish "var", English "can") are not among them.
const (
	swedishStop = `och att det i en på som är av för med den till inte om ett så eller men de från vid kan hos under över
		utan mellan per samt även finns när där här efter upp ut vi du jag han hon man ni oss dig mig sin sitt sina din
		ditt dina denna detta dessa vilken vilket vilka vad`
	norwegianStop = `og i det på som er en til å av for at med den et om så eller men de fra ved kan hos under over uten
		mellom per samt også når der her etter opp ut vi du jeg han hun man dere oss deg meg sin sitt sine din ditt dine
		denne dette disse hvilken hvilket hvilke hva har ikke`
	danishStop = `og i det på som er en til at af for med den et om så eller men de fra ved kan hos under over uden mellem
		per samt også når der her efter op ud vi du jeg han hun man os dig mig sin sit sine din dit dine denne dette disse
		hvilken hvilket hvilke hvad har ikke`
	finnishStop = `ja on ei se että joka tai kun mutta niin myös sekä ovat olla oli hän he me te minä sinä tämä tuo nämä
		nuo ne jos kuin sen sitä siitä jotka mikä mitä missä vain vielä eli`
	germanStop = `und der die das in den von zu mit ist im für auf nicht ein eine einen einem einer eines als auch es an am
		aus bei nach wie oder aber sich dem des vom zum zur über unter um durch ohne bis sind wird werden hat ich du er
		sie wir ihr mein dein sein unser dieser diese dieses welcher welche welches was`
	englishStop = `a an and are as at be but by for from has have if in into is it its no not of on or our so such that the
		their then there these they this to was we were what which will with you your w`
)

// Stemmer finds the words of texts as the index compares them in a language: folded, each by its stem. It serves one
// goroutine.
type Stemmer struct{ a *analyser }

// NewStemmer is one for a language of IETF, such as "sv-SE".
func NewStemmer(language string) Stemmer { return Stemmer{languageOf(language).analyser()} }

// Stems are the words of a text, in their order.
func (s Stemmer) Stems(text string) []string {
	var out []string
	for _, t := range s.a.tokens(nil, text) {
		if t.stem != "" {
			out = append(out, t.stem)
		} else {
			out = append(out, t.text)
		}
	}
	return out
}
