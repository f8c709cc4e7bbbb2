package reference

import (
	"sync"

	"kontor/internal/foundation/record"
	"kontor/internal/foundation/texts"
)

// Country is the English name of an ISO 3166-1 alpha-2 code in force, or of XK (Kosovo), which the standard
// leaves to its users and the European Union uses.
func Country(code string) (name string, ok bool) {
	name, ok = countries[code]
	return name, ok
}

// LanguageOf is the language of business in a country, of those that the house speaks: what a shop, a paper or a letter
// uses where nobody has chosen one.
func LanguageOf(country string) string {
	switch country {
	case "SE", "AX":
		return "sv"
	case "NO", "SJ":
		return "nb"
	case "DK", "GL", "FO":
		return "da"
	case "FI":
		return "fi"
	case "DE", "AT", "CH", "LI":
		return "de"
	}
	return "en"
}

// CountryNamed is the code of a country that a file names by its code, its English name or one of the
// aliases below. Names of no single country ("European Community", "Unspecified", "Channel Islands", which are
// Guernsey and Jersey) are unknown: a wrong country on an invoice is worse than none.
func CountryNamed(name string) (code string, ok bool) {
	code, ok = countryNames()[record.Fold(name)]
	return code, ok
}

// CountryIn is CountryNamed of somebody who may also call it by its name in a language; "" where it is none.
func CountryIn(language, name string) string {
	if code, ok := CountryNamed(name); ok || name == "" {
		return code
	}
	for code := range countries {
		if record.Fold(texts.Country(language, code)) == record.Fold(name) {
			return code
		}
	}
	return ""
}

var countryNames = sync.OnceValue(func() map[string]string {
	names := make(map[string]string, 2*len(countries)+len(countryAliases))
	for code, name := range countries {
		names[record.Fold(code)] = code
		names[record.Fold(name)] = code
	}
	for alias, code := range countryAliases {
		names[record.Fold(alias)] = code
	}
	return names
})

// countryAliases are other names that files use.
var countryAliases = map[string]string{
	"aland": "AX", "aland islands": "AX", "america": "US", "belgique": "BE", "belgië": "BE",
	"bolivia, plurinational state of": "BO", "bonaire": "BQ", "britain": "GB", "brunei darussalam": "BN", "burma": "MM",
	"cape verde": "CV", "congo, the democratic republic of the": "CD", "cote d'ivoire": "CI", "curacao": "CW",
	"czech republic": "CZ", "danmark": "DK", "democratic republic of the congo": "CD", "deutschland": "DE",
	"east timor": "TL", "eire": "IE", "england": "GB", "espana": "ES", "españa": "ES", "great britain": "GB",
	"holland": "NL", "holy see": "VA", "hong kong sar": "HK", "iran, islamic republic of": "IR", "irish republic": "IE",
	"italia": "IT", "ivory coast": "CI", "korea": "KR", "korea, republic of": "KR", "kyrgyz republic": "KG",
	"lao pdr": "LA", "lao people's democratic republic": "LA", "macau": "MO", "macedonia": "MK",
	"micronesia, federated states of": "FM", "moldova, republic of": "MD", "norge": "NO", "northern ireland": "GB",
	"oesterreich": "AT", "palestinian territory": "PS", "polska": "PL", "republic of ireland": "IE",
	"republic of korea": "KR", "republic of south africa": "ZA", "republic of the congo": "CG", "reunion": "RE",
	"rsa": "ZA", "russian federation": "RU", "saint barthelemy": "BL", "saint martin": "MF",
	"sao tome and principe": "ST", "schweiz": "CH", "scotland": "GB", "sint maarten": "SX", "slovak republic": "SK",
	"state of palestine": "PS", "suisse": "CH", "suomi": "FI", "sverige": "SE", "swaziland": "SZ",
	"syrian arab republic": "SY", "taiwan, province of china": "TW", "tanzania, united republic of": "TZ",
	"the netherlands": "NL", "turkey": "TR", "turkiye": "TR", "u.a.e.": "AE", "u.k.": "GB", "u.s.": "US",
	"u.s.a.": "US", "uae": "AE", "uk": "GB", "united kingdom of great britain and northern ireland": "GB",
	"united states of america": "US", "usa": "US", "vatican": "VA", "venezuela, bolivarian republic of": "VE",
	"viet nam": "VN", "wales": "GB", "österreich": "AT",
}

