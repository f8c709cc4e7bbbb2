package ecom

import (
	"errors"

	"kontor/internal/business/portal"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/rest"
)

// Auth is how customers come in.
func Auth(e Access) rest.Group {
	return rest.Group{Tag: "Auth", Scope: rest.ScopeSession, Secret: true,
		Doc: "Signing in by password or by a code in a mail, and registration.", Ops: []rest.Op{
			rest.Before(rest.Do("login", "/auth/login", "Signs a customer contact in; the session and its cart stay.",
				login), e.checkPassword).
				Raises(portal.ErrSignInFailed, portal.ErrTooMany).
				Example(`{"email": "anna@example.com", "password": "correct horse battery"}`),
			rest.Do("logout", "/auth/logout",
				"Ends the session of the token; one that is over or unknown is ended as well.", logout).
				Open().Scoped(rest.ScopeSession).Answers(204),
			rest.Before(rest.Do("oneTimeLogin", "/auth/one-time-login",
				"Signs in with a mailed code; the code of a registration opens the account.", oneTimeLogin),
				e.presentCode).
				Raises(portal.ErrWrongCode, portal.ErrPending, portal.ErrTooMany).
				Example(`{"email": "anna@example.com", "code": "123456"}`),
			rest.Before(rest.Do("requestCode", "/auth/request-code",
				"Mails a 6-digit code to the address, if anybody has it.", requestCode), e.mayMail).
				Raises(mail.ErrInvalid, portal.ErrTooMany).
				Example(`{"email": "anna@example.com", "purpose": "OneTimeLogin"}`),
			rest.Before(rest.Do("resetPassword", "/auth/reset-password",
				"Sets a new password with a mailed code, signs in, and ends all other sessions.", resetPassword),
				e.presentReset).
				Raises(portal.ErrWrongCode, portal.ErrPassword, portal.ErrTooMany).
				Example(`{"email": "anna@example.com", "code": "123456", "newPassword": "correct horse battery"}`),
			rest.Before(rest.Do("verifyCode", "/auth/verify-code",
				"Checks a code without using it up; a wrong one is counted.", verifyCode), e.tryCode).
				Raises(portal.ErrTooMany).
				Example(`{"email": "anna@example.com", "code": "123456", "purpose": "PasswordReset"}`),
			rest.Before(rest.Do("register", "/auth/register",
				"Asks for a customer account: a code is mailed, and signing in with it opens the account.", register).
				Creates(), e.hashFirst).
				Raises(portal.ErrDenied, mail.ErrInvalid, portal.ErrPassword, portal.ErrTooMany).
				Example(
					`{"email": "anna@example.com", "password": "correct horse battery", "firstName": "Anna", "lastName": "Berg", "companyName": "Nordic Tools AB"}`),
			rest.Before(rest.Do("changePassword", "/auth/change-password",
				"Changes the password of who is signed in, and ends all other sessions.", changePassword), e.prove).
				Scoped(rest.ScopeSession).Answers(204).Raises(portal.ErrPassword, portal.ErrTooMany).
				Example(`{"currentPassword": "correct horse battery", "newPassword": "staple correct horse"}`),
		}}
}

func signedIn(tx *db.Tx, err error) (LoginResult, error) {
	if err != nil {
		return LoginResult{}, err
	}
	return *loginResultOf(storefront.Of(tx)), nil
}

type loginIn struct {
	Body struct {
		Email    string `json:"email" req:"true" text:"email"`
		Password string `json:"password" req:"true" max:"200"`
	}

	person portal.Person // whose password it was
}

func (e Access) checkPassword(a *rest.Ahead, in *loginIn) error {
	err := a.Read(func(tx *db.Tx) (err error) {
		in.person, err = portal.Find(tx, in.Body.Email)
		return err
	})
	if err != nil {
		return err
	}
	right, err := e.Guard.Try(a.Context, &throttle.ShopPassword, visitor(a, in.Body.Email), func() (bool, error) {
		return e.Hasher.Verify(a.Context, in.person.PasswordHash, in.Body.Password)
	})
	if err == nil && !right {
		err = portal.WrongPassword()
	}
	return err
}

func login(tx *db.Tx, in loginIn) (LoginResult, error) {
	return signedIn(tx, portal.SignIn(tx, in.person))
}

