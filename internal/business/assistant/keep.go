package assistant

import (
	"slices"

	"kontor/internal/business/channel"
	"kontor/internal/business/content"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// passage is a part of a store's texts that is answered as a whole, with the words it can be found by: its own, those of its title and
// of its topic, each once.
type passage struct {
	text  string
	words []string
	from  *Source
}

// wordWeight is about how many bytes a word of a passage takes that is remembered.
const wordWeight = 24

// passagesOf are the passages of a store. They are cut once, and again when a page or a help article changes, or a page's publish date comes.
func passagesOf(tx *db.Tx, c channel.Channel) ([]passage, error) {
	name := "assistant passages " + record.Fold(c.Code)
	if all, _, ok := db.Remembered[[]passage](tx, name); ok {
		return all, nil
	}
	ground := tx.Ground(db.Ref{Resource: content.Pages.Name}, db.Ref{Resource: content.Articles.Name}, db.Ref{Resource: channel.Channels.Name})
	texts, err := content.Texts(tx, c)
	if err != nil {
		return nil, err
	}
	next, err := content.NextPublished(tx, c)
	if err != nil {
		return nil, err
	}
	var all []passage
	weight := 0
	for _, t := range texts {
		from := &Source{Kind: string(t.Kind), Title: t.Title, Slug: t.Slug, Path: t.Path}
		for _, text := range passages(t.Plain) {
			words := wordsIn(t.Title + " " + t.Topic + " " + text)
			slices.Sort(words)
			words = slices.Clip(slices.Compact(words))
			all = append(all, passage{text, words, from})
			weight += 2*len(text) + wordWeight*len(words)
		}
	}
	tx.Remember(name, ground.Within(0, next), weight, all)
	return all, nil
}
