package datadir

// KeepPrivate has nothing to do here: files inherit the rights of their folder.
func KeepPrivate() {}
