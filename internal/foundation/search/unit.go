package search

import "strings"

// unit is how a unit is written after a number: canonical is the one spelling that is indexed.
type unit struct {
	canonical string
	// apart tells that the unit is also one when a space stands before it ("12 v"); "2 in 1" and "4 a" are no
	// quantities.
	apart bool
}

// units are all spellings of units, folded.
var units = unitSpellings()

func unitSpellings() map[string]unit {
	m := map[string]unit{}
	for line := range strings.Lines(unitLines) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		canonical := words[0]
		for _, w := range words {
			w, only := strings.CutPrefix(w, "!")
			m[w] = unit{strings.TrimPrefix(canonical, "!"), !only}
		}
	}
	return m
}

// unitLines has one unit a line, the canonical spelling first; ! marks those that count only when written to the
// number.
const unitLines = `
mm millimeter millimeters millimetre millimetres millimetri
cm centimeter centimeters centimetre centimetres
dm
!m meter meters metre metres metri
km
!in inch inches tum tommer tuuma tuumaa zoll
ft feet foot fot fod jalka
yd yard yards
ml milliliter millilitre
cl centiliter
dl deciliter
!l liter liters litre litres litra litraa ltr
mg milligram
!g gr gram grams gramm
kg kilo kilogram kilograms kilogramm
oz ounce ounces
lb lbs pound pounds
v volt volts volttia vdc vac
mv
kv
w watt watts wattia
kw kilowatt
mw
kwh
wh
!a amp amps ampere
ma
mah
ah
hz hertz
khz
mhz
ghz
kb
mb megabyte megabytes
gb gigabyte gigabytes
tb terabyte terabytes
kbps
mbps
gbps
bit bits
dpi
rpm
fps
db
mp megapixel megapixels
nm
bar
psi
btu
lm lumen
!k kelvin
!c celsius
!pc pcs pieces stk styck kpl stück
!x
`
