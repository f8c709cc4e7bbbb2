package support_test

import (
	"strings"
	"testing"

	"kontor/internal/business/media"
	"kontor/internal/business/support"
)

// What a mail says is read where its last boundary, or the end of what is encoded, was left out, and so are the parts
// behind one that is cut.
func TestAMailThatEndsAmidAPartIsRead(t *testing.T) {
	const head = "From: Anna <anna@example.com>\nSubject: Pump\nContent-Type: multipart/mixed; boundary=b\n\n"
	const picture = "--b\nContent-Type: image/png\nContent-Disposition: attachment; filename=a.png\n" +
		"Content-Transfer-Encoding: base64\n\naGVs"
	for _, c := range []struct{ mail, text, file string }{
		{head + "--b\n\nIt leaks.\n", "It leaks.", ""},
		{head + "--b\n\nIt leaks.\n" + picture + "bG8=\n", "It leaks.", "hello"},
		{head + picture + "b\n--b\n\nIt leaks.\n--b--\n", "It leaks.", "hel"},
	} {
		kept := ""
		l, err := support.ReadLetter(strings.NewReader(strings.ReplaceAll(c.mail, "\n", "\r\n")), false,
			func(_ string, data []byte) (media.File, error) {
				kept = string(data)
				return media.File{}, nil
			})
		if err != nil || l.Text != c.text || kept != c.file {
			t.Errorf("%q: %q, %q, %v", c.mail, l.Text, kept, err)
		}
	}
}
