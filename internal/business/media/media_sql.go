package media

import (
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const fileColumns = "file_name, hash, content_type, file_size, width, height"

const assetFields = "folder, title, alt_text, caption, focus_x, focus_y"

const assetColumns = record.RootColumns + ", channel_code, " + assetFields + ", " + fileColumns

var (
	fileRow  = db.Map[File](fileColumns)
	assetRow = db.Map[Asset](assetColumns)
)

// List reads a page of a channel's media library, newest first. Channel.NotFound.
func List(tx *db.Tx, channelCode string, f Filter, p record.Page) (record.Found[Asset], error) {
	c, err := channel.Find(tx, channelCode)
	if err != nil {
		return record.Found[Asset]{}, err
	}
	q := record.Query{Name: "media.List", Select: assetColumns, From: "media_asset",
		Key: []string{"created_at desc", "id desc"}, Stamp: "changed_at",
		Resources: []string{Assets.Name}}
	q.Where("channel_key = :channel", db.Args{"channel": record.Fold(c.Code)})
	q.Given("folder = :folder", f.Folder)
	q.Search("search", f.Search)
	return record.ListOf(tx, q, p, assetRow.Scan)
}

// Find reads one asset. Channel.NotFound, ChannelMediaAsset.NotFound.
func Find(tx *db.Tx, channelCode, id string) (Asset, error) { return read(tx, channelCode, id, "") }

func lock(tx *db.Tx, channelCode, id string) (Asset, error) {
	return read(tx, channelCode, id, " for update")
}

func read(tx *db.Tx, channelCode, id, locked string) (a Asset, err error) {
	c, err := channel.Find(tx, channelCode)
	if err != nil {
		return a, err
	}
	err = tx.Each(`-- media.read
		select `+assetColumns+` from media_asset where company = :company and id = :id and channel_key = :channel`+
		locked, db.Args{"id": id, "channel": record.Fold(c.Code)}, func(r db.Row) error { return assetRow.Scan(r, &a) })
	if err == nil && a.ID == "" {
		err = notFound(c, id)
	}
	return a, err
}

// write stores an asset, new or changed.
func write(tx *db.Tx, a Asset) error {
	return tx.Upsert("media_asset", assetColumns+", channel_key, search", 1, func(int) []any {
		return append(assetRow.Of(&a), record.Fold(a.ChannelCode), record.SearchText(a.FileName, a.Title, a.AltText))
	}, db.Overwriting("id", assetFields+", search"))
}

func remove(tx *db.Tx, id string) error { return tx.Delete(db.Args{"id": id}, "media_asset") }

// ByHash are the pictures of a channel's library by the hashes of their files; one statement.
func ByHash(tx *db.Tx, channelCode string, hashes []string) (map[string]Asset, error) {
	out := map[string]Asset{}
	if len(hashes) == 0 {
		return out, nil
	}
	return out, tx.Each(`-- media.ByHash
		select `+assetColumns+
		` from media_asset where company = :company and hash in (:hashes) and channel_key = :channel order by created_at, id`,
		db.Args{"hashes": hashes, "channel": record.Fold(channelCode)}, func(r db.Row) error {
			var a Asset
			err := assetRow.Scan(r, &a)
			out[a.Hash] = a
			return err
		})
}

// FindFile finds the file with this hash that is shown to everybody, or the attachment with this id.
func FindFile(tx *db.Tx, name string) (f File, found bool, err error) {
	if !isHash(name) {
		found, err = tx.One(`-- media.FindFile attachment
			select `+fileColumns+` from ticket_asset where company = :company and id = :id
			union all select `+fileColumns+` from comment_asset where company = :company and id = :id`, db.Args{"id": name},
			fileRow.Of(&f)...)
		return f, found, err
	}
	found, err = tx.One(`-- media.FindFile
		select `+fileColumns+` from media_asset where company = :company and hash = :hash
		union all select `+fileColumns+` from item_asset where company = :company and hash = :hash limit 1`,
		db.Args{"hash": name}, fileRow.Of(&f)...)
	return f, found, err
}

// UsedFiles are the hashes of all files that something uses.
func UsedFiles(tx *db.Tx) (map[string]bool, error) {
	used := map[string]bool{}
	err := tx.Each(`-- media.UsedFiles whole
		select hash from media_asset where company = :company union select hash from item_asset where company = :company
		union select hash from ticket_asset where company = :company
		union select hash from comment_asset where company = :company`, nil,
		func(r db.Row) error {
			var hash string
			err := r.Scan(&hash)
			used[hash] = true
			return err
		})
	return used, err
}
