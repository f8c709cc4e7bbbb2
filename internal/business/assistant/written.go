package assistant

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/lazy"
)

// Writer is who a store's model is reached by. What it fails with is for the store's own people: ErrModelFails.
type Writer interface {
	Write(ctx context.Context, to Model, isTest bool, a Asking) (string, error)
}

// Trying is a Writer that asks whatever became of it before.
type Trying interface {
	Try(ctx context.Context, to Model, isTest bool, a Asking) (string, error)
}

// Trial is a question with its passages that show whether a model can write for a store: it can when Write takes its
// answer.
func Trial() *Reply {
	r := &Reply{Message: Message{IsKnown: true}, stems: wordsOf("en")}
	r.Asking = Asking{Language: "en", Question: "How long may I return what I bought?", Before: []Turn{},
		Passages: []Passage{
			{1, "Returns", "You may return what you bought within 30 days, unused and in its box."},
			{2, "Delivery", "We deliver within 3 working days."}}}
	return r
}

// Asking is what a model is given to write from: all of it data, whoever wrote it.
type Asking struct {
	Language string    `json:"language"` // that the store is read in
	Passages []Passage `json:"passages"`
	Before   []Turn    `json:"conversation"`
	Question string    `json:"question"`
}

// Passage is what a model may write from, by the number that it is cited with.
type Passage struct {
	ID    int    `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Turn is what was asked and answered before.
type Turn struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// NoAnswer is what a model writes when the passages hold none.
const NoAnswer = "NO ANSWER"

// Bounds of what a model is told and believed.
const (
	mostTurns     = 2
	longestAnswer = 2000 // letters
	supported     = 0.6  // of the words of a line that its passages must have
)

// forModel takes down what the store's model is given, where one writes and there is something to write from.
func (r *Reply) forModel(tx *db.Tx, code, language string, stems words, hits []hit, say phrases) error {
	var err error
	if r.Model, err = ModelOf(tx, code); err != nil || !r.Model.IsUsed || !r.IsKnown {
		return err
	}
	before, err := Conversation(tx, r.SessionID)
	if err != nil {
		return err
	}
	r.stems, r.unknown, r.IsTest = stems, say.Unknown, tx.Info.Environment == "Test"
	r.Asking = Asking{Language: language, Question: r.Question, Before: []Turn{}}
	for _, m := range before[max(0, len(before)-mostTurns):] {
		r.Asking.Before = append(r.Asking.Before, Turn{m.Question, m.Answer})
	}
	add := func(title, text string) {
		r.Asking.Passages = append(r.Asking.Passages, Passage{len(r.Asking.Passages) + 1, title, text})
	}
	for _, h := range hits {
		add(h.from.Title, h.text)
	}
	for i := range r.Cards {
		add(r.Cards[i].Name, say.line(&r.Cards[i]))
	}
	return nil
}

// Write takes a model's answer in the place of the built-in one, or says why that stays: each line of it must cite
// passages that were given, and have no number, no address and few words that those do not have. A model that finds no
// answer in the passages is believed.
func (r *Reply) Write(text string) error {
	text = strings.TrimSpace(text)
	if strings.Trim(text, " .") == NoAnswer {
		r.Answer, r.IsKnown, r.Cards, r.Sources = r.unknown, false, nil, nil
		return nil
	}
	if text == "" || !utf8.ValidString(text) || utf8.RuneCountInString(text) > longestAnswer {
		return errors.New("the answer is empty, too long or no text")
	}
	var lines []string
	used := map[int]bool{}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) == "" {
			lines = append(lines, "")
			continue
		}
		bare, err := r.check(line, used)
		if err != nil {
			return err
		}
		lines = append(lines, bare)
	}
	r.Answer = strings.Join(lines, "\n")
	var sources []Source
	for i, s := range r.Sources { // the first passages are the sources', in their order
		if used[i+1] {
			sources = append(sources, s)
		}
	}
	r.Sources = sources
	return nil
}

// citation is how a line names the passages that it is from: [1], [1, 2] or [1][2].
var citation = lazy.Regexp(`\s*\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]`)

// check is a line without its citations, which it notes.
func (r *Reply) check(line string, used map[int]bool) (string, error) {
	var from []Passage
	for _, m := range citation().FindAllStringSubmatch(line, -1) {
		for n := range strings.SplitSeq(m[1], ",") {
			id, err := strconv.Atoi(strings.TrimSpace(n))
			if err != nil || id < 1 || id > len(r.Asking.Passages) {
				return "", fmt.Errorf("it cites passage %s, which was not given", n)
			}
			used[id] = true
			from = append(from, r.Asking.Passages[id-1])
		}
	}
	if len(from) == 0 {
		return "", errors.New("a line of it cites no passage")
	}
	bare := citation().ReplaceAllString(line, "")
	if strings.ContainsFunc(bare, func(c rune) bool { return unicode.IsControl(c) && c != '\t' || c == '<' }) {
		return "", errors.New("it holds markup or control characters")
	}
	text := ""
	for _, p := range from {
		text += p.Title + "\n" + p.Text + "\n"
	}
	if n, ok := stranger(numbersIn(bare), numbersIn(text)); ok {
		return "", fmt.Errorf("it says the number %s, which its passages do not", n)
	}
	if a, ok := stranger(addressesIn(bare), addressesIn(text)); ok {
		return "", fmt.Errorf("it names the address %s, which its passages do not", a)
	}
	if !r.isSaidIn(bare, text) {
		return "", errors.New("too many of its words are in no passage that it cites")
	}
	return bare, nil
}

// stranger is the first of some that is not among others.
func stranger(some, others []string) (string, bool) {
	for _, s := range some {
		if !slices.Contains(others, s) {
			return s, true
		}
	}
	return "", false
}

// isSaidIn reports whether a text has most of the words of a line, by their stems. Words that every question has, and
// numbers, do not count.
func (r *Reply) isSaidIn(line, text string) bool {
	named, _ := topicOf(line)
	named = slices.DeleteFunc(named, func(w string) bool { return strings.ContainsAny(w, "0123456789") }) // see numbersIn
	has := r.stems.of(text)
	stems := r.stems.of(strings.Join(named, " "))
	n := 0
	for _, s := range stems {
		if slices.Contains(has, s) {
			n++
		}
	}
	return float64(n) >= supported*float64(len(stems))
}

var (
	numberForm  = lazy.Regexp(`\d+(?:[.,]\d+)*`)
	addressForm = lazy.Regexp(`(?i)(?:https?://|www\.)\S+|\S+@\S+|\b[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}\S*`)
	spaced      = lazy.Regexp(`(\d)[\x{a0}\x{202f}\x{2009} ](\d{3})\b`)
)

