package postbox

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"

	"kontor/internal/front/outbound"
)

// unreached is why a mail server cannot be reached, in words for who set the mailbox up.
func unreached(err error) error {
	name := (*net.DNSError)(nil)
	switch {
	case errors.Is(err, outbound.ErrPrivate):
		return fails.Because("The mail server lies in a private network, which is not asked unless the operator of Kontor allows it.").
			From(err)
	case errors.As(err, &name) && name.IsNotFound:
		return fails.Because("There is no mail server of this name: look at its spelling.").From(err)
	case isLate(err):
		return fails.Because("The mail server does not answer at this port: look at its name and at the port, and whether a firewall stands in between.").
			From(err)
	}
	return fails.Because("The mail server cannot be reached at this port: look at its name and at the port, usually 993.").
		From(err)
}

// insecure is why a connection cannot be kept from others.
func insecure(err error) error {
	var (
		host    x509.HostnameError
		unknown x509.UnknownAuthorityError
		invalid x509.CertificateInvalidError
		record  tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &host):
		return fails.Because("The mail server's certificate is for another name: use the name that the certificate has.").
			From(err)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fails.Because("The mail server's certificate has expired: who runs the server has to renew it.").From(err)
	case errors.As(err, &unknown) || errors.As(err, &invalid):
		return fails.Because("The mail server's certificate is from nobody who is trusted: who runs the server has to get another.").
			From(err)
	case errors.As(err, &record):
		return fails.Because("The mail server speaks no TLS at this port: choose STARTTLS, or the port for TLS, usually 993.").
			From(err)
	}
	return broken(err)
}

// broken is a conversation that did not come to its end.
func broken(err error) error {
	switch {
	case errors.Is(err, errTooMuch):
		return fails.Because("The mail server sends more than it may: there may be too many unread mails in the folder.").
			From(err)
	case isLate(err):
		return fails.Because("The mail server did not answer in time.").From(err)
	}
	return fails.Because("The mail server broke off, or answered what is no IMAP.").From(err)
}

func isLate(err error) bool {
	return os.IsTimeout(err) || errors.Is(err, context.DeadlineExceeded)
}