func logout(tx *db.Tx, _ struct{}) (rest.NoContent, error) {
	if err := storefront.NeedToken(tx); err != nil {
		return rest.NoContent{}, err
	}
	return rest.NoContent{}, storefront.End(tx)
}

type oneTimeLoginRequest struct {
	Email string `json:"email" req:"true" text:"email"`
	Code  string `json:"code" req:"true" example:"123456"`
}

func (e Access) presentCode(a *rest.Ahead, in *rest.Sent[oneTimeLoginRequest]) error {
	return e.present(a, in.Body.Email, portal.OneTimeLogin, in.Body.Code)
}

// present counts a wrong code, and refuses it.
func (e Access) present(a *rest.Ahead, email string, purpose portal.Purpose, code string) error {
	if err := come(a); err != nil {
		return err
	}
	right, err := e.Guard.Try(a.Context, &throttle.ShopCode, visitor(a, email), func() (right bool, err error) {
		err = a.Write(db.Into(&right,
			func(tx *db.Tx) (bool, error) { return portal.Present(tx, email, purpose, code) }))
		return right, err
	})
	if err == nil && !right {
		err = portal.WrongCode()
	}
	return err
}

func oneTimeLogin(tx *db.Tx, in rest.Sent[oneTimeLoginRequest]) (LoginResult, error) {
	return signedIn(tx, portal.SignInByCode(tx, in.Body.Email, in.Body.Code))
}

type requestCodeRequest struct {
	Email   string         `json:"email" req:"true" text:"email"`
	Purpose portal.Purpose `json:"purpose" req:"true"`
}

// mayMail counts what is mailed to an address, whether anybody has it or not.
func (e Access) mayMail(a *rest.Ahead, in *rest.Sent[requestCodeRequest]) error {
	if err := come(a); err != nil {
		return err
	}
	if err := mail.CheckAddress("email", in.Body.Email); err != nil {
		return err
	}
	_, err := e.Guard.Spend(a.Context, &throttle.ShopMail, visitor(a, in.Body.Email))
	return err
}

// requestCode answers 200 without a body, as the specification has it.
func requestCode(tx *db.Tx, in rest.Sent[requestCodeRequest]) (rest.NoContent, error) {
	return rest.NoContent{}, portal.RequestCode(tx, in.Body.Email, in.Body.Purpose)
}

type resetPasswordIn struct {
	Body struct {
		Email       string `json:"email" req:"true" text:"email"`
		Code        string `json:"code" req:"true" example:"123456"`
		NewPassword string `json:"newPassword" req:"true" doc:"10 to 200 characters." max:"1000"`
	}

	hash string
}

func (e Access) presentReset(a *rest.Ahead, in *resetPasswordIn) (err error) {
	if err := portal.CheckPassword("newPassword", in.Body.NewPassword); err != nil {
		return err
	}
	if err := e.present(a, in.Body.Email, portal.PasswordReset, in.Body.Code); err != nil {
		return err
	}
	in.hash, err = e.Hasher.Hash(a.Context, in.Body.NewPassword)
	return err
}

func resetPassword(tx *db.Tx, in resetPasswordIn) (LoginResult, error) {
	return signedIn(tx, portal.ResetPassword(tx, in.Body.Email, in.Body.Code, in.hash))
}

// VerifyCodeResult says whether a code is right.
type VerifyCodeResult struct {
	IsValid           bool `json:"isValid"`
	RemainingAttempts int  `json:"remainingAttempts" doc:"Wrong ones that may follow before the code is worth nothing."`
}

type verifyCodeIn struct {
	Body struct {
		Email   string         `json:"email" req:"true" text:"email"`
		Code    string         `json:"code" req:"true" example:"123456"`
		Purpose portal.Purpose `json:"purpose" req:"true"`
	}

	found VerifyCodeResult
}

func (e Access) tryCode(a *rest.Ahead, in *verifyCodeIn) error {
	if err := come(a); err != nil {
		return err
	}
	_, err := e.Guard.Try(a.Context, &throttle.ShopCode, stranger(a, in.Body.Email), func() (bool, error) {
		err := a.Write(func(tx *db.Tx) (err error) {
			in.found.IsValid, in.found.RemainingAttempts, err = portal.Try(tx, in.Body.Email, in.Body.Purpose,
				in.Body.Code)
			return err
		})
		return in.found.IsValid, err
	})
	return err
}

