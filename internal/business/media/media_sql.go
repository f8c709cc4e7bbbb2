package media

import (
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

const fileColumns = "file_name, hash, content_type, file_size, width, height"

var fileRow = db.Map[File](fileColumns)

var assets = record.TableOf(Assets, record.Layout[Asset]{
	Fixed:    "channel_code, " + fileColumns,
	Changing: "folder, title, alt_text, caption, focus_x, focus_y",
	Named:    (*Asset).Key,
	Derived: func(a *Asset) db.Args {
		return db.Args{"channel_key": record.Fold(a.ChannelCode),
			"search": record.SearchText(a.FileName, a.Title, a.AltText)}
	},
})

// List reads a page of a channel's media library, newest first. Channel.NotFound.
func List(tx *db.Tx, channelCode string, f Filter, p record.Page) (record.Found[Asset], error) {
	c, err := channel.Find(tx, channelCode)
	if err != nil {
		return record.Found[Asset]{}, err
	}
	q := assets.Query("media.List")
	q.Key = []string{"created_at desc", "id desc"}
	q.Where("channel_key = :channel", db.Args{"channel": record.Fold(c.Code)})
	q.Given("folder = :folder", f.Folder)
	q.Search("search", f.Search)
	return record.ListOf(tx, q, p, assets.Scan)
}

// Find reads one asset. Channel.NotFound, ChannelMediaAsset.NotFound.
func Find(tx *db.Tx, channelCode, id string) (Asset, error) { return read(tx, channelCode, id, "") }

func read(tx *db.Tx, channelCode, id, locked string) (Asset, error) {
	c, err := channel.Find(tx, channelCode)
	if err != nil {
		return Asset{}, err
	}
	a, found, err := assets.One(tx, "media.read", "id = :id and channel_key = :channel"+locked,
		db.Args{"id": id, "channel": record.Fold(c.Code)})
	if err == nil && !found {
		err = notFound(c, id)
	}
	return a, err
}

// ByHash are the pictures of a channel's library by the hashes of their files; one statement.
func ByHash(tx *db.Tx, channelCode string, hashes []string) (map[string]Asset, error) {
	if len(hashes) == 0 {
		return nil, nil
	}
	all, err := assets.Where(tx, "media.ByHash", "hash in (:hashes) and channel_key = :channel order by created_at, id",
		db.Args{"hashes": hashes, "channel": record.Fold(channelCode)})
	return each.By(all, func(a Asset) string { return a.Hash }), err
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
		union all select `+fileColumns+` from item_asset where company = :company and hash = :hash
		order by file_name limit 1`,
		db.Args{"hash": name}, fileRow.Of(&f)...)
	return f, found, err
}

// UsedFiles are the hashes of all files that something uses.
func UsedFiles(tx *db.Tx) (map[string]bool, error) {
	return db.Set[string](tx, `-- media.UsedFiles whole
		select hash from media_asset where company = :company union select hash from item_asset where company = :company
		union select hash from ticket_asset where company = :company
		union select hash from comment_asset where company = :company`, nil)
}
