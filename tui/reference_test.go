package tui

import (
	"testing"

	"angler/store/generated"
)

// TestReadmeKeyTable keeps the table of keys in the documents equal to the bindings.
func TestReadmeKeyTable(t *testing.T) {
	generated.Section(t, "../docs/keys.md", "keys", keyTable(), *update)
}
