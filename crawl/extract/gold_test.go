package extract

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

func TestCompare(t *testing.T) {
	const caption, foot = "一月五日，实验中心的新设备完成安装。", "版权所有：江南理工大学招标与采购中心暨实验室与设备管理处综合办公室以及后勤保障部房屋与土地管理科联合值班室，地址：江南市学府路一号行政楼五楼五〇二办公室，邮编：二一〇〇〇〇"
	files := map[string]string{
		"g/story.html": "<html><body><div><img src=a.jpg><p>" + caption + "</p></div><div>" + strings.Repeat("<a href=/x.htm>栏目</a>", 20) + "</div><div><span>" + foot + "</span></div>",
		"g/text.html":  "<html><body><div><p>" + strings.Repeat("本公告对采购项目的内容、数量、预算和时间作如下说明。", 9) + "</p></div>",
	}
	open := func(path string) ([]byte, error) {
		if s, ok := files[path]; ok {
			return []byte(s), nil
		}
		return nil, os.ErrNotExist
	}
	gold := `{"path":"story.html","text":"` + caption + `"}
{"file":"list.html","text":""}

{"file":"text.html","url":"http://a.test/","text":"` + strings.Repeat("本公告对采购项目的内容、数量、预算和时间作如下说明。", 9) + `"}
{"file":"gone.html","text":"x"}
`
	x, err := New("", time.Unix(1.7e9, 0), open)
	must(t, err)
	c, err := x.Compare(context.Background(), strings.NewReader(gold), "g")
	must(t, err)
	if c.Pages != 2 || c.WithText != 3 || c.LeftOut != 1 || len(c.Failed) != 1 || !strings.Contains(c.Failed[0], "gone.html") || len(c.Methods) != 7 {
		t.Errorf("%+v", c)
	}
	for _, m := range c.Methods {
		if m.Method != "pathratio" {
			continue
		}
		// one page of three is right in both passes, the story in the second, one is missing
		if m.Changed != 1 || m.First.F1 < .33 || m.First.F1 > .34 || m.Second.P < .66 || m.Second.R > .67 || m.Second.F1 < .66 {
			t.Errorf("%+v", m)
		}
	}
	x.Method = "density"
	if c, err := x.Compare(context.Background(), strings.NewReader(gold), "g"); err != nil || len(c.Methods) != 1 || c.Methods[0].Method != "density" {
		t.Errorf("one method: %+v, %v", c, err)
	}
	for name, text := range map[string]string{"no json": "x\n", "no file": `{"text":"a"}`} {
		if _, err := x.Compare(context.Background(), strings.NewReader(text), "g"); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := x.Compare(context.Background(), strings.NewReader(`{"file":"a"}`), "g"); !errors.Is(err, errGold) {
		t.Errorf("nothing to measure on: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.Compare(ctx, strings.NewReader(gold), "g"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
