package webtest

import (
	"fmt"
	"net/http"
	"strings"
)

// redirects answers posts to the POST list with redirects, as set by Misbehave, and serves their targets. It reports
// whether it has answered.
func (s *KindServer) redirects(w http.ResponseWriter, r *http.Request, k ListKind) bool {
	how := s.misbehaves()
	n := max(1, number(r.PostFormValue("pageNo")))
	path := r.URL.Path
	switch {
	case strings.HasPrefix(path, "/gg/shown/"): // once, for one client
		s.mu.Lock()
		n := s.answers[path]
		delete(s.answers, path)
		s.mu.Unlock()
		if n == 0 || r.Method != http.MethodGet {
			return false
		}
		s.page(w, "采购公告", s.links(k, n)+s.postPager(n))
	case path == "/gg/moved/list.jsp" && r.Method == http.MethodPost:
		s.page(w, "采购公告", s.links(k, n)+s.postPager(n))
	case path == "/gg/loop.jsp":
		http.Redirect(w, r, fmt.Sprintf("/gg/loop.jsp?n=%d", number(r.URL.Query().Get("n"))+1), http.StatusFound)
	case r.Method != http.MethodPost || path != "/gg/list.jsp":
		return false
	case how == "302", how == "303":
		s.mu.Lock()
		if s.answers == nil {
			s.answers = map[string]int{}
		}
		s.served++
		to := fmt.Sprintf("/gg/shown/%d.jsp", s.served)
		s.answers[to] = n
		s.mu.Unlock()
		http.Redirect(w, r, to, number(how))
	case how == "307", how == "308":
		http.Redirect(w, r, "/gg/moved/list.jsp", number(how))
	case how == "loop":
		http.Redirect(w, r, "/gg/loop.jsp?n=1", http.StatusFound)
	case how == "away":
		http.Redirect(w, r, SeedOfKind(GetForm)+"gg/list.jsp?channel=7", http.StatusFound)
	default:
		return false
	}
	return true
}
