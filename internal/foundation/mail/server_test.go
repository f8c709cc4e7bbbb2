package mail

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// server is a mail server that keeps what it takes.
type server struct {
	addr  string
	roots *x509.CertPool

	mu      sync.Mutex
	refuse  []error // one for each coming RCPT, then nothing
	pause   func()  // what happens before a RCPT is answered; nil = nothing
	taken   []*netmail.Message
	bodies  []string
	from    []string
	to      []string
	secured []bool
}

const (
	user     = "shop"
	password = "p@ss:word"
)

// serve starts a mail server; with implicit it speaks TLS from the first byte, else it offers STARTTLS.
func serve(t *testing.T, implicit bool) *server {
	t.Helper()
	s := &server{}
	cert := s.certificate(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = l.Addr().String()
	srv := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session,
		error) {
		return &session{server: s, conn: c}, nil
	}))
	srv.Domain, srv.TLSConfig, srv.AllowInsecureAuth = "localhost", &tls.Config{Certificates: []tls.Certificate{cert}},
		true
	if implicit {
		l = tls.NewListener(l, srv.TLSConfig)
	}
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })
	return s
}

func (s *server) certificate(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	s.roots = x509.NewCertPool()
	s.roots.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// refuses lets the server answer the next recipients so.
func (s *server) refuses(errs ...error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = errs
}

// sender opens an address of this server and trusts it.
func (s *server) sender(t *testing.T, address string) *Sender {
	t.Helper()
	sender, err := Open(strings.ReplaceAll(address, "HOST", s.addr))
	if err != nil {
		t.Fatal(err)
	}
	sender.tls.RootCAs = s.roots
	return sender
}

type session struct {
	*server
	conn     *smtp.Conn
	known    bool
	from, to string
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, u, p string) error {
		if u != user || p != password {
			return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "who are you"}
		}
		s.known = true
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.pause != nil {
		s.pause()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = to
	if len(s.refuse) == 0 {
		return nil
	}
	err := s.refuse[0]
	s.refuse = s.refuse[1:]
	return err
}

func (s *session) Data(r io.Reader) error {
	m, err := netmail.ReadMessage(r)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(m.Body)
	_, secured := s.conn.TLSConnectionState()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken, s.bodies = append(s.taken, m), append(s.bodies, string(body))
	s.server.from, s.server.to, s.server.secured = append(s.server.from, s.from), append(s.server.to, s.to),
		append(s.server.secured, secured)
	return err
}

func (s *session) Reset() {}

func (s *session) Logout() error { return nil }

func temporary() error {
	return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "come back later"}
}

func forGood() error {
	return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "nobody of that name"}
}
