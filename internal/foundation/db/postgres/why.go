package postgres

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Why says what keeps a database from taking changes, and what to do about it, in words for who looks after it; ""
// where err does not tell. The codes are those of PostgreSQL's appendix A.
func Why(err error) string {
	var pg *pgconn.PgError
	coded := errors.As(err, &pg)
	switch {
	case errors.Is(err, errStandby), coded && pg.Code == "25006",
		err != nil && strings.Contains(err.Error(), errStandby.Error()):
		return "the database is a standby and takes no changes: promote it, or name the server that takes them in --database-url"
	case coded && pg.Code == "53100":
		return "the disk of the database is full: make room there"
	case coded && pg.Code == "53300":
		return "the database has no connection left to give: raise its max_connections, or lower --connections of the nodes"
	case coded && strings.HasPrefix(pg.Code, "28"):
		return "the database does not let this server in: check the user and the password in --database-url"
	case coded && pg.Code == "3D000":
		return "the database that --database-url names does not exist: create it (createdb NAME), or restore it"
	case coded && pg.Code == "57P03":
		return "the database is starting, stopping or recovering: wait, or see what its log says"
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return "the database cannot be reached: see whether its server runs, and whether --database-url names it"
	}
	return ""
}