// countries are ISO 3166-1 alpha-2 with short English names.
var countries = map[string]string{
	"AD": "Andorra", "AE": "United Arab Emirates", "AF": "Afghanistan", "AG": "Antigua and Barbuda", "AI": "Anguilla",
	"AL": "Albania", "AM": "Armenia", "AO": "Angola", "AQ": "Antarctica", "AR": "Argentina", "AS": "American Samoa",
	"AT": "Austria", "AU": "Australia", "AW": "Aruba", "AX": "Åland Islands", "AZ": "Azerbaijan",
	"BA": "Bosnia and Herzegovina", "BB": "Barbados", "BD": "Bangladesh", "BE": "Belgium", "BF": "Burkina Faso",
	"BG": "Bulgaria", "BH": "Bahrain", "BI": "Burundi", "BJ": "Benin", "BL": "Saint Barthélemy", "BM": "Bermuda",
	"BN": "Brunei", "BO": "Bolivia", "BQ": "Bonaire, Sint Eustatius and Saba", "BR": "Brazil", "BS": "Bahamas",
	"BT": "Bhutan", "BV": "Bouvet Island", "BW": "Botswana", "BY": "Belarus", "BZ": "Belize", "CA": "Canada",
	"CC": "Cocos (Keeling) Islands", "CD": "DR Congo", "CF": "Central African Republic", "CG": "Congo",
	"CH": "Switzerland", "CI": "Côte d'Ivoire", "CK": "Cook Islands", "CL": "Chile", "CM": "Cameroon", "CN": "China",
	"CO": "Colombia", "CR": "Costa Rica", "CU": "Cuba", "CV": "Cabo Verde", "CW": "Curaçao", "CX": "Christmas Island",
	"CY": "Cyprus", "CZ": "Czechia", "DE": "Germany", "DJ": "Djibouti", "DK": "Denmark", "DM": "Dominica",
	"DO": "Dominican Republic", "DZ": "Algeria", "EC": "Ecuador", "EE": "Estonia", "EG": "Egypt",
	"EH": "Western Sahara", "ER": "Eritrea", "ES": "Spain", "ET": "Ethiopia", "FI": "Finland", "FJ": "Fiji",
	"FK": "Falkland Islands", "FM": "Micronesia", "FO": "Faroe Islands", "FR": "France", "GA": "Gabon",
	"GB": "United Kingdom", "GD": "Grenada", "GE": "Georgia", "GF": "French Guiana", "GG": "Guernsey", "GH": "Ghana",
	"GI": "Gibraltar", "GL": "Greenland", "GM": "Gambia", "GN": "Guinea", "GP": "Guadeloupe", "GQ": "Equatorial Guinea",
	"GR": "Greece", "GS": "South Georgia and the South Sandwich Islands", "GT": "Guatemala", "GU": "Guam",
	"GW": "Guinea-Bissau", "GY": "Guyana", "HK": "Hong Kong", "HM": "Heard Island and McDonald Islands",
	"HN": "Honduras", "HR": "Croatia", "HT": "Haiti", "HU": "Hungary", "ID": "Indonesia", "IE": "Ireland",
	"IL": "Israel", "IM": "Isle of Man", "IN": "India", "IO": "British Indian Ocean Territory", "IQ": "Iraq",
	"IR": "Iran", "IS": "Iceland", "IT": "Italy", "JE": "Jersey", "JM": "Jamaica", "JO": "Jordan", "JP": "Japan",
	"KE": "Kenya", "KG": "Kyrgyzstan", "KH": "Cambodia", "KI": "Kiribati", "KM": "Comoros",
	"KN": "Saint Kitts and Nevis", "KP": "North Korea", "KR": "South Korea", "KW": "Kuwait", "KY": "Cayman Islands",
	"KZ": "Kazakhstan", "LA": "Laos", "LB": "Lebanon", "LC": "Saint Lucia", "LI": "Liechtenstein", "LK": "Sri Lanka",
	"LR": "Liberia", "LS": "Lesotho", "LT": "Lithuania", "LU": "Luxembourg", "LV": "Latvia", "LY": "Libya",
	"MA": "Morocco", "MC": "Monaco", "MD": "Moldova", "ME": "Montenegro", "MF": "Saint Martin (French part)",
	"MG": "Madagascar", "MH": "Marshall Islands", "MK": "North Macedonia", "ML": "Mali", "MM": "Myanmar",
	"MN": "Mongolia", "MO": "Macao", "MP": "Northern Mariana Islands", "MQ": "Martinique", "MR": "Mauritania",
	"MS": "Montserrat", "MT": "Malta", "MU": "Mauritius", "MV": "Maldives", "MW": "Malawi", "MX": "Mexico",
	"MY": "Malaysia", "MZ": "Mozambique", "NA": "Namibia", "NC": "New Caledonia", "NE": "Niger", "NF": "Norfolk Island",
	"NG": "Nigeria", "NI": "Nicaragua", "NL": "Netherlands", "NO": "Norway", "NP": "Nepal", "NR": "Nauru", "NU": "Niue",
	"NZ": "New Zealand", "OM": "Oman", "PA": "Panama", "PE": "Peru", "PF": "French Polynesia", "PG": "Papua New Guinea",
	"PH": "Philippines", "PK": "Pakistan", "PL": "Poland", "PM": "Saint Pierre and Miquelon", "PN": "Pitcairn Islands",
	"PR": "Puerto Rico", "PS": "Palestine", "PT": "Portugal", "PW": "Palau", "PY": "Paraguay", "QA": "Qatar",
	"RE": "Réunion", "RO": "Romania", "RS": "Serbia", "RU": "Russia", "RW": "Rwanda", "SA": "Saudi Arabia",
	"SB": "Solomon Islands", "SC": "Seychelles", "SD": "Sudan", "SE": "Sweden", "SG": "Singapore", "SH": "Saint Helena",
	"SI": "Slovenia", "SJ": "Svalbard and Jan Mayen", "SK": "Slovakia", "SL": "Sierra Leone", "SM": "San Marino",
	"SN": "Senegal", "SO": "Somalia", "SR": "Suriname", "SS": "South Sudan", "ST": "São Tomé and Príncipe",
	"SV": "El Salvador", "SX": "Sint Maarten (Dutch part)", "SY": "Syria", "SZ": "Eswatini",
	"TC": "Turks and Caicos Islands", "TD": "Chad", "TF": "French Southern Territories", "TG": "Togo", "TH": "Thailand",
	"TJ": "Tajikistan", "TK": "Tokelau", "TL": "Timor-Leste", "TM": "Turkmenistan", "TN": "Tunisia", "TO": "Tonga",
	"TR": "Türkiye", "TT": "Trinidad and Tobago", "TV": "Tuvalu", "TW": "Taiwan", "TZ": "Tanzania", "UA": "Ukraine",
	"UG": "Uganda", "UM": "U.S. Outlying Islands", "US": "United States", "UY": "Uruguay", "UZ": "Uzbekistan",
	"VA": "Vatican City", "VC": "Saint Vincent and the Grenadines", "VE": "Venezuela", "VG": "British Virgin Islands",
	"VI": "U.S. Virgin Islands", "VN": "Vietnam", "VU": "Vanuatu", "WF": "Wallis and Futuna", "WS": "Samoa",
	"XK": "Kosovo", "YE": "Yemen", "YT": "Mayotte", "ZA": "South Africa", "ZM": "Zambia", "ZW": "Zimbabwe",
}