func verifyCode(_ *db.Tx, in verifyCodeIn) (VerifyCodeResult, error) { return in.found, nil }

type registerIn struct {
	Body struct {
		Email              string    `json:"email" req:"true" text:"email"`
		Password           string    `json:"password" req:"true" doc:"10 to 200 characters." max:"1000"`
		FirstName          string    `json:"firstName" req:"true" max:"90"`
		LastName           string    `json:"lastName" req:"true" max:"90"`
		Phone              rest.Text `json:"phone"`
		CompanyName        rest.Text `json:"companyName" text:"name" doc:"Of companies; null for a person."`
		OrganizationNumber rest.Text `json:"organizationNumber"`
		VATNumber          rest.Text `json:"vatNumber"`
	}

	hash string
}

// Registration is what the storefront is told of a new account, the same whether the address is known or not.
type Registration struct {
	rest.Located
	Email            string `json:"email" doc:"A code was mailed to it: POST /ecom/auth/one-time-login with that code opens the account and signs in."`
	RequiresApproval bool   `json:"requiresApproval" doc:"The store then looks at the account before it lets anybody in."`
}

func (in registerIn) account() portal.Account {
	b := in.Body
	return portal.Account{Email: b.Email, FirstName: b.FirstName, LastName: b.LastName, Phone: string(b.Phone),
		CompanyName: string(b.CompanyName), OrganizationNumber: string(b.OrganizationNumber),
		VATNumber: string(b.VATNumber)}
}

func (e Access) hashFirst(a *rest.Ahead, in *registerIn) error {
	err := a.Read(func(tx *db.Tx) error { return portal.CheckRegistration(tx, in.account(), in.Body.Password) })
	if err != nil {
		return err
	}
	mailing, err := e.Guard.Spend(a.Context, &throttle.ShopMail, visitor(a, in.Body.Email))
	if err != nil {
		return err
	}
	registering, err := e.Guard.Spend(a.Context, &throttle.Registration, stranger(a, ""))
	if err != nil {
		return errors.Join(err, mailing.TakeBack(a.Context))
	}
	if in.hash, err = e.Hasher.Hash(a.Context, in.Body.Password); err != nil { // the queue is full: nothing was mailed
		err = errors.Join(err, mailing.TakeBack(a.Context), registering.TakeBack(a.Context))
	}
	return err
}

func register(tx *db.Tx, in registerIn) (Registration, error) {
	out := Registration{Email: in.Body.Email, RequiresApproval: storefront.Of(tx).Channel.Store.NeedsSignUp}
	out.Location = "/ecom/portal/context"
	return out, portal.Register(tx, in.account(), in.hash)
}

type changePasswordIn struct {
	Body struct {
		CurrentPassword rest.Text `json:"currentPassword" max:"200" doc:"Left out by who has none and came in by a code."`
		NewPassword     string    `json:"newPassword" req:"true" doc:"10 to 200 characters." max:"1000"`
	}

	person portal.Person
	hash   string
}

func (e Access) prove(a *rest.Ahead, in *changePasswordIn) error {
	var p portal.Person
	err := a.Read(func(tx *db.Tx) (err error) {
		if err = storefront.NeedSignIn(tx); err == nil {
			p, err = portal.SignedIn(tx)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := portal.CheckPassword("newPassword", in.Body.NewPassword); err != nil {
		return err
	}
	right := p.PasswordHash == ""
	if !right {
		right, err = e.Guard.Try(a.Context, &throttle.ShopProof,
			throttle.Who{Account: guest(a.Party()).Token, Peer: guest(a.Party()).Address}, func() (bool, error) {
				return e.Hasher.Verify(a.Context, p.PasswordHash, string(in.Body.CurrentPassword))
			})
		if err != nil {
			return err
		}
	}
	if !right {
		return portal.NotPresentPassword()
	}
	in.person = p
	in.hash, err = e.Hasher.Hash(a.Context, in.Body.NewPassword)
	return err
}

func changePassword(tx *db.Tx, in changePasswordIn) (rest.NoContent, error) {
	return rest.NoContent{}, portal.ChangePassword(tx, in.person, in.hash)
}
