package laws

import (
	"testing"

	"kontor/internal/app"
	_ "kontor/internal/command" // which stands on everything
	"kontor/internal/foundation/lazy"
)

// What is made when it is first asked for, such as where the columns of a table stand in a struct, what an API shows of
// a record, or an expression, can be made: nobody finds out as the first to use it.
func TestWhatIsLazyCanBeMade(t *testing.T) {
	app.Preview(nil)
	app.Commerce(nil)
	lazy.All()
}
