package backoffice

import (
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/business/channel"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/search"
	"kontor/internal/front/page"
)

// searches are the pages of what people search for in stores, and what their words mean.
func searches() []page.Page {
	saved := page.Went("/synonyms", "Saved. Searches follow in a moment.")
	return []page.Page{
		page.Records[assortment.Synonym]{Path: "/synonyms", Title: "Synonyms", Area: "channels", By: "id",
			Key:  func(s assortment.Synonym) string { return s.ID },
			Find: assortment.FindSynonym, Resource: assortment.Synonyms,
			List: page.List[assortment.Synonym]{Search: "A word",
				Lead: "Words that mean the same to who searches in a store.",
				Find: func(c *page.Ctx, q page.Query) (record.Found[assortment.Synonym], error) {
					return assortment.ListSynonyms(c.Tx, q.Search, q.Page)
				},
				Columns: func(s assortment.Synonym) []page.Column {
					return []page.Column{page.Col("Words", page.T(strings.Join(s.Words, ", "))),
						page.Col("Lead to", meaning(s)), page.Col("Language", orAll(s.Language))}
				}},
			Record: page.Record[assortment.Synonym]{Show: showSynonym},
			New: page.Form[assortment.Synonym]{Title: "New synonym",
				Save: page.Made(assortment.Synonym{}, func(c *page.Ctx, s assortment.Synonym) (page.Done, error) {
					return saved, assortment.CreateSynonym(c.Tx, s)
				})},
			Edit: page.Form[assortment.Synonym]{Title: "Edit synonym",
				Save: func(c *page.Ctx, lay func(*assortment.Synonym) error) (page.Done, error) {
					return saved, assortment.ChangeSynonym(c.Tx, c.Path("id"), lay)
				}},
			Fields: synonymFields, Delete: assortment.DeleteSynonym,
			Warning: "The words are no longer taken for each other.", Deleted: "The synonym is deleted."},
		popularSearches(),
	}
}

func synonymFields(_ *page.Ctx, s *assortment.Synonym) []page.Field {
	return []page.Field{
		page.Items("words", "Words, one a line", &s.Words).Required(),
		page.Items("means", "Lead to, one a line", &s.Means).
			Hint(
				"Left empty, the words mean each other. Else the words above also find what is found by these, and not the other way."),
		page.Code("language", "Language", &s.Language).
			Suggest([]page.Option{{Value: "sv", Label: "Svenska"}, {Value: "en", Label: "English"},
				{Value: "nb", Label: "Norsk bokmål"}, {Value: "da", Label: "Dansk"}, {Value: "fi", Label: "Suomi"},
				{Value: "de", Label: "Deutsch"}}).Max(10).
			Hint("Left empty: all."),
	}
}

// meaning is what words lead to.
func meaning(s assortment.Synonym) page.Value {
	if len(s.Means) == 0 {
		return page.Word("each other")
	}
	return page.T(strings.Join(s.Means, ", "))
}

func showSynonym(c *page.Ctx, s assortment.Synonym) (page.Sheet, error) {
	return page.Sheet{Title: s.Words[0],
		Parts: []page.Part{page.Facts{Title: "Synonym",
			Facts: []page.Fact{{Label: "Words", Value: page.T(strings.Join(s.Words, ", "))},
				{Label: "Lead to", Value: meaning(s)}, {Label: "Language", Value: orAll(s.Language)}}}}}, nil
}

// popularSearches are what people often searched for lately, store by store.
func popularSearches() page.Page {
	return page.List[search.Phrase]{Path: "/popular-searches", Title: "Popular searches", Permission: "channels:read",
		Menu: true, Lead: "What visitors searched for often during the last thirty days, and how many times.",
		Empty:   "Nothing was searched for often enough yet.",
		Filters: []page.Filter{page.ChoiceOf("channel", "Channel", channels.offered)},
		Find: func(c *page.Ctx, q page.Query) (record.Found[search.Phrase], error) {
			all, err := channel.All(c.Tx)
			if err != nil || len(all) == 0 {
				return record.Found[search.Phrase]{}, err
			}
			ch := all[0]
			if code := q.Get("channel"); code != "" {
				if ch, err = channel.Find(c.Tx, code); err != nil {
					return record.Found[search.Phrase]{}, err
				}
			}
			return assortment.Popular(c.Tx, assortment.Viewer{Channel: ch}, q.Page)
		},
		Columns: func(p search.Phrase) []page.Column {
			return []page.Column{page.Col("Searched for", page.T(p.Text)),
				page.Col("Times", page.Count(p.Weight))}
		}}
}
