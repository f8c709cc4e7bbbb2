package content

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

var articles = record.TableOf(Articles, record.Layout[Article]{
	Fixed:    "slug",
	Changing: "title, topic, html, sort_order",
	Key:      "slug",
	KeyOf:    func(a *Article) string { return a.Slug },
	Fold:     strings.ToLower,
	Derived: func(a *Article) db.Args {
		plain := plainOf(a.HTML)
		return db.Args{"topic_key": record.Fold(a.Topic), "plain": plain,
			"search": record.SearchText(a.Title, a.Topic, plain)}
	},
	Owned:   []string{"help_vote.article_id"},
	Missing: func(slug string) error { return ErrArticleNotFound.Because("there is no help article %q", slug) },
	Taken: func(a *Article) error {
		return ErrArticleExists.Because("article %s was just made by another request: send the request again", a.Slug)
	},
})

// FindArticle is the article with this slug. HelpArticle.NotFound.
func FindArticle(tx *db.Tx, slug string) (Article, error) { return articles.Find(tx, slug) }

// ArticleFilter says which articles a list shows.
type ArticleFilter struct {
	Search string // in title, topic and text
	Topic  string
}

// ListArticles reads articles by topic, sort order and slug.
func ListArticles(tx *db.Tx, f ArticleFilter, p record.Page) (record.Found[Article], error) {
	q := articles.Query("content.ListArticles")
	q.Key = []string{"topic_key", "sort_order", "slug"}
	q.Given("topic_key = :topic", record.Fold(f.Topic))
	q.Search("search", f.Search)
	return record.ListOf(tx, q, p, articles.Scan)
}
