package backoffice

import (
	"html/template"

	"kontor/internal/business/assistant"
	"kontor/internal/business/content"
	"kontor/internal/business/vote"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// anArticle is a help article with what visitors said of it.
type anArticle struct {
	content.Article
	votes vote.Count
}

// helpArticles are the pages of what the company answers to what it is often asked.
func helpArticles() []page.Page {
	return []page.Page{
		page.List[anArticle]{Path: "/help-articles", Title: "Help articles", Permission: readsPages, Menu: true,
			Whole:   wholeOf("help-articles"),
			Search:  "Title, topic or text",
			Lead:    "What you answer to what you are often asked, by topic. All stores show them, and the assistant answers from them.",
			Filters: []page.Filter{page.Match("topic", "Topic")},
			Find:    findArticles, Href: func(a anArticle) string { return page.Path("help-articles", a.Slug) },
			Columns: func(a anArticle) []page.Column {
				return []page.Column{page.Col("Title", page.T(a.Title)), page.Col("Topic", page.T(a.Topic)),
					page.Minor("Sort order", page.Count(a.SortOrder)),
					page.Col("Helped", page.Count(a.votes.Helpful)),
					page.Col("Did not help", page.Count(a.votes.NotHelpful).Toned(map[bool]page.Tone{true: page.Warn}[a.votes.NotHelpful > a.votes.Helpful]))}
			},
			New: []page.Go{{Label: "New article", Path: "/new/help-articles", Primary: true}}},
		page.Records[content.Article]{Path: "/help-articles", Title: "Help articles", Area: "content-pages", By: "slug",
			Key:  func(a content.Article) string { return a.Slug },
			Find: content.FindArticle, Resource: content.Articles,
			Record: page.Record[content.Article]{Show: showArticle},
			New: page.Form[content.Article]{Title: "New article",
				Save: page.Made(content.Article{}, func(c *page.Ctx, a content.Article) (page.Done, error) {
					if _, err := content.FindArticle(c.Tx, a.Slug); err == nil {
						return page.Done{}, page.Refusal("slug", "there is an article with this address already")
					}
					return saveArticle(c, a)
				})},
			Edit: page.Form[content.Article]{Title: "Edit article", Save: page.Remade(loadArticle, saveArticle),
				Back: func(*page.Ctx) string { return "/help-articles" }},
			Fields: articleFields, Begin: func(c *page.Ctx) (content.Article, error) {
				return content.Article{Topic: c.Query("topic"), Title: c.Query("about")}, nil
			},
			Delete:  content.DeleteArticle,
			Warning: "The article and what visitors said of it are gone for good.", Deleted: "The article is deleted."},
	}
}

func loadArticle(c *page.Ctx) (content.Article, error) {
	return content.FindArticle(c.Tx, c.Path("slug"))
}

func saveArticle(c *page.Ctx, a content.Article) (page.Done, error) {
	_, err := content.SaveArticle(c.Tx, a)
	return page.Went("/help-articles", "Saved."), err
}

func findArticles(c *page.Ctx, q page.Query) (out record.Found[anArticle], err error) {
	found, err := content.ListArticles(c.Tx, content.ArticleFilter{Search: q.Search, Topic: q.Get("topic")}, q.Page)
	if err != nil {
		return out, err
	}
	ids := each.Of(found.Items, func(a content.Article) string { return a.ID })
	votes, err := content.Votes.On(c.Tx, ids)
	return listed(found, func(a content.Article) anArticle { return anArticle{a, votes[a.ID]} }), err
}

func showArticle(c *page.Ctx, a content.Article) (page.Sheet, error) {
	votes, err := content.Votes.On(c.Tx, []string{a.ID})
	// sanitised when it was written
	return page.Sheet{Title: a.Title, Subtitle: a.Topic,
		Parts: []page.Part{page.Drawn{Title: "As visitors see it", HTML: template.HTML(a.HTML)}},
		Side: []page.Part{page.Facts{Title: "Article",
			Facts: []page.Fact{{Label: "Address", Value: page.Copied(content.HelpPath(a.Slug))},
				{Label: "Topic", Value: page.T(a.Topic)}, {Label: "Sort order", Value: page.Count(a.SortOrder)},
				{Label: "Helped", Value: page.Count(votes[a.ID].Helpful)},
				{Label: "Did not help", Value: page.Count(votes[a.ID].NotHelpful)}}}}}, err
}

func articleFields(_ *page.Ctx, a *content.Article) []page.Field {
	return []page.Field{page.Text("title", "Title", &a.Title).Required(), page.Text("slug", "Address", &a.Slug).
		Required().FixedIf(a.ID != "").Hint("Lower-case letters, digits and hyphens, such as how-to-return."),
		page.Text("topic", "Topic", &a.Topic), page.Number("sortOrder", "Sort order", &a.SortOrder),
		page.Prose("htmlContent", "Text as HTML", &a.HTML).Max(100_000)}
}

func answerBadge(m assistant.Message) page.Value {
	if !m.IsKnown {
		return page.Badge("Not answered", page.Warn)
	}
	return page.Badge("Did not help", page.Plain)
}

// questions is what visitors asked the assistant and were not answered, or not well: what is worth an article.
func questions() []page.Page {
	return []page.Page{page.List[assistant.Message]{Path: "/questions", Title: "Unanswered questions",
		Permission: readsPages, Menu: true, Search: "Words of the question",
		Lead: "What visitors asked the assistant in the last thirty days and your texts did not answer, or not well. Who asked is not kept here.",
		Find: func(c *page.Ctx, q page.Query) (record.Found[assistant.Message], error) {
			return assistant.Unanswered(c.Tx, q.Search, q.Page)
		},
		Columns: func(m assistant.Message) []page.Column {
			return []page.Column{page.Col("Question", page.T(m.Question)),
				page.Col("Answer", answerBadge(m)), page.Minor("Asked at", page.At(m.AskedAt)),
				page.Col("", page.Each(page.Word("Write an article").
					Linked("/new/help-articles?about="+query(firstLine(m.Question))),
					page.Word("Make a ticket").Linked("/new/tickets?about="+query(firstLine(m.Question)))))}
		}}}
}
