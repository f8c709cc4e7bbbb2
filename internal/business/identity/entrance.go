package identity

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/throttle"
)

// Entrance signs people in, and helps those who cannot: it counts attempts, checks passwords outside transactions, and
// hands out sessions.
type Entrance struct {
	control Control
	hasher  *Hasher
	post    Post
	// patience is how long asking for a new password takes, whoever asks.
	patience time.Duration
	failures atomic.Int64
	guard    *throttle.Guard
}

// openResets is how many letters of a new password lie open at most; all of them work.
const openResets = 5

// Post sends a letter. It returns once the letter cannot be lost any more.
type Post func(ctx context.Context, l Letter) error

// Letter is what identity has to tell somebody by mail. It holds a secret.
type Letter struct {
	Purpose   string // invitation or reset
	CompanyID string // in whose name it is sent
	Email     string
	Name      string
	Language  string
	Token     string
	By        string // who invites
	ExpiresAt db.Time
}

// Attempt is where somebody stands who wants in.
type Attempt struct {
	Address   string // of the client
	Agent     string // User-Agent
	Device    string // of the cookie DeviceCookie
	RequestID string
}

// Admitted is what a person who was let in carries: both tokens go into cookies. Where Ticket is set instead of Token
// the password was right, and a second factor is wanted.
type Admitted struct {
	Token, Device string
	Ticket        string
	UserID        string
}

// askPatience is longer than finding a person, writing a ticket and a letter take.
const askPatience = 400 * time.Millisecond

// maxCodeTries is how often a code may be tried after the password was right once.
const maxCodeTries = 5

// NewEntrance is the entrance of an installation.
func NewEntrance(control Control, guard *throttle.Guard, hasher *Hasher, post Post) *Entrance {
	return &Entrance{control: control, guard: guard, hasher: hasher, post: post, patience: askPatience}
}

func (e *Entrance) read(ctx context.Context, fn func(*db.Tx) error) error {
	return e.control(ctx, db.Request{Actor: db.Actor{Kind: "system", ID: "entrance", Name: "entrance"}}, false, fn)
}

// guessing is who makes an attempt at an account, whose browser may be known to it.
func (k Attempt) guessing(account string, known bool) throttle.Who {
	w := throttle.Who{Account: account, Peer: k.Address, Company: throttle.House, Known: known}
	if known {
		w.Place = k.Device
	}
	return w
}

func (e *Entrance) write(ctx context.Context, k Attempt, actor db.Actor, fn func(*db.Tx) error) error {
	if actor.Kind == "" {
		actor = db.Actor{Kind: "system", ID: "entrance", Name: "entrance"}
	}
	return e.control(ctx, db.Request{Actor: actor, RequestID: k.RequestID}, true, fn)
}

// Failures is how often a password or a code was wrong since the program began.
func (e *Entrance) Failures() int64 { return e.failures.Load() }

// SignIn lets a person in by address and password. It refuses with Auth.SignInFailed, which says nothing about what was
// wrong and takes as long whether the address exists or not, and with Auth.TooManyAttempts.
func (e *Entrance) SignIn(ctx context.Context, k Attempt, email, password string) (Admitted, error) {
	var u User
	var known bool
	err := e.read(ctx, func(tx *db.Tx) (err error) {
		if u, _, err = findUser(tx, email); err == nil {
			known, err = e.knows(tx, k, u.ID)
		}
		return err
	})
	if err != nil {
		return Admitted{}, err
	}
	right, err := e.guard.Try(ctx, &throttle.OfficePassword, k.guessing(emailKey(email), known), func() (bool, error) {
		right, err := e.hasher.Verify(ctx, u.PasswordHash, password)
		return right && u.IsActive, err
	})
	if err != nil {
		return Admitted{}, err
	}
	if !right {
		e.failures.Add(1)
		return Admitted{}, ErrSignInFailed.Because("the mail address or the password is wrong")
	}
	var a Admitted
	err = e.write(ctx, k, u.Actor(), func(tx *db.Tx) (err error) {
		// The password was checked outside: it must still be the person's.
		now, err := userByID(tx, u.ID)
		if err != nil {
			return err
		}
		if now.PasswordHash != u.PasswordHash || !now.IsActive {
			return ErrSignInFailed.Because("the mail address or the password is wrong")
		}
		if now.SecondFactor {
			a = Admitted{UserID: now.ID}
			_, a.Ticket, err = issue(tx, ticket{Purpose: forSecondFactor, UserID: now.ID})
			return err
		}
		a, err = beginSession(tx, now, k, "")
		return err
	})
	return a, err
}

