package page

import (
	"fmt"
	"strings"
	"testing"

	"angler/crawl/article"
)

// On foreign pages the methods vote, and MainMethod names the method of the text.
func TestVote(t *testing.T) {
	menu := `<nav>` + strings.Repeat(`<a href="/x.htm">Section</a> `, 10) + `</nav>`
	text := repeated(`<p>Paragraph %d says, in a sentence of its own, what the council decided about the bridge, its cost and the year of opening.</p>`, 0, 8)
	p := parse(t, `<html><title>Bridge decided - Example</title>`+menu+`<article><h1>Bridge decided</h1>`+text+`</article>`, Options{Main: article.MethodAuto})
	if p.MainMethod == article.MethodMass || !strings.Contains(p.Main, "Paragraph 7 says") || strings.Contains(p.Main, "Section") {
		t.Errorf("by %s: %.200q", p.MainMethod, p.Main)
	}
}

// A short reply of a thread is text, because the methods take lines at the same tag path.
func TestVoteOnThread(t *testing.T) {
	posts := []string{
		"Does anyone here know which glue holds the veneer of an old radio, and how long it has to be pressed?",
		"Hide glue is what they used, so hide glue it should be, warm and not too thick; press it for a night.",
		"I did mine with white glue, which was a mistake, because the next person will never get it off again.",
		"Thanks, both of you, I shall try the hide glue first, and tell you how it went when it has dried.",
	}
	p := parse(t, thread("Veneer of an old radio", posts), Options{Main: article.MethodAuto})
	for _, post := range posts {
		if !strings.Contains(p.Main, post) {
			t.Errorf("by %s without %q: %q", p.MainMethod, post, p.Main)
		}
	}
	for _, frame := range []string{"Members online", "Joined", "Reply"} {
		if strings.Contains(p.Main, frame) {
			t.Errorf("by %s with %q: %q", p.MainMethod, frame, p.Main)
		}
	}
}

// A table of data is text with its labels, also one that a button unfolds.
func TestVoteOnTables(t *testing.T) {
	text := strings.Repeat(`<p>The pump moves water from the lake to the tower, day and night, and needs no care but oil. </p>`, 4)
	rows := `<tr><th>Power</th><td>400 watts</td></tr><tr><th>Weight</th><td>12 kilograms</td></tr><tr><th>Voltage</th><td>230 volts</td></tr><tr><th>Flow</th><td>30 litres a minute</td></tr>`
	for name, table := range map[string]string{
		"shown":   `<table>` + rows + `</table>`,
		"hidden":  `<a href="#" onclick="unfold()">Show more</a><table style="display:none">` + rows + `</table>`,
		"details": `<details><summary>Data</summary><table>` + rows + `</table></details>`,
	} {
		p := parse(t, `<html><title>Pump of the tower - Works</title><ul><li><a href="/">Home</a></li><li><a href="/p">Pumps</a></li></ul><h1>Pump of the tower</h1><div>`+text+table+`</div>`, Options{Main: article.MethodAuto})
		for _, row := range []string{"Power\t400 watts", "Weight\t12 kilograms", "Flow\t30 litres a minute"} {
			if !strings.Contains(p.Main, row) {
				t.Errorf("%s: by %s without %q: %q", name, p.MainMethod, row, p.Main)
			}
		}
		if strings.Contains(p.Main, "Pumps") {
			t.Errorf("%s: by %s with the menu: %q", name, p.MainMethod, p.Main)
		}
	}
}

// The text has a part once that a page shows twice, for wide and for narrow screens.
func TestVoteOnCopies(t *testing.T) {
	part := `<div class="description"><p>The course takes place on Mondays, in the evening, and is held over the network.</p><p>It includes:</p>` +
		`<ul><li>Access to all the lessons</li><li>Questions after each lesson</li><li>A meeting every month, for members</li></ul>` +
		`<p>Members pay every month, and may leave at the end of one, whenever they like.</p></div>`
	body := `<nav><a href="/">Home</a> <a href="/courses">Courses</a></nav><main><h1>Course on Mondays</h1><p>$39.00</p>` + part + `<div class="narrow">` + part + `</div></main>`
	p := parse(t, `<html><title>Course on Mondays - School</title>`+body, Options{Main: article.MethodAuto})
	for _, line := range []string{"Questions after each lesson", "It includes:", "Members pay every month"} {
		if n := strings.Count(p.Main, line); n != 1 {
			t.Errorf("by %s %d times %q: %q", p.MainMethod, n, line, p.Main)
		}
	}
}

// The text of a page may stand in <noscript>.
func TestNoscript(t *testing.T) {
	script := `<script>` + strings.Repeat("window.state.push({a:1,b:2});\n", 2000) + `</script>`
	text := strings.Repeat(`<p>The archive opens on weekdays, and visitors who want to read there write to the office a week before, please.</p>`, 6)
	html := `<html><head><title>Opening hours - Example</title></head><body><div id="app"></div>` + script + `<noscript><article><h1>Opening hours</h1>` + text + `</article></noscript></body></html>`
	p := parse(t, html, Options{Main: article.MethodAuto})
	if !strings.Contains(p.Main, "visitors who want to read there") {
		t.Errorf("by %s: %.200q", p.MainMethod, p.Main)
	}
	if p := parse(t, `<html><title>公告</title><body><p>详见附件</p>`+script, Options{Main: article.MethodAuto}); p.Main != "详见附件" {
		t.Errorf("a short notice by %s: %q", p.MainMethod, p.Main)
	}
}

// The text has no lines with a source.
func TestSourceLines(t *testing.T) {
	sentence := "本公告对采购项目的内容、数量、预算和时间作如下说明，请各供应商仔细阅读。"
	for _, line := range []string{"发布媒体：江南招标网", "来源：教务处", "来 源：教务处", "稿件来源：宣传部"} {
		for _, html := range []string{`<p>` + line + `</p><p>%s</p><p>%s</p>`, `<p>%s</p><p>%s</p><p>` + line + `</p>`} {
			p := parse(t, `<html><title>采购公告一号</title><div class=c><h1>采购公告一号</h1>`+fmt.Sprintf(html, sentence, sentence)+`</div>`, Options{Main: article.MethodMass})
			if p.Main != sentence+"\n"+sentence {
				t.Errorf("%s: %q", line, p.Main)
			}
		}
	}
}
