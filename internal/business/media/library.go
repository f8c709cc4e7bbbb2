package media

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"kontor/internal/foundation/blob"
	"kontor/internal/foundation/fault"
)

// File is a file of the library as the records that use it keep it. Files of the same content are one file.
type File struct {
	FileName      string // as its sender called it
	Hash          string // SHA-256 of its bytes, in hexadecimal digits
	ContentType   string
	FileSize      int
	Width, Height int // as shown; 0 where they are not known
}

// key is where a company's file lies in the store.
func (f File) key(company string) string {
	return prefix(company) + f.Hash[:2] + "/" + f.Hash + extensions[f.ContentType]
}

// smallKey is where the file lies made smaller.
func (f File) smallKey(company string, width int) string {
	return smallPrefix(company) + fmt.Sprintf("%s/%s-%d%s", f.Hash[:2], f.Hash, width, madeAs)
}

// madeAs is what the names of smaller forms end with. It changes with how they look, so that they are made anew.
const madeAs = "-2"

// outdated reports whether a key is that of a smaller form as it used to be made.
func outdated(key string) bool {
	return strings.HasPrefix(key, smaller) && !strings.HasSuffix(key, madeAs)
}

// prefix is what the keys of all files of a company begin with. Smaller forms lie elsewhere: they can be made again, so
// neither a backup nor a copy takes them along.
func prefix(company string) string      { return company + "/" }
func smallPrefix(company string) string { return smaller + company + "/" }

const smaller = "small/"

// Library is where files lie, and from where anybody may fetch them: their addresses are public and need no key.
type Library struct {
	store  blob.Store
	public string        // what addresses begin with; "" makes them relative to the server
	turns  chan struct{} // of those that are made smaller
	looks  chan struct{} // of those that are sent in
	room   int64         // bytes for the pixels of all that are decoded
	rooms  *semaphore.Weighted

	mu     sync.Mutex
	making map[string]*making // by the key of the file
}

// NewLibrary is the library of the files in store. public is the server's address as others know it, "" where that is
// not known. The pictures that are decoded at a time take no more than room together; one that takes more is alone.
func NewLibrary(store blob.Store, public string, room int64) *Library {
	atOnce := max(1, runtime.GOMAXPROCS(0)/2)
	return &Library{store: store, public: strings.TrimRight(public, "/"), turns: make(chan struct{}, atOnce),
		looks: make(chan struct{}, atOnce), room: room, rooms: semaphore.NewWeighted(room),
		making: map[string]*making{}}
}

// decoding decodes a picture once there is room for its pixels.
func (l *Library) decoding(ctx context.Context, data []byte, contentType string, pixels int, decode func()) error {
	takes := min(l.room, int64(memoryOf(data, contentType, pixels)))
	if err := l.rooms.Acquire(ctx, takes); err != nil {
		return err
	}
	defer l.rooms.Release(takes)
	decode()
	return nil
}

// Route is what the paths of files begin with.
const Route = "/media/"

// URL is the public address of a company's file that it shows to everybody. It changes with the content, so what it
// leads to never does.
func (l *Library) URL(company string, f File) string {
	return l.public + Route + company + "/" + f.Hash + extensions[f.ContentType]
}

// AttachmentURL is the address of a file that somebody has sent in. It names the attachment, whose id nobody can guess:
// who knows what is in a file, and so its hash, learns nothing of whether it was sent.
func (l *Library) AttachmentURL(company, id string, f File) string {
	return l.public + Route + company + "/" + id + extensions[f.ContentType]
}

// Named reads the path of an address: whose file it is, and which, by its hash or by the id of an attachment.
func Named(urlPath string) (company, name string, ok bool) {
	rest, ok := strings.CutPrefix(urlPath, Route)
	company, name, more := strings.Cut(rest, "/")
	name = strings.TrimSuffix(name, path.Ext(name))
	ok = ok && more && company != "" && (isHash(name) || uuid.Validate(name) == nil && len(name) == 36 &&
		strings.ToLower(name) == name)
	return company, name, ok
}

func isHash(name string) bool {
	return len(name) == 2*sha256.Size && strings.Trim(name, "0123456789abcdef") == ""
}

// Take keeps an upload: what it is, is found in its content, and a damaged picture is refused. With documents, PDF is
// taken besides pictures. It is called before the transaction that records the file; without that record the file is
// swept after a while. ChannelMediaAsset.EmptyFile, .FileTooLarge, .UnsupportedType, Server.Unavailable.
func (l *Library) Take(ctx context.Context, company, fileName string, data []byte, documents bool) (File, error) {
	name, err := plainFileName(fileName)
	if err != nil {
		return File{}, err
	}
	c, err := inspect(data, documents)
	if err == nil {
		err = l.refuseDamaged(ctx, name, c)
	}
	if err != nil {
		return File{}, err
	}
	return l.keep(ctx, company, name, c)
}

// TakeMailed keeps a file that came with a mail, as Take does with documents. A damaged picture is kept as it is: who
// sent it cannot be asked now, and half of it says more than none.
func (l *Library) TakeMailed(ctx context.Context, company, fileName string, data []byte) (File, error) {
	name, err := plainFileName(fileName)
	if err != nil {
		return File{}, err
	}
	c, err := inspect(data, true)
	if err != nil {
		return File{}, err
	}
	return l.keep(ctx, company, name, c)
}

// keep stores an upload by its content. Server.Unavailable.
func (l *Library) keep(ctx context.Context, company, name string, c content) (File, error) {
	sum := sha256.Sum256(c.data)
	f := File{FileName: name, Hash: hex.EncodeToString(sum[:]), ContentType: c.contentType, FileSize: len(c.data),
		Width: c.width, Height: c.height}
	if err := l.store.Put(ctx, f.key(company), c.data); err != nil {
		return f, fault.ErrUnavailable.Because("the file could not be stored; send it again").From(err)
	}
	return f, nil
}

