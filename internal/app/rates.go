package app

import (
	"strings"

	"kontor/internal/foundation/dec"
)

// vatOf are a country's standard and reduced rates of value added tax or its like, in percent. Where a country has
// several reduced rates it is the one most goods fall under; where it has none, the standard rate. A country without
// such a tax, or one not listed, has 0: the merchant sets the rate. Used for the starter set alone; from then on
// the rates are the company's own.
func vatOf(country string) (standard, reduced dec.Dec) {
	f := strings.Fields(lineOf(vatRates, country))
	if len(f) == 0 {
		return 0, 0
	}
	standard = dec.Must(f[0])
	if len(f) == 1 {
		return standard, standard
	}
	return standard, dec.Must(f[1])
}

// indicativeRate is what a currency is worth in base, roughly: enough for a first price list, never for books. Krona
// and krone are quoted per 100, as their central banks do.
func indicativeRate(currency, base string) (dec.Rate, bool) {
	foreign, home := lineOf(perEuro, currency), lineOf(perEuro, base)
	if foreign == "" || home == "" {
		return dec.Rate{}, false
	}
	units := dec.One
	if strings.Contains("SEK NOK DKK", currency) {
		units = dec.Int(100)
	}
	amount := dec.Must(home).MulDiv(units, dec.Must(foreign))
	return dec.Rate{Amount: amount.Round(4), Units: units}, amount.Round(4) > 0
}

func nameOfCurrency(code string) string {
	if name := lineOf(currencyNames, code); name != "" {
		return name
	}
	return code
}

// lineOf is what stands behind key on its line of a table.
func lineOf(table, key string) string {
	_, rest, found := strings.Cut(table, "\n"+key+" ")
	if !found {
		return ""
	}
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// vatRates: country, standard rate, reduced rate where there is one; in force in 2026.
const vatRates = `
AE 5
AL 20 6
AR 21 10.5
AT 20 10
AU 10
BA 17
BE 21 6
BG 20 9
CA 5
CH 8.1 2.6
CL 19
CN 13 9
CO 19 5
CY 19 5
CZ 21 12
DE 19 7
DK 25
EE 24 9
EG 14 5
ES 21 10
FI 25.5 13.5
FR 20 5.5
GB 20 5
GR 24 13
HR 25 13
HU 27 18
IE 23 13.5
IL 18
IM 20 5
IN 18 5
IS 24 11
IT 22 10
JP 10 8
KE 16 8
KR 10
LI 8.1 2.6
LT 21 12
LU 17 8
LV 21 12
MA 20 10
MC 20 5.5
MD 20 8
ME 21 7
MK 18 5
MT 18 5
MX 16
NG 7.5
NL 21 9
NO 25 15
NZ 15
PE 18
PH 12
PL 23 8
PT 23 13
RO 21 11
RS 20 10
SA 15
SE 25 12
SG 9
SI 22 9.5
SK 23 19
TR 20 10
TW 5
UA 20 7
UY 22 10
VN 10 5
XK 18 8
ZA 15
`

// perEuro is how much of a currency one euro is, roughly.
const perEuro = `
AED 4.3
ALL 97
ARS 1600
AUD 1.77
BAM 1.95583
BGN 1.95583
BRL 6.2
CAD 1.62
CHF 0.93
CLP 1100
CNY 8.3
COP 4500
CZK 24.4
DKK 7.46
EGP 55
EUR 1
GBP 0.87
HKD 9.1
HUF 385
IDR 19400
ILS 3.8
INR 104
ISK 143
JPY 175
KES 150
KRW 1680
KZT 620
MAD 10.7
MDL 19.7
MKD 61.5
MXN 21.5
MYR 4.9
NGN 1700
NOK 11.7
NZD 2.02
PEN 4
PHP 68
PLN 4.25
RON 5.08
RSD 117.2
SAR 4.4
SEK 11
SGD 1.51
THB 37.8
TRY 49
TWD 36
UAH 49
USD 1.16
UYU 46
VND 30500
ZAR 20
`

const currencyNames = `
AUD Australian dollar
CAD Canadian dollar
CHF Swiss franc
CZK Czech koruna
DKK Danish krone
EUR Euro
GBP Pound sterling
HUF Hungarian forint
INR Indian rupee
ISK Icelandic króna
JPY Japanese yen
NOK Norwegian krone
NZD New Zealand dollar
PLN Polish złoty
RON Romanian leu
SEK Swedish krona
TRY Turkish lira
USD US dollar
`
