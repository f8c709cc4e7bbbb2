// Package app puts the house together: it opens the data, wires the rooms and the surfaces to it, serves them,
// and holds what concerns a whole company or installation. It is the only package that knows every other.
package app

import (
	"bytes"
	"fmt"
	"math"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/mail"
)

// Serving are the settings of a server.
type Serving struct {
	Listen           string   `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Address to serve on, ${default} if left out; port 0 picks a free one."`
	AnyPort          bool     `kong:"-"` // where the port of Listen is taken, any free one will do
	MetricsListen    string   `placeholder:"ADDR" help:"Serve /metrics on this address, or on the main one if it is the word main; nowhere if left out."`
	PublicURL        string   `name:"public-url" placeholder:"URL" help:"Address under which others reach this server, such as https://erp.example.com."`
	IntegrationRate  float64  `default:"50" placeholder:"N" help:"Requests a second that one credential may make of the integration API (bursts of four times as many), ${default} if left out; 0 is no limit."`
	CommerceRate     float64  `default:"20" placeholder:"N" help:"Requests a second of one session of the commerce API (bursts of five times as many), ${default} if left out; 0 is no limit."`
	SMTPURL          string   `name:"smtp-url" placeholder:"URL" help:"Mail server for what is to be mailed, such as smtp://user:password@host:587?from=shop@example.com, or smtps://; mails wait without one."`
	MailListen       string   `placeholder:"ADDR" help:"Take the mails of customers by SMTP on this address, for a mail server to hand them over, such as 127.0.0.1:2525; none are taken if left out."`
	MailDomain       string   `placeholder:"DOMAIN" help:"Domain whose mails come to --mail-listen, of this node or another: company+queue@DOMAIN makes a ticket, and answers to mails about tickets go there."`
	PrivateMailboxes bool     `help:"Let companies' mailboxes, which are read by IMAP, lie in this server's own network: where companies are no strangers to its operator."`
	TimeZone         string   `placeholder:"ZONE" help:"Time zone of companies created while this server runs, such as Europe/Stockholm; else by their country."`
	TrustedProxy     []string `placeholder:"CIDR" help:"Proxies whose X-Forwarded-For, -Proto and -Host (or Forwarded) are believed: they then say where a request comes from, in the log and wherever callers are counted, and, without --public-url, how this server is reached. Undeclared, all who come through a proxy are counted as one."`
	KeepBytes        Bytes    `default:"32MiB" placeholder:"BYTES" help:"Memory for what is kept between requests (answers, prices, pages), ${default} if left out, at most an eighth of the memory; 0 keeps nothing, to prove that it changes nothing."`
	OpenCompanies    int      `name:"open-companies" placeholder:"N" help:"Companies whose files may be open at once; if left out, as many as three quarters of the open files allowed (ulimit -n) and a quarter of the memory have room for."`
	Memory           Bytes    `placeholder:"BYTES" help:"Memory that the server should keep to, such as 512MiB; if left out GOMEMLIMIT, else what the machine or its container has, of which a quarter, 1GiB at most, is for what may be dropped: open companies and what is kept."`
	AccessLog        bool     `default:"true" negatable:"" help:"Note every request in the log; without it, only those that fail on our side."`
	LogFormat        string   `default:"text" enum:"text,json" help:"Form of the log on standard error: ${enum}."`

	Backup BackupPlan `embed:"" prefix:"backup-"`

	OTLPEndpoint string            `name:"otlp-endpoint" placeholder:"URL" help:"OpenTelemetry collector that is told what requests spend their time on, such as http://localhost:4318 (OTLP over HTTP); nobody is if left out."`
	OTLPHeader   map[string]string `name:"otlp-header" placeholder:"NAME=VALUE" help:"Headers that the collector wants, such as a key."`
	TraceRatio   float64           `default:"1" placeholder:"N" help:"Part of the requests that the collector is told of, ${default} if left out."`

	ShutdownDelay time.Duration `placeholder:"TIME" help:"How long /readyz says 503 before a server that was told to stop takes no more requests, such as 10s; none if left out."`
}

// Bytes is an amount of memory: 536870912, 512MiB or 537MB.
type Bytes int64

// UnmarshalText reads a number of bytes, with a unit or without. The library passes commas over: 1,5GB would be 15.
func (b *Bytes) UnmarshalText(text []byte) error {
	n, err := humanize.ParseBytes(string(text))
	if err != nil || n > math.MaxInt64 || bytes.ContainsRune(text, ',') {
		return fmt.Errorf("%q is no amount of memory such as 536870912 or 512MiB", text)
	}
	*b = Bytes(n)
	return nil
}

