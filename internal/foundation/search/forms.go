package search

import (
	"cmp"
	"embed"
	"slices"
	"strings"
	"unicode/utf8"
)

// Stemmers cut regular endings. What they leave apart and a reader takes for one word is joined here: vowels that fall
// out (nyckel and nycklar) or change (bok and böcker, knife and knives), and endings that they do not know.

// ending is what a stemmer leaves at the end of a word, and what stands for it in the stem. Before it are least letters
// or more, the last of them one of before ("" = any).
type ending struct {
	text, instead string
	least         int
	before        string
}

const (
	vowels     = "aeiouyåäöæø"
	consonants = "bcdfghjklmnpqrstvwxz"
)

var (
	// fallen are Scandinavian words that have a vowel, or a letter twice, only where nothing follows: cykel and cyklar,
	// filter, filteret and filtret, vatten and vattnet, nøkkel and nøkler.
	fallen = slices.Concat([]ending{
		{"er", "", 3, consonants}, {"el", "l", 2, consonants}, {"eln", "l", 2, consonants},
		{"r", "", 3, "bcfghjklmnpqstvwxz"}, {"dr", "d", 2, vowels + "bcdfghjklmpqrstvwxz"}, // hundra is no hund
	}, doubles())
	swedishEndings = append([]ending{
		{"an", "", 4, ""}, {"et", "", 4, ""}, // lampan, bordet
		// datorn, monitorn, kompressorn; what ends with torn (a tower) is none of them.
		{"atorn", "ator", 1, ""}, {"itorn", "itor", 2, ""}, {"sorn", "sor", 2, ""},
		{"or", "", 3, ""}, {"kt", "k", 2, vowels}, // datorer as dator, projektorer as projektor
		{"sko", "sk", 2, ""}, // löparsko as löparskor
	}, fallen...)
	germanEndings = []ending{
		{"eln", "el", 2, ""},                                       // Gabeln
		{"os", "o", 3, ""}, {"ys", "y", 3, ""}, {"ps", "p", 3, ""}, // Autos
		// Sofas and Akkus, but nothing that ends with Glas, Gras, Gas or Haus.
		{"as", "a", 3, "abcdefhijkmnopqstvwxyz"}, {"us", "u", 3, "bcdefghijknopqstuvwxyz"},
	}
)

// doubles are the letters that are double before a vowel that falls out: gafler of gaffel; and n behind them: vattnet.
func doubles() (all []ending) {
	for _, c := range strings.Split("bdfgkmpst", "") {
		all = append(all, ending{c + c + "l", c + "l", 1, ""}, ending{c + c + "n", c + c, 1, ""})
	}
	return all
}

// cut is a stem with what stands for the ending.
func (e ending) cut(stem string) string {
	rest, ok := strings.CutSuffix(stem, e.text)
	if !ok || utf8.RuneCountInString(rest) < e.least {
		return stem
	}
	if last, _ := utf8.DecodeLastRuneInString(rest); e.before != "" && !strings.ContainsRune(e.before, last) {
		return stem
	}
	return rest + e.instead
}

// formFiles are the words of languages that are bent beyond endings, a line a word: the word and its forms; those of
// lasts also where they are the last part of a compound (kokböcker).
//
//go:embed forms
var formFiles embed.FS

// formsOf knows the words of a list by their forms, all of them folded.
func formsOf(list string) map[string]string {
	forms := map[string]string{}
	text, err := formFiles.ReadFile("forms/" + list + ".txt")
	if err != nil {
		panic(err) // a list that is named and was not embedded
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(fold(line))
		for _, form := range words[1:] {
			forms[form] = words[0]
		}
	}
	return forms
}

// unbent is the folded word that a word is a form of, if it is bent beyond endings; "" if not.
func (l *language) unbent(word string) string {
	word = fold(word)
	base := l.bent(word)
	if owned, ok := strings.CutSuffix(word, "s"); ok && base == "" {
		return l.bent(owned)
	}
	return base
}

func (l *language) bent(word string) string {
	if base := l.forms[word]; base != "" {
		return base
	}
	for i := range word {
		if base := l.lasts[word[i:]]; base != "" && i != 1 { // one letter is no part of a compound
			return word[:i] + base
		}
	}
	return ""
}

// stemOf is the folded stem of a word.
func (a *analyser) stemOf(word string) string {
	a.env.SetCurrent(cmp.Or(a.lang.unbent(word), word))
	a.lang.stem(a.env)
	stem := a.env.Current()
	for _, e := range a.lang.endings {
		stem = e.cut(stem)
	}
	return fold(stem)
}
