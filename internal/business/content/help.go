package content

import (
	"cmp"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/vote"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Article is an answer to what a company is often asked. Every store of the company shows it.
type Article struct {
	record.Root
	Slug      string // unique in the company
	Title     string
	Topic     string // what it belongs to; "" = nothing
	HTML      string // sanitised
	SortOrder int
}

// Votes say whether articles helped.
var Votes = vote.Box{Table: "help_vote", Of: "article_id"}

// SaveArticle makes the article with this slug, or replaces it. Refusal: HelpArticle.Invalid.
func SaveArticle(tx *db.Tx, a Article) (Article, error) {
	_, err := articles.Put(tx, &a, func(_ Article, a *Article) error { return a.check() })
	return a, err
}

// check brings an article into the form it is kept in, and refuses what cannot be.
func (a *Article) check() error {
	var wrong fault.List
	if !slugForm().MatchString(a.Slug) {
		wrong.Add(ErrArticleInvalid, "slug", slugRule, a.Slug, cmp.Or(catalog.Slug(a.Slug), "how-to-return"))
	}
	if a.Title = strings.TrimSpace(a.Title); a.Title == "" {
		wrong.Add(ErrArticleInvalid, "title", "an article needs a title")
	}
	a.HTML, a.Topic = policy().Sanitize(a.HTML), strings.TrimSpace(a.Topic)
	return wrong.Err()
}

// DeleteArticle removes an article. Refusal: HelpArticle.NotFound.
func DeleteArticle(tx *db.Tx, slug string) error { return articles.Delete(tx, slug, nil) }

// RateArticle notes whether an article helped a visitor; what he said before is replaced. Refusal:
// HelpArticle.NotFound.
func RateArticle(tx *db.Tx, slug, sessionID string, isHelpful bool) error {
	a, err := articles.Find(tx, slug)
	if err != nil {
		return err
	}
	return Votes.Cast(tx, a.ID, sessionID, isHelpful)
}
