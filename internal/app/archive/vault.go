package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/restic/chunker"
	"golang.org/x/sync/errgroup"

	"kontor/internal/foundation/blob"
)

// piece is a part of a file, cut where its content says so: what did not change between two backups is the same pieces.
type piece struct {
	Hash string `json:"hash"` // SHA-256 of its bytes
	Size int64  `json:"size"` // that it takes, compressed
}

// The sizes of pieces, in bytes. An order changes some sixty pages of a database that lie here and there: small pieces
// keep what it costs small; on average they have 96 KiB.
const (
	leastPiece, mostPiece = 32 << 10, 512 << 10
	pieceBits             = 16
	cutWith               = chunker.Pol(0x3DA3358B4DC173) // any irreducible polynomial will do, as long as it stays
)

// atOnce is how many pieces are written or read at a time.
const atOnce = 8

// A vault has the manifests of its backups in one folder and the pieces of all of them in another.
const (
	backupsIn = "backups/"
	piecesIn  = "pieces/"
	ending    = ".backup"
)

// graceTime is how long a piece that no backup names lies: a backup that is being written names its pieces only at its
// end.
const graceTime = 72 * time.Hour

// Vault is a folder or a bucket of many backups.
type Vault struct {
	store  blob.Store
	local  bool // reading costs nothing
	zip    *zstd.Encoder
	unzip  *zstd.Decoder
	cutter sync.Pool
}

// IsBucket reports whether an address is one of a bucket, not a path.
func IsBucket(address string) bool { return strings.Contains(address, "://") }

// OpenVault opens the vault at a path or an address such as s3://bucket/prefix. Nothing is asked of it yet.
func OpenVault(address string) (*Vault, error) {
	v := &Vault{local: !IsBucket(address) || strings.HasPrefix(address, "file:")}
	var err error
	if v.store = blob.Folder(address); IsBucket(address) {
		v.store, err = blob.Open(address, "")
	}
	if err == nil {
		v.zip, err = zstd.NewWriter(nil)
	}
	if err == nil {
		v.unzip, err = zstd.NewReader(nil)
	}
	v.cutter.New = func() any { return chunker.New(nil, cutWith) }
	return v, err
}

// Names are the names of the backups in the vault, the oldest first. They begin with what they are of and carry their
// time.
func (v *Vault) Names(ctx context.Context) ([]string, error) {
	var names []string
	err := v.store.Each(ctx, backupsIn, func(i blob.Info) error {
		if name, ok := strings.CutSuffix(path.Base(i.Key), ending); ok {
			names = append(names, name)
		}
		return nil
	})
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(timeIn(a)+a, timeIn(b)+b) })
	return names, err
}

// timeIn is the part of a name that carries its time.
func timeIn(name string) string { return name[strings.LastIndex(name, "-")+1:] }

// NameAt is the name of a backup of something that is made now.
func NameAt(of string, at time.Time) string {
	return of + "-" + at.UTC().Format("20060102T150405.000Z")
}

// read reads the manifest of one backup.
func (v *Vault) read(ctx context.Context, name string) (m Manifest, err error) {
	b, err := blob.ReadAll(ctx, v.store, backupsIn+name+ending)
	if err != nil {
		return m, fmt.Errorf("backup %s cannot be read: %w", name, err)
	}
	if err := isSealed(bytes.NewReader(b), int64(len(b))); err != nil {
		return m, fmt.Errorf("backup %s is damaged: %w", name, err)
	}
	text, err := v.unzip.DecodeAll(b, nil)
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return m, fmt.Errorf("backup %s is damaged: %w", name, err)
	}
	return m, nil
}

func (v *Vault) encode(m Manifest) ([]byte, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = sealed(&b, func(w io.Writer) error { _, err := w.Write(v.zip.EncodeAll(text, nil)); return err })
	return b.Bytes(), err
}

// Open opens a backup of the vault, the newest where name is "".
func (v *Vault) Open(ctx context.Context, name string) (Source, error) {
	if name == "" {
		names, err := v.Names(ctx)
		if err != nil {
			return nil, fmt.Errorf("the place of the backups cannot be read: %w", err)
		}
		if len(names) == 0 {
			return nil, errors.New("there is no backup in this place")
		}
		name = names[len(names)-1]
	}
	m, err := v.read(ctx, name)
	if err == nil {
		err = m.readable("backup " + name)
	}
	return kept{v, m, func(string) bool { return true }}, err
}

