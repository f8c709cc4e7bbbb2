package identity

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
)

// A key reads svc_live_sk_ or svc_test_sk_, a store key svc_live_st_ or svc_test_st_, then 32 random bytes and a
// checksum in base62.
// The fixed prefix and the checksum let a scanner recognise a leaked key without asking anybody.
const (
	livePrefix  = "svc_live_"
	testPrefix  = "svc_test_"
	secretBytes = 32
	secretChars = 43 // 62^43 > 2^256
	checkChars  = 6  // 62^6 > 2^32
	headChars   = len(livePrefix) + len(forAPI)
	keyChars    = headChars + secretChars + checkChars
	shownChars  = headChars + 6 // of a key may be shown again
)

// keyKind is what a key opens, as it stands in the key.
type keyKind string

const (
	forAPI   keyKind = "sk_"
	forStore keyKind = "st_"
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// keyHash is the SHA-256 of a whole key: all that is kept of it. The secret has 256 random bits, so a
// slow hash would add nothing, and looking a hash up leaks nothing about the secret by its timing.
type keyHash [sha256.Size]byte

func (h keyHash) key() string { return string(h[:]) }

// mint makes a new key of a kind for a company of environment env.
func mint(env Environment, kind keyKind) string {
	var secret [secretBytes]byte
	rand.Read(secret[:]) // crypto/rand never fails: it ends the program instead
	body := prefixOf(env) + string(kind) + inBase62(new(big.Int).SetBytes(secret[:]), secretChars)
	return body + checksum(body)
}

// readKey recognises a key of a kind by its form alone: which environment it is for, and its hash. Most wrong
// credentials end here, before the database is asked.
func readKey(key string, kind keyKind) (env Environment, hash keyHash, ok bool) {
	switch {
	case len(key) != keyChars || key[len(livePrefix):headChars] != string(kind):
		return "", hash, false
	case strings.HasPrefix(key, livePrefix):
		env = Production
	case strings.HasPrefix(key, testPrefix):
		env = Test
	default:
		return "", hash, false
	}
	body := key[:keyChars-checkChars]
	if key[len(body):] != checksum(body) {
		return "", hash, false
	}
	return env, sha256.Sum256([]byte(key)), true
}

func prefixOf(env Environment) string {
	if env == Production {
		return livePrefix
	}
	return testPrefix
}

func checksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	return inBase62(new(big.Int).SetUint64(uint64(sum)), checkChars)
}

// inBase62 writes n with exactly width digits.
func inBase62(n *big.Int, width int) string {
	out := make([]byte, width)
	base, digit := big.NewInt(int64(len(base62))), new(big.Int)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		out[i] = base62[digit.Int64()]
	}
	return string(out)
}
