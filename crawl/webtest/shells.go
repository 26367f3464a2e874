package webtest

import (
	"fmt"
	"net/http"
)

// page wraps a body in an HTML page.
func page(title, body string) string {
	return "<!DOCTYPE html><html><head><meta charset=utf-8><title>" + title + "</title><script src=\"" + libraryPath +
		"\"></script></head><body><h1>" + title + "</h1>\n" + body + "\n</body></html>"
}

// shells serves the pages that people know. Most contain a script that fetches the rows.
func (s *PortalServer) shells() {
	static := func(path, kind, text string) {
		s.mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, text)
		})
	}
	const html, script = "text/html; charset=utf-8", "text/javascript; charset=utf-8"
	static("/{$}", html, page("采购信息门户", "<p>列表由脚本读取。</p>"))
	static(libraryPath, script, library)
	static("/jyxx/003001/tradeInfo.html", html,
		page("东湖学院采购信息", `<div id="showList"></div><div id="pager"></div><script src="/js/tradeInfo.js?1"></script>`))
	static("/js/tradeInfo.js", script, `$(function () {
  var cnum = "001";
  function getParam(pn, rn) {
    return { token: "", pn: pn, rn: rn, cnum: cnum, sort: '{"infodatepx":"0"}', condition: [] };
  }
  function search(index) {
    $.ajax({ url: "/inteligentsearch/rest/esinteligentsearch/getFullTextDataNew", type: "post", contentType: "application/json", data: JSON.stringify(getParam(index * 20, 20)),
      success: function (reply) { $.each(reply.result.records, function (i, r) { $("#showList").append('<p><a href="' + r.linkurl + '">' + r.title + '</a></p>'); }); } });
  }
  search(0);
});`)
	static("/deal/dealList.html", html,
		page(
			"南山学院交易公开",
			`<form id="FIND"><input type="hidden" name="DEAL_TIME" value="02"><input type="hidden" name="SOURCE_TYPE" value="1">
<input type="hidden" id="PAGENUMBER" name="PAGENUMBER" value="1"><input type="text" name="FINDTXT" value=""></form><div id="list"></div>
<script>
function getList(page) {
  document.getElementById("PAGENUMBER").value = page;
  var formObject = {};
  $.each($("#FIND").serializeArray(), function (i, item) { formObject[item.name] = item.value; });
  var url = "/information/pubTradingInfo/getTradList";
  $.ajax({ type: "POST", url: url, data: formObject, dataType: "json", success: function (data) {
    var json = data.data.records, html = "";
    for (var i = 0; i < json.length; i++) { html += "<a href='" + json[i].url + "' title='" + json[i].title + "'>" + json[i].title + "</a>"; }
    $("#list").html(html);
  } });
}
getList(1);
</script>`))
	static("/was/list.html", html, page("西溪学院公告", `<ul id="list"></ul>
<script>
var pageSize = 10;
function load(num) {
  $.ajax({ url: "/was/web/search?channelid=237687", dataType: "jsonp", jsonp: "callback", jsonpCallback: "result",
    data: { page: num, prepage: pageSize }, success: function (d) { $("#list").html(d.datas.length); } });
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
}
query(1);`)
	s.mux.HandleFunc("/irs/list.html", s.tokenShell)
	static("/held/list.html", html, page("海棠学院公示", `<div id="app"></div><script>
function load(page) { $.ajax({ url: "/held/api", data: { current: page, size: 10 }, success: function (reply) { $("#app").html(reply.total); } }); }
load(1);
</script>`))
}

// tokenShell serves the page with the list's token.
func (s *PortalServer) tokenShell(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, page("江滨学院检索", `<input type="hidden" id="_token" value="`+s.Token()+`"><ul id="list"></ul>
<script>
var params = { code: "1892dd01822", token: $("#_token").val(), pageNo: 1, pageSize: 10, customFilter: { operator: "and", properties: [{ property: "channel_id", value: 7 }] } };
function getList(num) {
  params.pageNo = num;
  $.ajax({ url: "/irs/front/search", type: "post", data: JSON.stringify(params), contentType: "application/json", success: function (reply) {
    $.each(reply.data.list, function (i, r) { $("#list").append('<li><a href="' + r.url + '">' + r.title + '</a></li>'); });
  } });
}
getList(1);
</script>`))
}
