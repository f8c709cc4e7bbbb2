package exchange

import "testing"

func TestDecimalCommas(t *testing.T) {
	for text, want := range map[string]string{"12,5": "12.5", "1.234,50": "1234.5", "1 234,5": "1234.5",
		"-1.234": "-1234", "1\u00a0234\u00a0567,000001": "1234567.000001", "7": "7", "0,5": "0.5", "12.5": "",
		"1,2,3": "", "1.23,4": "", "": "", "1234.567,8": "", ",5": ""} {
		d, err := decimalOf(text, true)
		if (err == nil) != (want != "") || err == nil && d.String() != want {
			t.Errorf("%q is read as %s, %v; not %q", text, d, err, want)
		}
	}
	if _, err := decimalOf("12,5", false); err == nil {
		t.Error("a decimal comma was read without being asked for")
	}
}
