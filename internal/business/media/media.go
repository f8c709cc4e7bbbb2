// Package media is the house's pictures and documents: the media library of each channel, the pictures and documents of
// items, and the files themselves, which lie in a store outside the database and are shown to anybody.
package media

import (
	"net/url"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Folder is where an asset is filed in its channel's library. The file's address does not depend on it.
type Folder string

// The folders of a library.
const (
	Hero     Folder = "Hero"
	Banner   Folder = "Banner"
	Sections Folder = "Sections"
	Content  Folder = "Content"
)

// Values are all folders.
func (Folder) Values() []Folder { return []Folder{Hero, Banner, Sections, Content} }

// Asset is a picture in the media library of a channel. Its file is never exchanged: another picture is another asset.
type Asset struct {
	record.Root
	ChannelCode string
	Folder      Folder
	File
	Title, AltText, Caption string
	// FocusX and FocusY are the point that stays in sight when the picture's edges are cut off, in percent from the
	// left and from the top.
	FocusX, FocusY int
}

// ErrNotFound refuses an asset that the channel's library does not hold.
var ErrNotFound = fault.New(fault.NotFound, "ChannelMediaAsset.NotFound")

// Assets is the resource of assets in media libraries.
var Assets = record.Define("media", "media_asset", "ChannelMediaAsset")

// Key is the business key of an asset, as its URL ends.
func (a Asset) Key() string { return url.PathEscape(a.ChannelCode) + "/" + a.ID }

// Filter narrows a list of assets.
type Filter struct {
	Folder Folder
	Search string // in file name, title and alternative text
}

// Middle is where a picture's focal point lies until somebody says otherwise.
const Middle = 50

// Create files an asset whose file the library took. Channel.NotFound.
func Create(tx *db.Tx, a Asset) (Asset, error) {
	c, err := channel.Find(tx, a.ChannelCode)
	if err != nil {
		return a, err
	}
	a.Root, a.ChannelCode = record.New(tx), c.Code
	return a, assets.Create(tx, &a)
}

// Change edits an asset's texts and focal point or files it elsewhere. Channel.NotFound, ChannelMediaAsset.NotFound.
func Change(tx *db.Tx, channelCode, id string, edit func(*Asset) error) (Asset, error) {
	before, err := read(tx, channelCode, id, db.ForUpdate)
	if err != nil {
		return before, err
	}
	a := before
	if err := edit(&a); err != nil {
		return a, err
	}
	return a, assets.Act(tx, "changed", before, &a)
}

// Delete takes an asset out of its library; a file that nothing else uses is not shown any more, and swept away later.
// Channel.NotFound, ChannelMediaAsset.NotFound.
func Delete(tx *db.Tx, channelCode, id string) error {
	a, err := read(tx, channelCode, id, db.ForUpdate)
	if err != nil {
		return err
	}
	return assets.Drop(tx, &a)
}

func notFound(c channel.Channel, id string) error {
	return ErrNotFound.Because("the media library of channel %s holds no asset %q", c.Code, id)
}
