package lazy

import "testing"

type testKey string

func TestWhatIsLazyIsMadeOnceAndWhenItIsAskedFor(t *testing.T) {
	made := 0
	make := func() int { made++; return made }
	first, again, never := Of(testKey("a"), make), Of(testKey("a"), make), Of(testKey("b"), make)
	if made != 0 {
		t.Fatal("made before anybody asked")
	}
	for _, get := range []func() int{first, first, again} {
		if get() != 1 {
			t.Error("what has one key is made again")
		}
	}
	if All(); made != 2 || never() != 2 {
		t.Errorf("All has made %d of 2", made)
	}
}

func TestAWrongExpressionIsFoundByAll(t *testing.T) {
	wrong := `[0-9]+(`
	Regexp(wrong)
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression is taken")
		}
		delete(house.all, expression(wrong))
	}()
	All()
}