// The server's patience.
const (
	headerTime = 10 * time.Second
	readTime   = time.Minute
	writeTime  = 2 * time.Minute // a long poll waits 30 s
	idleTime   = 2 * time.Minute
	drainTime  = 30 * time.Second // from SIGTERM to the end
	tracesTime = 2 * time.Second  // of it for the last traces
	flushEvery = 20 * time.Second // of the keys' last use
)

// ErrConfig is what a setting that cannot be is refused with.
var ErrConfig = datadir.ErrInvalid

// Check reports every setting that cannot be.
func (s Serving) Check() error {
	var wrong fault.List
	s.checkNumbers(&wrong)
	s.checkPlaces(&wrong)
	if _, err := time.LoadLocation(s.TimeZone); err != nil {
		wrong.Add(ErrConfig, "time-zone", "%q is no time zone such as Europe/Stockholm", s.TimeZone)
	}
	if s.PublicURL != "" && !reference.IsWebAddress(s.PublicURL) {
		wrong.Add(ErrConfig, "public-url", "%q is no address such as https://erp.example.com", s.PublicURL)
	} else if u, err := url.Parse(s.PublicURL); err == nil && strings.Trim(u.Path, "/") != "" {
		wrong.Add(ErrConfig, "public-url",
			"%q has a path: the server answers at the root of a host name of its own, such as https://erp.example.com",
			s.PublicURL)
	}
	if _, err := mail.Open(s.SMTPURL); err != nil {
		wrong.Add(ErrConfig, "smtp-url", "%s", err)
	}
	wrong.If(s.MailListen != "" && s.MailDomain == "", ErrConfig, "mail-domain",
		"is missing: say for which domain --mail-listen takes mails, such as tickets.example.com")
	wrong.If(s.MailDomain != "" && !mail.IsAddress("a@"+s.MailDomain), ErrConfig, "mail-domain",
		"%q is no domain such as tickets.example.com", s.MailDomain)
	if flag, problem := s.Backup.Check(); flag != "" {
		wrong.Add(ErrConfig, "backup-"+flag, "%s", problem)
	} else if s.Backup.To != "" && s.Backup.Every == 0 {
		wrong.Add(ErrConfig, "backup-every", "is missing: say how often, such as 24h")
	}
	for _, p := range s.TrustedProxy {
		if _, err := prefix(p); err != nil {
			wrong.Add(ErrConfig, "trusted-proxy", "%q is neither an address nor a range such as 10.0.0.0/8", p)
		}
	}
	return wrong.Err()
}

func (s Serving) checkNumbers(wrong *fault.List) {
	for _, r := range []struct {
		flag string
		rate float64
	}{{"integration-rate", s.IntegrationRate}, {"commerce-rate", s.CommerceRate}} {
		wrong.If(!isCount(r.rate), ErrConfig, r.flag,
			"%g is no number of requests a second; write 0 for no limit", r.rate)
	}
	wrong.If(!isCount(s.TraceRatio) || s.TraceRatio > 1, ErrConfig, "trace-ratio",
		"is a part of the requests: write a number from 0 to 1")
	for _, n := range []struct {
		flag, remedy string
		isBelow      bool
	}{
		{"open-companies", "leave it out for as many as there is room for", s.OpenCompanies < 0},
		{"shutdown-delay", "leave it out for none", s.ShutdownDelay < 0},
	} {
		wrong.If(n.isBelow, ErrConfig, n.flag, "is below 0; %s", n.remedy)
	}
}

func (s Serving) checkPlaces(wrong *fault.List) {
	for _, a := range []struct{ flag, address string }{{"listen", s.Listen}, {"metrics-listen", s.MetricsListen},
		{"mail-listen", s.MailListen}} {
		if a.address != "" && (a.flag != "metrics-listen" || a.address != metricsOnMain) && !IsPlace(a.address) {
			wrong.Add(ErrConfig, a.flag, "%q is no address to serve on such as 127.0.0.1:8080 or :8080", a.address)
		}
	}
}

// isCount reports whether a number is one that something can be counted with.
func isCount(n float64) bool { return n >= 0 && n <= math.MaxInt32 }

// IsPlace reports whether an address names a port of this machine, perhaps behind a host.
func IsPlace(address string) bool {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	return err == nil
}
