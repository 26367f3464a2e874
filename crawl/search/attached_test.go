package search

import (
	"slices"
	"sync"
	"testing"

	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"angler/crawl/attachments"
	"angler/crawl/filter"
	"angler/store"
	"angler/store/records"
)

// files are the texts of documents by their address; some file is in the workspace.
type files struct {
	mu    sync.Mutex
	texts map[string]string
}

func (f *files) set(url, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.texts[url] = text
}

func (f *files) of(n *store.Notice) (out []attachments.DocumentText, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, a := range n.Attachments {
		if t := f.texts[a.URL]; t != "" {
			out = append(out, attachments.DocumentText{Name: a.Name, Text: t})
		}
	}
	return out, nil
}

// TestDocuments: what stands in a document is found with the index and without it, at
// once, in the index, after another text, and after an opening.
func TestDocuments(t *testing.T) {
	have := slices.Clone(some)
	link := func(name string) store.Attachment {
		return store.Attachment{Name: name, URL: "http://a.edu.cn/" + name, Class: "document"}
	}
	have[0].Attachments = []store.Attachment{link("需求.docx"), link("表.xlsx")}
	have[4].Attachments = []store.Attachment{link("清单.pdf")}
	have[5].Attachments = []store.Attachment{link("没有.pdf")}
	w, ids := workspaceOf(t, have...)
	docs := &files{texts: map[string]string{"http://a.edu.cn/需求.docx": "激光共聚焦显微镜 2台\nModel LSM-900", "http://a.edu.cn/清单.pdf": "Kelvin probe，空调"}}
	with := func(f *fixture) { f.Documents = docs.of }
	must(t, records.PutDocumentText(w, "00"+string(slices.Repeat([]byte("ab"), 31)), &records.DocumentText{Version: 1, Text: "x"}))
	texts := func(i int) (out []string) {
		list, _ := docs.of(&have[i])
		for _, d := range list {
			out = append(out, d.Text)
		}
		return append(out, have[i].Title, have[i].Text, have[i].URL)
	}
	var words []filter.Word
	for _, text := range []string{"显微镜", "微镜", "激光", "lsm-900", "900", "空调", "kelvin", "石油", "没有的词", "台\nm", "𠮷野", "2台", "离心机", "公告"} {
		words = append(words, filter.Word{Text: text})
	}
	words = append(words, filter.Word{Text: "激光共焦显微镜", Near: 1})
	same := func(when string, f *fixture) {
		t.Helper()
		bare := New(f.Config)
		got, scanned := held(t, f.Search, words...), held(t, bare, words...)
		for i, word := range words {
			want := roaring64.New()
			for k := range have {
				if slices.ContainsFunc(texts(k), word.In) {
					want.Add(ids[k])
				}
			}
			if !got[i].Equals(want) || !scanned[i].Equals(want) {
				t.Errorf("%s: %v is in %v by the index, in %v without it; it is in %v", when, word, got[i].ToArray(), scanned[i].ToArray(), want.ToArray())
			}
		}
	}
	f := keep(t, w, plain, with)
	f.ready()
	same("made with the index", f)
	if scores, err := f.Rank([]filter.Word{{Text: "显微镜"}}, nil); err != nil || scores.Of(ids[0]) <= 0 {
		t.Errorf("its relevance is %v, %v", scores, err)
	}
	part, lit, name, err := f.Within(&have[0], []filter.Word{{Text: "显微镜"}}, 40)
	if err != nil || name != "需求.docx" || len(lit) != 1 || part[lit[0].From:lit[0].To] != "显微镜" {
		t.Errorf("the snippet %q, %v of %q, %v", part, lit, name, err)
	}
	if _, _, name, _ := f.Within(&have[0], []filter.Word{{Text: "石油"}}, 40); name != "" {
		t.Errorf("the notice's own word is shown in %q", name)
	}
	taken := func() bool { f.mu.Lock(); defer f.mu.Unlock(); return len(f.waiting) == 0 }
	docs.set("http://a.edu.cn/需求.docx", "离心机")
	f.Again(ids[:1])
	same("before the keeper had a turn", f)
	until(t, "the document waits for the index", taken)
	same("in the index", f)
	f.stop()
	docs.set("http://a.edu.cn/需求.docx", "显微镜与离心机") // without a notification
	f = keep(t, w, plain, with)
	f.ready()
	same("after an opening", f)
}
