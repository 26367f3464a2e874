package store

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// FuzzDecodeNotice compares DecodeNotice with encoding/json.
func FuzzDecodeNotice(f *testing.F) {
	f.Add(uint64(1)<<63+1, "http://a.test/?a=1&b=<2>", "招标\u2028公告 \"甲\"\\", "第一行\n\t第二行 \x00\x1f 𝄞 \xff", uint8(3), .1, int64(1766000000), int32(8*3600), 2)
	f.Add(uint64(0), "", "", "", uint8(255), -1e-300, int64(0), int32(0), -1)
	f.Fuzz(func(t *testing.T, id uint64, url, title, text string, precision uint8, score float64, at int64, zone int32, files int) {
		day := time.Unix(at%(1<<37), at&(1<<30-1)).In(time.FixedZone("", int(zone%(14*60))*60))
		n := &Notice{ID: id, URL: url, Title: title, Date: day, Precision: precision, Text: text, Method: title, Source: url, SourceID: id / 2, Score: score, FirstSeen: day.UTC()}
		if id%2 == 1 {
			n.Frame, n.FrameID, n.Changed = url, id, day.Local()
		}
		if files >= 0 {
			n.Attachments = []Attachment{}
		}
		for range min(files, 3) {
			n.Attachments = append(n.Attachments, Attachment{Name: title, URL: url, Class: text})
		}
		row, err := json.Marshal(n)
		if err != nil {
			return // a year beyond 9999
		}
		var want Notice
		must(t, json.Unmarshal(row, &want))
		got, err := DecodeNotice(id, row)
		if err != nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("%s is read as\n%+v, want\n%+v, %v", row, got, want, err)
		}
		if _, err := DecodeNotice(id, row[:len(row)-1]); err == nil {
			t.Error("half a row is read")
		}
	})
}

// A row that is JSON but no notice is reported as damaged.
func TestRowsThatAreNoNotice(t *testing.T) {
	for _, row := range []string{``, `{"id":`, `[1]`, `{"title":5}`, `{"id":"5"}`, `{"first_seen":"yesterday"}`, `{"attachments":["a"]}`} {
		if _, err := DecodeNotice(1, []byte(row)); err == nil {
			t.Errorf("%s is read", row)
		}
	}
}

func BenchmarkDecodeNotice(b *testing.B) {
	row, err := json.Marshal(&Notice{ID: 1, URL: "http://a.test/1", Title: "东湖大学显微镜采购项目公开招标公告", Text: strings.Repeat("供应商应当提供显微镜，交货期 30 天。\n", 40), FirstSeen: time.Unix(1766000000, 0)})
	must(b, err)
	b.SetBytes(int64(len(row)))
	for b.Loop() {
		if _, err := DecodeNotice(1, row); err != nil {
			b.Fatal(err)
		}
	}
}
