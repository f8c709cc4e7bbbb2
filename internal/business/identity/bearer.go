package identity

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"time"

	"kontor/internal/foundation/db"
)

// AccessPrefix begins every access token, so that most wrong credentials are known before the database is asked, and a
// scanner can recognise a leaked one.
const AccessPrefix = "kat_"

// AccessLife is how long an access token is good.
const AccessLife = time.Hour

// Bearer is a program that acts for a person in a company.
type Bearer struct {
	GrantID          string
	CompanyID        string
	UserID, UserName string
	ClientName       string
	Scopes           []string
	Resource         string // the address of the API the connection is bound to
	Role             Role
	Permits          func(permission string) bool // the role's
}

// Actor is the person, by means of the program.
func (b Bearer) Actor() db.Actor {
	return db.Actor{Kind: "user", ID: b.UserID, Name: b.UserName, Client: b.ClientName}
}

// bearing is what is remembered of an access token.
type bearing struct {
	recalled
	bearer  Bearer
	expires db.Time
}

// Bearer says who an access token speaks for. It refuses with Auth.ExpiredCredential, and for everything else that is
// wrong with Auth.InvalidCredential: a stranger learns nothing more. See vouched for count.
func (g *Gate) Bearer(ctx context.Context, token string, count func() error) (Bearer, error) {
	if len(token) != len(AccessPrefix)+tokenChars || !strings.HasPrefix(token, AccessPrefix) {
		return Bearer{}, errBearer()
	}
	hash := keyHash(sha256.Sum256([]byte(token)))
	return vouched(g, hash, count, func() (Bearer, error) { return g.bearer(ctx, hash) })
}

// bearer says who an access token speaks for that has the form of one.
func (g *Gate) bearer(ctx context.Context, hash keyHash) (Bearer, error) {
	b, err := recall(ctx, g.bearers, hash, g.lookUpBearer)
	switch now := g.now(); {
	case errors.Is(err, errUnknownKey):
		return Bearer{}, errBearer()
	case err != nil:
		return Bearer{}, err
	case !b.expires.IsLiving(now, AccessLife):
		return Bearer{},
			ErrExpiredCredential.Because("this access token expired: get another one with the refresh token")
	default:
		g.note(&b.recalled, use{asConnection, b.bearer.GrantID}, now-now%minute)
		return b.bearer, nil
	}
}

func errBearer() error {
	return ErrInvalidCredential.Because(
		"the access token is not valid here, or the connection was ended: start the authorization again")
}

func (g *Gate) lookUpBearer(ctx context.Context, hash keyHash) (*bearing, error) {
	b := &bearing{recalled: recalled{asked: time.Now()}}
	err := g.look(ctx, func(tx *db.Tx) error {
		bearer, expires, used, found, err := bearerOf(tx, hash[:])
		if err == nil && !found {
			err = errUnknownKey
		}
		b.bearer, b.expires = bearer, expires
		b.used.Store(int64(used))
		return err
	})
	return b, err
}

// sitting is what is remembered of a session.
type sitting struct {
	recalled
	session Session
}

// Session is the session of a token. It refuses with Auth.MissingCredential and Auth.InvalidCredential: then the person
// signs in.
func (g *Gate) Session(ctx context.Context, token string) (Session, error) {
	if token == "" {
		return Session{}, ErrMissingCredential.Because("nobody is signed in here: sign in first")
	}
	if len(token) != tokenChars {
		return Session{}, errSession()
	}
	s, err := recall(ctx, g.sessions, sha256.Sum256([]byte(token)), g.lookUpSession)
	if errors.Is(err, errUnknownKey) {
		return Session{}, errSession()
	}
	if err != nil {
		return Session{}, err
	}
	now := g.now()
	idle := db.Time(s.used.Load()).Add(sessionIdle)
	if !s.session.ExpiresAt.IsLiving(now, sessionWhole) || !idle.IsLiving(now, sessionIdle) {
		return Session{}, errSession()
	}
	g.note(&s.recalled, use{asSession, s.session.ID}, now-now%minute)
	return s.session, nil
}

func errSession() error { return ErrInvalidCredential.Because("your session has ended: sign in again") }

func (g *Gate) lookUpSession(ctx context.Context, hash keyHash) (*sitting, error) {
	s := &sitting{recalled: recalled{asked: time.Now()}}
	err := g.look(ctx, func(tx *db.Tx) error {
		session, found, err := sessionOf(tx, hash[:])
		if err == nil && !found {
			err = errUnknownKey
		}
		s.session = session
		s.used.Store(int64(session.SeenAt))
		return err
	})
	return s, err
}
