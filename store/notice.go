package store

import (
	"bytes"
	"context"
	"errors"
	"time"

	"angler/store/records"
	"angler/store/schema"
)

// Notice is a notice that a harvest made from one record of an aggregation page.
type Notice struct {
	ID          uint64       `json:"id"`
	URL         string       `json:"url"`
	Title       string       `json:"title"`
	Date        time.Time    `json:"date,omitzero"`
	Precision   uint8        `json:"precision"` // page.Precision of Date
	Text        string       `json:"text"`
	Method      string       `json:"method"` // how the text was found
	Source      string       `json:"source"` // the aggregation page
	SourceID    uint64       `json:"source_id"`
	Frame       string       `json:"frame,omitempty"` // address of the page in Source's frame that shows it, if any
	FrameID     uint64       `json:"frame_id,omitempty"`
	Attachments []Attachment `json:"attachments"`
	Score       float64      `json:"score"` // of the aggregation page when harvested
	FirstSeen   time.Time    `json:"first_seen"`
	Changed     time.Time    `json:"changed,omitzero"` // when its content was last found changed; see store/records
}

// On returns the page that holds the notice's entry: the page in a frame of the list, or the list.
func (n *Notice) On() (id uint64, url string) {
	if n.FrameID != 0 {
		return n.FrameID, n.Frame
	}
	return n.SourceID, n.Source
}

// Attachment is a document that a notice links to; it is listed, not fetched.
type Attachment struct {
	Name  string `json:"name"`
	URL   string `json:"url"`
	Class string `json:"class"`
}

// TakeBack removes notices and the data read from them; their pages stay.
func TakeBack(w *Workspace, ids []uint64) error {
	_, err := w.update(func(c *commit) error {
		b := c.tx.Bucket(schema.Notices)
		for _, id := range ids {
			if b.Get(schema.IDKey(id)) == nil {
				continue
			}
			c.notes--
			if err := b.Delete(schema.IDKey(id)); err != nil {
				return err
			}
			if err := errors.Join(records.DropVersions(c.tx, id),
				c.tx.Bucket(records.FactsBucket).Delete(schema.IDKey(id)),
				c.tx.Bucket(records.AnswersBucket).Delete(schema.IDKey(id))); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// RelistState is the State that a repair sets after notices were lost: the next harvest visits
// every list with all of its pages.
const RelistState = "relist"

// Watched returns the ids of the notices fetched or changed since a time, without decoding them:
// 100 ms for 100 000 rows.
func Watched(w *Workspace, since time.Time) (ids []uint64, err error) {
	err = NoticeRows(context.Background(), w, nil, func(id uint64, row []byte) error {
		if timeIn(row, `"changed":"`).After(since) || timeIn(row, `"first_seen":"`).After(since) {
			ids = append(ids, id)
		}
		return nil
	})
	return ids, err
}

// Seen is when a notice was first fetched.
type Seen struct {
	ID uint64
	At time.Time
}

// FirstSeen returns all notices ordered by id, without decoding them; it is as fast as Watched.
func FirstSeen(w *Workspace) (all []Seen, err error) {
	err = NoticeRows(context.Background(), w, nil, func(id uint64, row []byte) error {
		all = append(all, Seen{id, timeIn(row, `"first_seen":"`)})
		return nil
	})
	return all, err
}

// tail is the most bytes that the times at the end of a notice's row take.
const tail = 160

// timeIn reads the time after a key at the end of a notice's row.
func timeIn(row []byte, key string) time.Time {
	row = row[max(0, len(row)-tail):]
	i := bytes.LastIndex(row, []byte(key))
	if i < 0 {
		return time.Time{}
	}
	row = row[i+len(key):]
	text, _, _ := bytes.Cut(row, []byte(`"`))
	t, _ := time.Parse(time.RFC3339Nano, string(text)) // zero without a valid time
	return t
}
