package search

import (
	"slices"
	"strings"
	"testing"
)

// alike are words of a language, the forms of one word each, that have one stem; apart are others that must not.
var alike, apart = map[string][]string{
	"sv": {"cykel cykeln cyklar cyklarna", "nyckel nyckeln nycklar", "stövel stövlar stövlarna", "gaffel gafflar gaffeln",
		"möbel möbler", "kabel kablar", "sadel sadlar", "artikel artiklar", "finger fingrar fingret",
		"mönster mönstret", "filter filtret filtren", "fönster fönstret", "vatten vattnet", "silver silvret",
		"pussel pusslet", "papper pappret papperet", "vinter vintrar", "sommar somrar",
		"dator datorer datorerna", "motor motorer", "projektor projektorer", "traktor traktorer", "kontor kontoret",
		"bok böcker boken böckerna bocker", "kokbok kokböcker kokböckernas", "hand händer", "fot fötter", "tand tänder",
		"morot morötter", "jordnöt jordnötter", "bostad bostäder", "avbitartång avbitartänger",
		"gardinstång gardinstänger", "datormus datormöss", "kalender kalendrar", "armband armbandet",
		"sko skor skon skorna", "löparsko löparskor löparskorna", "väska väskor väskan väskorna", "lampa lampor lampan",
		"bord bordet borden", "skiva skivor skivan", "banan bananer bananen", "planet planeten planeter",
		"dator datorn datorns", "monitor monitorn", "kompressor kompressorn kompressorer", "motor motorn",
		"traktor traktorn", "hus huset husen", "växthus växthuset", "kök köket köken", "badkar badkaret", "tak taket",
		"rum rummet rummen", "badrum badrummet", "program programmet", "land landet", "foto fotot foton",
		"byxa byxan byxor", "verktygslåda verktygslådan",
		"grön grönt gröna", "röd rött röda", "blå blått blåa", "vit vitt vita"},
	"nb": {"bok bøker bøkene boken", "kokebok kokebøker", "fot føtter", "sykkel sykler sykkelen", "nøkkel nøkler",
		"gaffel gafler", "kabel kabler", "filter filtre filteret", "sko skoen skoene", "mann menn mennene",
		"kjøkken kjøkkenet", "rom rommet", "lue luen luer", "kamera kameraet kameraer"},
	"da": {"bog bøger bogen bøgerne", "tand tænder", "cykel cykler cyklen", "gaffel gafler", "møbel møbler",
		"filter filtre filteret", "mand mænd", "køkken køkkenet køkkener", "lagen lagenet", "sko skoen", "træ træet træer"},
	"de": {"Gabel Gabeln", "Auto Autos", "Sofa Sofas", "Akku Akkus", "Handy Handys", "Laptop Laptops", "Kamera Kameras",
		"Fernglas Ferngläser", "Haus Häuser", "Maus Mäuse", "Buch Bücher"},
	"en": {"man men men's mens", "woman women women's womens", "child children children's", "grandchild grandchildren",
		"foot feet", "mouse mice", "knife knives", "bookshelf bookshelves", "leaf leaves", "scarf scarves", "die dice"},
}, map[string]string{
	"sv": "bock bok barn bar järn paket pack staket vattentorn vattenhus vagn hamn hund hundra rak raket väska flaska sko svan torn regn del stål glas avbrott",
	"nb": "barn bok hånd bar", "da": "barn bog bar",
	"de": "Glas Gras Gas Haus Bus Maus Reis",
	"en": "specimen ramen mat mate man leave shell half knit",
}

func TestFormsOfAWordAreOne(t *testing.T) {
	for language, words := range alike {
		s := NewStemmer(language)
		for _, word := range words {
			forms := strings.Fields(word)
			stems := s.Stems(word)
			if len(stems) != len(forms) || len(slices.Compact(stems)) != 1 {
				t.Errorf("%s: %v have the stems %v", language, forms, s.Stems(word))
			}
		}
	}
	for language, words := range apart {
		stems := NewStemmer(language).Stems(words)
		all := slices.Clone(stems)
		slices.Sort(all)
		if len(slices.Compact(all)) != len(stems) {
			t.Errorf("%s: of %s two have one stem: %v", language, words, stems)
		}
	}
}

// An ending that was cut is none of another: whoever looks for the last part of a compound still finds it.
func TestBentCompoundsAreFoundByTheirLastPart(t *testing.T) {
	x := indexOf("sv", product("a", "Barncyklar"), product("b", "Kokböcker"), product("c", "Nyckelband"))
	check(t, x, []expectation{{"cykel ", "a"}, {"cyklar ", "a"}, {"böcker ", "b"}, {"kokbok ", "b"}, {"nycklar ", ""}})
	x = indexOf("sv", product("a", "Kyrktornet"), product("b", "Vattentorn"), product("c", "Datorn"))
	check(t, x, []expectation{{"tornet ", "a b"}, {"datorer ", "c"}})
	x = indexOf("de", product("a", "Ferngläser"), product("b", "Fernglas"))
	check(t, x, []expectation{{"glas ", "a b"}, {"Gläser ", "a b"}})
}
