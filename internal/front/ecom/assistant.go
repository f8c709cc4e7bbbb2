package ecom

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"kontor/internal/business/assistant"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/rest"
)

// eventStream is the media type of server-sent events.
const eventStream = "text/event-stream"

// Assistant answers questions of visitors from what the store shows.
func Assistant(w Window, e Access, writer assistant.Writer) rest.Group {
	a := asked{w, e, writer}
	return rest.Group{Tag: "Assistant", Scope: rest.ScopeSession,
		Doc: "Answers from the store's own catalog, pages and help, with their sources.", Ops: []rest.Op{
			rest.Answering("askAssistant", "/assistant/messages",
				"Asks: the answer streams as events delta (text), products, sources, done (messageId, isKnown), or error. What the store does not say is not answered: isKnown is false, and a ticket may be made.", a.ask).
				Sends(eventStream).NamedByQuery().Raises(assistant.ErrNotOffered).
				Example(`{"message": "Do you have waterproof tents?"}`),
			rest.Get("getConversation", "/assistant/conversation", "What this session has asked and was answered.",
				getConversation),
			rest.Do("rateAnswer", "/assistant/messages/{id}/feedback", "Says whether an answer helped.", rateAnswer).
				Answers(204).Extension().Raises(assistant.ErrNotFound).Example(`{"isHelpful": true}`),
		}}
}

type askAssistantRequest struct {
	Message string `json:"message" req:"true" max:"2000"`
}

// assistantSource is a text that an answer is taken from.
type assistantSource struct {
	Type  string `json:"type"` // Page or HelpArticle
	Title string `json:"title"`
	Slug  string `json:"slug"`
	Path  string `json:"path"`
}

// asked is where answers are found, and what counts the questions before they cost anything.
type asked struct {
	Window
	Access
	writer assistant.Writer
}

// admit counts a question of the visitor, where the store takes any.
func (a asked) admit(ctx context.Context, s *rest.Streaming) error {
	who := stranger(s.Ahead, "")
	err := s.Read(func(tx *db.Tx) error {
		who.Account = storefront.Of(tx).Session.ID
		return assistant.Offered(tx)
	})
	if err == nil {
		_, err = a.Guard.Spend(ctx, &throttle.Question, who)
	}
	return err
}

// ask finds the answer in one snapshot, has the store's model write it where there is one, and sends it piece by piece.
func (a asked) ask(ctx context.Context, s *rest.Streaming, in rest.Sent[askAssistantRequest]) (rest.NoContent, error) {
	if err := a.admit(ctx, s); err != nil {
		return rest.NoContent{}, err
	}
	var reply assistant.Reply
	var cards []rest.Encoded
	err := s.Read(func(tx *db.Tx) error {
		edition, err := a.Edition(tx, storefront.Of(tx).Viewer())
		if err != nil {
			return err
		}
		if reply, err = assistant.Answer(tx, edition, in.Body.Message); err != nil {
			return err
		}
		cards = []rest.Encoded{}
		for _, c := range reply.Cards {
			one, err := rest.Encode(a.cardOf(tx, c))
			if err != nil {
				return err
			}
			cards = append(cards, one)
		}
		return nil
	})
	if err != nil {
		return rest.NoContent{}, err
	}
	if reply.IsKnown && reply.Model.IsUsed {
		a.write(ctx, s, &reply)
	}
	if !reply.IsKnown {
		cards = []rest.Encoded{}
	}
	return rest.NoContent{}, a.send(s, reply, cards)
}

// send sends an answer and then keeps it: the first word does not wait for the writer, the last does. An answer that
// could not be kept ends in an error, as nobody could say whether it helped.
func (a asked) send(s *rest.Streaming, reply assistant.Reply, cards []rest.Encoded) error {
	sources := each.Of(reply.Sources, func(t assistant.Source) assistantSource {
		return assistantSource{t.Kind, t.Title, t.Slug, t.Path}
	})
	e := events{w: s.Response}
	s.Response.Header().Set("Content-Type", eventStream)
	s.Response.Header().Set("X-Accel-Buffering", "no") // a proxy passes each piece on
	for _, piece := range pieces(reply.Answer) {
		e.send("delta", map[string]string{"text": piece})
	}
	e.send("products", map[string]any{"products": cards})
	e.send("sources", map[string]any{"sources": sources})
	if err := s.Write(func(tx *db.Tx) error { return assistant.Keep(tx, reply.Message) }); err != nil {
		s.Log.Error("an answer of the assistant was not kept", "company", s.Company(), "error", err)
		f := fault.As(err)
		e.send("error", map[string]any{"code": f.Code, "detail": f.Detail})
		return e.err
	}
	e.send("done", map[string]any{"messageId": reply.ID, "isKnown": reply.IsKnown})
	return e.err
}

// write has the store's model write the answer, between transactions. Whatever is wrong with that, the built-in answer
// stays, and the visitor is told nothing of it.
func (a asked) write(ctx context.Context, s *rest.Streaming, reply *assistant.Reply) {
	text, err := a.writer.Write(ctx, reply.Model, reply.IsTest, reply.Asking)
	if err == nil {
		err = reply.Write(text)
	}
	if err != nil && ctx.Err() == nil {
		s.Log.Warn("the built-in answer stays: the assistant's model", "company", s.Company(), "channel",
			reply.Model.ChannelCode, "error", err)
	}
}

// events writes server-sent events.
type events struct {
	w   http.ResponseWriter
	err error
}

func (e *events) send(name string, data any) {
	body, err := json.Marshal(data)
	if e.err == nil {
		e.err = err
	}
	if e.err != nil {
		return
	}
	if _, e.err = fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", name, body); e.err == nil {
		e.err = http.NewResponseController(e.w).Flush()
	}
}

// pieces are a text in parts that are sent one after the other: its lines.
func pieces(text string) []string { return strings.SplitAfter(text, "\n") }

// Conversation is what a session has asked.
type Conversation struct {
	Messages []ConversationMessage `json:"messages" doc:"The earliest first; the last fifty."`
}

// ConversationMessage is a question with its answer.
type ConversationMessage struct {
	MessageID string  `json:"messageId" format:"uuid"`
	Message   string  `json:"message"`
	Answer    string  `json:"answer"`
	IsKnown   bool    `json:"isKnown" doc:"False: the store says nothing about it."`
	IsHelpful *bool   `json:"isHelpful" doc:"Null: nobody has said."`
	CreatedAt db.Time `json:"createdDate"`
}

func getConversation(tx *db.Tx, _ struct{}) (Conversation, error) {
	all, err := assistant.Conversation(tx, storefront.Of(tx).Session.ID)
	return Conversation{each.Of(all, func(m assistant.Message) ConversationMessage {
		return ConversationMessage{m.ID, m.Question, m.Answer, m.IsKnown, m.IsHelpful, m.AskedAt}
	})}, err
}

type rateAnswerRequest struct {
	IsHelpful bool `json:"isHelpful" req:"true"`
}

func rateAnswer(tx *db.Tx, in rest.With[rest.ID, rateAnswerRequest]) (rest.NoContent, error) {
	return rest.NoContent{}, assistant.Rate(tx, in.At.ID, in.Body.IsHelpful)
}
