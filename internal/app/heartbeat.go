package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/postgres"
	"kontor/internal/foundation/health"
)

// watchParts adds the looks at what every house needs. They are made inside the doors.
func (h *App) watchParts() {
	h.health.Require("data", func(ctx context.Context) (string, error) {
		return "", h.inside(func(*db.Store) error { return h.writable(ctx) })
	})
	var known error
	var until time.Time // of many companies the last finding holds for a while: looking costs something for each
	h.health.Require("companies", func(ctx context.Context) (string, error) {
		if time.Now().Before(until) {
			return "", known
		}
		begun := time.Now()
		known = h.inside(func(*db.Store) error { return h.companyFiles(ctx) })
		until = time.Now().Add(100 * time.Since(begun))
		return "", known
	})
	h.health.Mention("search indexes", func(context.Context) (said string, err error) {
		err = h.inside(func(*db.Store) error { said = h.indexes.Said(); return nil })
		return said, err
	})
	h.health.Mention("backups", func(ctx context.Context) (said string, err error) {
		err = h.inside(func(*db.Store) error { said, err = h.sayBackups(ctx); return err })
		return said, err
	})
}

// writable proves that what is written now would be kept: a block that the disk has to find and flush, and a row in the
// control database. A disk that is full or fails, a standby and a database whose synchronous standby is gone do not
// pass.
func (h *App) writable(ctx context.Context) error {
	if h.Embedded() {
		if err := writeBeat(h.DataDir.Data); err != nil {
			return whyUnwritable(err)
		}
	}
	err := h.Control(ctx, func(tx *db.Tx) error { return h.beat(tx) })
	if err == nil {
		return nil
	}
	if h.Embedded() {
		return whyUnwritable(err)
	}
	return whyUnconfirmed(ctx, err)
}

// beatFile is written and removed again below the data folder.
const beatFile = ".heartbeat"

// writeBeat writes a block that was not there before: where a file is only written over, a full disk goes unnoticed.
func writeBeat(dir string) error {
	path := filepath.Join(dir, beatFile)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 16<<10))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(path))
}

func whyUnwritable(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return health.Amiss(err, "the disk of the data folder is full, or its quota is used up: make room")
	case errors.Is(err, syscall.EROFS):
		return health.Amiss(err,
			"the data folder lies on a file system that is mounted read-only: look into the system's log for the disk's errors, then mount it again")
	case errors.Is(err, os.ErrPermission):
		return health.Amiss(err,
			"the data folder may not be written to by the user that runs this server: give it back to that user")
	case errors.Is(err, os.ErrNotExist):
		return health.Amiss(err, "the data folder is gone: put it back, or stop this server")
	}
	return health.Amiss(err, "what is written to the data folder is not kept: look for errors of its disk in the system's log")
}

func whyUnconfirmed(ctx context.Context, err error) error {
	if why := postgres.Why(err); why != "" {
		return health.Amiss(err, "%s", why)
	}
	if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
		return health.Amiss(err,
			"the database has not confirmed a change within %s: see whether its server answers, its disk is well, and the standby that it "+
				"waits for is there", health.Limit)
	}
	return health.Amiss(err, "the database takes no changes: the log says why")
}
