package rest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// tagOf is the validator an answer carries; empty when it carries none.
func tagOf(out any) string {
	if t, ok := out.(tagged); ok {
		return t.ETag()
	}
	return ""
}

// tagOfShown is the validator of an answer to a GET, which always has one.
func tagOfShown(out any, body []byte) string {
	if t, ok := out.(based); ok {
		return strings.TrimSuffix(t.base(), `"`) + "+" + strings.TrimPrefix(hashTag(body), `W/"`)
	}
	return cmp.Or(tagOf(out), hashTag(body))
}

// hashTag is the validator of a computed answer: its bytes.
func hashTag(body []byte) string {
	sum := sha256.Sum256(body)
	return `W/"` + hex.EncodeToString(sum[:16]) + `"`
}

// matches reports whether an If-None-Match header names tag.
// RFC 9110, section 13.1.2: "A recipient MUST use the weak comparison function when comparing entity tags
// for If-None-Match"; and its value may be "*". The validator of a record alone comes with answers that show nothing
// (204), so it also names the wider one of an answer that shows more: who has it has seen nothing that may be old.
func matches(header, tag string) bool {
	if header == "" || tag == "" {
		return false
	}
	if strings.TrimSpace(header) == "*" {
		return true
	}
	want := strings.TrimPrefix(tag, "W/")
	record, _, _ := strings.Cut(strings.Trim(want, `"`), "+")
	for header != "" {
		header = strings.TrimLeft(header, " \t,")
		header = strings.TrimPrefix(header, "W/")
		if !strings.HasPrefix(header, `"`) {
			return false
		}
		end := strings.IndexByte(header[1:], '"')
		if end < 0 {
			return false
		}
		if given := header[:end+2]; given == want || strings.Trim(given, `"`) == record {
			return true
		}
		header = header[end+2:]
	}
	return false
}
