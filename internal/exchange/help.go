package exchange

import (
	"kontor/internal/business/content"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

func helpKind() kind {
	return kind{name: "help-articles", shownKey: []string{"slug"}, duplicate: fault.ErrInvalid,
		booker: func() booker { return helpArticles{} }, export: exportHelp,
		fields: []field{
			must(column(nameText, "slug")),
			column(nameText, "title"),
			column(nameText, "topic"),
			column(htmlText, "htmlContent", "html", "content"),
			number("sortOrder"),
		}}
}

// helpArticles books the articles of a company's help, by their slugs.
type helpArticles struct{ plain }

func (helpArticles) key(r *row) string { return record.Fold(r.get("slug")) }

func (helpArticles) book(tx *db.Tx, rows []*row) error {
	for _, r := range rows {
		a, err := content.FindArticle(tx, r.get("slug"))
		if fault.Is(err, content.ErrArticleNotFound) {
			a, err = content.Article{Slug: r.get("slug")}, nil
		}
		if err != nil {
			return err
		}
		before, c := a.Version, r.cells()
		c.text("title", &a.Title)
		c.text("topic", &a.Topic)
		c.text("htmlContent", &a.HTML)
		c.whole("sortOrder", &a.SortOrder)
		if err := c.wrong.Err(); err != nil {
			return err
		}
		if a, err = content.SaveArticle(tx, a); err != nil {
			return err
		}
		r.became(revised(before, a.Version))
	}
	return nil
}

func exportHelp(tx *db.Tx, p *printer) error {
	return eachOf(tx, pageOf, content.ListArticles, func(a content.Article) error {
		return p.row(a.Slug, a.Title, a.Topic, a.HTML, whole(a.SortOrder))
	})
}