// Open opens the backup at an address: an archive, a vault (its newest backup), or one backup of a vault.
func Open(ctx context.Context, address string) (Source, error) {
	name := ""
	if IsBucket(address) {
		address, name = splitAddress(address)
	} else if info, err := os.Stat(address); err == nil && !info.IsDir() {
		// What a file is stands in it: an archive may have any name.
		if a, err := OpenFile(address); err == nil || !strings.HasSuffix(address, ending) {
			return a, err
		}
		address, name = filepath.Dir(filepath.Dir(address)), strings.TrimSuffix(filepath.Base(address), ending)
	} else if err != nil {
		return nil, err
	}
	v, err := OpenVault(address)
	if err != nil {
		return nil, err
	}
	return v.Open(ctx, name)
}

// splitAddress takes the name of one backup off the address of its bucket.
func splitAddress(address string) (vault, name string) {
	whole, query, asks := strings.Cut(address, "?")
	at := strings.LastIndex(whole, "/"+backupsIn)
	if at < 0 || !strings.HasSuffix(whole, ending) {
		return address, ""
	}
	if vault = whole[:at]; asks {
		vault += "?" + query
	}
	return vault, strings.TrimSuffix(whole[at+1+len(backupsIn):], ending)
}

func keyOf(hash string) string { return piecesIn + hash[:2] + "/" + hash }

// held are the pieces that lie in the vault, with their sizes.
func (v *Vault) held(ctx context.Context) (map[string]blob.Info, error) {
	held := map[string]blob.Info{}
	err := v.store.Each(ctx, piecesIn, func(i blob.Info) error { held[path.Base(i.Key)] = i; return nil })
	return held, err
}

