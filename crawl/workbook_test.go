//go:build unix

package crawl_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/query"
	"angler/store"
)

// workbookNotices is how many notices BenchmarkWorkbook writes.
const workbookNotices = 10_000

// BenchmarkWorkbook does what angler notices export DIR -o out.xlsx does with 10,000 notices of some
// 2 KB and their fields, from the opening of the workspace on. It reports seconds, those
// of all processors, and the most memory that was resident.
//
//	go test ./crawl -run '^$' -bench Workbook -benchtime 3x -timeout 30m
func BenchmarkWorkbook(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var all []store.Notice
	for i := range workbookNotices {
		buyer := fmt.Sprintf("%s第%d中学", []string{"东湖", "西山", "南屏", "北海"}[i%4], r.IntN(300))
		title := fmt.Sprintf("%s%s采购项目公开招标公告", buyer, thing(i))
		text := fmt.Sprintf("项目编号：DHU-2026-%05d\n项目名称：%s%s采购\n采购人：%s\n采购代理机构：华信招标有限公司\n预算金额：%d.%02d万元\n最高限价：%d元\n投标截止时间：2026年12月%d日09时30分\n开标时间：2026年12月%d日09时30分\n联系人：王工\n联系电话：0511-8%07d\n",
			i, buyer, thing(i), buyer, 10+r.IntN(500), r.IntN(100), 100000+r.IntN(5000000), 1+i%28, 1+i%28, r.IntN(10_000_000))
		for len(text) < 2000 {
			text += fmt.Sprintf("第%d条 供应商应当提供%s，交货期%d天，质保期%d个月，欢迎符合条件的供应商参加投标。\n", r.IntN(90), thing(r.IntN(1000)), r.IntN(90), r.IntN(60))
		}
		day := inboxStart.Add(-time.Duration(i) * time.Minute)
		all = append(all, store.Notice{URL: fmt.Sprintf("http://h%d.edu.cn/%d.htm", i%50, i), Title: title, Text: text, Date: day, Precision: 3, FirstSeen: day, Source: "http://list.test/", Score: .5})
	}
	dir := lettered(b, all...)
	all = nil
	e, err := crawl.Open(b.Context(), dir, crawl.Options{})
	must(b, err)
	must(b, e.Facts.Idle(b.Context()))
	must(b, e.Close())
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // as the command does
	debug.FreeOSMemory()
	resetPeak()
	for b.Loop() {
		before, begun := processorTime(b), time.Now()
		e, err := crawl.Open(b.Context(), dir, crawl.Options{By: "wang", Reading: true})
		must(b, err)
		out := filepath.Join(b.TempDir(), "out.xlsx")
		n, err := e.Pages.ExportFile(b.Context(), query.ExportPlan{What: "notices", Format: "xlsx", By: "wang", Fields: e.Pages.DefaultFields()}, out, true)
		if err != nil || n != workbookNotices {
			b.Fatalf("%d notices, %v", n, err)
		}
		b.ReportMetric(time.Since(begun).Seconds(), "s")
		b.ReportMetric((processorTime(b) - before).Seconds(), "CPU-s")
		must(b, e.Close())
	}
	b.ReportMetric(resident("VmHWM"), "MB-peak")
}