// knows reports whether the browser is one that this person signed in from before.
func (e *Entrance) knows(tx *db.Tx, k Attempt, userID string) (bool, error) {
	owner, err := deviceOwner(tx, HashSecret(k.Device))
	return owner != "" && owner == userID, err
}

// SecondFactor lets a person in whose password was right, by the code of their authenticator or by a recovery code. It
// refuses with Auth.WrongCode, Auth.TooManyAttempts, and with Auth.TicketInvalid when they must begin again.
func (e *Entrance) SecondFactor(ctx context.Context, k Attempt, secret, code string) (a Admitted, err error) {
	var u User
	var known bool
	err = e.read(ctx, func(tx *db.Tx) error {
		t, err := present(tx, forSecondFactor, secret)
		if err != nil {
			return err
		}
		if u, err = userByID(tx, t.UserID); err == nil {
			known, err = e.knows(tx, k, u.ID)
		}
		return err
	})
	if err != nil {
		return a, err
	}
	var refusal error
	_, err = e.guard.Try(ctx, &throttle.OfficeCode, k.guessing(u.ID, known), func() (bool, error) {
		err := e.write(ctx, k, u.Actor(), func(tx *db.Tx) (err error) {
			a, refusal, err = e.checkCode(tx, k, secret, code)
			return err
		})
		if fault.Is(refusal, ErrWrongCode) {
			return false, err
		}
		return refusal == nil && err == nil, errors.Join(err, refusal)
	})
	if err == nil {
		err = refusal
	}
	return a, err
}

// checkCode tries a code. A refusal is told beside the error, because the try it counts must be committed.
func (e *Entrance) checkCode(tx *db.Tx, k Attempt, secret, code string) (a Admitted, refusal, err error) {
	t, err := present(tx, forSecondFactor, secret)
	if err != nil {
		return a, nil, err
	}
	u, err := userByID(tx, t.UserID)
	if err != nil {
		return a, nil, err
	}
	tries, err := tryTicket(tx, t.ID)
	if err != nil {
		return a, nil, err
	}
	if tries > maxCodeTries || !u.IsActive || !u.SecondFactor {
		_, err := useTicket(tx, t.ID)
		return a, errTicket(forSecondFactor), err
	}
	right, err := takeCode(tx, u, code)
	if err != nil {
		return a, nil, err
	}
	if !right {
		e.failures.Add(1)
		return a, ErrWrongCode.At("code",
				"is not the code that the authenticator shows now, nor a recovery code that is left: type the present one"),
			nil
	}
	if used, err := useTicket(tx, t.ID); err != nil || !used {
		return a, errTicket(forSecondFactor), err
	}
	a, err = beginSession(tx, u, k, "")
	return a, nil, err
}

// ChangePassword gives a person who is signed in another password. All their sessions end, and another begins: its
// tokens are answered. With programs, what acts for them ends too. It refuses with User.Invalid and
// Auth.TooManyAttempts.
func (e *Entrance) ChangePassword(ctx context.Context, k Attempt, s Session, old, password string,
	programs bool) (a Admitted, err error) {
	proven, err := e.prove(ctx, k, s, old, "old")
	if err != nil {
		return a, err
	}
	hash, err := e.hasher.Hash(ctx, password)
	if err != nil {
		return a, err
	}
	err = e.write(ctx, k, s.Actor(), func(tx *db.Tx) error {
		u, err := stillTheirs(tx, proven, "old")
		if err != nil {
			return err
		}
		if err := replacePassword(tx, u, hash, programs); err != nil {
			return err
		}
		a, err = beginSession(tx, u, k, s.CompanyID)
		return err
	})
	return a, err
}

