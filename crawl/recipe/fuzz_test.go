package recipe

import "testing"

func FuzzParse(f *testing.F) {
	f.Add([]byte(jsonRecipe))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Parse("x", b)
		if err != nil {
			return
		}
		c, err := r.Encode()
		must(t, err)
		if _, err := Parse("x", c); err != nil {
			t.Fatalf("%s\nbecame\n%s: %v", b, c, err)
		}
		_, _ = r.build(listPlace{Page: 2}, nil, today)
	})
}

func FuzzReply(f *testing.F) {
	f.Add([]byte(`cb({"data":{"pages":3,"records":[{"title":"<em>a</em>","publishDate":1783404000000,"id":1}]}})`))
	f.Add([]byte(`<ul><li><a href="javascript:f('1','2')">教学设备采购公告</a>2026-07-07</li></ul>`))
	json, err := Parse("x", []byte(jsonRecipe))
	must(f, err)
	html, err := Parse("x", []byte("name='a'\n[request]\nurl='http://h.test/list?page={page}'\n[rows]\nhtml='@this'\nurl='/d/{2}.html?t={1}'\n"))
	must(f, err)
	f.Fuzz(func(t *testing.T, b []byte) {
		reply := &serverReply{URL: "http://h.test/x", Status: 200, Body: b}
		for _, r := range []*Recipe{json, html} {
			res, err := r.readReply(reply, FirstPage, today)
			if err != nil {
				continue
			}
			r.html(res)
			for i := range res.Rows {
				if u := res.Rows[i].URL; u != "" && !webAddress(u) {
					t.Fatalf("row leads to %q", u)
				}
			}
		}
		_, _, _ = fromExchange(&Exchange{URL: "http://h.test/x?page=1", Reply: b})
	})
}
