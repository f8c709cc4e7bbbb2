package app

import (
	_ "embed"
	"sync"

	"github.com/go-json-experiment/json"

	"kontor/internal/foundation/texts"
	"kontor/internal/front/rest"
)

// contact is who answers for the APIs: each installation has an operator of its own.
const contact = "The operator of this installation"

//go:embed examples.json
var exampleText []byte

// examplesOfStories are the answers that the stories were given: go test ./internal/app -run TestStories/on/sqlite
// -examples writes them.
var examplesOfStories = sync.OnceValue(func() (all rest.Examples) {
	if err := json.Unmarshal(exampleText, &all); err != nil {
		panic(err) // it is part of the program
	}
	return all
})

//go:embed fieldwords.tsv
var fieldWordText string

// fieldWords are what the descriptions say of fields and parameters that mean the same wherever they stand, by name,
// and of those that mean something else in one type, by type and name.
var fieldWords = texts.Must(fieldWordText)