// fetch reads a piece and checks it against its hash.
func (v *Vault) fetch(ctx context.Context, p piece) ([]byte, error) {
	b, err := blob.ReadAll(ctx, v.store, keyOf(p.Hash))
	if errors.Is(err, blob.ErrNotFound) {
		return nil, broken{p.Hash, errors.New("is missing")}
	}
	if err != nil {
		return nil, err
	}
	data, err := v.unzip.DecodeAll(b, nil)
	if err != nil {
		return nil, broken{p.Hash, err}
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != p.Hash {
		return nil, broken{p.Hash, errors.New("does not match its name")}
	}
	return data, nil
}

// broken is a piece that is not what it should be.
type broken struct {
	hash string
	why  error
}

func (b broken) Error() string { return fmt.Sprintf("piece %s: %v", b.hash[:16], b.why) }

// kept is a backup of a vault to read.
type kept struct {
	vault    *Vault
	manifest Manifest
	wanted   func(name string) bool
}

func (k kept) Manifest() Manifest { return k.manifest }
func (k kept) Close() error       { return nil }

func (k kept) Each(ctx context.Context, take func(File, io.Reader) error) error {
	for _, f := range k.manifest.Files {
		if !k.wanted(f.Name) {
			continue
		}
		r := &pieces{ctx: ctx, vault: k.vault, left: f.Pieces}
		if err := errors.Join(ctx.Err(), take(f, r)); err != nil {
			return fmt.Errorf("%s cannot be read from the backup: %w", f.Name, err)
		}
	}
	return nil
}

// pieces reads a file piece by piece.
type pieces struct {
	ctx   context.Context
	vault *Vault
	left  []piece
	data  []byte
}

func (r *pieces) Read(b []byte) (int, error) {
	for len(r.data) == 0 {
		if len(r.left) == 0 {
			return 0, io.EOF
		}
		var err error
		if r.data, err = r.vault.fetch(r.ctx, r.left[0]); err != nil {
			return 0, err
		}
		r.left = r.left[1:]
	}
	n := copy(b, r.data)
	r.data = r.data[n:]
	return n, nil
}

// Keep deletes the backups of a kind (what their names begin with) of this installation beyond the newest, and the
// pieces that no backup of the vault names. The caller has just proved the newest, and nobody else writes backups of
// the installation. It answers how many backups and pieces went.
func (v *Vault) Keep(ctx context.Context, m Manifest, newest string, keep int) (backups, gone int, err error) {
	names, err := v.Names(ctx)
	if err != nil {
		return 0, 0, err
	}
	named := map[string]bool{}
	var mine []string
	for _, name := range names {
		other, err := v.read(ctx, name)
		if err != nil { // what it names is not known: nothing may go
			return 0, 0,
				fmt.Errorf("nothing was deleted from the backups: %w; take this one away if it cannot be mended", err)
		}
		if other.Installation == m.Installation && strings.TrimSuffix(name, timeIn(name)) == strings.TrimSuffix(newest,
			timeIn(newest)) && name != newest {
			mine = append(mine, name)
		}
		for p := range other.pieces() {
			named[p] = true
		}
	}
	if old := len(mine) - (max(1, keep) - 1); old > 0 {
		for _, name := range mine[:old] {
			if err := v.store.Delete(ctx, backupsIn+name+ending); err != nil {
				return backups, 0, err
			}
			backups++
		}
		clear(named)
		for _, name := range slices.DeleteFunc(names, func(n string) bool { return slices.Contains(mine[:old], n) }) {
			other, err := v.read(ctx, name)
			if err != nil {
				return backups, 0, err
			}
			for p := range other.pieces() {
				named[p] = true
			}
		}
	}
	gone, err = v.sweep(ctx, named)
	return backups, gone, err
}

func (v *Vault) sweep(ctx context.Context, named map[string]bool) (gone int, err error) {
	held, err := v.held(ctx)
	if err != nil {
		return 0, err
	}
	for hash, i := range held {
		if named[hash] || time.Since(i.Written) < graceTime {
			continue
		}
		if err := v.store.Delete(ctx, i.Key); err != nil {
			return gone, err
		}
		gone++
	}
	return gone, nil
}

// pieces are the hashes of all pieces that a backup is made of, with what they take.
func (m *Manifest) pieces() map[string]int64 {
	all := map[string]int64{}
	for _, f := range m.Files {
		for _, p := range f.Pieces {
			all[p.Hash] = p.Size
		}
	}
	return all
}

// writing is a backup on its way into a vault.
type writing struct {
	*Vault
	name  string
	known map[string]int64 // pieces that need not be written, with what they take
	past  map[string]File  // files of earlier backups that never change
	files []File

	mu    sync.Mutex
	added map[string]int64
}

// Begin begins a backup of that name, of an installation: what its earlier backups hold and still lies there is not
// written again. Nobody else may write or delete backups of the installation meanwhile.
func (v *Vault) Begin(ctx context.Context, name, installation string) (Target, error) {
	w := &writing{Vault: v, name: name, known: map[string]int64{}, past: map[string]File{}, added: map[string]int64{}}
	held, err := v.held(ctx)
	if err != nil {
		return nil, fmt.Errorf("the place of the backups cannot be read: %w", err)
	}
	names, err := v.Names(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		m, err := v.read(ctx, name)
		if err != nil || m.Installation != installation {
			continue // a damaged one is named by Keep
		}
		for p, size := range m.pieces() {
			if held[p].Size == size {
				w.known[p] = size
			}
		}
		for _, f := range m.Files {
			if strings.HasPrefix(f.Name, "media/") && w.holds(f) {
				w.past[f.Name] = f
			}
		}
	}
	return w, nil
}

func (w *writing) holds(f File) bool {
	return !slices.ContainsFunc(f.Pieces, func(p piece) bool { _, ok := w.known[p.Hash]; return !ok })
}

func (*writing) ByPage() bool { return true }

// Has takes a picture or document over from an earlier backup: their names are the hashes of their bytes.
func (w *writing) Has(name string) bool {
	f, ok := w.past[name]
	if ok {
		w.files = append(w.files, f)
	}
	return ok
}

func (w *writing) Take(ctx context.Context, name, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(w.Stream(ctx, name, in), in.Close(), os.Remove(path))
}

// Stream cuts a file into pieces and writes those that are not there.
func (w *writing) Stream(ctx context.Context, name string, r io.Reader) error {
	whole := sha256.New()
	f := File{Name: name}
	cut := w.cutter.Get().(*chunker.Chunker)
	defer w.cutter.Put(cut)
	cut.ResetWithBoundaries(io.TeeReader(r, whole), cutWith, leastPiece, mostPiece)
	cut.SetAverageBits(pieceBits)
	var parts []*piece
	puts, enough := errgroup.WithContext(ctx)
	puts.SetLimit(atOnce)
	var failed error
	for enough.Err() == nil {
		c, err := cut.Next(make([]byte, 0, leastPiece))
		if err != nil {
			if !errors.Is(err, io.EOF) {
				failed = err
			}
			break
		}
		f.Size += int64(c.Length)
		p := &piece{}
		parts = append(parts, p)
		puts.Go(func() (err error) { *p, err = w.put(enough, c.Data); return err })
	}
	if err := errors.Join(failed, puts.Wait(), ctx.Err()); err != nil {
		return err
	}
	for _, p := range parts {
		f.Pieces = append(f.Pieces, *p)
	}
	f.SHA256 = hex.EncodeToString(whole.Sum(nil))
	w.files = append(w.files, f)
	return nil
}

// put writes a piece unless it is there.
func (w *writing) put(ctx context.Context, data []byte) (piece, error) {
	sum := sha256.Sum256(data)
	p := piece{Hash: hex.EncodeToString(sum[:])}
	w.mu.Lock()
	size, ok := w.known[p.Hash]
	w.mu.Unlock()
	if ok {
		p.Size = size
		return p, nil
	}
	b := w.zip.EncodeAll(data, nil)
	p.Size = int64(len(b))
	if err := w.store.Put(ctx, keyOf(p.Hash), b); err != nil {
		return p, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known[p.Hash], w.added[p.Hash] = p.Size, p.Size
	return p, nil
}

// Finish reads the backup back and gives it its name. A piece that turns out to be broken is taken away: repeated, the
// backup writes it anew.
func (w *writing) Finish(ctx context.Context, m Manifest) (Written, error) {
	m.complete(w.files)
	all := m.pieces()
	if err := w.proveAll(ctx, all); err != nil {
		return Written{}, err
	}
	rows := func(name string) bool { return strings.HasSuffix(name, ".ndjson") }
	if err := Prove(ctx, kept{w.Vault, m, rows}); err != nil {
		return Written{}, err
	}
	b, err := w.encode(m)
	if err != nil {
		return Written{}, err
	}
	if err := w.store.Put(ctx, backupsIn+w.name+ending, b); err != nil {
		return Written{}, err
	}
	if _, err := w.read(ctx, w.name); err != nil {
		return Written{}, errors.Join(err, w.store.Delete(context.WithoutCancel(ctx), backupsIn+w.name+ending))
	}
	out := Written{Manifest: m, Name: w.name, Bytes: int64(len(b)), New: int64(len(b))}
	for _, size := range all {
		out.Bytes += size
	}
	for _, size := range w.added {
		out.New += size
	}
	return out, nil
}

// ErrBroken is a backup that met pieces of earlier ones which are damaged or gone. They have been taken away, and
// repeating it writes them.
var ErrBroken = errors.New("parts of earlier backups were damaged")

// proveAll reads the pieces back. In a bucket, where reading costs, those from before are looked for by name and size,
// and each is read on one day of sixteen.
func (w *writing) proveAll(ctx context.Context, all map[string]int64) error {
	held, err := w.held(ctx)
	if err != nil {
		return err
	}
	turn := fmt.Sprintf("%x", time.Now().Unix()/86400%16)
	var mu sync.Mutex
	var bad []error
	reads, readCtx := errgroup.WithContext(ctx)
	reads.SetLimit(atOnce)
	for _, hash := range slices.Sorted(maps.Keys(all)) {
		if _, fresh := w.added[hash]; !w.local && !fresh && hash[:1] != turn && held[hash].Size == all[hash] {
			continue
		}
		reads.Go(func() error {
			_, err := w.fetch(readCtx, piece{hash, all[hash]})
			var b broken
			if !errors.As(err, &b) {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			bad = append(bad, b)
			return w.store.Delete(readCtx, keyOf(hash))
		})
	}
	if err := reads.Wait(); err != nil {
		return err
	}
	if len(bad) > 0 {
		return errors.Join(append([]error{ErrBroken}, bad[:min(3, len(bad))]...)...)
	}
	return nil
}
