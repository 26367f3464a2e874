package decisions

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"angler/crawl/auth"
	"angler/crawl/fields"
	"angler/message"
	"angler/store"
)

// This file handles values of fields that people have corrected.

// kindValue is the kind of corrections in the log; the key is the id of the notice and
// the name of the field: 17/budget.
const kindValue = "value"

// correcting applies changes of corrections; it copies only the affected parts of a State.
type correcting struct {
	owned bool
	own   map[uint64]bool
}

// take applies one change to next and returns the id of its notice.
func (m *correcting) take(next *State, c *store.Change) (id uint64, err error) {
	number, field, _ := strings.Cut(c.Key, "/")
	id, err = strconv.ParseUint(number, 10, 64)
	if err != nil || field == "" {
		return 0, fmt.Errorf("stored correction of %s: %w", c.Key, errors.Join(err, errKey))
	}
	var v *Correction
	if c.After != nil {
		v = new(Correction)
		if err := json.Unmarshal(c.After, v); err != nil {
			return 0, fmt.Errorf("stored correction of %s: %w", c.Key, err)
		}
	}
	if !m.owned {
		next.Corrected, m.owned, m.own = maps.Clone(next.Corrected), true, map[uint64]bool{}
		if next.Corrected == nil {
			next.Corrected = map[uint64]map[string]*Correction{}
		}
	}
	if !m.own[id] {
		next.Corrected[id], m.own[id] = maps.Clone(next.Corrected[id]), true
		if next.Corrected[id] == nil {
			next.Corrected[id] = map[string]*Correction{}
		}
	}
	if v != nil {
		next.Corrected[id][field] = v
		return id, nil
	}
	if delete(next.Corrected[id], field); len(next.Corrected[id]) == 0 {
		delete(next.Corrected, id)
		delete(m.own, id)
	}
	return id, nil
}

var errKey = errors.New("it names no notice and field")

// Correct sets the values of a notice's field in one step that one undo takes back. No values mean
// that the notice does not state it. With read the extracted values are in force again.
func (m *NoticeEditor) Correct(id uint64, f *fields.Field, values []fields.Value, read bool) error {
	if err := m.May(auth.Correct); err != nil {
		return err
	}
	n, err := m.d.Store.Notice(id)
	if err != nil {
		return err
	}
	if n == nil {
		return fmt.Errorf("url %d is no notice", id)
	}
	now := m.d.State().Corrected[id][f.Name]
	title := cmp.Or(n.Title, n.URL)
	what, value := message.Of("corrected %s of %s", f.Name, title), any(nil)
	switch {
	case read:
		if now == nil {
			return nil
		}
		what = message.Of("%s as it was read of %s", f.Name, title)
	case now != nil && reflect.DeepEqual(now.Values, values):
		return nil // a repeated correction does not change its author
	case len(values) == 0:
		what = message.Of("corrected: no %s in %s", f.Name, title)
	}
	if !read {
		value = Correction{Values: values, Remark: Remark{By: m.Name, At: m.d.Now()}}
	}
	c, err := m.d.set(kindValue, fmt.Sprintf("%d/%s", id, f.Name), value)
	if err == nil {
		_, err = m.d.Apply(m.Name, what, c)
	}
	return err
}
