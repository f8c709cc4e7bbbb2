package postbox

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"

	"kontor/internal/business/support"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/outbound"
)

// Reader reads mailboxes by IMAP.
type Reader struct {
	kontor  Host
	log     *slog.Logger
	private bool           // they may lie in the server's own network
	roots   *x509.CertPool // nil = those of the system
}

// NewReader is a reader of companies' mailboxes. With private it also reaches those in the server's own network.
func NewReader(h Host, private bool, log *slog.Logger) *Reader {
	return &Reader{kontor: h, log: log, private: private}
}

// Bounds of a visit.
const (
	maxVisit    = 50        // mails
	maxVisited  = 200 << 20 // bytes of them
	maxProtocol = 8 << 20   // bytes of everything else, such as the numbers of unread mails
	maxAround   = 64 << 10  // and what may stand around a mail
)

// mailbox is an open folder of a mailbox.
type mailbox struct {
	*imapclient.Client
	wire     *bounded
	validity int64
	newest   int64 // no mail in it has a larger UID
	mails    int
	free     func()
}

// bounded is a connection that lets so much be read and no more: what a server sends without end is not kept.
type bounded struct {
	net.Conn
	left atomic.Int64
}

var errTooMuch = errors.New("the server sends more than it may")

// Read reads on.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left.Load() <= 0 {
		return 0, errTooMuch
	}
	n, err := b.Conn.Read(p)
	b.left.Add(int64(-n))
	return n, err
}

// fails is what every way of not being read is.
var fails = support.ErrInboxFails

// open signs in and opens the folder. TicketInbox.Unavailable says what is wrong, without a word of the other side.
func (r *Reader) open(ctx context.Context, in support.Inbox, isTest bool) (*mailbox, error) {
	at := net.JoinHostPort(in.Host, strconv.Itoa(in.Port))
	dial := outbound.Dialer(r.private)
	if isTest && outbound.IsLocal("imap://"+at) {
		dial = outbound.LocalDialer()
	}
	conn, err := dial.DialContext(ctx, "tcp", at)
	if err != nil {
		return nil, unreached(err)
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() }) // whatever waits for the other side ends then
	m := &mailbox{wire: &bounded{Conn: conn}}
	m.free = func() { stop(); conn.Close() }
	m.wire.left.Store(maxProtocol)
	err = r.greet(ctx, m, in)
	if err == nil {
		err = m.signIn(in)
	}
	if err == nil {
		err = m.choose(in)
	}
	if err != nil {
		m.free()
		return nil, m.ended(ctx, err)
	}
	return m, nil
}

// ended is why a conversation did: of what broke off it knows whether that was our doing.
func (m *mailbox) ended(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case m.wire.left.Load() <= 0:
		return broken(errTooMuch)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return broken(ctx.Err())
	}
	return err
}

// greet agrees on how the two speak.
func (r *Reader) greet(ctx context.Context, m *mailbox, in support.Inbox) (err error) {
	config := &tls.Config{ServerName: in.Host, RootCAs: r.roots, MinVersion: tls.VersionTLS12}
	switch in.Security {
	case support.TLS:
		config.NextProtos = []string{"imap"}
		secure := tls.Client(m.wire, config)
		if err := secure.HandshakeContext(ctx); err != nil {
			return insecure(err)
		}
		m.Client = imapclient.New(secure, nil)
	case support.StartTLS:
		m.Client, err = imapclient.NewStartTLS(m.wire, &imapclient.Options{TLSConfig: config})
		if word := (*imap.Error)(nil); errors.As(err, &word) {
			return fails.Because("The mail server offers no STARTTLS at this port: choose TLS, usually at port 993.").
				From(err)
		}
		if err != nil {
			return insecure(err)
		}
	default:
		m.Client = imapclient.New(m.wire, nil)
	}
	if err := m.WaitGreeting(); err != nil {
		return fails.Because("What answers at this port is no IMAP server: look at the port and the encryption, usually 993 and TLS.").
			From(err)
	}
	return nil
}

// signIn proves who we are.
func (m *mailbox) signIn(in support.Inbox) (err error) {
	if m.State() != imap.ConnStateNotAuthenticated {
		return nil
	}
	caps := m.Caps()
	switch {
	case !caps.Has(imap.CapLoginDisabled):
		err = m.Login(in.User, in.Password).Wait()
	case caps.Has("AUTH=PLAIN"):
		err = m.Authenticate(sasl.NewPlainClient("", in.User, in.Password))
	default:
		return fails.Because("The mail server lets nobody sign in with a password over this connection: choose TLS or STARTTLS.")
	}
	word := (*imap.Error)(nil)
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &word):
		return broken(err)
	case word.Code == imap.ResponseCodeUnavailable || word.Code == imap.ResponseCodeLimit ||
		word.Code == imap.ResponseCodeInUse:
		return fails.Because("The mail server lets nobody sign in at present.").From(err)
	}
	return fails.Because("The mail server does not accept the user and the password. Some want a password of their own for programs, made in the account's settings.").
		From(err)
}

