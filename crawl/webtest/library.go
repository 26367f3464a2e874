package webtest

// libraryPath is the address of library in test pages.
const libraryPath = "/js/lib/jquery.min.js"

// library is our own script with the few functions of jQuery that test pages call.
const library = `function $(of) {
	if (typeof of === "function") { document.addEventListener("DOMContentLoaded", of); return; }
	var all = document.querySelectorAll(of);
	return {
		val: function () { return all[0].value; },
		html: function (text) { all.forEach(function (e) { e.innerHTML = text; }); },
		append: function (text) { all.forEach(function (e) { e.insertAdjacentHTML("beforeend", text); }); },
		serializeArray: function () { return Array.from(all[0].elements).map(function (e) { return { name: e.name, value: e.value }; }); }
	};
}
$.each = function (list, each) { for (var i = 0; i < list.length; i++) { each(i, list[i]); } };
$.ajax = function (o) {
	var data = o.data && typeof o.data !== "string" ? new URLSearchParams(o.data).toString() : o.data || "";
	var post = (o.type || "GET").toUpperCase() === "POST", url = o.url;
	if (o.dataType === "jsonp") { data += "&" + o.jsonp + "=" + o.jsonpCallback; }
	if (!post && data) { url += (url.indexOf("?") < 0 ? "?" : "&") + data; }
	if (o.dataType === "jsonp") {
		window[o.jsonpCallback] = o.success;
		document.body.appendChild(document.createElement("script")).src = url;
		return;
	}
	var headers = Object.assign({ "X-Requested-With": "XMLHttpRequest" }, o.headers);
	if (post) { headers["Content-Type"] = o.contentType || "application/x-www-form-urlencoded; charset=UTF-8"; }
	fetch(url, { method: post ? "POST" : "GET", headers: headers, body: post ? data : undefined })
		.then(function (r) { return r.json(); }).then(o.success);
};
$.getJSON = function (url, done) { $.ajax({ url: url, success: done }); };
`
