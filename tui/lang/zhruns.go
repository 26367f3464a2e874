package lang

// zhRuns are the texts of steering a run and of the lab.
var zhRuns = map[string]string{
	"take in without a request": "不发请求而读入", "pages of a web archive …": "网页存档中的网页 …", "WARC, compressed or not, of this or another program": "WARC 文件，可压缩，本程序或其他程序所写",
	"there is no sample to judge pages by": "还没有可据以判定的样本", "notices of stored pages": "已存网页中的公告", "what stored lists announce and is stored, too": "已存列表所列、且正文也已存的公告", "reading stored pages": "读取已存网页",
	"%s from %s": "%s，来自 %s", "archive:": "存档：", "FILE.warc.gz · what is read of it is kept when esc cancels": "文件.warc.gz · esc 取消，已读入的保留", "taking in an archive": "读入存档", "taking in an archive, percent": "读入存档（百分比）",
	"it was cancelled; what was read is kept": "已取消；已读入的保留", "the archive": "存档", "%s known already": "已有 %s", "%s left out, most of them: %s": "略过 %s，多为：%s",
	"no notices: there is no sample to judge pages by": "无公告：还没有可据以判定的样本", "no notices: none of the pages is a list": "无公告：其中没有列表页",
	"take in without a request: pages of a web archive, notices of stored pages": "不发请求而读入：网页存档中的网页、已存网页中的公告", "take in": "读入",
	"the file would be the server's; run there: angler import DIR FILE": "文件须在服务器上；请在服务器运行：angler import DIR FILE",
	"what was found first": "先发现的先抓", "links of the pages most like the samples": "最像样本的网页上的链接", "anchors and pages like the samples (Shark-search)": "锚文本与来源页都像样本的链接（Shark-search）", "the same, by blocks of links (P4)": "同上，按链接分块（P4）",
	"what good hubs link to (HITS)": "好的枢纽页所指（HITS）", "what much is linked to (PageRank)": "被链接多者（PageRank）", "anchor, address, block and page, with fixed weights (P3)": "锚文本、网址、分块与来源页，固定权重（P3）", "what this crawl has learned leads to lists (default)": "按本次爬取所学，最可能通向列表页的（默认）",
	"#draw": "%s 轮", "#target": "%s 个目标", "#waiting URL": "%s 个等待的网址",

	// 4 Crawl: load, frontier, requests, events
	"delay": "间隔", "delay:": "间隔：", "delay %s": "间隔 %s", "set the delay between two fetches of one host": "设定同一站点两次抓取的间隔", "500ms, 1s, 2m · for every host; robots.txt may ask for more": "500ms、1s、2m · 对所有站点；robots.txt 可要求更长",
	"depth": "深度", "depth:": "深度：", "depth %s": "深度 %s", "set how many links from a seed a discovery goes": "设定全站发现的深度（距种子的链接数）", "links from a seed; 0 takes the seeds alone": "距种子的链接数；0 只取种子",
	"budget": "预算", "budget:": "预算：", "budget %s": "预算 %s", "set after how many pages this run ends": "设定本次运行抓多少页后结束", "pages of this run, %s so far; 0 is no bound": "本次运行的页数，已抓 %s；0 为不限",
	"edit what belongs to the crawl (scope in the settings)": "编辑爬取范围（设置中的 scope）",
	"steer": "引导", "rules": "规则", "drop, boost or bury the waiting URLs that match a pattern": "按模式丢弃、提前或推后等待的网址", "list the patterns that steer the frontier, and take one away": "列出引导待抓队列的模式，可移除",
	"pattern:": "模式：", "a regular expression of URLs": "网址的正则表达式", "type a part of a URL": "请输入网址的一部分", "counting waiting URLs": "正在计数等待的网址", "%s · %s · enter goes on": "%s · %s · enter 继续", "%s · enter goes on": "%s · enter 继续",
	"drop": "丢弃", "boost": "提前", "bury": "推后", "not fetched any more, until the rule goes": "规则移除之前不再抓取", "before all others": "先于其他", "after all others": "后于其他", "for example": "例如", "no rule for %s": "移除规则 %s", "%s %s": "%s %s",
	"rules over the frontier": "待抓队列的规则", "reading the rules": "正在读取规则", "take the rule away": "移除规则", "no rule yet": "还没有规则", "{steer} makes one": "按 {steer} 新建",
	"in flight %s of %s": "在途 %s / %s", "Every page is on its way home.": "网页都在回来的路上。", "since": "已用", "URL": "网址", "beyond": "超深", "on disk": "在磁盘", "rests for": "等待原因", "important": "重要域名",
	"politeness": "礼貌间隔", "Crawl-delay": "Crawl-delay", "asked to slow down": "被要求放慢", "Retry-After": "Retry-After", "failures": "连续失败",
	"it refuses us": "拒绝访问", "retry": "重试", "have failed URLs tried again at once: all, or those that failed for one reason": "立即重试失败的网址：全部，或因同一原因失败的", "what failed": "失败原因", "counting failed URLs": "正在统计失败网址",
	"all failed URLs": "全部失败网址", "%s tried again (%s)": "重试 %s（%s）", "nothing has failed": "没有失败", "every page was fetched, or waits for its turn": "网页都已抓取，或在等待", "press {retry} again": "请再按 {retry}",
	"trouble": "异常", "events: all, warnings and errors only, errors only": "事件：全部、仅警告与错误、仅错误", "warnings and errors": "警告与错误", "errors": "错误", "No such event. Press {trouble} for all events.": "没有这类事件。按 {trouble} 显示全部。",

	// 5 Harvest
	"changes": "变化", "goes first": "先抓什么", "what leads to the targets soonest, as if they were known": "最快通向目标者，如同预知目标", "none yet": "尚无", "1 in %s d": "%s 天 1 次", "%s a day": "每天 %s",

	// 7 Lab
	"link order": "排序策略", "position": "位置", "min … max": "最小 … 最大", "harvest at 10 %": "10 % 处采集率", "pages/s": "页/秒", "50 %": "50 %", "90 %": "90 %", "95 %": "95 %",
	"link orders · finds %s": "排序策略 · 找%s", "%d marked": "已选 %d", "targets found over pages fetched": "找到的目标随抓取页数变化", "%s found over %s fetched · finds %s": "%s随 %s的抓取而找到 · 找%s",
	"%s cannot be reached from the seeds": "%s无法从种子到达", "%s: no such page is stored": "%s没有对应的网页", "Nothing was compared: %s": "未能比较：%s", "the replay begins … {cancel} cancels": "重放即将开始 … {cancel} 取消",
	"Nothing is stored yet. Press {discovery} to crawl; the lab replays what was crawled.":                                                                                  "还没有网页。按 {discovery} 爬取；实验屏重放已爬的网页。",
	"Mark link orders with {mark}, choose with {lab_target} what is to be found, and press {replay}: the stored crawl is replayed under each of them, without the network.": "用 {mark} 选取排序策略，按 {lab_target} 选择要找什么，再按 {replay}：不用网络，按每种策略重放已存的爬取。",
	"comparing link orders": "正在比较排序策略", "reading pages again": "正在重读网页",
	"replay": "重放", "lab: replay the stored crawl under the marked link orders": "实验：按选取的策略重放已存的爬取", "lab: mark the link order, or no longer": "实验：选取策略，或取消", "all or none": "全选", "lab: mark all link orders, or none": "实验：选取全部策略，或全部取消",
	"target": "目标", "lab: choose what is to be found": "实验：选择要找什么", "draws": "轮数", "lab: set how often each order runs, with another order of equals each time": "实验：设定每种策略运行几轮，同分次序每轮不同", "use it": "采用", "lab: crawl under the link order under the cursor": "实验：以光标所在策略爬取",
	"a replay is under way; {cancel} cancels it": "正在重放；{cancel} 取消", "nothing is stored yet: {discovery} crawls": "还没有网页：按 {discovery} 爬取", "no link order is marked; {mark} marks": "没有选取策略；用 {mark} 选取", "nothing has been compared yet": "还没有比较过", "the oracle knows the links; no crawl does": "oracle 预知链接，实际爬取不能",
	"what is to be found": "要找什么", "what the judge takes for an aggregation page now": "现在判为列表页的网页", "pages labelled yes": "标为“是”的网页", "lists": "列表", "pages of type list": "版式像列表的网页", "harvested notices": "已采集的公告",
	"url: …": "url: …", "pages whose URL matches a regular expression": "网址匹配正则表达式的网页", "file: …": "file: …", "pages whose URLs stand in a file, one a line": "网址列在文件中的网页，每行一个", "enter takes it, esc leaves": "enter 采用，esc 离开", "nothing is typed": "没有输入",
	"draws:": "轮数：", "runs of each link order; the table shows their mean": "每种策略的轮数；表中为平均值",
}

