package shop

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// The assistant's answers come as server-sent events. A browser with scripts is passed them on as they come; another
// waits for the page.

type assistantPage struct {
	Messages []Answered
	Question string
	form
}

// assistant is the conversation of this session so far (GET /ecom/assistant/conversation).
func assistant(v *visit) error { return v.showConversation(assistantPage{}, nil) }

// showConversation shows it, with what was told of the last answer alone.
func (v *visit) showConversation(p assistantPage, last *Answered) error {
	var c struct {
		Messages []Answered `json:"messages"`
	}
	if err := v.ask(v.get("/assistant/conversation", nil, &c)); err != nil {
		return err
	}
	if !v.session.Store.Features.Assistant {
		return &Problem{Status: http.StatusNotFound}
	}
	p.Messages = c.Messages
	if n := len(p.Messages); last != nil && n > 0 {
		p.Messages[n-1].Products, p.Messages[n-1].Sources = last.Products, last.Sources
	}
	return v.mine("assistant", "Ask the assistant", p)
}

// ask asks (POST /ecom/assistant/messages).
func ask(v *visit) error {
	p := assistantPage{Question: v.typed("message")}
	answer, err := v.api.Open(v.ctx, http.MethodPost, "/assistant/messages", map[string]string{"message": p.Question})
	if p.Problem = problemOf(err); isRefusal(p.Problem, http.StatusTooManyRequests) {
		return v.showConversation(p, nil)
	}
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	a := Answered{Message: p.Question}
	if !strings.Contains(v.r.Header.Get("Accept"), eventStream) {
		if err := a.Read(answer.Body, nil); err != nil {
			return err
		}
		return v.showConversation(assistantPage{}, &a)
	}
	if err := v.ask(); err != nil {
		return err
	}
	v.w.Header().Set("Content-Type", eventStream)
	send := func(name string, value any) error {
		b, err := json.Marshal(value)
		if err == nil {
			_, err = fmt.Fprintf(v.w, "event: %s\ndata: %s\n\n", name, b)
		}
		if err == nil {
			err = http.NewResponseController(v.w).Flush()
		}
		return err
	}
	if err := a.Read(answer.Body, func(text string) error { return send("delta", text) }); err != nil {
		return nil // the browser sees that the stream ended early, and loads the page
	}
	var b bytes.Buffer
	words := v.shop.templates[v.shop.words.Language(v.session.LanguageCode)]["assistant"]
	if err := words.ExecuteTemplate(&b, "answer", a); err != nil {
		return err
	}
	_ = send("html", b.String())
	return nil
}

// eventStream is the media type of server-sent events.
const eventStream = "text/event-stream"

// Read takes in an answer; each piece of its text is handed to told as it comes.
func (a *Answered) Read(from io.Reader, told func(text string) error) error {
	lines := bufio.NewScanner(io.LimitReader(from, answerLimit))
	lines.Buffer(nil, 1<<20)
	event, done := "", false
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			event = name
			continue
		}
		body, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var said struct {
			Text      string   `json:"text"`
			Products  []Card   `json:"products"`
			Sources   []Source `json:"sources"`
			MessageID string   `json:"messageId"`
			IsKnown   bool     `json:"isKnown"`
		}
		if err := json.Unmarshal([]byte(body), &said); err != nil {
			return err
		}
		switch event {
		case "delta":
			a.Answer += said.Text
			if told != nil {
				if err := told(said.Text); err != nil {
					return err
				}
			}
		case "products":
			a.Products = said.Products
		case "sources":
			a.Sources = said.Sources
		case "done":
			a.MessageID, a.IsKnown, done = said.MessageID, said.IsKnown, true
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if !done {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// askPerson leads on to where a person is asked, with what was asked the assistant: for the signed-in a ticket, else
// the form of the contact page.
func askPerson(v *visit) error {
	if err := v.ask(); err != nil {
		return err
	}
	to := "/help"
	if v.session.IsSignedIn && v.session.Store.Features.Tickets {
		to = "/account/tickets/new?from=assistant"
	} else if slices.ContainsFunc(v.pages, func(p PageHead) bool { return p.Slug == "contact" }) {
		to = "/pages/contact?from=assistant"
	}
	v.redirect(to)
	return nil
}

// handedOver reads the conversation for a page that was reached from the assistant (GET /ecom/assistant/conversation):
// the last question that was not answered, else the last, and all that was said, as a person would be told.
func (v *visit) handedOver() (calls []func() error, said func() (subject, text string)) {
	var c struct {
		Messages []Answered `json:"messages"`
	}
	if v.r.FormValue("from") == "assistant" {
		calls = append(calls, orNothing(v.get("/assistant/conversation", nil, &c)))
	}
	return calls, func() (subject, text string) {
		for _, m := range c.Messages[max(0, len(c.Messages)-mostHanded):] {
			if !m.IsKnown || subject == "" {
				subject = m.Message
			}
			text += v.say("I asked the assistant") + ": " + cut(m.Message, 500) + "\n" + v.say("It answered") + ": " +
				cut(m.Answer, 500) + "\n\n"
		}
		return cut(subject, 200), cut(strings.TrimSpace(text), 3400)
	}
}

// mostHanded is how many questions a person is told.
const mostHanded = 5

// cut is the beginning of a text, of so many letters.
func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// rateAnswer says whether an answer helped (POST /ecom/assistant/messages/{id}/feedback).
func rateAnswer(v *visit) error {
	return v.vote("/assistant/messages/"+v.part("id")+"/feedback", "/assistant")
}
