package letters

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"kontor/internal/foundation/mail"
)

const lure = "https://lure.example"

// ours are the texts of letters that the store or its records say. Everything else is taken for what whoever caused the
// letter has typed: a new field is, until it stands here.
func ours() []string {
	return []string{"Order.Number", "Order.URL", "Order.Currency", "Order.DeliveryMethod", "Order.PaymentMethod",
		"Order.Instructions", "Order.ReturnCode", "Line.Number", "Line.Name", "Line.Chosen", "Line.Unit", "Sum.Label",
		"Approval.OrderNumber", "Approval.Link", "Approval.Currency", "Decision.OrderNumber", "Decision.Link",
		"Decision.Currency", "Invitation.Link"}
}

// baited puts the lure into every text that is not ours.
func baited(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		switch name := v.Type().Name() + "." + v.Type().Field(i).Name; {
		case f.Kind() == reflect.Struct:
			baited(f)
		case f.Kind() == reflect.Slice && f.Type().Elem().Kind() == reflect.Struct:
			for n := range f.Len() {
				baited(f.Index(n))
			}
		case slices.Contains(ours(), name):
		case f.Kind() == reflect.String && f.Type() == reflect.TypeFor[string]():
			f.SetString(lure)
		case f.Type() == reflect.TypeFor[[]string]():
			f.Set(reflect.ValueOf([]string{lure}))
		}
	}
}

func bait[T any](facts T) T { baited(reflect.ValueOf(&facts).Elem()); return facts }

// To an address that nobody has confirmed no letter says what whoever caused it has typed, nor their name; to others it
// may.
func TestStrangersAreToldNothingThatOthersTyped(t *testing.T) {
	letters := func(lang string, to mail.Address) map[string]mail.Message {
		return map[string]mail.Message{
			"order":   OrderConfirmation(lang, shop, to, bait(order())),
			"code":    VerificationCode(lang, shop, to, Code{Purpose: VerifyAddress, Digits: "042137"}),
			"already": AlreadyRegistered(lang, shop, to, ""), "welcome": Welcome(lang, shop, to, ""),
			"contact":  ContactInvitation(lang, shop, to, bait(Invitation{})),
			"approval": OrderApprovalWanted(lang, shop, to, bait(Approval{OrderNumber: "1", Currency: "SEK"})),
			"approved": OrderDecided(lang, shop, to,
				bait(Decision{OrderNumber: "1", IsApproved: true, Currency: "SEK"})),
			"rejected": OrderDecided(lang, shop, to, bait(Decision{OrderNumber: "1", Currency: "SEK"})),
		}
	}
	for _, lang := range languages {
		to := mail.Address{Name: lure, Email: "stranger@example.com"}
		for name, m := range written(letters(lang, to)) {
			if all := strings.Join([]string{m.Subject, m.Text, m.HTML, m.About, m.To[0].Name, m.From.Name},
				" "); strings.Contains(all, "lure.example") {
				t.Errorf("%s in %s says what a stranger typed:\n%s", name, lang, m.Text)
			}
		}
		to.Confirmed = true
		for name, m := range written(letters(lang, to)) {
			if !strings.Contains(m.Text, "lure.example") {
				t.Errorf("%s in %s says nothing of its own to who has confirmed the address", name, lang)
			}
		}
	}
}
