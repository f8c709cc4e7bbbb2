//go:build !windows

package blob

import (
	"errors"
	"os"
)

// syncFolder has a folder's entries on the disk.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
