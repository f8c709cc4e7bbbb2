// Package imaptest are mailboxes for tests: one in memory, which is always there, and one of a Dovecot, where that is
// installed.
package imaptest

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"

	"kontor/internal/foundation/fault/faulttest"
)

// User and Password open every mailbox here.
const (
	User     = "support"
	Password = "open-sesame"
)

// Mailbox is a mailbox of a running server, with the folders INBOX and Done.
type Mailbox struct {
	t       testing.TB
	Port    int // on 127.0.0.1, in the clear, with STARTTLS where the server was given a certificate
	TLSPort int // 0 = none
	mu      sync.Mutex
	before  func(command string) error
}

// Before has fn called before each FETCH, STORE and MOVE of the mailbox in memory; its error is the server's answer.
func (m *Mailbox) Before(fn func(command string) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.before = fn
}

func (m *Mailbox) hear(command string) error {
	m.mu.Lock()
	fn := m.before
	m.mu.Unlock()
	if fn == nil {
		return nil
	}
	return fn(command)
}

// session is one of the server in memory that tells what it is asked.
type session struct {
	imapserver.SessionIMAP4rev2
	box *Mailbox
}

// Fetch tells of the fetching of mails whole.
func (s session) Fetch(w *imapserver.FetchWriter, set imap.NumSet, o *imap.FetchOptions) error {
	if len(o.BodySection) > 0 {
		if err := s.box.hear("FETCH"); err != nil {
			return err
		}
	}
	return s.SessionIMAP4rev2.Fetch(w, set, o)
}

// Store tells of the marking of mails.
func (s session) Store(w *imapserver.FetchWriter, set imap.NumSet, f *imap.StoreFlags, o *imap.StoreOptions) error {
	if err := s.box.hear("STORE"); err != nil {
		return err
	}
	return s.SessionIMAP4rev2.Store(w, set, f, o)
}

// Move tells of the moving of mails.
func (s session) Move(w *imapserver.MoveWriter, set imap.NumSet, to string) error {
	if err := s.box.hear("MOVE"); err != nil {
		return err
	}
	return s.SessionIMAP4rev2.Move(w, set, to)
}

// Memory is a mailbox in memory, at any free port, until the test ends; secure may be nil.
func Memory(t testing.TB, secure *tls.Config) *Mailbox {
	t.Helper()
	store, account := imapmemserver.New(), imapmemserver.NewUser(User, Password)
	store.AddUser(account)
	m := &Mailbox{t: t}
	server := imapserver.New(&imapserver.Options{TLSConfig: secure, InsecureAuth: true,
		Logger: log.New(io.Discard, "", 0), Caps: imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapIMAP4rev2: {}},
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return session{store.NewSession().(imapserver.SessionIMAP4rev2), m}, nil, nil
		}})
	t.Cleanup(func() { server.Close() })
	listen := func() (net.Listener, int) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		faulttest.None(t, err)
		return l, l.Addr().(*net.TCPAddr).Port
	}
	var l net.Listener
	l, m.Port = listen()
	go server.Serve(l)
	if secure != nil {
		l, m.TLSPort = listen()
		go server.Serve(tls.NewListener(l, secure))
	}
	for _, folder := range []string{"INBOX", "Done"} {
		faulttest.None(t, account.Create(folder, nil))
	}
	return m
}

// dovecot is the configuration of a Dovecot 2.3 that has one account.
const dovecot = `base_dir = %[1]s/run
state_dir = %[1]s/state
log_path = %[1]s/log
protocols = imap
ssl = no
disable_plaintext_auth = no
passdb {
  driver = static
  args = password=%[2]s
}
userdb {
  driver = static
  args = uid=%[3]s gid=%[4]s home=%[1]s/home/%%u
}
mail_location = maildir:~/Maildir
first_valid_uid = 1
first_valid_gid = 1
namespace inbox {
  inbox = yes
  separator = /
}
service imap-login {
  inet_listener imap {
    address = 127.0.0.1
    port = %[5]d
  }
  inet_listener imaps {
    port = 0
  }
}
`