// numbersIn are the numbers of a text, those in words too, each in one form: 1 000,00 and 1000.0 are 1000.
func numbersIn(text string) (out []string) {
	for was := ""; was != text; {
		was, text = text, spaced().ReplaceAllString(text, "$1$2")
	}
	for _, n := range numberForm().FindAllString(text, -1) {
		n = strings.ReplaceAll(n, ",", ".")
		if whole, cents, ok := strings.Cut(n, "."); ok && len(cents) <= 2 && strings.Trim(cents, "0") == "" {
			n = whole
		}
		out = append(out, n)
	}
	for _, w := range wordsIn(text) {
		if n := numberWords[w]; n != "" {
			out = append(out, n)
		}
	}
	return out
}

// addressesIn are what leads somewhere: links, domains and e-mail addresses.
func addressesIn(text string) (out []string) {
	for _, a := range addressForm().FindAllString(text, -1) {
		out = append(out, strings.ToLower(strings.Trim(a, ".,;:!?()[]\"'")))
	}
	return out
}

//go:embed numbers.txt
var numberTable string

// numberWords are numbers as English, Swedish and Norwegian write them. One is left out, being an article too.
var numberWords = func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(numberTable) {
		fields := strings.Fields(line)
		for _, w := range fields[1:] {
			out[w] = fields[0]
		}
	}
	return out
}()
