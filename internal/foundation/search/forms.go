package search

import (
	"cmp"
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

// The words of a language that are bent beyond endings, a line a word: the word and its forms, those of lasts also
// where they are the last part of a compound (kokböcker).
const (
	swedishForms = `sko skor skorna skon
		man män männen
		röd rött
		grön grönt
		blå blått blåa
		vit vitt
		grå grått gråa
		gul gult
		brun brunt
		öga ögon ögonen
		öra öron öronen
		knä knän
		radio radion
		video videon
		foto fotot foton
		piano pianot pianon
		lin linet
		par paret
		ur uret
		te teet`
	swedishLasts = `bok böcker böckerna
		hand händer händerna
		fot fötter fötterna
		tand tänder tänderna
		rot rötter rötterna
		nöt nötter nötterna
		natt nätter nätterna
		stad städer städerna
		tång tänger tängerna
		stång stänger stängerna
		dotter döttrar döttrarna
		sommar somrar somrarna
		cylinder cylindrar cylindrarna
		kalender kalendrar kalendrarna
		mus möss mössen
		band bandet
		land landet
		rum rummet rummen
		hem hemmet hemmen
		lim limmet
		program programmet programmen
		hus huset
		kök köket
		tak taket
		bad badet
		lås låset
		nät nätet
		rör röret
		ben benet
		hår håret
		kar karet
		fat fatet
		bär bäret
		ägg ägget
		kit kitet
		set setet
		mål målet
		rep repet
		kol kolet
		tyg tyget
		vax vaxet
		vin vinet
		kex kexet
		hål hålet
		ler leret
		tåg tåget
		trä träet
		byxa byxan
		låda lådan
		dyna dynan
		kula kulan
		lina linan
		ruta rutan
		sula sulan
		luva luvan
		yxa yxan
		motor motorn
		rotor rotorn
		traktor traktorn
		projektor projektorn
		reflektor reflektorn
		detektor detektorn`
	norwegianForms = `sko skoen skoene
		mann menn mennene
		natt netter
		lue luen luer luene lua
		øye øyet øyne øynene`
	norwegianLasts = `rom rommet rommene
		hjem hjemmet hjemmene
		kjøkken kjøkkenet kjøkkenene
		laken lakenet lakenene
		våpen våpenet våpnene
		kamera kameraet kameraer kameraene
		bok bøker bøkene
		hånd hender hendene
		fot føtter føttene
		tann tenner tennene
		tang tenger tengene
		stang stenger stengene`
	danishForms = `sko skoen skoene
		mand mænd mændene
		nat nætter nætterne`
	danishLasts = `køkken køkkenet køkkener køkkenerne
		lagen lagenet lagener lagenerne
		våben våbenet våbnene
		træ træet træer træerne
		bog bøger bøgerne
		hånd hænder hænderne
		fod fødder fødderne
		tand tænder tænderne
		tang tænger tængerne
		stang stænger stængerne`
	germanForms  = `kamera kameras`
	englishForms = `man men
		foot feet
		mouse mice
		goose geese
		leaf leaves
		half halves
		calf calves
		hoof hooves
		thief thieves
		die dice
		matrix matrices`
	englishLasts = `woman women
		child children
		tooth teeth
		knife knives
		shelf shelves
		loaf loaves
		scarf scarves
		wolf wolves`
)

// formsOf knows the words of a list by their forms, all of them folded.
func formsOf(list string) map[string]string {
	forms := map[string]string{}
	for line := range strings.Lines(list) {
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
