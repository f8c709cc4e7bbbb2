package support

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // mails are written in more than UTF-8
	"github.com/emersion/go-message/mail"
	"golang.org/x/net/html"

	"kontor/internal/business/media"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lazy"
	letterbox "kontor/internal/foundation/mail"
)

// Letter is a mail that has come in.
type Letter struct {
	Key         string // the same for the same mail
	MessageID   string // without angle brackets; "" = it has none
	FromName    string
	FromEmail   string
	Subject     string
	Text        string   // plain
	References  []string // what it answers, the newest last
	IsAutomatic bool     // no person wrote it: a bounce, an absence notice, a list (RFC 3834)
	Report      *Report  // of a mail of ours; nil = it is none
	Files       []media.File
	LeftOut     []string // names of attachments that are not kept, and why
}

// Bounds of a mail that comes in. Beyond them it is refused, or what is too long is cut off.
const (
	MaxMail       = 40 << 20 // bytes
	maxParts      = 500
	maxDepth      = 20
	maxFiles      = 50
	maxText       = 100_000 // characters
	maxSubject    = 200
	maxReferences = 50
)

// ErrMail refuses a mail that cannot be taken. The sender's mail server is told why.
var ErrMail = fault.New(fault.Invalid, "Mail.Refused")

// Keep stores a file of a mail.
type Keep func(name string, data []byte) (media.File, error)

// ReadLetter reads a mail as it came over the wire. Its files go to keep as they are met, so that no more than one of
// them is in memory.
// HTML becomes plain text: nothing of it is ever shown as HTML. Mail.Refused where it has no single sender or is beyond
// the bounds.
func ReadLetter(r io.Reader, emptyReturnPath bool, keep Keep) (Letter, error) {
	digest := sha256.New()
	entity, err := message.Read(io.TeeReader(bufio.NewReader(r), digest))
	if err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
		return Letter{}, ErrMail.Because("the mail cannot be read: its header is broken")
	}
	l := Letter{IsAutomatic: emptyReturnPath}
	if err := l.head(mail.Header{Header: entity.Header}); err != nil {
		return l, err
	}
	w := reader{letter: &l, keep: keep}
	if err := w.part(entity, 0); err != nil {
		return l, err
	}
	w.plain = cmp.Or(w.plain, w.fromHTML)
	l.Text = cut(tidy(w.plain), maxText)
	if _, err := io.Copy(digest, r); err != nil { // what follows the last boundary
		return l, err
	}
	if l.MessageID != "" {
		digest.Reset()
		io.WriteString(digest, l.MessageID+"\n"+strings.ToLower(l.FromEmail))
	}
	l.Key = hex.EncodeToString(digest.Sum(nil))
	return l, nil
}

// head reads the header of a mail.
func (l *Letter) head(h mail.Header) error {
	from, err := h.AddressList("From")
	if err != nil || len(from) != 1 || !letterbox.IsAddress(from[0].Address) {
		return ErrMail.Because("the mail needs one sender with a plain address in From")
	}
	l.FromName, l.FromEmail = cut(oneLine(from[0].Name), maxSubject), from[0].Address
	subject, err := h.Subject()
	if err != nil {
		subject = h.Get("Subject")
	}
	l.Subject = cut(oneLine(subject), maxSubject)
	if id, err := h.MessageID(); err == nil && len(id) <= 998 {
		l.MessageID = id
	}
	for _, field := range []string{"References", "In-Reply-To"} {
		if ids, err := h.MsgIDList(field); err == nil {
			l.References = append(l.References, ids...)
		}
	}
	auto, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(h.Get("Auto-Submitted"))), ";")
	kind, _, _ := h.ContentType()
	switch strings.ToLower(strings.TrimSpace(h.Get("Precedence"))) {
	case "bulk", "list", "junk", "auto_reply":
		l.IsAutomatic = true
	}
	// What delivers to a mailbox keeps the empty return path of a bounce here (RFC 5321, 4.4).
	l.IsAutomatic = l.IsAutomatic || strings.TrimSpace(h.Get("Return-Path")) == "<>" || auto != "" && auto != "no" ||
		h.Get("List-Id") != "" || h.Get("X-Autoreply") != "" || h.Get("X-Autorespond") != "" || kind == "multipart/report"
	return nil
}

// reader gathers what a mail says from its parts.
type reader struct {
	letter          *Letter
	keep            Keep
	parts           int
	cut             bool // the mail ends amid a part
	plain, fromHTML string
}

// part reads a part, or the parts of one.
func (w *reader) part(e *message.Entity, depth int) error {
	if depth > 0 {
		w.parts++
	}
	if w.parts > maxParts || depth > maxDepth {
		return ErrMail.Because("the mail has more than %d parts, or parts within parts %d deep", maxParts, maxDepth)
	}
	parts := e.MultipartReader()
	if parts == nil {
		return w.leaf(e)
	}
	for {
		p, err := parts.NextPart()
		if errors.Is(err, io.EOF) || err != nil && w.cut {
			return nil
		}
		if err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
			return ErrMail.Because("the mail cannot be read: its parts are broken")
		}
		if err := w.part(p, depth+1); err != nil {
			return err
		}
	}
}

