package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
	"github.com/blevesearch/bleve/v2/document"

	"angler/crawl/filter"
	"angler/crawl/jobs"
	"angler/dict"
	"angler/store"
	"angler/store/config"
)

var start = time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)

// workspaceOf is a workspace with notices; their ids are in order.
func workspaceOf(t testing.TB, notices ...store.Notice) (*store.Workspace, []uint64) {
	t.Helper()
	dir := t.TempDir()
	set := config.Default()
	set.Seeds = []string{"http://a.edu.cn/"}
	must(t, store.Create(dir, set))
	w, err := store.Open(dir)
	must(t, err)
	t.Cleanup(func() { w.Close() })
	return w, commit(t, w, notices...)
}

// commit stores notices and returns their ids.
func commit(t testing.TB, w *store.Workspace, notices ...store.Notice) (ids []uint64) {
	t.Helper()
	for part := range slices.Chunk(notices, 5000) {
		urls := make([]string, len(part))
		for i, n := range part {
			urls[i] = n.URL
		}
		if _, err := w.Seed(urls); err != nil {
			t.Fatal(err)
		}
		var batch []*store.Capture
		for i, url := range urls {
			id, ok := w.Lookup(url)
			if !ok {
				t.Fatalf("%s is not known", url)
			}
			part[i].ID = id
			ids = append(ids, id)
			batch = append(batch, &store.Capture{ID: id, State: store.Complete, Page: &store.Page{URL: url, Status: 200}, Notice: &part[i]})
		}
		if _, err := w.Commit(nil, batch); err != nil {
			t.Fatal(err)
		}
	}
	return ids
}

// fixture is a Search that is kept, and what it has said.
type fixture struct {
	*Search
	words atomic.Pointer[dict.Dict]
	room  atomic.Int64 // free on the disk
	grown chan struct{}
	notes chan string
	stop  func()
	ended chan struct{}
}

var plain = dict.Open(dict.Options{})

func keep(t testing.TB, w *store.Workspace, words *dict.Dict, with ...func(*fixture)) *fixture {
	f := &fixture{grown: make(chan struct{}, 100), notes: make(chan string, 100), ended: make(chan struct{})}
	f.words.Store(words)
	f.Search = New(Config{Store: w, Dict: f.words.Load, Jobs: new(jobs.Jobs), Soon: true,
		Note:  func(level, format string, args ...any) { f.notes <- level + ": " + fmt.Sprintf(format, args...) },
		Grown: func() { f.grown <- struct{}{} }, Free: func(string) (int64, bool) { return f.room.Load(), true }})
	f.room.Store(1 << 40)
	for _, set := range with {
		set(f)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { f.Keep(ctx); close(f.ended) }()
	f.stop = func() { cancel(); <-f.ended }
	t.Cleanup(f.stop)
	return f
}

// ready waits until the index is whole.
func (f *fixture) ready() { <-f.grown }

// until waits for what the keeper does in the background, as long as go test lets it.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	t.Logf("waiting as long as %s", what)
	for !ok() {
		<-time.After(2 * time.Millisecond)
	}
}

func held(t testing.TB, s *Search, words ...filter.Word) []*roaring64.Bitmap {
	t.Helper()
	got, err := s.Holding(t.Context(), words)
	must(t, err)
	return got
}

func holds(t testing.TB, s *Search, word string) []uint64 {
	t.Helper()
	return held(t, s, filter.Word{Text: word})[0].ToArray()
}

