package ecom

import (
	"kontor/internal/business/content"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
)

// Help are the answers to what a company is often asked.
func Help() rest.Group {
	return rest.Group{Tag: "Help", Scope: rest.ScopeSession,
		Doc: "Help articles of the company, which every store shows.", Ops: []rest.Op{
			rest.List("listHelpArticles", "/help/articles", "The help articles by topic.",
				rest.Lists[listHelpArticlesIn](shownHelpArticle, content.ListArticles)),
			rest.Get("getHelpArticle", "/help/articles/{slug}", "One help article.",
				shownHelpArticle.Of(content.FindArticle)).
				Raises(content.ErrArticleNotFound),
			rest.List("searchHelp", "/help/search", "The help articles in which every word stands, by topic.",
				rest.Lists[searchHelpIn](shownHelpArticle, content.ListArticles)).
				Extension(), rest.Do("rateHelpArticle", "/help/articles/{slug}/feedback",
				"Whether an article helped; a session's later word replaces its earlier one.", rateHelpArticle).
				Answers(204).Extension().Raises(content.ErrArticleNotFound).Example(`{"isHelpful": true}`),
		}}
}

// HelpArticle is a help article.
type HelpArticle struct {
	Slug        string    `json:"slug"`
	Title       string    `json:"title"`
	Topic       rest.Text `json:"topic" doc:"What it belongs to."`
	HTMLContent string    `json:"htmlContent" of:"HTML" doc:"Sanitised HTML."`
	SortOrder   int       `json:"sortOrder"`
}

var shownHelpArticle = rest.Shows(rest.Shown[HelpArticle, content.Article]())

type listHelpArticlesIn struct {
	rest.Paging
	Topic string `query:"topic" text:"name" doc:"Only those of a topic."`
}

type searchHelpIn struct {
	rest.Paging
	Q string `query:"q" of:"Search" max:"500" doc:"Words; every one must stand in title, topic or text."`
}

// rateHelpArticleRequest says of an article or a review whether it helped.
type rateHelpArticleRequest struct {
	IsHelpful bool `json:"isHelpful" req:"true" doc:"Whether it helped."`
}

func rateHelpArticle(tx *db.Tx, in rest.With[rest.Key, rateHelpArticleRequest]) (rest.NoContent, error) {
	return rest.NoContent{}, content.RateArticle(tx, in.At.Key, storefront.Of(tx).Session.ID, in.Body.IsHelpful)
}
