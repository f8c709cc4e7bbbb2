package shop

import (
	"encoding/json"
	"strings"
	"testing"
)

// What was answered with no is told as no, and what is chosen is made to order.
func TestChosenIsToldAsChosen(t *testing.T) {
	pages, err := (&Shop{words: map[string]map[string]string{"en": {}}}).parse()
	if err != nil {
		t.Fatal(err)
	}
	for answer, want := range map[string]string{
		`{"featureName": "Stove", "featureType": "Boolean", "boolean": false}`:                "Stove: No",
		`{"featureName": "Stove", "featureType": "Boolean", "boolean": true}`:                 "Stove: Yes",
		`{"featureName": "Cloth", "featureType": "Option", "optionName": "Silk"}`:             "Cloth: Silk",
		`{"featureName": "Porch", "featureType": "Number", "number": "2.5", "boolean": null}`: "Porch: 2.5",
	} {
		var v ChosenValue
		if err := json.Unmarshal([]byte(answer), &v); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := pages["en"]["cart"].ExecuteTemplate(&b, "chosen", []ChosenValue{v}); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.Contains(got, want+"<") || !strings.Contains(got, "Made to order") {
			t.Errorf("%s is told as %s", answer, got)
		}
	}
}
