package urls

import "testing"

func TestURLScoreFollowsTheSamples(t *testing.T) {
	j := SharesOf([]string{"http://zbb.a.test/zbgg/list2.htm", "http://cg.b.test/zbgg/list.htm"})
	for _, c := range []struct {
		url  string
		more string // scores less than url
	}{
		{"http://www.c.test/zbgg/list5.htm", "http://www.c.test/xwzx/list5.htm"},
		{"http://www.c.test/zbgg/list.htm", "http://www.c.test/zbgg/2024/c12a33/page.htm"},
		{"http://www.c.test/xwzx/list.htm", "http://www.c.test/xwzx/info.htm"},
	} {
		if a, b := j.Score(c.url), j.Score(c.more); a <= b || a > 1 || b < 0 {
			t.Errorf("%s scores %.2f, %s %.2f", c.url, a, c.more, b)
		}
	}
	if s := SharesOf(nil).Score("http://a.test/"); s != 0 {
		t.Errorf("without samples %f", s)
	}
}
