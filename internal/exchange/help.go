package exchange

import (
	"kontor/internal/business/content"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

func helpKind() kind {
	return kind{name: "help-articles", shownKey: []string{"slug"}, duplicate: fault.ErrInvalid,
		booker: eachAlone(bookArticle), export: eachRecord(content.ListArticles),
		fields: of[content.Article](
			must(key(column(nameText, "slug"))),
			column(nameText, "title"),
			column(nameText, "topic"),
			as("HTML", column(htmlText, "htmlContent", "html", "content")),
			number("sortOrder"),
		)}
}

func bookArticle(tx *db.Tx, r *row) error {
	return put(tx, r, content.Article{Slug: r.get("slug")}, content.ErrArticleNotFound, content.FindArticle,
		content.SaveArticle)
}
