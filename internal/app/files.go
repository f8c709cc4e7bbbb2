package app

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"kontor/internal/business/identity"
	"kontor/internal/business/media"
	"kontor/internal/foundation/blob"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/gz"
	"kontor/internal/front/rest"
)

// openFiles opens the place of pictures and documents.
func (h *App) openFiles() (*media.Library, error) {
	store, err := blob.Open(h.DataDir.MediaURL, filepath.Join(h.DataDir.Data, datadir.Media))
	if err != nil {
		return nil, fmt.Errorf("--media-url: %w", err)
	}
	return media.NewLibrary(store, h.serving.PublicURL, h.serving.room().pictures), nil
}

// Files is where the house's pictures and documents lie.
func (h *App) Files() *media.Library { return h.files }

// usedFiles are the hashes of the files that a company's records use.
func (h *App) usedFiles(ctx context.Context, company string) (used map[string]bool, err error) {
	as := db.Request{Company: company, Actor: db.Actor{Kind: "system", ID: "media", Name: "kontor media"}}
	err = h.store.Read(ctx, as, db.Into(&used, media.UsedFiles))
	return used, err
}

// moveOut brings the media of an unpacked archive to where this house keeps them, where that is not its data folder:
// only there the exchange of the folder brings them along.
func (h *App) moveOut(ctx context.Context, s *stage) error {
	if h.DataDir.MediaURL == "" {
		return nil
	}
	staged := filepath.Join(s.dir, datadir.Media)
	for _, c := range s.companies {
		if err := h.files.Import(ctx, c.ID, blob.Folder(staged)); err != nil {
			return err
		}
	}
	return os.RemoveAll(staged)
}

// shownTo keeps a file that strangers uploaded from doing anything in a browser but being looked at.
const shownTo = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

// serveFile shows a picture or document to anybody: its address is not told to anybody but those who may read a record
// that uses it, and ends with the last such record.
func (h *App) serveFile(w http.ResponseWriter, r *http.Request) {
	if err := h.showFile(w, r); err != nil {
		if f := fault.As(err); f.Kind == fault.Internal || f.Kind == fault.Unavailable {
			h.Log.Error("a file could not be shown", "path", r.Pattern, "requestId", rest.RequestID(r), "error", err)
		}
		rest.WriteProblem(w, err, rest.RequestID(r))
	}
}

func (h *App) showFile(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return nil
	}
	width, err := widthOf(r.URL.Query().Get("w"))
	if err != nil {
		return err
	}
	company, f, err := h.fileAt(r.Context(), r.URL.Path)
	if err != nil {
		return err
	}
	// The bytes at an address never change, so whoever has any form of them has the right one.
	header := w.Header()
	header.Set("Cache-Control", gz.Lasting)
	if held := r.Header.Get("If-None-Match"); strings.HasPrefix(strings.TrimPrefix(held, "W/"), `"`+f.Hash) &&
		!strings.Contains(held, ",") {
		header.Set("Etag", held)
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	shown, err := h.files.Open(r.Context(), company, f, width)
	if err != nil {
		return h.unreadable(err)
	}
	defer shown.Close()
	header.Set("Etag", `"`+shown.Tag+`"`)
	header.Set("Content-Type", shown.ContentType)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", shownTo)
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	if !strings.HasPrefix(shown.ContentType, "image/") {
		header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.FileName}))
	}
	http.ServeContent(refusing{w}, r, "", time.Time{}, shown)
	return nil
}

// unreadable is why a file that a record uses cannot be shown: one of several nodes without a common place for files
// has those alone that came in at it.
func (h *App) unreadable(err error) error {
	if errors.Is(err, blob.ErrNotFound) && h.DataDir.MediaURL == "" && h.nodes.Load() > 1 {
		return fault.ErrUnavailable.Because(
			"this file lies with another node: give all nodes the same --media-url").From(err)
	}
	return fault.ErrUnavailable.Because("the file cannot be read at the moment; try again").From(err)
}

// refusing says of a refusal that nobody keeps it: http.ServeContent takes the word to caches off a range that a file
// does not have.
type refusing struct{ http.ResponseWriter }

func (w refusing) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		w.Header().Set("Cache-Control", "no-store")
	}
	w.ResponseWriter.WriteHeader(status)
}

// widthOf reads the parameter w; 0 without one.
func widthOf(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	width, err := strconv.Atoi(text)
	if err != nil || !slices.Contains(media.Widths(), width) {
		return 0, fault.ErrInvalid.At("w", "pictures can be had %s pixels wide: leave w out for a picture as it is",
			strings.Trim(fmt.Sprint(media.Widths()), "[]"))
	}
	return width, nil
}

// fileAt finds the file at a path, where a company that is served still uses it.
func (h *App) fileAt(ctx context.Context, path string) (company string, f media.File, err error) {
	none := rest.ErrRouteUnknown.Because("no file lies here, or no more")
	company, name, ok := media.Named(path)
	if !ok {
		return "", f, none
	}
	c, err := h.Company(ctx, company)
	if fault.Is(err, identity.ErrCompanyNotFound) || err == nil && (c.ID != company || c.Status != identity.Active) {
		return "", f, none
	}
	if err != nil {
		return "", f, err
	}
	as := db.Request{Company: company, Actor: db.Actor{Kind: "system", ID: "media", Name: "kontor media"}}
	err = h.store.Read(ctx, as, func(tx *db.Tx) (err error) {
		f, ok, err = media.FindFile(tx, name)
		return err
	})
	if err == nil && !ok {
		err = none
	}
	return company, f, err
}
