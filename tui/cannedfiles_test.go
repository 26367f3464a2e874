package tui

import (
	"angler/store/records"
)

// Ask implements screen.Files.
func (c *canned) Ask(ids []uint64) (int, error) { return len(ids), nil }

// TextOf implements screen.Files: every document is the same table.
func (c *canned) TextOf(string) (*records.DocumentText, error) {
	return &records.DocumentText{Version: 1, Text: "招标文件\n第一章 投标人须知\n一、总则\n项目编号：ZB2026-118\n预算金额：92.28万元\n序号\t名称\t数量\t单价（元）\n1\t空调\t12台\t3 200\n2\t控制箱\t2个\t1 150", Pages: 12, Cut: "500 of 612 pages"}, nil
}
