package identity

import (
	"cmp"
	"time"

	"kontor/internal/foundation/db"
)

// How long a session lives: idle at most, and from its beginning at most.
const (
	sessionIdle  = 12 * time.Hour
	sessionWhole = 7 * 24 * time.Hour
	deviceLife   = 180 * 24 * time.Hour
	maxDevices   = 20 // of one user; the oldest is forgotten
	maxSessions  = 50
)

// Session is a browser in which somebody is signed in.
type Session struct {
	ID                            string
	UserID, Email, Name, Language string
	// CompanyID is the company worked in; "" where none is chosen, or the person has no role there any more.
	CompanyID, CompanyCode, CompanyName string
	Environment                         Environment
	TimeZone                            string // of the company; IANA name
	Role                                Role
	// SecondFactor is true where the person signs in with one.
	SecondFactor                 bool
	CreatedAt, SeenAt, ExpiresAt db.Time
	Address, Agent               string // where from and with what
}

// Permits reports whether the person may do something in the company worked in.
func (s Session) Permits(permission string) bool { return s.Role.Permits(permission) }

// Actor is the person, as the activity log names them.
func (s Session) Actor() db.Actor { return actorOf(s.UserID, s.Name, s.Email) }

func actorOf(id, name, email string) db.Actor {
	name = cmp.Or(name, email)
	return db.Actor{Kind: "user", ID: id, Name: name}
}

// Membership is a company that a person may work in.
type Membership struct {
	CompanyID, CompanyCode, CompanyName string
	Role                                Role
}

// Turned is fired when a right may have ended or changed; whoever remembers rights forgets them with the commit.
type Turned struct{}

// SessionCookie is the name of the cookie that holds a session. Behind TLS its prefix makes browsers hold it to this
// host, to every path and to TLS (RFC 6265bis, section 4.1.3.2).
func SessionCookie(secure bool) string {
	if secure {
		return "__Host-kontor"
	}
	return "kontor"
}

// DeviceCookie is the name of the cookie by which a browser is known that somebody signed in from before.
func DeviceCookie(secure bool) string { return SessionCookie(secure) + "-device" }

// ChooseCompany makes a company, by id or code, the one a session works in. It refuses with Company.NotFound.
func ChooseCompany(tx *db.Tx, s Session, company string) error {
	all, err := Memberships(tx, s.UserID)
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.CompanyID == company || m.CompanyCode == company {
			if err := setSessionCompany(tx, s.ID, m.CompanyID); err != nil {
				return err
			}
			return tx.Fire(Turned{})
		}
	}
	return ErrCompanyNotFound.Because("you have no role in a company %q: choose one of yours", company)
}

// EndSession ends one session of a user. It refuses with Session.NotFound.
func EndSession(tx *db.Tx, userID, id string) error {
	n, err := deleteSession(tx, userID, id)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrSessionNotFound.Because("this session has ended already")
	}
	return tx.Fire(Turned{})
}

// EndSessions ends all sessions of a user but one ("" = all), and answers how many.
func EndSessions(tx *db.Tx, userID, exceptID string) (int64, error) {
	n, err := deleteSessions(tx, userID, exceptID)
	if err != nil || n == 0 {
		return n, err
	}
	return n, tx.Fire(Turned{})
}

// beginSession signs a person in, in the company they worked in last, and makes the browser a known one.
func beginSession(tx *db.Tx, u User, k Attempt, company string) (Admitted, error) {
	a := Admitted{UserID: u.ID}
	company, err := companyToOpen(tx, u.ID, company)
	if err != nil {
		return a, err
	}
	token, hash := NewSecret("")
	s := Session{ID: newID(), UserID: u.ID, CompanyID: company, CreatedAt: tx.Now,
		ExpiresAt: tx.Now.Add(sessionWhole), Address: k.Address, Agent: abridged(k.Agent, 200)}
	if err := insertSession(tx, s, hash); err != nil {
		return a, err
	}
	if a.Device, err = knowDevice(tx, u.ID, k.Device); err != nil {
		return a, err
	}
	a.Token = token
	return a, note(tx, "", "users", u.Email, "sign-in", map[string]any{"address": k.Address})
}

// companyToOpen is the wanted company, else the one worked in last, else the first, of those the person has a role in.
func companyToOpen(tx *db.Tx, userID, wanted string) (string, error) {
	all, err := Memberships(tx, userID)
	if err != nil || len(all) == 0 {
		return "", err
	}
	if wanted == "" {
		if wanted, err = lastCompany(tx, userID); err != nil {
			return "", err
		}
	}
	for _, m := range all {
		if m.CompanyID == wanted {
			return wanted, nil
		}
	}
	return all[0].CompanyID, nil
}

// knowDevice makes a browser known, under the token it has already where that is this person's.
func knowDevice(tx *db.Tx, userID, device string) (string, error) {
	if device != "" {
		owner, err := deviceOwner(tx, HashSecret(device))
		if err != nil {
			return "", err
		}
		if owner == userID {
			return device, renewDevice(tx, HashSecret(device), tx.Now.Add(deviceLife))
		}
	}
	secret, hash := NewSecret("")
	return secret, insertDevice(tx, userID, hash, tx.Now.Add(deviceLife))
}

func abridged(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