// some are notices in which words stand in every way.
var some = []store.Notice{
	{URL: "http://a.edu.cn/1", Title: "世界石油大会服务采购公告", Text: "项目编号：NTUZB-2026-0123\n第二十届世界石油大会，在\"北京\"召开 <b>。\n预算 92.28万元"},
	{URL: "http://b.edu.cn/ABC-2", Title: "石油装备", Text: "世界各地的大会讨论石油\nnorth gate, ＡＢＣ路５号"},
	{URL: "http://c.edu.cn/3", Title: "空调采购", Text: "南通大学琴房楼空调采购项目招标公告\n\n一、项目概况\tA座 3台"},
	{URL: "http://d.edu.cn/4", Title: "更正公告", Text: "原公告中“空调”改为\\电梯\\"},
	{URL: "http://e.edu.cn/5", Title: "", Text: ""},
	{URL: "http://f.edu.cn/6", Title: "𠮷野家 Café KELVIN \u212a", Text: "𠮷野家的ÄÖÜ与straße；١٢٣"},
}

// TestHoldingIsScanning is the promise of the package: a word finds the same notices with
// the index and without it, and the same as a look at every text.
func TestHoldingIsScanning(t *testing.T) {
	w, ids := workspaceOf(t, some...)
	indexed := keep(t, w, dict.Open(dict.Options{UserWords: strings.NewReader("世界石油大会\n")}))
	indexed.ready()
	bare := New(indexed.Config)
	var words []filter.Word
	for _, text := range []string{"世界石油大会", "石油大会", "油大", "石油", "会", "石", "大会讨论", "世界石油大会服务采购公告", "ntuzb", "zb-2026", "2026-0123", "0123", "12", "a座", "abc", "ａｂｃ", "abc-2",
		"north", "orth", "gate,", "http://c", "edu.cn/3", "路5", "路５号", "空调", "“空调”", "\\电梯\\", "\"北京\"", "<b>", "92.28万", "𠮷野", "𠮷野家", "café", "kelvin k", "k", "äöü", "straße", "١٢٣", "公告\n\n一", "况\ta", "n", "u003c", "没有的词", "不"} {
		words = append(words, filter.Word{Text: text})
	}
	words = append(words, []filter.Word{{Text: "世界石油年会", Near: 1}, {Text: "琴房空调", Near: 1}, {Text: "世界石油代表会", Near: 2}, {Text: "没有这样的词", Near: 1}, {Text: "2026-0133", Near: 1}, {Text: "a座3", Near: 1}}...)
	got, scanned := held(t, indexed.Search, words...), held(t, bare, words...)
	hits := 0
	for i, word := range words {
		want := roaring64.New()
		for k, n := range some {
			if word.In(n.Title) || word.In(n.Text) || word.In(n.URL) {
				want.Add(ids[k])
			}
		}
		if !got[i].Equals(want) {
			t.Errorf("by the index %v is in %v, but it is in %v", word, got[i].ToArray(), want.ToArray())
		}
		if !scanned[i].Equals(want) {
			t.Errorf("without it %v is in %v, but it is in %v", word, scanned[i].ToArray(), want.ToArray())
		}
		hits += int(want.GetCardinality())
	}
	if hits < len(words) {
		t.Errorf("%d words are in %d notices: they prove nothing", len(words), hits)
	}
}

// FuzzHolding asks for parts of any text.
func FuzzHolding(f *testing.F) {
	for _, n := range some {
		f.Add(n.Text, 3, 9)
	}
	f.Fuzz(func(t *testing.T, text string, from, to int) {
		lower := strings.ToLower(text)
		if from < 0 || to > len(lower) || from >= to {
			return
		}
		word := lower[from:to]
		if !strings.Contains(lower, word) || strings.ToValidUTF8(word, "") != word {
			return
		}
		have := map[string]bool{}
		eachGram(small("", "http://x.test", text), func(g string) { have[g] = true })
		grams, whole := gramsOf(word)
		for _, g := range grams {
			if !have[g] {
				t.Fatalf("%q holds %q, but not its gram %q", text, word, g)
			}
		}
		if whole && (len(grams) != 1 || grams[0] != word) {
			t.Fatalf("%q is said to be one gram: %q", word, grams)
		}
	})
}

