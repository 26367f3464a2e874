package store

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// decodeNotice reads a notice's row, which encoding/json wrote. encoding/json would scan the row
// twice; lists and exports read all rows of a workspace.
func decodeNotice(_ uint64, v []byte) (*Notice, error) {
	if !gjson.ValidBytes(v) {
		return nil, errors.New("the row of a notice is no JSON")
	}
	n := new(Notice)
	r := rowReader{}
	r.object(gjson.ParseBytes(v), func(key string, x gjson.Result) {
		switch key {
		case "id":
			n.ID = r.number(x).Uint()
		case "url":
			n.URL = r.text(x)
		case "title":
			n.Title = r.text(x)
		case "date":
			n.Date = r.time(x)
		case "precision":
			n.Precision = uint8(r.number(x).Uint())
		case "text":
			n.Text = r.text(x)
		case "method":
			n.Method = r.text(x)
		case "source":
			n.Source = r.text(x)
		case "source_id":
			n.SourceID = r.number(x).Uint()
		case "frame":
			n.Frame = r.text(x)
		case "frame_id":
			n.FrameID = r.number(x).Uint()
		case "attachments":
			if n.Attachments = nil; x.Type == gjson.Null {
				break
			}
			n.Attachments = []Attachment{}
			x.ForEach(func(_, one gjson.Result) bool {
				n.Attachments = append(n.Attachments, r.attachment(one))
				return r.err == nil
			})
		case "score":
			n.Score = r.number(x).Float()
		case "first_seen":
			n.FirstSeen = r.time(x)
		case "changed":
			n.Changed = r.time(x)
		}
	})
	return n, r.err
}

// rowReader keeps the first error of a row.
type rowReader struct{ err error }

func (r *rowReader) wrong(x gjson.Result, want string) {
	if r.err == nil {
		r.err = fmt.Errorf("%.40q stands where the row of a notice has %s", x.Raw, want)
	}
}

func (r *rowReader) object(x gjson.Result, f func(key string, x gjson.Result)) {
	if !x.IsObject() {
		r.wrong(x, "an object")
		return
	}
	x.ForEach(func(key, x gjson.Result) bool {
		f(key.Str, x)
		return r.err == nil
	})
}

// text copies: a substring would keep the whole row in memory.
func (r *rowReader) text(x gjson.Result) string {
	if x.Type != gjson.String {
		r.wrong(x, "a text")
	}
	return strings.Clone(x.Str)
}

func (r *rowReader) number(x gjson.Result) gjson.Result {
	if x.Type != gjson.Number {
		r.wrong(x, "a number")
	}
	return x
}

func (r *rowReader) time(x gjson.Result) (t time.Time) {
	if err := t.UnmarshalText([]byte(r.text(x))); err != nil {
		r.wrong(x, "a time")
	}
	return t
}

func (r *rowReader) attachment(x gjson.Result) (a Attachment) {
	r.object(x, func(key string, x gjson.Result) {
		switch key {
		case "name":
			a.Name = r.text(x)
		case "url":
			a.URL = r.text(x)
		case "class":
			a.Class = r.text(x)
		}
	})
	return a
}
