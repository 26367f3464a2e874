package decisions

import (
	"encoding/json"
	"fmt"
	"maps"

	"angler/store"
)

// judged applies changes of verdicts of one kind, by name; it copies only their map of a State.
type judged[V any] struct {
	what  string // the kind, for errors
	owned bool
}

func (x *judged[V]) take(of *map[string]V, c *store.Change) error {
	if !x.owned {
		if *of, x.owned = maps.Clone(*of), true; *of == nil {
			*of = map[string]V{}
		}
	}
	if c.After == nil {
		delete(*of, c.Key)
		return nil
	}
	var v V
	if err := json.Unmarshal(c.After, &v); err != nil {
		return fmt.Errorf("stored verdict on the %s %s: %w", x.what, c.Key, err)
	}
	(*of)[c.Key] = v
	return nil
}
