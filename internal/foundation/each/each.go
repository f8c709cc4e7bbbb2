// Package each says in a line what is taken of each value of a list.
package each

// Of is what of makes of each value, in the order of the list; an empty list, never nil, where there is none.
func Of[T, V any](list []T, of func(T) V) []V {
	out := make([]V, len(list))
	for i, v := range list {
		out[i] = of(v)
	}
	return out
}

// By are the values by their key; of those with one key the last.
func By[T any, K comparable](list []T, key func(T) K) map[K]T {
	out := make(map[K]T, len(list))
	for _, v := range list {
		out[key(v)] = v
	}
	return out
}

// Where are the values that meet a condition, in the order of the list, which stays as it is; nil where none does.
func Where[T any](list []T, meets func(T) bool) (out []T) {
	for _, v := range list {
		if meets(v) {
			out = append(out, v)
		}
	}
	return out
}

// Given is Of without what is empty: nil where all is.
func Given[T any, V comparable](list []T, of func(T) V) (out []V) {
	var empty V
	for _, v := range list {
		if made := of(v); made != empty {
			out = append(out, made)
		}
	}
	return out
}

// Do does something with each value, in the order of the list, until one is refused.
func Do[T any](list []T, do func(T) error) error {
	for _, v := range list {
		if err := do(v); err != nil {
			return err
		}
	}
	return nil
}

// Once is Of with each value where it comes first; nil where there is none.
func Once[T any, V comparable](list []T, of func(T) V) (out []V) {
	met := make(map[V]bool, min(len(list), mostMet))
	for _, v := range list {
		if made := of(v); !met[made] {
			met[made] = true
			out = append(out, made)
		}
	}
	return out
}

// Together are the values in groups, those with one key in one: the groups in the order in which their keys come first,
// and in each the values in theirs.
func Together[T any, K comparable](list []T, key func(T) K) (groups [][]T) {
	at := make(map[K]int, min(len(list), mostMet))
	for _, v := range list {
		k := key(v)
		i, met := at[k]
		if !met {
			i, at[k] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], v)
	}
	return groups
}

// mostMet is for how many different values Once and Together make room at first: many a list has few.
const mostMet = 64

// Numbered is where the value with a number stands in a list that is numbered from 1 without gaps, such as the lines of
// a document; nil where there is none.
func Numbered[T any](list []T, number int) *T {
	if number < 1 || number > len(list) {
		return nil
	}
	return &list[number-1]
}
