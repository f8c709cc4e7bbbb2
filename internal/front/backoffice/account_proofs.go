package backoffice

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"net/http"
	"strings"

	"github.com/pquerna/otp"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/page"
)

// proves shows a form that asks a person who is signed in to prove that it is them, and does what it says once they
// have.
func (o Office) proves(w http.ResponseWriter, r *http.Request, s *page.Site, card page.Card,
	do func(identity.Session) (*page.Card, error)) error {
	at, err := o.session(r)
	if err != nil {
		return err
	}
	return s.Answer(w, r, card, func() (*page.Card, string, error) {
		next, err := do(at)
		return next, "/account", err
	})
}

// proofField asks for the password, or for a code where there is a second factor.
func proofField(secondFactor bool, proof *string) page.Field {
	label := "Password"
	if secondFactor {
		label = "Password, or the code of your authenticator"
	}
	return page.Password("proof", label, proof).Required().Auto("current-password")
}

type passwords struct {
	old, new string
	programs bool
}

func (p *passwords) card() page.Card {
	return page.Card{Title: "Change the password", Lead: "You stay signed in here and are signed out everywhere else.",
		Action: "/account/password", Fields: []page.Field{page.Password("old", "Present password", &p.old).Required().
			Auto("current-password"), page.Password("password", "New password", &p.new).Required().Auto("new-password").
			Hint("At least 10 characters."), page.Check("programs", "Also end all programs that act for me",
			&p.programs)},
		Buttons: []page.Button{{Label: "Save"}}, Links: []page.Link{{Label: "Back", Href: "/account"}}}
}

func (o Office) showPassword(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	s.Card(w, r, new(passwords).card())
	return nil
}

func (o Office) changePassword(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	p := passwords{}
	return o.proves(w, r, s, p.card(), func(at identity.Session) (*page.Card, error) {
		in, err := o.Entrance.ChangePassword(r.Context(), o.attempt(w, r), at, p.old, p.new, p.programs)
		if err == nil {
			o.carry(w, r, in)
		}
		return nil, err
	})
}

// enrolCard shows the secret that an authenticator is set up with, as a picture and to be typed.
func enrolCard(e identity.Enrolment, ticket string, code *string) (page.Card, error) {
	key, err := otp.NewKeyFromURL(e.URL)
	if err != nil {
		return page.Card{}, err
	}
	img, err := key.Image(220, 220)
	if err != nil {
		return page.Card{}, err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return page.Card{}, err
	}
	return page.Card{Title: "Set up a second factor",
		Lead:    "Scan this with an authenticator app, or type the secret into it. Then enter the code that it shows.",
		Picture: "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes()), Secret: e.Secret,
		Action: "/account/second-factor", Hidden: [][2]string{{"ticket", ticket}},
		Fields:  []page.Field{page.Text("code", "Code", code).Required().Auto("one-time-code").Max(10)},
		Buttons: []page.Button{{Label: "Switch on"}}, Links: []page.Link{{Label: "Back", Href: "/account"}}}, nil
}

func offerCard(secondFactor bool, proof *string) page.Card {
	return page.Card{Title: "Set up a second factor", Lead: "First show that it is you.",
		Action: "/account/second-factor", Fields: []page.Field{proofField(secondFactor, proof)},
		Buttons: []page.Button{{Label: "Continue"}}, Links: []page.Link{{Label: "Back", Href: "/account"}}}
}

// showProof shows a form of proves.
func (o Office) showProof(card func(secondFactor bool, proof *string) page.Card) page.Serve {
	return func(s *page.Site, w http.ResponseWriter, r *http.Request) error {
		at, err := o.session(r)
		if err == nil {
			s.Card(w, r, card(at.SecondFactor, new(string)))
		}
		return err
	}
}

// enrol takes the proof and shows the secret, or takes the code that shows that the secret arrived.
func (o Office) enrol(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	at, err := o.session(r)
	if err != nil {
		return err
	}
	var ticket string
	if err := s.Fields(w, r, page.Text("ticket", "", &ticket)); err != nil {
		return err
	}
	if ticket != "" {
		return o.confirmEnrol(s, w, r, at, ticket)
	}
	var proof, code string
	return o.proves(w, r, s, offerCard(at.SecondFactor, &proof), func(at identity.Session) (*page.Card, error) {
		offer, ticket, err := o.Entrance.OfferTOTP(r.Context(), o.attempt(w, r), at, proof)
		if err != nil {
			return nil, err
		}
		card, err := enrolCard(offer, ticket, &code)
		return &card, err
	})
}

func (o Office) confirmEnrol(s *page.Site, w http.ResponseWriter, r *http.Request, at identity.Session,
	ticket string) error {
	var code string
	if err := s.Fields(w, r, page.Text("code", "Code", &code)); err != nil {
		return err
	}
	codes, offer, err := o.Entrance.ConfirmTOTP(r.Context(), o.attempt(w, r), at, ticket, code)
	if fault.Is(err, identity.ErrWrongCode) {
		card, wrong := enrolCard(offer, ticket, &code)
		card.Problem = err
		if wrong == nil {
			s.Card(w, r, card)
		}
		return wrong
	}
	if err != nil {
		card := offerCard(at.SecondFactor, new(string))
		card.Problem = err
		s.Card(w, r, card)
		return nil
	}
	s.Card(w, r, *recoveryCard(codes))
	return nil
}

func renewalCard(secondFactor bool, proof *string) page.Card {
	return page.Card{Title: "Make new recovery codes", Lead: "The old ones are void then.", Action: "/account/recovery",
		Fields:  []page.Field{proofField(secondFactor, proof)},
		Buttons: []page.Button{{Label: "Make new ones"}}, Links: []page.Link{{Label: "Back", Href: "/account"}}}
}

func (o Office) renewRecovery(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	var proof string
	return o.proves(w, r, s, renewalCard(true, &proof), func(at identity.Session) (*page.Card, error) {
		codes, err := o.Entrance.RenewRecovery(r.Context(), o.attempt(w, r), at, proof)
		return recoveryCard(codes), err
	})
}

func recoveryCard(codes []string) *page.Card {
	return &page.Card{Title: "Keep these recovery codes",
		Lead:   "Each lets you in once, should you lose the authenticator. They are shown only now.",
		Secret: strings.Join(codes, "\n"), Links: []page.Link{{Label: "Done", Href: "/account"}}}
}

func disableCard(secondFactor bool, proof *string) page.Card {
	return page.Card{Title: "Switch the second factor off", Lead: "Your password alone lets you in then.",
		Action: "/account/second-factor/off", Fields: []page.Field{proofField(secondFactor, proof)},
		Buttons: []page.Button{{Label: "Switch off", Tone: page.Bad}},
		Links:   []page.Link{{Label: "Back", Href: "/account"}}}
}

func (o Office) disable(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	var proof string
	return o.proves(w, r, s, disableCard(true, &proof), func(at identity.Session) (*page.Card, error) {
		return nil, o.Entrance.DisableTOTP(r.Context(), o.attempt(w, r), at, proof)
	})
}