// Dovecot is a mailbox of a Dovecot that runs until the test ends. The test is skipped where there is none.
func Dovecot(t testing.TB) *Mailbox {
	t.Helper()
	program := "/usr/sbin/dovecot"
	if _, err := os.Stat(program); err != nil {
		t.Skip("there is no Dovecot at /usr/sbin/dovecot: the mailbox in memory has to do")
	}
	if os.Getuid() != 0 {
		t.Skip("Dovecot is started by root alone: the mailbox in memory has to do")
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Skip(err)
	}
	dir, err := os.MkdirTemp("", "kontor-dovecot-") // which others may enter, unlike the test's own
	faulttest.None(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	faulttest.None(t, err)
	m := &Mailbox{t: t, Port: l.Addr().(*net.TCPAddr).Port}
	l.Close()
	uid, _ := strconv.Atoi(nobody.Uid)
	gid, _ := strconv.Atoi(nobody.Gid)
	home, conf := filepath.Join(dir, "home"), filepath.Join(dir, "dovecot.conf")
	text := fmt.Sprintf(dovecot, dir, Password, nobody.Uid, nobody.Gid, m.Port)
	for _, err := range []error{os.Chmod(dir, 0o755), os.Mkdir(home, 0o700), os.Chown(home, uid, gid),
		os.WriteFile(conf, []byte(text), 0o600)} {
		faulttest.None(t, err)
	}
	cmd := exec.Command(program, "-F", "-c", conf)
	faulttest.None(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})
	for tries := 0; ; tries++ {
		c, err := net.Dial("tcp", m.at())
		if err == nil {
			c.Close()
			break
		}
		if tries == 100 {
			said, _ := os.ReadFile(filepath.Join(dir, "log"))
			t.Fatalf("Dovecot does not start: %v\n%s", err, said)
		}
		time.Sleep(50 * time.Millisecond)
	}
	m.with(func(c *imapclient.Client) error { return c.Create("Done", nil).Wait() })
	return m
}

func (m *Mailbox) at() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(m.Port)) }

// with works in the mailbox as a mail program does.
func (m *Mailbox) with(fn func(c *imapclient.Client) error) {
	m.t.Helper()
	c, err := imapclient.DialInsecure(m.at(), nil)
	if err != nil {
		m.t.Fatal(err)
	}
	defer c.Close()
	if err = c.Login(User, Password).Wait(); err == nil {
		err = fn(c)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// Put delivers a mail, whose lines are parted by \n.
func (m *Mailbox) Put(text string, flags ...imap.Flag) {
	m.t.Helper()
	m.with(func(c *imapclient.Client) error {
		wire := strings.ReplaceAll(text, "\n", "\r\n")
		cmd := c.Append("INBOX", int64(len(wire)), &imap.AppendOptions{Flags: flags})
		if _, err := io.WriteString(cmd, wire); err != nil {
			return err
		}
		if err := cmd.Close(); err != nil {
			return err
		}
		_, err := cmd.Wait()
		return err
	})
}

// Flag marks every mail of INBOX.
func (m *Mailbox) Flag(op imap.StoreFlagsOp, flag imap.Flag) {
	m.t.Helper()
	m.with(func(c *imapclient.Client) error {
		if _, err := c.Select("INBOX", nil).Wait(); err != nil {
			return err
		}
		return c.Store(imap.SeqSet{{Start: 1}}, &imap.StoreFlags{Op: op, Flags: []imap.Flag{flag}}, nil).Close()
	})
}

// Says is what lies in a folder: of each mail the subject, and behind it the flags that matter.
func (m *Mailbox) Says(folder string) (all []string) {
	m.t.Helper()
	m.with(func(c *imapclient.Client) error {
		s, err := c.Select(folder, &imap.SelectOptions{ReadOnly: true}).Wait()
		if err != nil || s.NumMessages == 0 {
			return err
		}
		found, err := c.Fetch(imap.SeqSet{{Start: 1}},
			&imap.FetchOptions{Envelope: true, Flags: true}).Collect()
		for _, x := range found {
			line := x.Envelope.Subject
			for _, f := range []imap.Flag{imap.FlagSeen, imap.FlagFlagged} {
				same := func(g imap.Flag) bool { return strings.EqualFold(string(f), string(g)) }
				if slices.ContainsFunc(x.Flags, same) {
					line += " " + string(f)
				}
			}
			all = append(all, line)
		}
		return err
	})
	return all
}