// zhRunLines are what the engine says of them.
var zhRunLines = [][2]string{
	{"withdrawn, because their list no longer qualifies: %s notices", "撤回 %s 条公告：所在列表页不再符合条件"},
	{"the pager of %s repeats itself: page %s shows the entries of an earlier one, and the pages behind it are not followed", "%s 的分页重复：第 %s 页与前面某页条目相同，其后各页不再跟进"},
	{"judged again, as if that run had come to its end: %s pages", "已重新判定 %s 个网页，如同该次运行正常结束"},
	{"the last %s did not come to its end: what it learned is learned again from the stored pages", "上次%s没有正常结束：学到的内容从已存网页重新学习"},
	{"reading the stored pages again: %s", "重新读取已存网页：%s"},
	{"%s; the topic is judged without it", "%s；判定主题时不计入它"},
	{"%s; it counts for nothing", "%s；不起作用"},
	{"%s; the crawl waits", "%s；爬取等待中"},
	{"notice of %s", "公告，列于 %s"},
	{"waiting for host %s until %s, it refuses us", "等待站点 %s 至 %s，它拒绝访问"}, {"the network is away since %s; tried again at %s (%s)", "网络自 %s 起不通；%s 再试（%s）"}, {"the network is away: %s hosts in a row cannot be reached (%s); the crawl waits and goes on by itself", "网络不通：连续 %s 个站点无法到达（%s）；爬取等待并会自行继续"},
	{"the network is there again after %s, as %s says; the crawl goes on (before it did not answer: %s)", "网络中断 %s 后恢复，%s 已应答；爬取继续（未应答：%s）"}, {"host %s refuses us (%s, %s times in a row): it rests until %s; a longer delay may help, on the Crawl screen or as crawl.delay in angler.toml", "站点 %s 拒绝访问（%s，连续 %s 次）：休息至 %s；加长间隔或有帮助：在爬取屏，或 angler.toml 的 crawl.delay"},
	{"host %s answers again", "站点 %s 恢复应答"}, {"%s failed URLs are tried again (%s)", "重试 %s 个失败的网址（%s）"}, {"%s: %s failed URLs are tried again (%s)", "%s：重试 %s 个失败的网址（%s）"}, {"unfinished since %s: %s addresses wait; goes on at %s", "自 %s 起未完成：%s 个网址等待；%s 继续"}, {"%s is unfinished, %s addresses wait; the schedule goes on at %s", "%s未完成，%s 个网址等待；计划任务 %s 继续"},
	{"to retry: %s · %s · in %s", "待重试：%s · %s · %s 后"}, {"%s came in part: it ended early", "%s 只收到一部分：传输提前结束"}, {"%s came in part: its checksum is wrong", "%s 的传输有误：校验和不符"}, {"%s came in part: its compression is broken", "%s 只收到一部分：压缩数据损坏"}, {"%s came in part: the connection broke", "%s 只收到一部分：连接中断"}, {"%s came in part: %s", "%s 只收到一部分：%s"}, {"%s · %s · asked again in %s days", "%s · %s · %s 天后重试"}, {"waiting for host %s until %s, it failed %s times", "等待站点 %s 至 %s，已失败 %s 次"}, {"waiting for host %s until %s, as its robots.txt asks", "应 robots.txt 要求，等待站点 %s 至 %s"}, {"waiting for host %s until %s, as it asks", "应其要求，等待站点 %s 至 %s"},
	{"waiting for host %s until %s, for a retry", "等待站点 %s 至 %s 以重试"}, {"waiting for host %s until %s", "等待站点 %s 至 %s"}, {"waiting for the page in flight", "等待在途网页"}, {"waiting for %s pages in flight", "等待 %s 个在途网页"}, {"reading the frontier from disk", "正在从磁盘读取待抓队列"},
	{"%s ended: nothing left within depth %s, %s beyond it", "%s结束：深度 %s 内没有剩余，之外还有 %s"}, {"%s ended: budget of %s pages spent", "%s结束：%s 页的预算已用完"}, {"%s ended: nothing left", "%s结束：没有剩余网址"}, {"%s ended: stopped", "%s结束：已停止"},
	{"%s failed; tried again at %s", "%s失败；%s 再试"}, {"%s failed %s times in a row; the schedule tries again at %s", "%s连续失败 %s 次；计划任务 %s 再试"},
	{"HTTP status %s · %s · asked again in %s", "HTTP 状态 %s · %s · %s 后重试"}, {"HTTP status %s · %s", "HTTP 状态 %s · %s"}, {"disk full: free some space, the crawl goes on by itself", "磁盘已满：请腾出空间，爬取会自行继续"},
	{"delay %s by %s", "间隔 %s，由 %s 设定"}, {"depth %s by %s", "深度 %s，由 %s 设定"}, {"budget %s pages by %s", "预算 %s 页，由 %s 设定"}, {"%s workers by %s", "%s 个线程，由 %s 设定"},
	{"no rule for %s", "移除规则 %s"}, {"drop %s", "丢弃 %s"}, {"boost %s", "提前 %s"}, {"bury %s", "推后 %s"},
	{"the rule cannot be applied: %s", "规则无法使用：%s"}, {"%s matches every address; name a part of it, for example /news/", "%s 匹配所有网址；请写出其中一部分，例如 /news/"},
	{"no stored page is a target; choose another --target: %s", "没有网页符合目标；请另选目标"}, {"none of the %s target addresses is a stored page; crawl them first, or check how they are written", "%s 个目标网址都不在已存网页中；请先爬取，或检查写法"},
	{"no pages are stored yet; crawl first: %s", "还没有网页；请先爬取"}, {"no page to begin with: %s", "没有起点：种子都未存储；请先爬取"}, {"no page that can be reached is a target; choose another --target", "可到达的网页中没有目标；请另选目标"},
	{"%s is under way; wait for it or cancel it", "%s；请等待或取消"},
}
