package publication

import "testing"

func TestTriesOfOneChange(t *testing.T) {
	for _, c := range []struct {
		first OperationID
		third string
	}{
		{ReviseID("autora", "ola", "20261130T151840-456Z"), "revise/autora/ola/20261130T151840-456Z@3"},
		{ReviseID("autora", "ola", "draft-5b1f6a0e"), "revise/autora/ola/draft-5b1f6a0e@3"},
		{RemoveID("autora", "ola", 1), "remove/autora/ola/@3"},
		{RemoveID("autora", "ola", 2), "remove/autora/ola@2/@3"},
	} {
		third := c.first.WithTry(3)
		if string(third) != c.third || third.Try() != 3 || c.first.Try() != 1 {
			t.Errorf("got %q, try %d after %d", third, third.Try(), c.first.Try())
		}
		if got, err := ParseOperationID(c.third); err != nil || got != third {
			t.Errorf("parsing %q: %q, %v", c.third, got, err)
		}
		if third.WithTry(1) != c.first || third.WithTry(2).WithTry(3) != third {
			t.Errorf("%q does not lead back to %q", third, c.first)
		}
		if third.Kind() != c.first.Kind() || third.Reference() != c.first.Reference() || third.Generation() != c.first.Generation() || third.BaseVersion() != c.first.BaseVersion() {
			t.Errorf("%q is about another content or version than %q", third, c.first)
		}
	}
}

// One intent has one ID: the first try, like the first generation, is never written, and a publish has no tries.
func TestNoOtherOperationHasTries(t *testing.T) {
	for _, bad := range []string{
		"revise/autora/ola/20261130T151840-456Z@1", "remove/autora/ola/@1", "remove/autora/ola/", "remove/autora/ola/x", "remove/autora/ola/x@2",
		"revise/autora/ola/@2", "revise/autora/ola/x@", "revise/autora/ola/x@02", "publish/autora/ola/@2", "publish/autora/ola@2/@2", "track/autora/ola/@2",
	} {
		if got, err := ParseOperationID(bad); err == nil {
			t.Errorf("%q was taken: %q", bad, got)
		}
	}
}
