package backoffice

import (
	"kontor/internal/business/assistant"
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/page"
)

// models are the pages of the models that write the answers of stores' assistants.
func (o Office) models() []page.Page {
	return []page.Page{
		page.Form[assistant.Model]{Path: "/stores/{code}/assistant", Title: "Who writes the assistant's answers",
			Permission: "channels:write", Resource: assistant.Models,
			Lead:   "Built in, the assistant says what stands in your products, pages and help articles. A language model may write it in its own words instead, from the same passages; what it says beyond them is not shown, and the built-in answer is.",
			Crumbs: crumbs("Stores", "/stores", "", "code"),
			Load: func(c *page.Ctx) (assistant.Model, error) {
				m, err := modelAt(c)
				m.Key = "" // it is shown to nobody
				return m, err
			},
			Fields: modelFields,
			Save: func(c *page.Ctx, lay func(*assistant.Model) error) (page.Done, error) {
				m, err := modelAt(c)
				if err != nil {
					return page.Done{}, err
				}
				m.Key = ""
				if err := lay(&m); err != nil {
					return page.Done{}, err
				}
				return page.Did("Saved."), assistant.SaveModel(c.Tx, m)
			}},
		page.Deed{Path: "/stores/{code}/assistant/try", Permission: "channels:write", Where: page.Outside,
			Do: o.tryModel},
	}
}

func modelAt(c *page.Ctx) (assistant.Model, error) {
	ch, err := channel.Find(c.Tx, c.Path("code"))
	if err != nil {
		return assistant.Model{}, err
	}
	return assistant.ModelOf(c.Tx, ch.Code)
}

func modelFields(c *page.Ctx, m *assistant.Model) []page.Field {
	key := "Sent along with each question, and shown to nobody once it is saved."
	if was, err := modelAt(c); err == nil && was.Key != "" {
		key = "There is one. Left empty, it stays as long as the address does; it is shown to nobody."
	}
	return []page.Field{
		page.Check("isUsed", "A language model writes the answers", &m.IsUsed),
		page.Text("address", "Address of the model", &m.Address).Max(500).Wide().
			Hint("Of a server that speaks OpenAI's chat completions, such as https://api.openai.com/v1. Visitors' questions and your passages are sent there."),
		page.Text("name", "Name of the model", &m.Name).Max(200).Hint("As the server there knows it."),
		page.Password("key", "Key", &m.Key).Auto("new-password").Hint(key)}
}

// modelOf says who writes the answers of a store's assistant.
func (o Office) modelOf(c *page.Ctx, ch channel.Channel) (page.Part, error) {
	m, err := assistant.ModelOf(c.Tx, ch.Code)
	who := page.Word("Built in")
	if m.IsUsed {
		who = page.T(m.Name)
	}
	f := page.Facts{Title: "The assistant's answers", Facts: []page.Fact{{Label: "Written by", Value: who}},
		Go: []page.Go{{Label: "Edit", Path: page.Path("stores", ch.Code, "assistant")}}}
	if m.Address != "" {
		f.Facts = append(f.Facts, page.Fact{Label: "Address of the model", Value: page.T(m.Address)},
			page.Fact{Label: "", Value: page.Post("Try the model", page.Path("stores", ch.Code, "assistant", "try"))})
	}
	return f, err
}

// tryModel asks a store's model something and says in words what is wrong, if anything is.
func (o Office) tryModel(c *page.Ctx) (page.Done, error) {
	var m assistant.Model
	isTest, to := false, page.Path("stores", c.Path("code"))
	as := db.Request{Company: c.Visitor.Company, Actor: c.Visitor.Actor}
	err := o.Store.Read(c.Context(), as, func(tx *db.Tx) error {
		ch, err := channel.Find(tx, c.Path("code"))
		if err == nil {
			m, err = assistant.ModelOf(tx, ch.Code)
		}
		isTest = tx.Info.Environment == "Test"
		return err
	})
	if err != nil {
		return page.Done{}, err
	}
	trial := assistant.Trial()
	text, err := o.Writer.Try(c.Context(), m, isTest, trial.Asking)
	if fault.Is(err, assistant.ErrModelFails) {
		return page.Went(to, "It does not work: %s", c.Refusal(err)), nil
	}
	if err != nil {
		return page.Done{}, err
	}
	if err := trial.Write(text); err != nil || !trial.IsKnown {
		return page.Went(to, "The model answers, but not as it must: it does not keep to the passages it is given, or does not say which ones it used. Its answers would not be shown; choose another model."), nil
	}
	return page.Went(to, "It works. Asked how long one may return something, where the passage says 30 days, the model writes: %s",
		trial.Answer), nil
}
