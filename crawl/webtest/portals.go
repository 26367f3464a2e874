package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
)

// The size of every list.
const (
	PortalPages   = 4
	PortalPerPage = 10
)

// portal is one list.
type portal struct {
	Name string
	List string // path of the page that people know
}

// Portals lists the lists: Epoint's search, a posted form, JSONP, JSON in a string, posted JSON with a token of the
// page, and rows that hold their notices.
var Portals = []portal{
	{"epoint", "/jyxx/003001/tradeInfo.html"},
	{"form", "/deal/dealList.html"},
	{"jsonp", "/was/list.html"},
	{"string", "/hall/list.html"},
	{"token", "/irs/list.html"},
	{"rows", "/held/list.html"},
}

// PortalServer is a handler for all lists.
type PortalServer struct {
	mux *http.ServeMux

	token  atomic.Int64 // number of the valid token
	used   atomic.Int64 // uses of the valid token
	Expire int64        // uses of a token before it expires; 0 = unlimited
	Lists  atomic.Int64 // answered list requests
	Broken atomic.Bool  // lists answer in another shape
	Cycles atomic.Bool  // pages after the last repeat the first ones
}

// NewPortalServer returns a PortalServer.
func NewPortalServer() *PortalServer {
	s := &PortalServer{mux: http.NewServeMux()}
	s.token.Store(1)
	s.shells()
	s.mux.HandleFunc("/inteligentsearch/rest/esinteligentsearch/getFullTextDataNew", s.epoint)
	s.mux.HandleFunc("/information/pubTradingInfo/getTradList", s.form)
	s.mux.HandleFunc("/was/web/search", s.jsonp)
	s.mux.HandleFunc("/hall/rest/getInfoList", s.inString)
	s.mux.HandleFunc("/irs/front/search", s.withToken)
	s.mux.HandleFunc("/held/api", s.held)
	for _, p := range Portals {
		s.mux.HandleFunc("/"+p.Name+"/detail/", s.notice)
	}
	return s
}

func (s *PortalServer) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// row is notice i of a list, from 0.
type row struct {
	list string
	i    int
}

var things = []string{"教学楼空调", "实验室显微镜", "图书馆家具", "校园网交换机", "食堂厨具", "学生宿舍窗帘", "操场照明", "信息中心服务器", "体育馆地板", "医学院离心机"}

var portalKinds = []string{"公开招标公告", "竞争性磋商公告", "中标结果公告", "询价采购公告"}

func (r row) title() string {
	return fmt.Sprintf("%s学院%s采购项目（第%d批）%s", map[string]string{"epoint": "东湖", "form": "南山", "jsonp": "西溪",
		"string": "北辰", "token": "江滨", "rows": "海棠"}[r.list],
		things[r.i%len(things)], r.i+1, portalKinds[r.i%len(portalKinds)])
}

func (r row) day() string { return fmt.Sprintf("2026-07-%02d", 28-r.i/2%28) }

func (r row) path() string { return fmt.Sprintf("/%s/detail/%s.html", r.list, r.id()) }

// id returns a number above 2^53.
func (r row) id() string { return strconv.Itoa(90071992547409931 + 2*r.i) }

func (r row) text() string {
	return fmt.Sprintf("<p>一、项目名称：%s。</p><p>二、预算金额：%d万元。采购内容为%s及其安装、调试和三年质量保证服务，具体要求详见采购文件第三章。</p>"+
		"<p>三、供应商应当具有独立承担民事责任的能力，具有良好的商业信誉和健全的财务会计制度，近三年内没有重大违法记录。</p>"+
		"<p>四、获取采购文件的时间为公告发布之日起五个工作日，地点为学院招标采购中心%d号窗口，联系电话略。</p>", r.title(), 20+r.i, things[r.i%len(things)], r.i+1)
}

// rows returns the rows of a page, counted from 1.
func (s *PortalServer) rows(list string, page int) (out []row) {
	if page > PortalPages && s.Cycles.Load() {
		page = (page-1)%PortalPages + 1
	}
	for i := (page - 1) * PortalPerPage; page >= 1 && page <= PortalPages && i < page*PortalPerPage; i++ {
		out = append(out, row{list, i})
	}
	s.Lists.Add(1)
	return out
}

func (s *PortalServer) notice(w http.ResponseWriter, r *http.Request) {
	list, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/detail/")
	n, err := strconv.Atoi(strings.TrimSuffix(rest, ".html"))
	if i := (n - 90071992547409931) / 2; err == nil && i >= 0 && i < PortalPages*PortalPerPage {
		x := row{list, i}
		fmt.Fprintf(
			w,
			"<!DOCTYPE html><html><head><meta charset=utf-8><title>%s</title></head><body><h1>%s</h1><p>发布时间：%s</p><div class=content>%s</div></body></html>", x.title(), x.title(), x.day(), x.text())
		return
	}
	http.NotFound(w, r)
}