// replacePassword sets a password and ends everything that the old one opened; with programs, what acts for the person
// too.
func replacePassword(tx *db.Tx, u User, hash string, programs bool) error {
	if err := setPassword(tx, u.ID, hash); err != nil {
		return err
	}
	if _, err := EndSessions(tx, u.ID, ""); err != nil {
		return err
	}
	err := each.Do([]purpose{forReset, forSecondFactor, forConsent, forEnrolment},
		func(p purpose) error { return dropTickets(tx, p, u.ID) })
	if err != nil {
		return err
	}
	if err := deleteDevices(tx, u.ID); err != nil {
		return err
	}
	if programs {
		if err := RevokeConnections(tx, u.ID); err != nil {
			return err
		}
	}
	return note(tx, "", "users", u.Email, "change-password", nil)
}

// AskReset sends a letter with which a forgotten password is replaced, to who has the address. It takes the same time
// and answers the same whoever has it; it refuses with Auth.TooManyAttempts, counted alike for every address.
func (e *Entrance) AskReset(ctx context.Context, k Attempt, email string) error {
	done := time.NewTimer(e.patience)
	defer done.Stop()
	if _, err := e.guard.Spend(ctx, &throttle.OfficeReset, k.guessing(emailKey(email), false)); err != nil {
		return err
	}
	var l Letter
	err := e.write(ctx, k, db.Actor{}, db.Into(&l, func(tx *db.Tx) (Letter, error) { return resetLetter(tx, email) }))
	if err == nil && l.Token != "" {
		err = e.post(ctx, l)
	}
	select {
	case <-done.C:
	case <-ctx.Done():
	}
	return err
}

// resetLetter is the letter to who has the address; none where nobody has, where they work in no open company, or where
// enough letters lie open, so that nobody's mailbox is filled by strangers.
func resetLetter(tx *db.Tx, email string) (l Letter, err error) {
	u, known, err := findUser(tx, email)
	if err != nil || !known || !u.IsActive {
		return l, err
	}
	open, newest, err := countTickets(tx, forReset, u.ID)
	if err != nil || open >= openResets || newest > tx.Now.Add(-time.Minute) {
		return l, err
	}
	company, err := companyToOpen(tx, u.ID, "")
	if err != nil || company == "" {
		return l, err
	}
	t, secret, err := issue(tx, ticket{Purpose: forReset, UserID: u.ID, Email: u.Email})
	return Letter{Purpose: string(forReset), CompanyID: company, Email: u.Email, Name: u.Name, Language: u.Language,
		Token: secret, ExpiresAt: t.ExpiresAt}, err
}

// OpenReset is whose password a letter replaces. It refuses with Auth.TicketInvalid and Auth.TooManyAttempts.
func (e *Entrance) OpenReset(ctx context.Context, k Attempt, token string) (email string, err error) {
	err = e.read(ctx, func(tx *db.Tx) error {
		t, err := present(tx, forReset, token)
		email = t.Email
		return err
	})
	return email, e.missed(ctx, k, err)
}

// missed counts a link that is none against who followed it. What it refuses is said instead.
func (e *Entrance) missed(ctx context.Context, k Attempt, err error) error {
	if !fault.Is(err, ErrTicketInvalid) {
		return err
	}
	return cmp.Or(e.MissedLink(ctx, k), err)
}

// MissedLink counts a link that is none against who followed it. It refuses with Auth.TooManyAttempts who followed too
// many.
func (e *Entrance) MissedLink(ctx context.Context, k Attempt) error {
	return e.guard.Miss(ctx, &throttle.OfficeLink, throttle.Who{Peer: k.Address})
}

// Reset replaces a forgotten password by the secret of a letter. All sessions of the person end, and so does all that
// acts for them:
// whoever knew the password may have let it in. It refuses with User.Invalid
// and Auth.TicketInvalid.
func (e *Entrance) Reset(ctx context.Context, k Attempt, token, password string) error {
	if _, err := e.OpenReset(ctx, k, token); err != nil {
		return err
	}
	hash, err := e.hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	return e.write(ctx, k, db.Actor{}, func(tx *db.Tx) error {
		t, err := present(tx, forReset, token)
		if err != nil {
			return err
		}
		u, err := userByID(tx, t.UserID)
		if fault.Is(err, ErrUserNotFound) || err == nil && !u.IsActive {
			return errTicket(forReset)
		}
		if err != nil {
			return err
		}
		used, err := useTicket(tx, t.ID)
		if err != nil || !used {
			return errTicket(forReset)
		}
		tx.Actor = u.Actor()
		return replacePassword(tx, u, hash, true)
	})
}
