package decisions

import (
	"encoding/json"
	"fmt"
	"maps"

	"angler/store"
)

// judged takes up changes of what people say of the things of one kind, by name: of a
// State it copies only the map that holds them.
type judged[V any] struct {
	what  string // a thing of the kind, for errors
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
