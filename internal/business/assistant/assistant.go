// Package assistant answers what visitors of a store ask, from the store's own catalog, pages and help articles, and
// from nothing else: it finds the products and passages that hold the words of the question and says what stands there.
// Where they hold no answer it says so. What a visitor writes is words to look for, never an instruction, and prices
// are those of who asks.
package assistant

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"unicode"

	"kontor/internal/business/assortment"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/texts"
)

// What this room refuses.
var (
	ErrNotOffered = fault.New(fault.NotFound, "Assistant.NotOffered")
	ErrNotFound   = fault.New(fault.NotFound, "AssistantMessage.NotFound")
)

// Message is a question with its answer.
type Message struct {
	ID        string
	SessionID string
	AskedAt   db.Time
	Question  string
	Topic     string // the words that were looked for
	Answer    string
	IsKnown   bool
	IsHelpful *bool // nil = nobody has said
}

// Source is a text that an answer is taken from.
type Source struct{ Kind, Title, Slug, Path string }

// Reply is what is answered.
type Reply struct {
	Message
	Cards   []assortment.Card
	Sources []Source

	// Model writes the answer, where it is used and something is known; Asking is what it is given. See Write.
	Model   Model
	IsTest  bool // the company's environment is Test
	Asking  Asking
	stems   words
	unknown string
}

// Bounds of a question, and of what an answer shows.
const (
	mostWords   = 12
	mostCards   = 3
	longPassage = 600
)

// Offered refuses where the store offers no assistant: Assistant.NotOffered.
func Offered(tx *db.Tx) error {
	if !storefront.Of(tx).Channel.Store.Offers().Assistant {
		return ErrNotOffered.Because("the store offers no assistant")
	}
	return nil
}

// Answer finds what answers a question of the visitor, understood from the conversation where it names nothing itself.
func Answer(tx *db.Tx, edition assortment.Edition, question string) (Reply, error) {
	v := storefront.Of(tx)
	viewer := v.Viewer()
	r := Reply{Message: Message{ID: record.NewID(), SessionID: v.Session.ID, AskedAt: tx.Now, Question: question}}
	words, refers := topicOf(question)
	if refers || len(words) == 0 {
		before, err := Conversation(tx, v.Session.ID)
		if err != nil {
			return r, err
		}
		if n := len(before); n > 0 {
			words = append(strings.Fields(before[n-1].Topic), words...)
		}
	}
	words = words[:min(len(words), mostWords)]
	r.Topic = strings.Join(words, " ")
	say := phrasesIn(viewer.Language)
	if len(words) == 0 {
		r.Answer = say.Unknown
		return r, nil
	}
	stems := wordsOf(v.Channel.LanguageOr(tx.Info.Country))
	all, err := passagesOf(tx, v.Channel, stems)
	if err != nil {
		return r, err
	}
	rank := newRanking(all, once(stems.of(r.Topic)))
	hits := rank.hits()
	if r.Cards, err = products(tx, edition, viewer, words, rank, stems); err != nil {
		return r, err
	}
	var parts []string
	for i, h := range hits {
		if i == 0 { // the others are where to read on
			parts = append(parts, h.text)
		}
		r.Sources = append(r.Sources, *h.from)
	}
	if len(r.Cards) > 0 {
		parts = append(parts, say.about(r.Cards))
	}
	if r.IsKnown = len(parts) > 0; !r.IsKnown {
		parts = []string{say.Unknown}
	}
	r.Answer = strings.Join(parts, "\n\n")
	return r, r.forModel(tx, v.Channel.Code, viewer.Language, stems, hits, say)
}

// once are words, each once.
func once(words []string) (out []string) {
	for _, w := range words {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// products are those that are about the question. The search takes all of its words, or all but one where there are
// many.
func products(tx *db.Tx, edition assortment.Edition, v assortment.Viewer, words []string, rank *ranking,
	stems words) ([]assortment.Card, error) {
	tries := [][]string{words}
	if len(words) >= 2 {
		for i := range words {
			tries = append(tries, slices.Delete(slices.Clone(words), i, i+1))
		}
	}
	for _, some := range tries {
		found, err := assortment.Browse(tx, edition, v, assortment.Wish{Text: strings.Join(some, " "), Limit: mostCards})
		if err != nil {
			return nil, err
		}
		if len(found.IDs) == 0 {
			continue
		}
		cards, err := assortment.Cards(tx, v, found.IDs)
		if err != nil {
			return nil, err
		}
		if cards = slices.DeleteFunc(cards, func(c assortment.Card) bool {
			return !rank.about(stems, &c)
		}); len(cards) > 0 {
			return cards, nil
		}
	}
	return nil, nil
}

// passages are the parts of a text that are answered as a whole. Paragraphs, titles among them, stay apart.
func passages(text string) (all []string) {
	part := ""
	for paragraph := range strings.SplitSeq(text, "\n") {
		paragraph = strings.TrimSpace(paragraph)
		if part != "" && len(part)+len(paragraph) > longPassage {
			all, part = append(all, part), ""
		}
		part = strings.TrimSpace(part + "\n" + paragraph)
	}
	if part != "" {
		all = append(all, part)
	}
	for i, p := range all {
		if r := []rune(p); len(r) > 2*longPassage {
			all[i] = string(r[:2*longPassage]) + "…"
		}
	}
	return all
}

func wordsIn(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' })
}

// topicOf are the words of a question that name something, and whether it speaks of what was spoken of before.
func topicOf(question string) (words []string, refers bool) {
	for _, w := range wordsIn(question) {
		switch {
		case strings.Contains(pointing, " "+w+" "):
			refers = true
		case !strings.Contains(common, " "+w+" ") && !slices.Contains(words, w):
			words = append(words, w)
		}
	}
	return words, refers
}

// Words that point at what was spoken of, and words that every question has.
const (
	pointing = " it its they them those these den det dem dess denna detta dessa "
	common   = " a an the is are was be do does did you your i we us our me my have has had can could would should will " +
		"may what which who when where why how much many of for to in on at by with from and or not any some " +
		"there here this that as if so than then please tell show find need want looking look about price cost " +
		"costs sell buy get give hi hello thanks now right see long please possible before after only another " +
		"other take takes still also just too very got come came mean means type en ett är var vara gör du din " +
		"ditt ni er jag vi oss mig min har hade kan kunde skulle ska vill vad vilka vilken vilket vem när hur " +
		"mycket många av för till i på vid med från och eller inte någon något några finns här där som om så än " +
		"då snälla visa hitta behöver söker letar pris kostar kosta säljer köpa få ge hej tack man "
)

// phrases are what the assistant says in a language.
type phrases struct {
	Unknown, Found, Price string
}

//go:embed phrases.tsv
var phraseTable string

var phrasesIn = texts.Fields[phrases](texts.Must(phraseTable))

// about says what there is to say of products.
func (p phrases) about(cards []assortment.Card) string {
	lines := []string{p.Found}
	for i := range cards {
		lines = append(lines, "- "+p.line(&cards[i]))
	}
	return strings.Join(lines, "\n")
}

// line says what there is to say of a product.
func (p phrases) line(c *assortment.Card) string {
	line := c.Name
	if text := cmp.Or(c.ShortDescription, assortment.PlainText(c.Description)); text != "" {
		if r := []rune(text); len(r) > longPassage/2 {
			text = string(r[:longPassage/2]) + "…"
		}
		line += ": " + text
	}
	if shown := c.Price.Shown(); shown != nil {
		line += " (" + p.Price + " " + shown.Fixed(c.Price.Digits) + " " + c.Price.CurrencyCode + ")"
	}
	return line
}
