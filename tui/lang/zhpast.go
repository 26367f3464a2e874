package lang

// zhPast are the texts of the crawl screen while nothing runs: the stored frontier,
// hosts and sections, what failed, and the history of the runs.
var zhPast = map[string]string{
	"any moment": "即将完成", "killed: %s": "被终止：%s",
	"of one branch at a time": "每次只看一个分支", "%s marked branches": "%s 个选取的分支", "nothing before %s, then at once": "%s 之前不抓取，到时立即恢复", "delay for an hour": "延期一小时", "all of the marked hosts that failed": "所选站点的全部失败网址", "all that failed for the %s marked reasons": "因所选 %s 种原因失败的全部网址",
	"schedule": "定时任务", "#URL": "%s 个网址", "#new list": "%s 个新列表页", "#new page": "%s 个新网页",

	// what a run brought
	"%s (%s no longer qualify)": "%s（%s 个不再符合条件）", "%s (1 no longer qualifies)": "%s（1 个不再符合条件）",
	"%s (%s withdrawn: their list no longer qualifies)": "%s（撤回 %s 条：所在列表页不再符合条件）", "%s (1 withdrawn: its list no longer qualifies)": "%s（撤回 1 条：所在列表页不再符合条件）", "withdrawn": "撤回的公告",
	"%s from %s, and %s in %s":          "从 %[2]s获取 %[1]s，另有 %[3]s，用时 %[4]s",
	"%s. It was too short for a curve.": "%s。时间太短，没有曲线。", "curves of the %s of %s": "%[2]s 的%[1]s曲线", "curves": "曲线", "pages a second": "每秒网页", "lists found": "找到的列表页", "new notices": "新公告",

	// the history
	"runs %s": "运行记录 %s", "run %s": "运行 %s", "reading the history": "正在读取运行记录", "No run yet. Press {discovery} to start a discovery.": "还没有运行过。按 {discovery} 开始全站发现。",
	"fetched": "抓取", "began": "开始", "ended": "结果", "by": "操作者", "took": "用时", "under way": "进行中", "look %s": "试看 %s", "finished": "完成", "stopped": "停止", "killed": "被终止", "outage": "断网",
	"new pages": "新网页", "new lists": "新列表页", "lists visited": "访问的列表页", "brought": "数据量", "most memory": "内存峰值", "processor": "CPU 用时", "%s unchanged": "未变 %s", "%s brought none": "失败 %s",
	"failed URLs, by kind": "失败网址，按类别", "fetches that brought no page, by kind": "未取得网页的抓取，按类别", "to retry": "待重试", "events": "事件",

	// the stored frontier
	"ranking what waits": "正在排列待抓网址", "reading what waits": "正在读取待抓网址", "row %s of %s": "第 %s / %s 行", "%s for a retry": "%s 个等待重试", "%s too deep": "%s 个超深", "%s left out": "%s 个不抓",
	"Nothing that waits matches “%s”. Press {clear_filter} to clear the filter.":            "没有待抓网址匹配“%s”。按 {clear_filter} 清除筛选。",
	"What waits is left out (%s): by a rule ({rules} lists them), the scope, or the depth.": "待抓的 %s 个网址都不会抓取：因规则（按 {rules} 查看）、范围或深度。",
	"they stand in the order in which they are fetched; {filter} looks for some":            "按抓取先后排列；按 {filter} 查找",
	"why the URL stands where it stands":                                                    "网址为何排在此处", "waiting URL": "待抓网址", "found on": "发现于", "priority": "优先级",

	// hosts and sections
	"reading hosts and sections": "正在读取站点与栏目", "dead": "失效", "lists": "列表", "rule": "规则", "visits": "访问时间", "sections": "展开", "fold": "收起",
	"open a host or a section: what lies below it": "展开站点或栏目，看其下级", "close it, or go to what it lies in": "收起，或回到上一级", "there are no sections below it": "其下没有栏目", "it is open already": "已经展开", "it is closed already": "已经收起", "no host is chosen": "没有选中站点",
	"by %s, the other way round": "按%s，倒序", "URLs": "网址数",
	"act": "处置", "act on a host or a section: look at a page, drop, boost, bury, delay or mute what lies below": "处置站点或栏目：试看一页，丢弃、提前、推后、延期或静音其下的一切",
	"%s · %s, %s waiting": "%s · %s，待抓 %s", "look at one page now": "现在试看一页", "fetches the best of %s, then stops": "抓取 %s中最靠前的一个，然后停止", "looking at one page below %s": "正在试看 %s 下的一页", "a run is under way": "运行正在进行", "nothing waits there": "那里没有待抓网址",
	"delay for a day": "延期一天", "delay for a week": "延期一周", "until %s": "至 %s", "mute": "静音", "fetched as ever; failures are not reported": "照常抓取；失败不再报告",
	"%s: no rule any more": "%s：已移除规则", "%s: %s not fetched before %s": "%s：%s在 %s 之前不抓取", "%s: failures are not reported any more": "%s：失败不再报告", "%s: %s, %s": "%s：%s，%s",

	// what failed
	"exceptions %s": "异常 %s", "%s to retry": "%s 个等待重试", "Nothing has failed.": "没有失败。", "%s muted": "%s 个已静音", "again": "重试", "hosts": "站点", "reason": "原因",
	"have failed URLs tried again at once: one, those of a host, those of a reason, or all": "立即重试失败的网址：一个、某站点的、某原因的，或全部", "tried again: %s": "重试：%s", "this page": "此网页", "the marked pages": "所选的网页", "all of host %s that failed": "站点 %s 的全部失败网址", "all that failed for: %s": "因“%s”失败的全部网址",
	"the URL under the cursor has not failed": "光标所在的网址没有失败",
	"robots": "robots.txt 禁止", "robots unavailable": "robots.txt 无法读取", "guard": "不是公网地址", "dns": "域名解析失败", "connect": "连接失败", "tls": "TLS 失败", "timeout": "超时", "protocol": "不是 HTTP", "body": "内容中断", "redirect": "重定向有误", "bad url": "网址有误", "no page": "不是网页", "not a sitemap": "不是站点地图", "rendering": "渲染", "no request can be made": "无法生成请求", "waits until its list is read again": "等待重新读取列表", "what its list gave out for it has expired": "列表给出的参数已过期", "soft 404": "软 404", "recipe does not fit": "配方不再适用", "its list does not hold the row any more": "列表中已没有该行", "captcha": "要求验证码", "unknown": "未知",

	// lists that enter opens
	"reading pages": "正在读取网页", "reading events": "正在读取事件", "Nothing is left here.": "这里没有剩余。", "fails": "失败次数", "%s in a row": "连续 %s 次", "this URL was not fetched yet": "此网址尚未抓取", "The page is shown here.": "网页显示在这里。", "state": "状态", "event": "事件",
	"events: %s": "事件：%s", "×%s in the run before, the last: %s": "上次运行中 ×%s，最近一次：%s", "last %s": "最近 %s",
}

