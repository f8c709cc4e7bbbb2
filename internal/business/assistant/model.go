package assistant

import (
	"cmp"
	"net/url"
	"strings"
	"unicode/utf8"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Models is the resource of the language models that write for stores, by the code of the channel.
var Models = record.Define("assistant-models", "assistant_model", "AssistantModel")

// What a model's settings are refused with, and what one that does not write is.
var (
	ErrModelInvalid = fault.New(fault.Invalid, "AssistantModel.Invalid")
	ErrModelFails   = fault.New(fault.Unavailable, "AssistantModel.Unavailable")
)

// Model is a language model behind an address that speaks the chat completions of OpenAI. Its words are shown only
// where they keep to the passages (Supported).
type Model struct {
	record.Root
	ChannelCode string
	Address     string // such as https://api.example.com/v1
	Name        string // of the model, as the server there knows it
	Key         string `log:"-"` // sent as the bearer's; "" = none
	IsUsed      bool   // false: the assistant writes its own answers
}

// Bounds of a model's settings, in letters.
const (
	longestAddress = 500
	longestName    = 200
	longestKey     = 1000
)

// SaveModel makes the settings of a store's model what they are now. An empty key leaves the one that there is, unless
// the address is another: a key is for whom it was given. AssistantModel.Invalid, Channel.NotFound.
func SaveModel(tx *db.Tx, m Model) error {
	c, err := channel.Find(tx, m.ChannelCode)
	if err != nil {
		return err
	}
	m.ChannelCode = c.Code
	_, err = models.Put(tx, &m, func(before Model, m *Model) error {
		m.Address, m.Name = strings.TrimRight(strings.TrimSpace(m.Address), "/"), strings.TrimSpace(m.Name)
		if m.Key = strings.TrimSpace(m.Key); m.Key == "" && m.Address == before.Address {
			m.Key = before.Key
		}
		return m.check(tx)
	})
	return err
}

func (m *Model) check(tx *db.Tx) error {
	var l fault.List
	u, err := url.Parse(m.Address)
	isTest := tx.Info.Environment == "Test"
	switch {
	case m.Address == "" && !m.IsUsed:
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme != "https" && (u.Scheme != "http" || !isTest) || len(m.Address) > longestAddress:
		l.Add(ErrModelInvalid, "address", "must be an address of the form https://host/path, without a question mark")
	}
	l.If(m.Name == "" && m.IsUsed || utf8.RuneCountInString(m.Name) > longestName, ErrModelInvalid, "name",
		"must name the model, in at most %d letters", longestName)
	l.If(len(m.Key) > longestKey || strings.ContainsFunc(m.Key, func(r rune) bool { return r <= ' ' || r > '~' }),
		ErrModelInvalid, "key", "must be the key alone, of at most %d letters without spaces", longestKey)
	return l.Err()
}

// ModelOf are the settings of a store's model; without any, the assistant writes its own answers.
func ModelOf(tx *db.Tx, channelCode string) (Model, error) {
	m, _, err := findModel(tx, channelCode)
	m.ChannelCode = cmp.Or(m.ChannelCode, channelCode)
	return m, err
}

// Reseal seals the models' keys with the present key that are not; of a company whose data was copied from another,
// from is that one. Keys that cannot be opened stay as they are, and are counted.
func Reseal(tx *db.Tx, from string) (lost int, err error) {
	return tx.Reseal("assistant_model", keyColumn, from)
}
