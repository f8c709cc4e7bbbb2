package assistant

import (
	"slices"

	"kontor/internal/business/channel"
	"kontor/internal/business/content"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// passage is a part of a store's texts that is answered as a whole, with the stems it is found by: its own, and those
// of its title and topic.
type passage struct {
	text  string
	stems []string
	head  []string
	from  *Source
}

// wordWeight is about how many bytes a word of a passage takes that is remembered.
const wordWeight = 24

// passagesOf are the passages of a store. They are cut once, and again when a page or a help article changes, or a
// page's publish date comes.
func passagesOf(tx *db.Tx, c channel.Channel, w words) ([]passage, error) {
	name := "assistant passages " + record.Fold(c.Code)
	if all, _, ok := db.CacheGet[[]passage](tx, name); ok {
		return all, nil
	}
	deps := tx.DependsOn(db.Ref{Resource: content.Pages.Name}, db.Ref{Resource: content.Articles.Name},
		db.Ref{Resource: channel.Channels.Name})
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
		head := slices.Clip(w.of(t.Title + " " + t.Topic))
		for _, text := range passages(t.Plain) {
			stems := slices.Clip(w.of(text))
			all = append(all, passage{text, stems, head, from})
			weight += 2*len(text) + wordWeight*(len(stems)+len(head))
		}
	}
	tx.CachePut(name, deps.Within(0, next), weight, all)
	return all, nil
}
