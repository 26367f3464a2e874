package crawl_test

import (
	"archive/zip"
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/fields"
	"angler/crawl/inbox"
	"angler/store"
	"angler/store/records"
)

// wordFile is a DOCX file of paragraphs.
func wordFile(t testing.TB, paragraphs ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	text := ""
	for _, p := range paragraphs {
		text += "<w:p><w:r><w:t>" + p + "</w:t></w:r></w:p>"
	}
	for name, s := range map[string]string{"[Content_Types].xml": "<Types/>", "word/document.xml": "<w:document><w:body>" + text + "</w:body></w:document>"} {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(s))
		}
		must(t, err)
	}
	must(t, z.Close())
	return b.Bytes()
}

const documentName = "采购需求.docx"

// withDocument stores a notice whose document lies in the workspace and was not read yet.
func withDocument(t testing.TB, w *store.Workspace, body []byte) (id uint64) {
	t.Helper()
	const address = "http://docs.test/zbgg/1.htm"
	must(t, errOf(w.Seed([]string{address})))
	id, _ = w.Lookup(address)
	link := store.Attachment{Name: documentName, URL: "http://docs.test/zbgg/1.docx", Class: "document"}
	n := &store.Notice{ID: id, URL: address, Title: "某校实验台采购招标公告", Text: "某校实验台采购招标公告\n采购人：临江大学\n详见附件。", Attachments: []store.Attachment{link}}
	must(t, errOf(w.Commit(nil, []*store.Capture{{ID: id, State: store.Complete, Notice: n}})))
	hash, file, err := records.KeepDocument(w.Dir(), body, ".docx")
	if err == nil {
		err = records.PutDocuments(w, &records.Document{URL: link.URL, Name: link.Name, Notices: []uint64{id}, State: records.DocumentKept, At: time.Unix(1e9, 0), Hash: hash, File: file, Size: int64(len(body)), Kind: "docx"})
	}
	must(t, err)
	return id
}

// What a notice leaves to its document is read from there, and what both say is said by
// the notice. Documents that became known while no fields were read are found, too.
func TestFieldsOfDocuments(t *testing.T) {
	dir := t.TempDir()
	b := openDemo(t, dir, crawl.Options{})
	ctx := context.Background()
	id := withDocument(t, b.Workspace(), wordFile(t, "采购人：别处大学", "项目编号：LJDX-2026-0117", "预算金额：人民币 92.28 万元"))
	must(t, errOf(b.Files.FetchAll(ctx, nil)))
	said := func() map[string]fields.Value {
		t.Helper()
		must(t, b.Facts.Idle(ctx))
		s, err := b.Facts.Of(id)
		if err != nil || s == nil {
			t.Fatalf("%v, %v", s, err)
		}
		out := map[string]fields.Value{}
		for _, v := range s.Result.Values {
			out[v.Field] = v
		}
		return out
	}
	expect := func(field, norm string, source fields.Source, label string) {
		t.Helper()
		v := said()[field]
		if v.Norm != norm || v.Source != source || source == fields.FromAttachment && v.Label != label {
			t.Errorf("%s is %+v, want %s by %s", field, v, norm, source)
		}
	}
	expect("buyer", "临江大学", fields.FromLine, "")
	expect("number", "LJDX-2026-0117", fields.FromAttachment, documentName)
	expect("budget", "922800", fields.FromAttachment, documentName)

	// Another text that came while the fields were not looked after.
	row, err := records.DocumentOf(b.Workspace(), "http://docs.test/zbgg/1.docx")
	must(t, err)
	text, err := records.DocumentTextOf(b.Workspace(), row.Hash)
	if err == nil {
		text.Text = "项目编号：LJDX-2026-0118"
		err = records.PutDocumentText(b.Workspace(), row.Hash, text)
	}
	must(t, err)
	b.Facts.TakenBack() // looks through everything, as an opening does
	expect("number", "LJDX-2026-0118", fields.FromAttachment, documentName)
	if v, is := said()["budget"]; is {
		t.Errorf("a budget that no document has any more: %+v", v)
	}
}

// A word that only a document has is found by the search and by a list that was asked
// for before the document came.
func TestSearchOfDocuments(t *testing.T) {
	b := openDemo(t, t.TempDir(), crawl.Options{})
	ctx := context.Background()
	id := withDocument(t, b.Workspace(), wordFile(t, "激光共聚焦显微镜两台，见技术参数表"))
	find := func() *inbox.FoundNotices {
		t.Helper()
		got, err := b.Inbox.Search(ctx, inbox.SearchRequest{Query: "共聚焦显微镜"})
		must(t, err)
		return got
	}
	if got := find(); got.Total != 0 {
		t.Errorf("before its text is read: %+v", got.Rows)
	}
	must(t, errOf(b.Files.FetchAll(ctx, nil)))
	got := find()
	if got.Total != 1 || got.Rows[0].ID != id || got.Rows[0].Document != documentName || !strings.Contains(got.Rows[0].Snippet, "共聚焦显微镜") || len(got.Rows[0].Lit) != 1 {
		t.Errorf("%+v", got.Rows)
	}
	list, err := b.Inbox.List(ctx, inbox.Request{Query: "共聚焦显微镜"})
	if err != nil || len(list.Rows) != 1 {
		t.Errorf("in the list: %v, %v", list, err)
	}
}

// A sum is found however a notice writes it.
func TestSearchOfSums(t *testing.T) {
	b := openDemo(t, t.TempDir(), crawl.Options{})
	ctx := context.Background()
	id := withDocument(t, b.Workspace(), wordFile(t, "预算金额：人民币 9,228,000.00 元"))
	must(t, errOf(b.Files.FetchAll(ctx, nil)))
	must(t, b.Facts.Idle(ctx))
	for query, want := range map[string]int{"922.8万": 1, "922.8万元 实验台": 1, "0.09228亿元": 1, "922.9万": 0, "922.8": 0, "922.8万 显微镜": 0} {
		got, err := b.Inbox.Search(ctx, inbox.SearchRequest{Query: query})
		if err != nil || got.Total != want || want == 1 && got.Rows[0].ID != id {
			t.Errorf("%s: %+v, %v", query, got, err)
		}
		list, err := b.Inbox.List(ctx, inbox.Request{Query: query})
		if err != nil || len(list.Rows) != want {
			t.Errorf("%s in the list: %v, %v", query, list, err)
		}
	}
}