// toItsEnd reads a part up to where the mail ends, as mail programs do where the last boundary was left out: what could
// be read of it is what somebody wrote. A connection that breaks off is noticed below.
type toItsEnd struct {
	io.Reader
	cut *bool
}

func (r toItsEnd) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		*r.cut, err = true, io.EOF
	}
	return n, err
}

func (w *reader) leaf(e *message.Entity) error {
	e.Body = toItsEnd{e.Body, &w.cut}
	kind, params, _ := e.Header.ContentType()
	disposition, more, _ := e.Header.ContentDisposition()
	name := cmp.Or(oneLine(more["filename"]), oneLine(params["name"]))
	switch {
	case slices.Contains(reports, kind) && w.letter.Report == nil:
		return w.report(e.Body, kind)
	case slices.Contains(sentBack, kind):
		return w.returned(e.Body)
	case disposition != "attachment" && name == "" && (kind == "text/plain" || kind == "") && w.plain == "":
		text, err := readText(e.Body)
		w.plain = text
		return err
	case disposition != "attachment" && name == "" && kind == "text/html" && w.fromHTML == "":
		text, err := readText(e.Body)
		w.fromHTML = textOf(text)
		return err
	case name == "" && disposition != "attachment" && !strings.HasPrefix(kind, "image/"):
		return skip(e.Body)
	}
	return w.file(e.Body, name, kind)
}

// reports are the parts in which mail servers report.
var reports = []string{"message/delivery-status", "message/global-delivery-status", "message/feedback-report"}

// sentBack are the parts in which a bounce sends our mail back, whole or its header, as it was before and where the
// server speaks UTF-8 (RFC 6533).
var sentBack = []string{"message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"}

// report reads what a mail server reports.
func (w *reader) report(r io.Reader, kind string) error {
	if !w.letter.IsAutomatic { // a person who passes one on
		return skip(r)
	}
	read := readStatus
	if kind == "message/feedback-report" {
		read = readFeedback
	}
	report := read(r)
	w.letter.Report = &report
	return skip(r)
}

// returned reads which mail it was that a bounce sends back.
func (w *reader) returned(r io.Reader) error {
	e, err := message.Read(io.LimitReader(r, 1<<20))
	if err == nil || message.IsUnknownCharset(err) || message.IsUnknownEncoding(err) {
		if id, err := (&mail.Header{Header: e.Header}).MessageID(); err == nil && w.letter.IsAutomatic {
			w.letter.References = append(w.letter.References, id)
		}
	}
	return skip(r)
}

// file hands an attachment to be kept; one of a kind that is not taken, or that is too much, is named as left out.
func (w *reader) file(r io.Reader, name, kind string) error {
	name = cmp.Or(name, strings.ReplaceAll(kind, "/", "."))
	name = cut(name, 150)
	if len(w.letter.Files) >= maxFiles {
		w.letter.LeftOut = append(w.letter.LeftOut, name)
		return skip(r)
	}
	data, err := io.ReadAll(io.LimitReader(r, media.MaxFile+1))
	if err != nil {
		return ErrMail.Because("the mail cannot be read: an attachment is broken")
	}
	f, err := w.keep(name, data)
	if err != nil && fault.As(err).Kind != fault.Unavailable && fault.As(err).Kind != fault.Internal {
		w.letter.LeftOut = append(w.letter.LeftOut, name)
		return skip(r)
	}
	if err != nil {
		return err
	}
	w.letter.Files = append(w.letter.Files, f)
	return nil
}

func skip(r io.Reader) error {
	if _, err := io.Copy(io.Discard, r); err != nil {
		return ErrMail.Because("the mail cannot be read: a part is broken")
	}
	return nil
}

// readText reads as much of a text as is shown; the rest is passed over.
func readText(r io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, 4*maxText))
	if err != nil {
		return "", ErrMail.Because("the mail cannot be read: its text is broken")
	}
	return string(data), skip(r)
}

// textOf is the text of an HTML document: no script, no style, no markup.
func textOf(document string) string {
	var b strings.Builder
	hidden := 0
	for z := html.NewTokenizer(strings.NewReader(document)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			if hidden == 0 {
				b.WriteString(strings.Join(strings.Fields(" "+string(z.Text())+" "), " ") + " ")
			}
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			t := z.Token()
			switch t.Data {
			case "script", "style", "title", "head", "template":
				if t.Type == html.StartTagToken {
					hidden++
				} else if t.Type == html.EndTagToken {
					hidden = max(0, hidden-1)
				}
			case "br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "blockquote", "table", "ul", "ol", "hr":
				b.WriteString("\n")
			}
		}
	}
}

var manyBlank = lazy.Regexp(`\n{3,}`)

// tidy is a text without control characters, trailing spaces and rows of empty lines.
func tidy(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRightFunc(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) && r != '\t' {
				return -1
			}
			return r
		}, line), unicode.IsSpace)
	}
	return strings.TrimSpace(manyBlank().ReplaceAllString(strings.Join(lines, "\n"), "\n\n"))
}

// oneLine is a text as it may stand in a header or a name.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, ""),
		func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// cut is a text of at most so many characters.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string(bytes.TrimSpace([]byte(string([]rune(text)[:most-1])))) + "…"
}
