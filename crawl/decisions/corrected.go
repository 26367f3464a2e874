package decisions

import (
	"encoding/json"
	"errors"
	"fmt"
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

// setValue applies one change to the corrections of notices and returns the id of its notice.
func setValue(of map[uint64]map[string]*Correction, own copies, c *store.Change) (id uint64, err error) {
	number, field, _ := strings.Cut(c.Key, "/")
	id, err = strconv.ParseUint(number, 10, 64)
	if err != nil || field == "" {
		return 0, fmt.Errorf("stored correction of %s: %w", c.Key, errors.Join(err, errKey))
	}
	values := of[id]
	one := copied(own, kindValue+"/"+number, &values)
	if of[id] = values; c.After != nil {
		v := new(Correction)
		if err := json.Unmarshal(c.After, v); err != nil {
			return 0, fmt.Errorf("stored correction of %s: %w", c.Key, err)
		}
		one[field] = v
		return id, nil
	}
	if delete(one, field); len(one) == 0 {
		delete(of, id)
		delete(own, kindValue+"/"+number)
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
	title, err := m.d.noticeTitle(id)
	if err != nil {
		return err
	}
	now := m.d.State().Corrected[id][f.Name]
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
	return m.d.apply(m.Name, what, m.d.set(kindValue, fmt.Sprintf("%d/%s", id, f.Name), value))
}
