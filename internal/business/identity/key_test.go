package identity

import (
	"strings"
	"testing"
)

func TestKeyReadsBack(t *testing.T) {
	for prefix, of := range map[string]struct {
		env  Environment
		kind keyKind
	}{"svc_live_sk_": {Production, forAPI}, "svc_test_sk_": {Test, forAPI}, "svc_live_st_": {Production, forStore},
		"svc_test_st_": {Test, forStore}} {
		key := mint(of.env, of.kind)
		got, hash, ok := readKey(key, of.kind)
		if !ok || got != of.env || hash == (keyHash{}) {
			t.Errorf("readKey(%q) = %q, %x, %v", key, got, hash, ok)
		}
		if len(key) != keyChars || !strings.HasPrefix(key, prefix) {
			t.Errorf("%q is not of the form", key)
		}
		if other := mint(of.env, of.kind); other == key {
			t.Error("two keys are the same")
		}
		for _, other := range []keyKind{forAPI, forStore} {
			if _, _, ok := readKey(key, other); ok && other != of.kind {
				t.Errorf("%q passes for a key of kind %s", key, other)
			}
		}
	}
}

func TestKeyRefusesWhatWasMistyped(t *testing.T) {
	key := mint(Test, forAPI)
	swapped := []byte(key)
	swapped[20], swapped[21] = swapped[21], swapped[20]
	if swapped[20] == swapped[21] {
		swapped[20] ^= 1
	}
	for name, k := range map[string]string{
		"empty":           "",
		"too short":       key[:len(key)-1],
		"too long":        key + "0",
		"other prefix":    "svc_prod_" + key[len(testPrefix):],
		"other env":       livePrefix + key[len(testPrefix):],
		"swapped letters": string(swapped),
		"wrong checksum":  key[:len(key)-1] + string(base62[(strings.IndexByte(base62, key[len(key)-1])+1)%62]),
	} {
		if _, _, ok := readKey(k, forAPI); ok {
			t.Errorf("%s: %q was accepted", name, k)
		}
	}
}

// A key's form is published: a scanner elsewhere must compute the same checksum.
func TestChecksumIsCRC32(t *testing.T) {
	if got := checksum("123456789"); got != "3jZRME" { // CRC-32/ISO-HDLC of it is 0xCBF43926
		t.Errorf("checksum = %q", got)
	}
}

func TestEveryCountryHasAZone(t *testing.T) {
	for country, zone := range map[string]string{"SE": "Europe/Stockholm", "US": "America/New_York",
		"XK": "Europe/Belgrade", "ZW": "Africa/Harare", "AD": "Europe/Andorra"} {
		if got := zoneOf(country); got != zone {
			t.Errorf("zoneOf(%s) = %q, want %q", country, got, zone)
		}
	}
	for _, no := range []string{"", "S", "XX", "se", "\nSE"} {
		if got := zoneOf(no); got != "" {
			t.Errorf("zoneOf(%q) = %q", no, got)
		}
	}
}
