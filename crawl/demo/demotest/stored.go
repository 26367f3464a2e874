package demotest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"angler/crawl/article"
	"angler/store"
	"angler/store/config"
)

// TenderStart is the date of the newest notices of Tender.
var TenderStart = time.Date(2026, 11, 20, 8, 0, 0, 0, time.Local)

// Tender returns the notice number i, of one of 300 sites.
func Tender(i int) store.Notice {
	return store.Notice{URL: fmt.Sprintf("http://h%d.test/%d.htm", i%300, i), Title: Thing(i) + "采购项目公开招标公告",
		Text: fmt.Sprintf("受海州大学委托，就%s采购项目进行公开招标。\n项目编号：HZ2026-%05d\n预算金额：%d万元\n投标截止时间：2026年12月%d日09时30分\n采购人：海州大学",
			Thing(i), i, 10+i%500, 1+i%28),
		Date: TenderStart.AddDate(0, 0, -i%90), Precision: uint8(article.Day),
		FirstSeen: TenderStart.Add(time.Duration(i) * time.Minute), Source: "http://list.test/zbgg"}
}

// manyVar names a folder that keeps the workspace of Many for the next run; without it each run makes one.
const manyVar = "ANGLER_BENCH_WORKSPACE"

// Many returns a workspace of 100,000 notices alone, or of 5,000 with -short, for benchmarks. The notices have their ids.
func Many(b testing.TB) (dir string, list []store.Notice) {
	b.Helper()
	list = make([]store.Notice, 100_000)
	if testing.Short() {
		list = list[:5000]
	}
	for i := range list {
		list[i] = Tender(i)
		list[i].Text += strings.Repeat("\n"+Thing(i*7)+"应满足采购需求，供应商须具备相应资质，报价包含运输安装与售后服务。", 6)
	}
	root := os.Getenv(manyVar)
	if root == "" {
		root = b.TempDir()
	}
	dir = filepath.Join(root, strconv.Itoa(len(list)))
	if _, err := os.Stat(dir); err != nil {
		storeIn(b, dir, list)
	}
	w, err := store.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer Close(b, w)
	for i := range list {
		list[i].ID, _ = w.Lookup(list[i].URL)
	}
	return dir, list
}

// Stored makes a workspace of notices alone and returns its folder. The notices get their ids.
func Stored(t testing.TB, list ...store.Notice) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "ws")
	storeIn(t, dir, list)
	return dir
}

// storeIn makes a workspace of notices in a folder.
func storeIn(t testing.TB, dir string, list []store.Notice) {
	t.Helper()
	set := config.Default()
	set.Seeds, set.Store.ExpectedURLs = []string{"http://a.test/"}, 2*len(list)+1000
	if err := store.Create(dir, set); err != nil {
		t.Fatal(err)
	}
	w, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for part := range slices.Chunk(list, 2000) {
		var seeds []string
		for i := range part {
			seeds = append(seeds, part[i].URL)
		}
		if _, err := w.Seed(seeds); err != nil {
			t.Fatal(err)
		}
		var batch []*store.Capture
		for i := range part {
			part[i].ID, _ = w.Lookup(part[i].URL)
			batch = append(batch, &store.Capture{ID: part[i].ID, State: store.Complete, Notice: &part[i],
				Page: &store.Page{URL: part[i].URL, Status: 200, Title: part[i].Title, Fetched: TenderStart}})
		}
		if _, err := w.Commit(nil, batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
