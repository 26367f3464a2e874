package portals

import (
	"fmt"
	"net/http"
	"strings"
)

// page is a page around something.
func page(title, body string) string {
	return "<!DOCTYPE html><html><head><meta charset=utf-8><title>" + title + "</title></head><body><h1>" + title + "</h1>\n" + body + "\n</body></html>"
}

// shells serves the pages that people know: most hold no rows, and a script that asks for
// them.
func (s *Server) shells() {
	static := func(path, kind, text string) {
		s.mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, text)
		})
	}
	const html, script = "text/html; charset=utf-8", "text/javascript; charset=utf-8"
	static("/{$}", html, page("采购信息门户", "<p>列表由脚本读取。</p>"))
	static("/jyxx/003001/tradeInfo.html", html, page("东湖学院采购信息", `<span id="viewGuid" value="003001">交易信息</span><div id="showList"></div><div id="pager"></div>
<script src="/js/lib/jquery.min.js"></script><script src="/js/webBuilderCommon.js"></script><script src="/js/tradeInfo.js?1"></script>
<script type="text/template" id="list-tmpl">{{#items}}<a href="{{{linkurl}}}">{{{title}}}</a><span>{{infodatepx}}</span>{{/items}}</script>`))
	static("/js/webBuilderCommon.js", script, `var siteInfo = { siteGuid: "7eb5f7f1-9041-43ad-8e13-8fcb82ea831a" };`)
	static("/js/tradeInfo.js", script, `$(function () {
  var cnum = "001";
  function getParam(pn, rn) {
    var condition = [];
    return { token: "", pn: pn, rn: rn, cnum: cnum, sort: '{"infodatepx":"0"}', condition: condition };
  }
  function search(index) {
    var u = siteInfo.projectName + "/inteligentsearch/rest/esinteligentsearch/getFullTextDataNew";
    Util.ajax({ url: u, contentType: "application/json", data: JSON.stringify(getParam(index * 20, 20)) });
  }
});`)
	static("/deal/dealList.html", html, page("南山学院交易公开", `<form id="FIND"><input type="hidden" name="DEAL_TIME" value="02"><input type="hidden" name="SOURCE_TYPE" value="1">
<input type="hidden" id="PAGENUMBER" name="PAGENUMBER" value="1"><input type="text" name="FINDTXT" value=""></form><div id="list"></div>
<script>
function getList(page) {
  document.getElementById("PAGENUMBER").value = page;
  var formObject = {};
  $.each($("#FIND").serializeArray(), function (i, item) { formObject[item.name] = item.value; });
  var url = "/information/pubTradingInfo/getTradList";
  $.ajax({ type: "POST", url: url, data: formObject, dataType: "json", success: function (data) {
    var json = data.data.records;
    for (var i = 0; i < json.length; i++) { html += "<a href='" + json[i].url + "' title='" + json[i].title + "'>" + json[i].title + "</a>"; }
  } });
}
</script>`))
	static("/was/list.html", html, page("西溪学院公告", `<ul id="list"></ul>
<script>
var pageSize = 10;
function load(num) {
  $.ajax({ url: "/was/web/search?channelid=237687", dataType: "jsonp", jsonp: "callback", jsonpCallback: "result",
    data: { page: num, prepage: pageSize }, success: function (d) { show(d.datas); } });
}
load(1);
</script>`))
	static("/hall/list.html", html, page("北辰学院大厅", `<ul id="infolist"></ul><script src="/hall/list.js"></script>`))
	static("/hall/list.js", script, `var pageSize = 10;
function query(index) {
  $.getJSON("/hall/rest/getInfoList?categoryNum=001&pageIndex=" + (index - 1) + "&pageSize=" + pageSize, function (res) {
    var list = JSON.parse(res["return"]).Table;
    $.each(list, function (i, item) {
      $("#infolist").append('<li><a href="/string/detail/' + item.infoid + '.html" target="_blank">' + item.title + '</a></li>');
    });
  });
}`)
	s.mux.HandleFunc("/irs/list.html", s.tokenShell)
	static("/held/list.html", html, page("海棠学院公示", `<div id="app"></div><script>
axios.get("/held/api", { params: { current: page, size: 10 } }).then(function (res) { app.rows = res.data.rows; });
</script>`))
	for n := 1; n <= Pages; n++ {
		path := "/gg/index.html"
		if n > 1 {
			path = fmt.Sprintf("/gg/index_%d.html", n)
		}
		static(path, html, onclick(n))
	}
}

func onclick(n int) string {
	var b strings.Builder
	b.WriteString("<table>\n")
	for i := (n - 1) * PerPage; i < n*PerPage; i++ {
		x := row{"onclick", i}
		fmt.Fprintf(&b, "<tr><td><a href=\"javascript:;\" onclick=\"showDetail(this,'0201','%s')\">%s</a></td><td>%s</td></tr>\n", x.id(), x.title(), x.day())
	}
	b.WriteString("</table>\n<div class=pages>")
	for p := 1; p <= Pages; p++ {
		fmt.Fprintf(&b, "<a href=\"javascript:goPage(%d)\">%d</a> ", p, p)
	}
	b.WriteString(`</div><script>
function showDetail(el, kind, id) { window.open("/onclick/detail/" + id + ".html?kind=" + kind); }
function goPage(n) { location.href = "/gg/index_" + n + ".html"; }
</script>`)
	return page("中原学院采购公告", b.String())
}

// tokenShell is the page whose token the list wants.
func (s *Server) tokenShell(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, page("江滨学院检索", `<input type="hidden" id="_token" value="`+s.Token()+`"><ul id="list"></ul>
<script>
var params = { code: "1892dd01822", token: $("#_token").val(), pageNo: 1, pageSize: 10, customFilter: { operator: "and", properties: [{ property: "channel_id", value: 7 }] } };
function getList(num) {
  params.pageNo = num;
  $.ajax({ url: "/irs/front/search", type: "post", data: JSON.stringify(params), contentType: "application/json", success: function (data) { } });
}
</script>`))
}
