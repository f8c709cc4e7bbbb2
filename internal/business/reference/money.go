package reference

import (
	"strings"

	"kontor/internal/foundation/record"
)

// MinorDigits is how many decimals amounts in a currency have: the minor unit of ISO 4217, 2 for a code
// it does not know.
func MinorDigits(currency string) int {
	if n, ok := minorDigits[strings.ToUpper(currency)]; ok {
		return n
	}
	return 2
}

// IsCurrency reports whether a code is a currency of ISO 4217. Metals, testing codes and units of account are not.
func IsCurrency(code string) bool {
	return len(code) == 3 && !strings.ContainsAny(code, " \t\n") && strings.Contains(currencies, code)
}

// minorDigits are the currencies whose minor unit is not a hundredth.
var minorDigits = map[string]int{
	"BHD": 3, "BIF": 0, "CLF": 4, "CLP": 0, "DJF": 0, "GNF": 0, "IQD": 3, "ISK": 0, "JOD": 3,
	"JPY": 0, "KMF": 0, "KRW": 0, "KWD": 3, "LYD": 3, "OMR": 3, "PYG": 0, "RWF": 0, "TND": 3,
	"UGX": 0, "UYI": 0, "UYW": 4, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
}

// currencies are the codes of ISO 4217 list one, with XCG, which replaced ANG in 2025.
const currencies = `
	AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP
	BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB
	EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY
	KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR
	MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB
	RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD
	TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
`

// The resources of the codes, for who shows their history.
var (
	OrderTypes      = orderTypes.resource
	PaymentTerms    = paymentTerms.resource
	DeliveryTerms   = deliveryTerms.resource
	ShippingMethods = shippingMethods.resource
	Warehouses      = warehouses.resource
	Locations       = locations.resource
	Units           = units.resource
	CustomerGroups  = customerGroups.resource
	TaxCodes        = taxCodes.resource
	Currencies      = currencyKind.resource
	TicketQueues    = ticketQueues.resource
	CannedAnswers   = cannedAnswers.resource
	Settings        = settings
)

// Rates are a currency's quotations, the oldest first.
func (b *Book) Rates(currency string) []RatePoint { return b.rates[record.Fold(currency)] }
