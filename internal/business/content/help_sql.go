package content

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const articleFields = "slug, title, topic, html, sort_order"

const articleColumns = record.RootColumns + ", " + articleFields

var articleRow = db.Map[Article](articleColumns)

func writeArticle(tx *db.Tx, a *Article) error {
	return tx.Upsert("help_article", articleColumns+", topic_key, plain, search", 1, func(int) []any {
		plain := plainOf(a.HTML)
		return append(articleRow.Of(a), record.Fold(a.Topic), plain, record.SearchText(a.Title, a.Topic, plain))
	}, db.Overwriting("id", articleFields+", topic_key, plain, search"))
}

// FindArticle is the article with this slug. HelpArticle.NotFound.
func FindArticle(tx *db.Tx, slug string) (Article, error) { return findArticle(tx, slug, "") }

func findArticle(tx *db.Tx, slug, locking string) (a Article, err error) {
	err = tx.Each(`-- content.findArticle
		select `+articleColumns+` from help_article where company = :company and slug = :slug`+locking,
		db.Args{"slug": strings.ToLower(slug)}, func(r db.Row) error { return articleRow.Scan(r, &a) })
	if err == nil && a.ID == "" {
		err = ErrArticleNotFound.Because("there is no help article %q", slug)
	}
	return a, err
}

// ArticleFilter says which articles a list shows.
type ArticleFilter struct {
	Search string // in title, topic and text
	Topic  string
}

// ListArticles reads articles by topic, sort order and slug.
func ListArticles(tx *db.Tx, f ArticleFilter, p record.Page) (record.Found[Article], error) {
	q := record.Query{Name: "content.ListArticles", Select: articleColumns, From: "help_article", Stamp: "changed_at",
		Key:       []string{"topic_key", "sort_order", "slug"},
		Resources: []string{Articles.Name}}
	q.Given("topic_key = :topic", record.Fold(f.Topic))
	q.Search("search", f.Search)
	return record.ListOf(tx, q, p, articleRow.Scan)
}

func removeArticle(tx *db.Tx, id string) error {
	if err := tx.Delete(db.Args{"article_id": id}, "help_vote"); err != nil {
		return err
	}
	return tx.Delete(db.Args{"id": id}, "help_article")
}

func lockArticle(tx *db.Tx, slug string) (Article, error) {
	return findArticle(tx, slug, " for update")
}