// zhPastLines are what the engine says of them.
var zhPastLines = [][2]string{
	{"angler.toml was read again: nothing has changed", "已重新读取 angler.toml：没有变化"},
	{"angler.toml was read again: %s counts from the next start", "已重新读取 angler.toml：%s 下次启动时生效"},
	{"angler.toml was read again: %s", "已重新读取 angler.toml：%s"},
	{"angler.toml was not taken up, the settings stay as they were: %s", "没有采用 angler.toml，设置保持不变：%s"},
	{"θ %s (was %s)", "θ %s（原为 %s）"},
	{"no seed could be fetched: %s: %s; check the address, the network or --proxy", "种子都未能抓取：%s：%s；请检查网址、网络或 --proxy"},
	{"HTTP status %s", "HTTP 状态 %s"}, {"http %s", "HTTP %s"},
	{"this run is not in the history: %s", "本次运行未能记入运行记录：%s"}, {"the history of this run is not up to date: %s", "本次运行的记录未能更新：%s"},
	{"the process ended without a word (kill -9, a crash, or the power)", "进程未及告知即已结束（kill -9、崩溃或断电）"}, {"the process ended without a word", "进程未及告知即已结束"},
	{"no rule any more for all below %s and %s more", "移除 %s 等，另 %s 个分支之下的规则"}, {"delay all below %s and %s more until %s", "%s 等，另 %s 个分支之下的一切延期至 %s"}, {"%s all below %s and %s more", "%s：%s 等，另 %s 个分支之下的一切"}, {"the delay of %s is over: what waits below it is fetched again", "%s 的延期已到：其下待抓网址恢复抓取"}, {"what was delayed could not be taken up: %s; the next run takes it up", "延期的网址未能恢复：%s；下次运行时恢复"},
	{"no rule any more for all below %s", "移除 %s 之下的规则"}, {"delay all below %s until %s", "%s 之下的一切延期至 %s"}, {"drop all below %s", "丢弃 %s 之下的一切"}, {"boost all below %s", "%s 之下的一切提前"}, {"bury all below %s", "%s 之下的一切推后"}, {"mute all below %s", "%s 之下的失败不再报告"},
	{"%s ended, lists were found: %s fetched, %s failed, %s aggregation pages, %s addresses of new notices", "%s结束，已找到列表页：抓取 %s，失败 %s，列表页 %s，新公告网址 %s"},
	{"%s ended, nothing left: %s fetched, %s failed, %s aggregation pages, %s addresses of new notices", "%s结束，没有剩余：抓取 %s，失败 %s，列表页 %s，新公告网址 %s"},
	{"budget of %s pages spent", "%s 页的预算已用完"}, {"its time was up", "到时"},
}