// answer writes JSON, or another shape if Broken.
func (s *PortalServer) answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	if s.Broken.Load() {
		v = map[string]any{"code": 200, "payload": map[string]any{"state": "moved"}}
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // impossible for our own values
	}
	_, _ = w.Write(b)
}

type object = map[string]any

func (s *PortalServer) epoint(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Pn, Rn int
		Cnum   string
	}
	if json.NewDecoder(r.Body).Decode(&q) != nil || r.Method != http.MethodPost || q.Rn < 1 {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	var records []object
	for i := q.Pn; i < min(q.Pn+q.Rn, PortalPages*PortalPerPage); i++ {
		x := row{"epoint", i}
		records = append(records, object{"title": strings.Replace(x.title(), "采购", "<em>采购</em>", 1),
			"infodatepx": x.day() + " 00:00:00", "linkurl": x.path(), "categorynum": "003001",
			"infoid": x.id(), "zhuanzai": "东湖市"})
	}
	s.Lists.Add(1)
	s.answer(w, object{"result": object{"totalcount": PortalPages * PortalPerPage, "records": records}})
}

func (s *PortalServer) form(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.PostFormValue("DEAL_TIME") == "" {
		http.NotFound(w, r)
		return
	}
	page, _ := strconv.Atoi(r.PostFormValue("PAGENUMBER"))
	var records []object
	for _, x := range s.rows("form", page) {
		records = append(records, object{"id": x.id(), "title": x.title(), "publishTime": x.day(), "url": x.path(),
			"provinceText": "南山省", "bodyContent": nil})
	}
	s.answer(w, object{"code": 200, "data": object{"records": records, "total": PortalPages * PortalPerPage,
		"pages": PortalPages, "current": page}})
}

func (s *PortalServer) jsonp(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.FormValue("page"))
	var datas []object
	for _, x := range s.rows("jsonp", page) {
		datas = append(datas, object{"title": x.title(),
			"timestamp": strings.ReplaceAll(x.day(), "-", ".") + " 15:27:37",
			"docpuburl": "http://" + r.Host + x.path()})
	}
	b, err := json.Marshal(object{"datas": datas, "count": PortalPages * PortalPerPage})
	if err != nil {
		panic(err) // impossible for our own values
	}
	if s.Broken.Load() {
		b = []byte("{}")
	}
	w.Header().Set("Content-Type", "text/javascript")
	fmt.Fprintf(w, "%s(%s);", r.FormValue("callback"), b)
}

func (s *PortalServer) inString(w http.ResponseWriter, r *http.Request) {
	page, err := strconv.Atoi(r.FormValue("pageIndex"))
	if err != nil {
		http.Error(w, "pageIndex", http.StatusBadRequest)
		return
	}
	var table []object
	for _, x := range s.rows("string", page+1) { // counted from 0
		table = append(table, object{"title": x.title(), "infodate": x.day(), "infoid": x.id()})
	}
	b, err := json.Marshal(object{"Table": table, "RowCount": PortalPages * PortalPerPage})
	if err != nil {
		panic(err) // impossible for our own values
	}
	s.answer(w, object{"return": string(b)})
}

func (s *PortalServer) withToken(w http.ResponseWriter, r *http.Request) {
	var q struct {
		PageNo int
		Token  string
	}
	if json.NewDecoder(r.Body).Decode(&q) != nil || q.Token != s.Token() {
		s.answer(w, object{"code": 401, "msg": "token 已过期", "data": nil})
		return
	}
	if n := s.used.Add(1); s.Expire > 0 && n >= s.Expire {
		s.used.Store(0)
		s.token.Add(1)
	}
	var list []object
	for _, x := range s.rows("token", q.PageNo) {
		list = append(list, object{"title": x.title(), "time": x.day(), "url": x.path()})
	}
	s.answer(w, object{"code": 200, "data": object{"list": list, "pager": object{"pageNo": q.PageNo,
		"pageCount": PortalPages}}})
}

// Token returns the valid token.
func (s *PortalServer) Token() string { return fmt.Sprintf("tk-%06d", s.token.Load()) }

func (s *PortalServer) held(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.FormValue("current"))
	var rows []object
	for _, x := range s.rows("rows", page) {
		rows = append(rows, object{"noticeName": x.title(), "noticeSendTime": 1783353600000 - 86400000*x.i,
			"guid": x.id(), "content": x.text()})
	}
	s.answer(w, object{"rows": rows, "total": PortalPages * PortalPerPage})
}
