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
	var wrong fault.List
	if !slugForm.MatchString(a.Slug) {
		wrong.Add(ErrArticleInvalid, "slug", slugRule, a.Slug, cmp.Or(catalog.Slug(a.Slug), "how-to-return"))
	}
	if a.Title = strings.TrimSpace(a.Title); a.Title == "" {
		wrong.Add(ErrArticleInvalid, "title", "an article needs a title")
	}
	if err := wrong.Err(); err != nil {
		return a, err
	}
	a.HTML, a.Topic = policy.Sanitize(a.HTML), strings.TrimSpace(a.Topic)
	before, err := lockArticle(tx, a.Slug)
	if fault.Is(err, ErrArticleNotFound) {
		a.Root = record.New(tx)
		if err := writeArticle(tx, &a); tx.Unique(err) {
			return a, ErrArticleExists.Because("article %s was just made by another request: send the request again",
				a.Slug)
		} else if err != nil {
			return a, err
		}
		return a, Articles.Created(tx, a.Root, a.Slug, a)
	}
	if err != nil {
		return a, err
	}
	a.Root = before.Root
	if err := Articles.Changed(tx, &a.Root, a.Slug, before, a); err != nil || a.Version == before.Version {
		return a, err
	}
	return a, writeArticle(tx, &a)
}

// DeleteArticle removes an article. Refusal: HelpArticle.NotFound.
func DeleteArticle(tx *db.Tx, slug string) error {
	a, err := lockArticle(tx, slug)
	if err != nil {
		return err
	}
	if err := removeArticle(tx, a.ID); err != nil {
		return err
	}
	return Articles.Deleted(tx, a.Root, a.Slug, a)
}

// RateArticle notes whether an article helped a visitor; what he said before is replaced. Refusal:
// HelpArticle.NotFound.
func RateArticle(tx *db.Tx, slug, sessionID string, isHelpful bool) error {
	a, err := findArticle(tx, slug, "")
	if err != nil {
		return err
	}
	return Votes.Cast(tx, a.ID, sessionID, isHelpful)
}