// FuzzRow reads parts of rows as they may lie in a file.
func FuzzRow(f *testing.F) {
	f.Add([]byte(`{"id":1,"url":"u","title":"a\"b","text":"\u003c\\"}`), "b")
	f.Add([]byte(`"text":"`), "x")
	f.Add([]byte(`{"text":"\`), "x")
	f.Fuzz(func(t *testing.T, row []byte, word string) {
		l := matcherFor(filter.Word{Text: strings.ToLower(word)})
		var buf []byte
		l.in(row, &buf)
	})
}

func TestANewNoticeIsFoundAtOnce(t *testing.T) {
	w, _ := workspaceOf(t, some...)
	f := keep(t, w, plain)
	f.ready()
	n := store.Notice{URL: "http://z.edu.cn/9", Title: "显微镜采购", Text: "激光共聚焦显微镜"}
	id := commit(t, w, n)[0]
	n.ID = id
	f.Noticed(&n)
	if got := holds(t, f.Search, "显微镜"); !slices.Equal(got, []uint64{id}) {
		t.Errorf("before the keeper had a turn: %v", got)
	}
	scores, err := f.Rank([]filter.Word{{Text: "显微镜"}}, nil)
	if err != nil || scores.Of(id) <= 0 {
		t.Errorf("its relevance is %v, %v", scores, err)
	}
	until(t, "the notice still waits for the index", func() bool { f.mu.Lock(); defer f.mu.Unlock(); return len(f.waiting) == 0 })
	if got := holds(t, f.Search, "显微镜"); !slices.Equal(got, []uint64{id}) {
		t.Errorf("in the index: %v", got)
	}
	// Another text under the same address takes the place of the old one.
	n.Text, n.Title = "离心机", "离心机采购"
	commit(t, w, n)
	f.Noticed(&n)
	until(t, "the changed notice still waits", func() bool { f.mu.Lock(); defer f.mu.Unlock(); return len(f.waiting) == 0 })
	if old, now := holds(t, f.Search, "显微镜"), holds(t, f.Search, "离心机"); len(old) != 0 || !slices.Equal(now, []uint64{id}) {
		t.Errorf("the old text is in %v, the new one in %v", old, now)
	}
	must(t, store.TakeBack(w, []uint64{id}))
	f.TakenBack()
	until(t, "what was taken back is found", func() bool { return len(holds(t, f.Search, "离心机")) == 0 })
}

// TestWhatIsMade tells what an opening makes: what is missing after a kill, what another
// dictionary cuts, all when the index is gone or damaged, and nothing else.
func TestWhatIsMade(t *testing.T) {
	w, ids := workspaceOf(t, some...)
	dir := filepath.Join(w.Dir(), Folder)
	open := func(words *dict.Dict) *fixture {
		f := keep(t, w, words)
		f.ready()
		return f
	}
	f := open(plain)
	f.stop()
	if st, err := os.Stat(dir); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", st, err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range files {
		if st, err := os.Stat(name); err != nil || st.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v, %v", name, st.Mode(), err)
		}
	}

	// A kill loses what waits: the next opening finds it in the store.
	id := commit(t, w, store.Notice{URL: "http://z.edu.cn/9", Title: "显微镜采购"})[0]
	f = open(plain)
	if got := holds(t, f.Search, "显微镜"); !slices.Equal(got, []uint64{id}) {
		t.Errorf("after a kill: %v", got)
	}

	// A term that was accepted is one word of the texts as soon as they are cut again.
	one := func() int { return f.documents(t, "世界石油大会") }
	if n := one(); n != 0 {
		t.Errorf("%d documents have a word that no dictionary holds", n)
	}
	f.words.Store(dict.Open(dict.Options{UserWords: strings.NewReader("世界石油大会\n")}))
	f.Wake.Ring()
	until(t, "the texts are not cut again", func() bool { return one() == 1 })
	f.stop()

	for name, harm := range map[string]func() error{
		"deleted": func() error { return os.RemoveAll(dir) },
		"cut off": func() error {
			files, err := filepath.Glob(filepath.Join(dir, "*.zap"))
			if len(files) == 0 {
				return errors.Join(err, errors.New("there are no segments"))
			}
			for _, f := range files {
				err = errors.Join(err, os.Truncate(f, 20))
			}
			return err
		},
		"overwritten":        func() error { return os.WriteFile(filepath.Join(dir, rootFile), []byte("no database"), 0o600) },
		"without a segment":  func() error { return removeOne(filepath.Join(dir, "*.zap")) },
		"a file in its way":  func() error { return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600)) },
		"empty":              func() error { return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)) },
		"with a file beside": func() error { return os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			must(t, harm())
			f := open(plain)
			if got := holds(t, f.Search, "空调"); !slices.Equal(got, []uint64{ids[2], ids[3]}) {
				t.Errorf("空调 is found in %v", got)
			}
			f.mu.Lock()
			whole := f.whole
			f.mu.Unlock()
			if !whole {
				t.Error("there is no index")
			}
			f.stop()
		})
	}
}

// TestAnotherForm: documents that another form of the program made are made again.
func TestAnotherForm(t *testing.T) {
	w, ids := workspaceOf(t, some...)
	ix, err := openIndex(filepath.Join(w.Dir(), Folder), false)
	must(t, err)
	old := store.Notice{ID: ids[2], Title: "离心机"}
	key := keyOf(old.ID, docSource{row: 1, words: uint32(plain.Fingerprint())})
	err = errors.Join(ix.batch([]*document.Document{newDoc(key, &old, nil, nil, plain)}, nil), ix.close())
	must(t, err)
	f := keep(t, w, plain)
	f.ready()
	if n := f.documents(t, everyDocument); n != len(some) {
		t.Errorf("%d documents stand for %d notices", n, len(some))
	}
	if n := f.documents(t, "离心机"); n != 0 {
		t.Errorf("%d documents are as they were made", n)
	}
	if got := holds(t, f.Search, "空调"); !slices.Equal(got, []uint64{ids[2], ids[3]}) {
		t.Errorf("空调 is found in %v", got)
	}
}

func removeOne(pattern string) error {
	files, err := filepath.Glob(pattern)
	if len(files) == 0 {
		return errors.Join(err, errors.New("there is no "+pattern))
	}
	return os.Remove(files[0])
}

// TestFullDisk: an index that finds no room says so, nothing is written, and words are
// looked for in the stored notices.
func TestFullDisk(t *testing.T) {
	w, ids := workspaceOf(t, some...)
	f := keep(t, w, plain, func(f *fixture) { f.room.Store(1 << 20) })
	if p := f.Ready(t.Context()); p.Ready || !strings.Contains(p.Why, "the disk is full") {
		t.Errorf("%+v", p)
	}
	if said := <-f.notes; !strings.Contains(said, "is full; free some space") {
		t.Errorf("it was said: %s", said)
	}
	if got := holds(t, f.Search, "空调"); !slices.Equal(got, []uint64{ids[2], ids[3]}) {
		t.Errorf("空调 is found in %v", got)
	}
	if _, err := os.Stat(filepath.Join(w.Dir(), Folder)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
	f.stop()

	// A disk that fills while the index is open.
	f = keep(t, w, plain)
	f.ready()
	f.room.Store(0)
	n := store.Notice{URL: "http://z.edu.cn/9", Title: "显微镜采购"}
	n.ID = commit(t, w, n)[0]
	f.Noticed(&n)
	if said := <-f.notes; !strings.Contains(said, "is full; free some space") {
		t.Errorf("it was said: %s", said)
	}
	if got := holds(t, f.Search, "显微镜"); !slices.Equal(got, []uint64{n.ID}) {
		t.Errorf("显微镜 is found in %v", got)
	}
}

// TestDeletedWhileOpen: deleting the folder under a working program loses nothing.
func TestDeletedWhileOpen(t *testing.T) {
	w, _ := workspaceOf(t, some...)
	f := keep(t, w, plain)
	f.ready()
	must(t, os.RemoveAll(filepath.Join(w.Dir(), Folder)))
	n := store.Notice{URL: "http://z.edu.cn/9", Title: "显微镜采购"}
	n.ID = commit(t, w, n)[0]
	f.Noticed(&n)
	if got := holds(t, f.Search, "显微镜"); !slices.Equal(got, []uint64{n.ID}) {
		t.Errorf("found in %v", got)
	}
	f.ready() // it is made again
	if got := holds(t, f.Search, "空调"); len(got) != 2 {
		t.Errorf("空调 is found in %v", got)
	}
	if said := <-f.notes; !strings.Contains(said, "made again") {
		t.Errorf("it was said: %s", said)
	}
	f.stop()

	// It needs no question and no new notice.
	f = keep(t, w, plain, func(f *fixture) { f.Look = time.Millisecond })
	f.ready()
	// The keeper looks every millisecond, so the folder disappears in one step.
	must(t, os.Rename(filepath.Join(w.Dir(), Folder), filepath.Join(t.TempDir(), "gone")))
	if said := <-f.notes; !strings.Contains(said, "made again") {
		t.Errorf("it was said: %s", said)
	}
	f.ready()
}

func TestRank(t *testing.T) {
	w, ids := workspaceOf(t,
		store.Notice{URL: "http://a.edu.cn/1", Title: "会议通知", Text: "世界各国的石油企业将出席大会。" + strings.Repeat("石油大会世界。", 20)},
		store.Notice{URL: "http://a.edu.cn/2", Title: "通知", Text: "第二十届世界石油大会将在北京召开。" + strings.Repeat("关于会议的其他内容很多。", 40)},
		store.Notice{URL: "http://a.edu.cn/3", Title: "世界石油大会服务采购", Text: "世界石油大会的会务服务。"},
		store.Notice{URL: "http://a.edu.cn/4", Title: "别的", Text: "空调。"})
	order := func(words *dict.Dict, whole int) (out []uint64) {
		f := keep(t, w, words)
		f.ready()
		defer f.stop()
		until(t, "the texts are cut by another dictionary", func() bool { return f.documents(t, "世界石油大会") == whole })
		scores, err := f.Rank([]filter.Word{{Text: "世界石油大会"}}, nil)
		must(t, err)
		out = scores.IDs().ToArray()
		slices.SortFunc(out, func(a, b uint64) int { return cmp.Compare(scores.Of(b), scores.Of(a)) })
		return out
	}
	// P2, figures 6 and 7: without the domain word its parts decide, with it the word does.
	if got := order(plain, 0); len(got) != 3 || got[0] != ids[2] && got[0] != ids[0] {
		t.Errorf("without the word: %v", got)
	}
	if got := order(dict.Open(dict.Options{UserWords: strings.NewReader("世界石油大会\n")}), 2); !slices.Equal(got, []uint64{ids[2], ids[1], ids[0]}) {
		t.Errorf("with it the order is %v of %v", got, ids)
	}
}

// documents counts those that have a word; -1 while there is no index.
func (f *fixture) documents(t testing.TB, word string) int {
	m := f.state()
	defer m.close()
	if m.ix == nil {
		return -1
	}
	n, err := m.ix.having(word)
	must(t, err)
	return int(n)
}

// invented makes n notices of some 700 characters, as those of universities are long,
// from the words of tenders and a hundred thousand made-up ones.
func invented(n int) []store.Notice {
	r := rand.New(rand.NewPCG(7, 9))
	base := strings.Fields("采购 项目 招标 公告 投标 供应商 预算 金额 万元 学院 大学 设备 服务 工程 空调 实验室 电梯 显微镜 食堂 物业 图书馆 学生 公寓 改造 维修 中标 结果 更正 通知 截止 时间 地点 联系人 电话 地址 文件 获取 方式 开标 评审 标准 资格 要求 政府 单位 名称 编号 数量 技术 参数 质量 保证 合同 履行 期限 付款 验收 培训 售后 本科 教学 科研 平台 建设 信息化 网络 安全 软件 系统 服务器 存储 机房 消防 绿化 道路 监控")
	rare := []rune("丁万丈三上下世丘丙业东丝丰临丹丽举乃久义之乌乐乔乘乙九也习乡书买乱乳乾予事二云五井亚交亦京亭亮亲人仁今介从仓仔他仙代令以仪仰任份仿企伊伍伏伐休众优伙会伞伟传伤伦伯估伴伸似但位低住体何余佛作佩佳使侍供依侠侧侨保信修俱倍借倡倾假偏停健催像元兄充先光克免兔入全八公六兰共关兴其具典兼内册再写军农冠冬冰冲决况冷净准凉减几凡凤")
	word := func() string {
		if r.IntN(4) > 0 {
			return base[min(r.IntN(len(base)), r.IntN(len(base)))]
		}
		w := make([]rune, 2+r.IntN(2))
		for i := range w {
			w[i] = rare[r.IntN(len(rare))]
		}
		return string(w)
	}
	out := make([]store.Notice, n)
	for i := range out {
		var text strings.Builder
		fmt.Fprintf(&text, "项目编号：ZB%d-%05d\n", 2020+i%7, i)
		for k := range 320 {
			text.WriteString(word())
			if k%9 == 8 {
				text.WriteString("，")
			}
			if k%40 == 39 {
				text.WriteString("。\n")
			}
		}
		out[i] = store.Notice{URL: fmt.Sprintf("http://ztb%d.edu.cn/2026/%d.htm", i%300, i), Title: word() + word() + word() + word() + "采购项目公开招标公告", Text: text.String(), FirstSeen: start}
	}
	return out
}

// BenchmarkIndex tells how fast an index is made, with two processors.
func BenchmarkIndex(b *testing.B) {
	const n = 10_000
	w, _ := workspaceOf(b, invented(n)...)
	plain.Err()
	for b.Loop() {
		must(b, os.RemoveAll(filepath.Join(w.Dir(), Folder)))
		f := keep(b, w, plain)
		f.ready()
		f.stop()
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "notices/s")
	b.ReportMetric(float64(sizeOf(filepath.Join(w.Dir(), Folder)))/n, "bytes/notice")
}

// BenchmarkSearch asks an index of many notices for new words,
// and ranks what holds them.
func BenchmarkSearch(b *testing.B) {
	n := 100_000
	if testing.Short() {
		n = 15_000
	}
	w, _ := workspaceOf(b, invented(n)...)
	f := keep(b, w, plain)
	f.ready()
	var asked []string
	for n := range w.Notices() {
		r := []rune(strings.NewReplacer("，", "", "。", "", "\n", "").Replace(n.Text))
		for k := range 3 {
			at := 20 + (k*131+int(n.ID)*17)%(len(r)-40)
			asked = append(asked, string(r[at:at+2+k]))
		}
		if len(asked) > 300 {
			break
		}
	}
	asked = append(asked, "采购", "招标公告", "空调采购", "实验室设备", "zb2023-00123", "信息化", "公开招标")
	var took []time.Duration
	i := 0
	for b.Loop() {
		word := filter.Word{Text: asked[i%len(asked)]}
		i++
		begun := time.Now()
		got, err := f.Holding(b.Context(), []filter.Word{word})
		must(b, err)
		if _, err := f.Rank([]filter.Word{word}, got[0]); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "max-ms")
	b.ReportMetric(float64(sizeOf(filepath.Join(w.Dir(), Folder)))/(1<<20), "index-MB")
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
