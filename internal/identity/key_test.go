package identity

import (
	"strings"
	"testing"
)

func TestKeyReadsBack(t *testing.T) {
	for _, env := range []Environment{Production, Test} {
		key := mint(env)
		got, hash, ok := readKey(key)
		if !ok || got != env || hash == (keyHash{}) {
			t.Errorf("readKey(%q) = %q, %x, %v", key, got, hash, ok)
		}
		if len(key) != keyChars || !strings.HasPrefix(key, prefixOf(env)) {
			t.Errorf("%q is not of the form", key)
		}
		if other := mint(env); other == key {
			t.Error("two keys are the same")
		}
	}
}

func TestKeyRefusesWhatWasMistyped(t *testing.T) {
	key := mint(Test)
	swapped := []byte(key)
	swapped[20], swapped[21] = swapped[21], swapped[20]
	if swapped[20] == swapped[21] {
		swapped[20] ^= 1
	}
	for name, k := range map[string]string{
		"empty":           "",
		"too short":       key[:len(key)-1],
		"too long":        key + "0",
		"other prefix":    "svc_prod_sk_" + key[len(testPrefix):],
		"other env":       livePrefix + key[len(testPrefix):],
		"swapped letters": string(swapped),
		"wrong checksum":  key[:len(key)-1] + string(base62[(strings.IndexByte(base62, key[len(key)-1])+1)%62]),
	} {
		if _, _, ok := readKey(k); ok {
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
	for country, zone := range map[string]string{"SE": "Europe/Stockholm", "US": "America/New_York", "XK": "Europe/Belgrade", "ZW": "Africa/Harare", "AD": "Europe/Andorra"} {
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