// maxFileName is the most characters of a file's name.
const maxFileName = 200

// plainFileName is a name without the folders that some browsers send along, and without what turns the direction of
// writing: with it "gnp.exe" reads as "exe.png".
func plainFileName(name string) (string, error) {
	if utf8.ValidString(name) {
		name = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Bidi_Control, r) {
				return -1
			}
			return r
		}, name)
	}
	name = strings.TrimSpace(name[strings.LastIndexAny(name, `/\`)+1:])
	switch {
	case name == "" || name == "." || name == "..":
		return "", fault.ErrInvalid.At("file",
			`the file has no name: give the part a filename, as in Content-Disposition: form-data; name="file"; filename="picture.png"`)
	case utf8.RuneCountInString(name) > maxFileName:
		return "", fault.ErrInvalid.At("file", "the file's name has more than %d characters", maxFileName)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "", fault.ErrInvalid.At("file", "the file's name holds control characters or is not UTF-8")
	}
	return name, nil
}

// Shown is an open file as it is to be shown.
type Shown struct {
	*blob.File
	ContentType string
	// Tag tells this form of the file from every other.
	Tag string
}

// Open opens a company's file, or with a width of Widths the file made that narrow, where it is wider: that is made on
// the first request and kept. blob.ErrNotFound where the store has lost it. The caller closes it.
func (l *Library) Open(ctx context.Context, company string, f File, width int) (Shown, error) {
	if width > 0 && f.shrinks(width) {
		small, err := l.openSmall(ctx, company, f, width)
		if err != nil || small.File != nil {
			return small, err
		}
	}
	whole, err := l.store.Open(ctx, f.key(company))
	return Shown{whole, f.ContentType, f.Hash}, err
}

// openSmall opens the file made narrower; none where its pixels cannot be read, which only decoding shows.
func (l *Library) openSmall(ctx context.Context, company string, f File, width int) (Shown, error) {
	key := f.smallKey(company, width)
	small, err := l.store.Open(ctx, key)
	if errors.Is(err, blob.ErrNotFound) {
		if err = l.makeSmall(ctx, company, f); err == nil {
			small, err = l.store.Open(ctx, key)
		}
	}
	if err != nil {
		return Shown{}, err
	}
	if small.Size == 0 {
		return Shown{}, small.Close()
	}
	first := make([]byte, 8)
	_, err = io.ReadFull(small, first)
	if err == nil {
		_, err = small.Seek(0, io.SeekStart)
	}
	if err != nil {
		return Shown{}, errors.Join(err, small.Close())
	}
	return Shown{small, typeOf(first), path.Base(key)}, nil
}

// unusedFor is how long a file lies before it is swept away: far longer than from Take to the commit of its record.
const unusedFor = 24 * time.Hour

// Sweep deletes a company's files that nothing uses, and smaller forms as they used to be made, where nobody wrote them
// for a day. used is asked after the files were listed, and each file's age again before it is deleted, so that one
// that is being uploaded anew meanwhile is left.
func (l *Library) Sweep(ctx context.Context, company string, used func() (map[string]bool, error)) error {
	old := func(i blob.Info) bool { return time.Since(i.Written) > unusedFor }
	candidates := map[string][]string{} // keys by hash
	note := func(i blob.Info) error {
		if old(i) {
			hash, _, _ := strings.Cut(strings.TrimSuffix(path.Base(i.Key), path.Ext(i.Key)), "-")
			candidates[hash] = append(candidates[hash], i.Key)
		}
		return nil
	}
	err := errors.Join(l.store.Each(ctx, prefix(company), note), l.store.Each(ctx, smallPrefix(company), note))
	if err != nil || len(candidates) == 0 {
		return err
	}
	kept, err := used()
	if err != nil {
		return err
	}
	for hash, keys := range candidates {
		for _, key := range keys {
			if kept[hash] && !outdated(key) {
				continue
			}
			i, err := l.store.Stat(ctx, key)
			if err == nil && old(i) {
				err = l.store.Delete(ctx, key)
			}
			if err != nil && !errors.Is(err, blob.ErrNotFound) {
				return err
			}
		}
	}
	return nil
}

// Drop deletes every file of a company.
func (l *Library) Drop(ctx context.Context, company string) error {
	return errors.Join(blob.Clear(ctx, l.store, prefix(company)), blob.Clear(ctx, l.store, smallPrefix(company)))
}

// Copy gives a company's files to another company.
func (l *Library) Copy(ctx context.Context, from, to string) error {
	return blob.Copy(ctx, l.store, prefix(from), l.store, prefix(to))
}

// Each hands out the key and the hash of every file of a company.
func (l *Library) Each(ctx context.Context, company string, take func(key, hash string) error) error {
	return l.store.Each(ctx, prefix(company), func(i blob.Info) error {
		return take(i.Key, strings.TrimSuffix(path.Base(i.Key), path.Ext(i.Key)))
	})
}

// ErrDamaged is a file whose bytes are not those that its name says.
var ErrDamaged = errors.New("media: the file is damaged")

// Copied hands the bytes of a file to take and says ErrDamaged where they are not those of its hash, blob.ErrNotFound
// where it is gone.
func (l *Library) Copied(ctx context.Context, key, hash string, take func(io.Reader) error) error {
	f, err := l.store.Open(ctx, key)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if err := take(io.TeeReader(f, h)); err != nil {
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != hash {
		return ErrDamaged
	}
	return nil
}

// Import copies a company's files from another store.
func (l *Library) Import(ctx context.Context, company string, from blob.Store) error {
	return blob.Copy(ctx, from, prefix(company), l.store, prefix(company))
}
