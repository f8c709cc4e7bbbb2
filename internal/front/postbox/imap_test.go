package postbox_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kontor/internal/business/support"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/postbox"
	"kontor/internal/front/postbox/imaptest"
)

// certified is a certificate of 127.0.0.1 and example.com, and who trusts it.
func certified(t *testing.T) (*tls.Config, *x509.CertPool) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return &tls.Config{Certificates: s.TLS.Certificates}, roots
}

// tried is what somebody reads who tries a mailbox.
func tried(t *testing.T, r *postbox.Reader, in support.Inbox, isTest bool) string {
	t.Helper()
	found, err := r.Try(t.Context(), in, support.Reading{}, isTest)
	if err == nil {
		return fmt.Sprintf("%d mails, %d waiting", found.Mails, found.Waiting)
	}
	if !fault.Is(err, support.ErrInboxFails) {
		t.Errorf("fails with %v", err)
	}
	return fault.As(err).Said().String()
}

// Each way of not getting into a mailbox is told in words that help; nothing is sent where it can be read on the way.
func TestAMailboxIsTried(t *testing.T) {
	secure, roots := certified(t)
	box, open := imaptest.Memory(t, secure), imaptest.Memory(t, nil)
	box.Put("From: bo@example.com\nSubject: The pump\n\nIt leaks.\n")
	in := support.NewInbox()
	in.Host, in.User, in.Password = "127.0.0.1", imaptest.User, imaptest.Password
	for _, c := range []struct {
		what string
		port int
		lay  func(*support.Inbox)
		says string
	}{
		{"TLS", box.TLSPort, nil, "1 mails, 1 waiting"},
		{"STARTTLS", box.Port, func(in *support.Inbox) { in.Security = support.StartTLS }, "1 mails, 1 waiting"},
		{"in the clear", open.Port, func(in *support.Inbox) { in.Security = support.Bare }, "0 mails, 0 waiting"},
		{"TLS at the port of STARTTLS", box.Port, nil, "speaks no TLS at this port"},
		{"no STARTTLS", open.Port, func(in *support.Inbox) { in.Security = support.StartTLS }, "offers no STARTTLS"},
		{"another name", box.TLSPort, func(in *support.Inbox) { in.Host = "localhost" }, "is for another name"},
		{"a wrong password", box.TLSPort, func(in *support.Inbox) { in.Password = "x" }, "does not accept the user"},
		{"no such folder", box.TLSPort, func(in *support.Inbox) { in.Folder = "No" }, "no folder of this name in"},
		{"no such folder to go to", box.TLSPort, func(in *support.Inbox) { in.DoneFolder = "No" },
			"no folder of this name for"},
		{"nobody there", 1, nil, "cannot be reached"},
	} {
		in := in
		if in.Port = c.port; c.lay != nil {
			c.lay(&in)
		}
		if got := tried(t, postbox.Trusting(roots), in, true); !strings.Contains(got, c.says) {
			t.Errorf("%s: %q", c.what, got)
		}
	}
	in.Port = box.TLSPort
	if got := tried(t, postbox.Trusting(nil), in, true); !strings.Contains(got, "nobody who is trusted") {
		t.Errorf("a certificate of nobody: %q", got)
	}
	if got := tried(t, postbox.Trusting(roots), in, false); !strings.Contains(got, "private network") {
		t.Errorf("this machine's own network: %q", got)
	}
	in.Host = "nowhere.invalid"
	if got := tried(t, postbox.Trusting(roots), in, false); !strings.Contains(got, "The") {
		t.Errorf("no such server: %q", got)
	}
}

// A server that answers nonsense, without end, or claims to have every mail there can be, takes neither memory nor
// time.
func TestAMailServerThatLies(t *testing.T) {
	for _, c := range []struct{ what, search, says string }{
		{"every mail there can be", "* ESEARCH (TAG \"%[1]s\") UID ALL 1:4294967295\r\n",
			"3 mails, 50 waiting"},
		{"without end", "* SEARCH" + strings.Repeat(" 4294967295", 1_000_000) + "\r\n", "sends more than it may"},
		{"nonsense", "* SEARCH one two\r\n", "broke off, or answered"},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go func() {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			fmt.Fprint(conn, "* OK [CAPABILITY IMAP4rev1 ESEARCH] ready\r\n")
			for s := bufio.NewScanner(conn); s.Scan(); {
				tag, _, _ := strings.Cut(s.Text(), " ")
				switch {
				case strings.Contains(s.Text(), "SELECT"):
					fmt.Fprint(conn, "* 3 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 9] x\r\n")
				case strings.Contains(s.Text(), "SEARCH"):
					fmt.Fprint(conn, strings.ReplaceAll(c.search, "%[1]s", tag))
				}
				fmt.Fprintf(conn, "%s OK done\r\n", tag)
			}
		}()
		in := support.NewInbox()
		in.Host, in.User, in.Password, in.Security = "127.0.0.1", "x", "x", support.Bare
		in.Port = l.Addr().(*net.TCPAddr).Port
		if got := tried(t, postbox.Trusting(nil), in, true); !strings.Contains(got, c.says) {
			t.Errorf("%s: %q", c.what, got)
		}
	}
}
