package app

// MailAddress is where mails are taken on this machine.
func (s *Server) MailAddress() string { return s.mails.Addr().String() }
