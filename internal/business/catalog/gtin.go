package catalog

// ValidGTIN reports whether s is a GTIN-8, -12, -13 or -14 whose last digit is its check digit.
//
// GS1 General Specifications, section 7.9: from the right, the digits before the check digit are
// multiplied by 3 and 1 in turn; the check digit brings the sum of the products to the next multiple
// of ten.
func ValidGTIN(s string) bool {
	switch len(s) {
	case 8, 12, 13, 14:
	default:
		return false
	}
	sum, weight := 0, 1
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
		sum += int(s[i]-'0') * weight
		weight = 4 - weight
	}
	return sum%10 == 0
}