// choose opens the folder that is read, and sees to it that mails can leave it.
func (m *mailbox) choose(in support.Inbox) error {
	if in.DoneFolder != "" {
		if caps := m.Caps(); !caps.Has(imap.CapMove) && !caps.Has(imap.CapUIDPlus) {
			return fails.Because("The mail server cannot move mails: leave the folder for mails that were taken empty.")
		}
		if _, err := m.Status(in.DoneFolder, &imap.StatusOptions{NumMessages: true}).Wait(); err != nil {
			return said(err, fails.Because("There is no folder of this name for mails that were taken: make it in the mail program."))
		}
	}
	s, err := m.Select(in.Folder, nil).Wait()
	if err != nil {
		return said(err, fails.Because("There is no folder of this name in the mailbox: look at its spelling. The usual one is INBOX."))
	}
	m.validity, m.newest, m.mails = int64(s.UIDValidity), int64(s.UIDNext)-1, int(s.NumMessages)
	if s.UIDNext == 0 { // a server that does not say: only what nobody has read is taken
		m.newest = 1<<32 - 1
	}
	marks := func(f imap.Flag) bool {
		return f == imap.FlagWildcard || strings.EqualFold(string(f), string(imap.FlagSeen))
	}
	if in.DoneFolder == "" && len(s.PermanentFlags) > 0 && !slices.ContainsFunc(s.PermanentFlags, marks) {
		return fails.Because("Mails in this folder cannot be marked as read: choose another folder, or another user.")
	}
	return nil
}

// waiting are the mails that are to be taken, the oldest first and one more than a visit takes: those that nobody has
// read, and those that have come since the mailbox was first read, also where somebody was faster to read them.
func (m *mailbox) waiting(p support.Reading) ([]int64, error) {
	all, err := m.search(p.LastUID, imap.FlagDeleted, imap.FlagSeen)
	if err != nil || m.newest <= max(p.LastUID, p.UnreadTo) {
		return all, err
	}
	fresh, err := m.search(max(p.LastUID, p.UnreadTo), imap.FlagDeleted)
	if err != nil {
		return nil, err
	}
	all = append(all, fresh...)
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), maxVisit+1)], nil
}

// search finds mails above a UID without flags, the oldest first and one more than a visit takes. "5:*" names the last
// mail too where that is before 5.
func (m *mailbox) search(above int64, without ...imap.Flag) (all []int64, err error) {
	if above >= 1<<32-1 {
		return nil, nil
	}
	found, err := m.UIDSearch(&imap.SearchCriteria{UID: []imap.UIDSet{{{Start: imap.UID(above + 1)}}},
		NotFlag: without}, nil).Wait()
	if err != nil {
		return nil, broken(err)
	}
	set, _ := found.All.(imap.UIDSet)
	for _, span := range set { // which a server may make as wide as it likes
		for uid := max(int64(span.Start), above+1); uid <= int64(span.Stop); uid++ {
			all = append(all, uid)
			if len(all) == maxVisit+1 {
				return all, nil
			}
		}
	}
	return all, nil
}

// sizes are how large mails are, in bytes; those that are gone have none.
func (m *mailbox) sizes(uids []int64) (map[int64]int64, error) {
	set := imap.UIDSet{}
	for _, uid := range uids {
		set.AddNum(imap.UID(uid))
	}
	found, err := m.Fetch(set, &imap.FetchOptions{UID: true, RFC822Size: true}).Collect()
	if err != nil {
		return nil, broken(err)
	}
	all := map[int64]int64{}
	for _, x := range found {
		all[int64(x.UID)] = x.RFC822Size
	}
	return all, nil
}

// letter reads a mail without marking it; false where it is gone meanwhile.
func (m *mailbox) letter(uid int64, keep support.Keep) (l support.Letter, found bool, err error) {
	cmd := m.Fetch(imap.UIDSetNum(imap.UID(uid)), &imap.FetchOptions{UID: true,
		BodySection: []*imap.FetchItemBodySection{{Peek: true}}})
	for x := cmd.Next(); x != nil; x = cmd.Next() {
		for item := x.Next(); item != nil; item = x.Next() {
			body, ok := item.(imapclient.FetchItemDataBodySection)
			if !ok || body.Literal == nil || found {
				continue
			}
			found = true
			if body.Literal.Size() > support.MaxMail {
				err = support.ErrMail.Because("the mail is larger than 40 MB")
				continue
			}
			wire := &wire{from: io.LimitReader(body.Literal, body.Literal.Size())}
			if l, err = support.ReadLetter(wire, false, keep); wire.failed != nil {
				err = broken(wire.failed)
			}
		}
	}
	if failed := cmd.Close(); failed != nil {
		return l, found, broken(failed)
	}
	return l, found, err
}

// done marks a mail that was taken, or moves it away. One that is gone is done.
func (m *mailbox) done(uid int64, in support.Inbox) error {
	if in.DoneFolder != "" {
		if sizes, err := m.sizes([]int64{uid}); err != nil || len(sizes) == 0 {
			return err
		}
		_, err := m.Move(imap.UIDSetNum(imap.UID(uid)), in.DoneFolder).Wait()
		return said(err, fails.Because("Mails that were taken cannot be moved to their folder."))
	}
	return said(m.flag(uid, imap.FlagSeen), fails.Because("Mails that were taken cannot be marked as read."))
}

func (m *mailbox) flag(uid int64, flag imap.Flag) error {
	return m.Store(imap.UIDSetNum(imap.UID(uid)),
		&imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{flag}}, nil).Close()
}

// said is what a refusal of the server's means; anything else is that it broke off.
func said(err error, means *fault.Fault) error {
	switch word := (*imap.Error)(nil); {
	case err == nil:
		return nil
	case errors.As(err, &word):
		return means.From(err)
	}
	return broken(err)
}
