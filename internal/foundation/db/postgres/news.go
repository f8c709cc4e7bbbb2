package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"kontor/internal/foundation/db"
)

// channel is where processes tell each other which companies they have changed.
const channel = "kontor_news"

// tell says something to all who listen.
func tell(all []string) db.Waiting {
	return db.Waiting{Text: "select pg_notify('" + channel + "', said) from unnest($1::text[]) as said", Args: []any{all}}
}

// errPooler is met where there is no connection to the server itself: a pooler lends one for a transaction, and what is
// said between two of them nobody hears.
var errPooler = errors.New("a pooler stands in between, through which nothing is heard")

// listen hears what is said, on a connection of its own, until that breaks or ctx ends. begun is called when nothing is
// missed any more.
func (n *network) listen(ctx context.Context, target string, begun func(), heard func(said string)) error {
	cfg, err := n.parse(target)
	if err != nil {
		return err
	}
	cfg.RuntimeParams["application_name"] = "kontor listener"
	c, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() {
		late, stop := context.WithTimeout(context.WithoutCancel(ctx), probeTime)
		defer stop()
		c.Close(late)
	}()
	if isPooled(c) {
		return errPooler
	}
	if _, err := c.PgConn().Exec(ctx, "listen "+channel).ReadAll(); err != nil {
		return err
	}
	begun()
	for {
		n, err := c.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		heard(n.Payload)
	}
}
