package hostauth

import (
	"errors"
	"strings"
	"testing"
)

func TestAsks(t *testing.T) {
	form := `<form method=post><input name=u><input type=password name=p></form>`
	for name, c := range map[string]struct {
		location, body string
		asks           bool
	}{
		"a page":                 {"", "<p>招标公告</p>", false},
		"a login":                {"", "<title>登录</title>" + form, true},
		"a login in a corner":    {"", form + "<p>" + strings.Repeat("公告的正文。", 800) + "</p>", false},
		"scripts count nothing":  {"", form + "<script>" + strings.Repeat("var a=1;", 2000) + "</script>", true},
		"a redirect to a login":  {"http://x.cn/user/login?from=/a", "", true},
		"a redirect elsewhere":   {"http://x.cn/b", form, false},
		"a name that contains":   {"http://x.cn/blogins/", "", false},
		"a script that leads on": {"", `<script>window.location.href="/sso/login";</script>`, true},
		"a refresh":              {"", `<meta http-equiv="refresh" content="0;url=/login.do">`, true},
		"a script elsewhere":     {"", `<script>location.href="/news/";</script>`, false},
	} {
		if got := loginRequest(c.location, []byte(c.body)); (got != "") != c.asks {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestFormOf(t *testing.T) {
	page := `<base href="/door/"><form action="search" method="get"><input name="q"></form>
<table><form action="check" method="POST"><tr><td><input type="hidden" name="token" value="a&amp;b">
<input name="unit" value="3"><input type="text" name="account"><input type="password" name="pw">
<input type="checkbox" name="keep" checked><input type="checkbox" name="not"><select name="role"><option value="1"><option value="2" selected></select>
<input type="submit" name="go" value="登录"><input type="submit" name="other" value="x"></td></tr></form></table>`
	f, err := readLoginForm("http://x.cn/a/login", "text/html; charset=utf-8", []byte(page), "")
	if err != nil {
		t.Fatal(err)
	}
	v := f.fill(map[string]string{"unit": "4"}, "alice", "geheim")
	want := map[string]string{"token": "a&b", "unit": "4", "account": "alice", "pw": "geheim", "keep": "on", "role": "2", "go": "登录"}
	if f.Action != "http://x.cn/door/check" || !f.Post || f.User != "account" || f.Secret != "pw" || len(v) != len(want) {
		t.Errorf("%+v makes %v", f, v)
	}
	for name, value := range want {
		if v.Get(name) != value {
			t.Errorf("%s = %q, want %q", name, v.Get(name), value)
		}
	}
	for name, c := range map[string]struct {
		page, secret string
		is           error
	}{
		"no form":            {"<p>x</p>", "", errNoLoginForm},
		"no field of a name": {page, "none", errNoSecret},
	} {
		if _, err := readLoginForm("http://x.cn/", "", []byte(c.page), c.secret); !errors.Is(err, c.is) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if f, err := readLoginForm("http://x.cn/", "", []byte(`<form method=post><input name=u><input type=password name=p><input name=verifyCode><img src="/captcha.jpg"></form>`), ""); err != nil || f.Captcha == "" {
		t.Errorf("%+v, %v", f, err)
	}
}

// Whatever a page holds, its form is one that can be looked at.
func FuzzFormOf(f *testing.F) {
	f.Add([]byte(`<form method=post action="//y"><input type=password name=p>`), "")
	f.Add([]byte(`<input type=password name=p><form><select name=p>`), "p")
	f.Fuzz(func(t *testing.T, body []byte, secret string) {
		loginRequest("", body)
		form, err := readLoginForm("http://x.cn/a", "", body, secret)
		if err == nil && (form.Secret == "" || len(form.Names) > maxFields) {
			t.Fatalf("%+v", form)
		}
	})
}
