package db

// referenceWeight is about how many bytes it takes what a room derives from a company's reference data: lists of some
// dozens of codes.
const referenceWeight = 64 << 10

// atEpoch is what was derived from reference data, and the epoch that this was read at.
type atEpoch struct {
	epoch int64
	value any
}

// FromReference answers the value called name that build makes from the company's reference data, from the cache while
// the company's epoch stands. What a writing transaction builds is shared only after its commit: until then it may rest
// on rows that are never confirmed. The value is shared by many and must not be changed.
func FromReference[T any](tx *Tx, name string, build func() (*T, error)) (*T, error) {
	if v, ok := tx.derived[name]; ok && v.epoch == tx.Epoch {
		return v.value.(*T), nil
	}
	key := "reference " + name
	if v, ok := CacheGetUnvalidated[atEpoch](tx, key); ok && v.epoch == tx.Epoch && !tx.bumped {
		return v.value.(*T), nil
	}
	value, err := build()
	if err != nil {
		return nil, err
	}
	v := atEpoch{tx.Epoch, value}
	if tx.derived == nil {
		tx.derived = map[string]atEpoch{}
	}
	tx.derived[name] = v
	tx.CachePutUnvalidated(key, referenceWeight, v)
	return value, nil
}
