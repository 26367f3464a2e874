package lang

// zhKeys are the bindings: their names in the footer, what they do, and why
// they do nothing just now.
var zhKeys = map[string]string{
	"space": "空格", "keys · %s": "按键 · %s", "press the key": "请按键", "press another key": "改按键", "one more key": "再加一键", "%s is taken: %s (%s); press another key": "%s 已占用：%s（%s）；请按别的键",
	"%s has its own key again": "%s 已恢复原键", "%s stands on %s": "%s 改用 %s", "domain terms": "领域术语", "reader": "阅读器",
	"undo": "撤销", "redo": "重做", "freeze": "冻结", "mouse": "鼠标", "cancel": "取消", "palette": "命令", "redraw": "重绘", "quit": "退出", "settings": "设置", "workspace": "工作区", "undone": "已撤销", "done again": "已重做",
	"start a discovery: crawl from the seeds": "开始全站发现：从种子出发爬取", "start a harvest: visit the aggregation pages, fetch new notices": "开始采集：访问列表页，抓取新公告", "undo the last decision; asks before an old one or another person's": "撤销上一次改动；较旧的或他人的改动先询问",
	"undo your “%s” of %s? y/n": "撤销您在 %[2]s 的“%[1]s”？y/n", "undo %s's “%s” of %s? y/n": "撤销 %[1]s 在 %[3]s 的“%[2]s”？y/n", "nothing was undone": "未撤销",
	"the workspace is open for reading only: this user cannot write it": "工作区以只读方式打开：当前用户没有写权限",
	"your key has role=viewer; it takes role=analyst":                   "您的密钥是 role=viewer，此操作需要 role=analyst", "your key has role=viewer; it takes role=admin": "您的密钥是 role=viewer，此操作需要 role=admin", "your key has role=analyst; it takes role=admin": "您的密钥是 role=analyst，此操作需要 role=admin",
	"the file would be the server's; run: ssh HOST export KIND > FILE": "文件会留在服务器上；请运行：ssh HOST export KIND > FILE", "over SSH a sample is a URL that begins with http:// or https://": "通过 SSH 时样本须为以 http:// 或 https:// 开头的网址",
	"redo “%s”, which you undid at %s? y/n": "重做您在 %[2]s 撤销的“%[1]s”？y/n", "redo “%s”, which %s undid at %s? y/n": "重做 %[2]s 在 %[3]s 撤销的“%[1]s”？y/n", "nothing was done again": "未重做",
	"%s: it is old or another person's; the same key asks again": "%s：该改动较旧或出自他人；再按同一键会再次询问",
	"do again what was undone":                                   "重做被撤销的改动",
	"freeze this display (the crawl goes on), and back":          "冻结本屏显示（爬取照常），再按恢复", "leave the mouse to the terminal, for selecting text, and back": "把鼠标交还终端以便选取文字，再按恢复", "cancel what is under way, background work too": "取消正在进行的工作，包括后台工作", "help with every key": "全部按键的帮助", "every action by name": "按名称查找所有命令", "draw the screen again": "重绘屏幕",
	"suspend": "挂起", "suspend the workbench, its crawl too; fg in the shell goes on": "挂起工作台，爬取也暂停；在 shell 中输入 fg 继续", "only a workbench in its own terminal can be suspended": "只能挂起自有终端中的工作台",
	"quit; asks once when a crawl is running": "退出；爬取进行时先询问", "edit the settings (angler.toml)": "编辑设置（angler.toml）", "go to another workspace, or make a new one": "转到另一工作区，或新建", "the workspace is still being opened": "工作区仍在打开", "a run is %s already; {stop} stops it": "已有运行（%s）；按 {stop} 停止", "this workbench shows one workspace only": "此处只显示一个工作区",

	"down": "下", "up": "上", "first": "首", "last": "尾", "page": "翻页", "web page": "网页", "half": "半页", "filter": "筛选", "before": "前一处", "pane": "窗格", "zoom": "放大", "clear filter": "清除筛选", "sort": "排序", "reverse": "反序", "next row": "下一行", "row before": "上一行", "first row": "第一行", "last row": "最后一行", "one page down": "下翻一页", "one page up": "上翻一页",
	"half a page down": "下翻半页", "half a page up": "上翻半页", "filter the rows (several words, Chinese too; !word hides); search in a text": "筛选各行（可多个词，支持中文；!词 为排除）；在文本中查找", "next hit of the filter or search": "下一处匹配", "hit before": "上一处匹配", "next pane": "下一窗格", "pane before": "上一窗格", "zoom this pane, and back": "放大本窗格，再按还原", "clear the filter": "清除筛选",
	"no filter is set": "没有设置筛选", "there are no columns in this pane": "此窗格没有列", "nothing moves in this pane": "此窗格没有可移动的内容", "sort by the next column; a click on its head does too": "按下一列排序；点击列名亦可", "sort by the column before": "按上一列排序", "turn the sort order round": "反转排序",

	"sample": "样本", "add": "添加", "host": "站点", "address": "网址", "copy URL": "复制网址", "open": "打开", "view": "视图", "scroll": "滚动", "make the page a sample of the topic, or no longer": "把网页加为主题样本，或移出", "sample the sites: fetch a few pages of every seed and stop": "试抓：从每个种子抓取少量网页后停止", "add a sample by its URL, or from a file": "按网址或从文件添加样本",
	"negative": "反例", "add negative": "添加反例", "configure": "设定", "label": "标注", "judge": "判定方式", "cancel the job": "取消后台作业", "make the page a negative sample ✗ (not like this: similar to the samples, but not wanted), or no longer": "把网页标为反例 ✗（不要这样的：像样本却不想要），或取消", "add a negative sample by its URL, or from a file": "按网址或从文件添加反例",
	"minimal weight": "最小权重", "set the least weight of a feature word, as a share of the heaviest word's": "设定特征词的最小权重（占最重词权重的份额）", "minimal weight:": "最小权重：", "minimal weight %g": "最小权重 %g",
	"0 to 1: the share of the heaviest word's weight below which a word does not score; 0 is no bound": "0 到 1：权重低于最重词此份额的词不计分；0 为不限", "a number from 0 to 1": "请输入 0 到 1 的数", "topic: ": "主题：", "; ": "；",
	"gamma": "γ", "set γ, how much weight the negative samples take": "设定 γ：反例扣除多少权重", "there are no negative samples yet: {screen_samples}, then {negative} on a page": "还没有反例：按 {screen_samples}，再对网页按 {negative}",
	"show the pages of one host or section only": "只显示某一站点或栏目的网页", "show the pages of all hosts again": "重新显示所有站点的网页", "a run is under way; {stop} stops it": "运行正在进行；按 {stop} 停止", "there are no pages yet": "还没有网页", "the list is not held to a host": "列表未限定站点", "no page is chosen": "没有选中网页", "no row is chosen": "没有选中行",
	"copy the page's URL to the clipboard (OSC 52)": "把网页网址复制到剪贴板（OSC 52）", "copy the URL to the clipboard (OSC 52)": "把网址复制到剪贴板（OSC 52）", "open the page in a browser": "在浏览器中打开网页", "there is no browser here; {copy} copies the URL": "这里没有浏览器；按 {copy} 复制网址", "this is no http address": "这不是 http 网址",
	"preview: records, text, score, the blocks and why, or the HTML source": "预览：记录、正文、得分、分块与原因，或 HTML 源码", "preview: the view before": "预览：上一种视图", "scroll the preview down": "预览向下滚动", "scroll the preview up": "预览向上滚动",

	"on/off": "开/关", "add word": "加词", "heavier": "加重", "lighter": "减轻", "weight 1": "权重 1", "norm": "归一化", "terms": "术语", "stop word": "停用词", "user word": "用户词", "words": "词数", "evaluate": "评测", "switch the word off or on": "停用或启用此词", "add an expert word": "添加专家词", "raise the word's weight by a tenth": "权重加 0.1", "lower the word's weight by a tenth": "权重减 0.1",
	"give the word its own weight back": "恢复此词的原权重", "type the word's weight, as a multiple": "输入此词的权重倍数", "choose how words are weighed": "选择词权计算方案", "choose the similarity: its norm, and with what pages are compared": "选择相似度：归一化方式，以及与什么比较", "look for domain terms (C-value) to take into the dictionary": "查找可收入词典的领域术语（C 值）", "make the word a stop word: no page is judged by it": "设为停用词：不再用于判定", "add a word to the dictionary, so that text is cut by it": "把词加入词典，分词时使用",
	"set m, the number of feature words": "设定特征词数 m", "measure every scheme and the learner on the labels": "在标注上评测各方案与学习器", "no word is chosen": "没有选中词", "there are no samples yet: {screen_samples}, then {sample} on a page": "还没有样本：按 {screen_samples}，再对网页按 {sample}", "there are no labels yet: {yes} and {no} on a page give some": "还没有标注：对网页按 {yes} 或 {no}", "it is being measured": "正在评测",
	"mark": "选取", "accept": "收入", "look again": "重新查找", "back": "返回", "back to the words": "返回特征词", "terms: mark the term, or no longer": "术语：选取或取消", "terms: make the marked terms words of the dictionary": "术语：把选取的术语收入词典", "reject": "拒绝", "tune": "调整", "patterns": "模式", "threshold": "阈值", "corpus": "语料", "terms: reject the marked terms; they are not proposed again": "术语：拒绝选取的术语，不再提出", "terms: choose between ruled and loose patterns": "术语：选择规则模式或宽松模式", "terms: set the C-value that a term must exceed": "术语：设定术语须超过的 C 值", "terms: choose where terms are looked for: all pages, lists, notices": "术语：选择查找范围：全部网页、列表页、公告", "terms: look for terms again": "术语：重新查找", "terms: cancel the looking": "术语：取消查找", "terms: back to the feature words": "术语：返回特征词", "terms: back to the feature words, while it is being looked for too": "术语：返回特征词，查找继续",
	"no term is chosen": "没有选中术语", "no term is marked; {mark} marks": "没有选取术语；用 {mark} 选取", "it is being looked for": "正在查找", "nothing is looked for": "没有在查找", "{terms_cancel} cancels first; {terms_leave} goes back and lets it go on": "{terms_cancel} 先取消；{terms_leave} 返回并继续查找",

	"coarse": "粗调", "fine": "微调", "type": "输入", "otsu": "大津法", "leave-one-out": "留一法", "best F1": "最佳 F1", "apply": "应用", "automatic": "自动", "lower θ by .01": "θ 减 .01", "raise θ by .01": "θ 加 .01", "lower θ by .001": "θ 减 .001", "raise θ by .001": "θ 加 .001", "type a threshold": "输入阈值", "go to Otsu's threshold": "取大津法阈值",
	"go to the lowest leave-one-out score of the samples": "取样本留一法的最低得分", "go to the threshold with the best F1 on the labels": "取标注上 F1 最佳的阈值", "apply the threshold to the crawl": "把阈值用于爬取", "put θ back where it was": "把 θ 放回原处", "let the program choose θ again": "让程序重新选择 θ", "there are no scores yet": "还没有得分", "the threshold was not moved": "阈值没有移动",
	"the scores do not fall into two groups": "得分分不成两组", "needs two samples": "需要两个样本", "no page is labelled yes; screen {screen_label} asks for the pages worth a label": "没有标为“是”的网页；第 {screen_label} 屏会挑出值得标注的网页", "the threshold is automatic already": "阈值已是自动",

	"pause": "暂停", "resume": "继续", "step": "单步", "stop": "停止", "seeds": "种子", "pause the run for everyone, or let it go on": "为所有人暂停运行，或继续", "fetch one page while the run is paused": "暂停时抓取一页", "stop the run; fetches under way are broken off and their pages go on waiting": "停止运行；进行中的抓取会中断，其网页继续等待", "choose the order of the frontier": "选择待抓队列的排序策略", "set the number of fetch workers": "设定抓取线程数", "add seed URLs": "添加种子网址",
	"nothing runs: {discovery} starts a discovery, {harvest} a harvest": "没有运行：按 {discovery} 全站发现，按 {harvest} 采集", "the crawl is not paused": "爬取没有暂停", "nothing runs": "没有运行",

	"search": "查找", "all notices": "全部公告", "export": "导出", "search the text of all notices": "在全部公告的文字中查找", "end the search, show all notices": "结束查找，显示全部公告", "export pages, notices, frontier or links to a file": "把网页、公告、待抓队列或链接导出到文件", "there are no notices yet": "还没有公告", "nothing is searched for": "没有在查找", "no notice is chosen": "没有选中公告",

	"yes": "是", "no": "否", "unsure": "不确定", "skip": "跳过", "batch": "批量", "label the page: yes (again: no label)": "标注网页：是（再按取消）", "label the page: no (again: no label)": "标注网页：否（再按取消）", "label the page: unsure (again: no label)": "标注网页：不确定（再按取消）",
	"label the page: yes, and go on to the next (again: no label)": "标注网页：是，并转到下一页（再按取消）", "label the page: no, and go on to the next (again: no label)": "标注网页：否，并转到下一页（再按取消）", "label the page: unsure, and go on to the next (again: no label)": "标注网页：不确定，并转到下一页（再按取消）",
	"leave the page for later: go on to the next without a label": "稍后再说：不标注，转到下一页", "label all pages of a host, or whose URL has a shape": "标注某站点或某类网址的全部网页", "let the learner decide instead of the rule, and back": "改由学习器判定，再按恢复规则",

	"go to Home": "转到首页", "go to Samples": "转到样本", "go to Features": "转到特征词", "go to Threshold": "转到阈值", "go to Crawl": "转到爬取", "go to Harvest": "转到采集", "go to Label": "转到标注", "go to Lab": "转到实验",
	"angler.toml: %s; the keys are as they were": "angler.toml：%s；按键保持不变",
	"there is no other entry to recall":          "没有可调出的其他记录", "nothing is chosen": "没有选中任何项", "it has its default": "已是默认值",
	"this is the top": "已到开头", "this is the end": "已到末尾", "this is the last hit": "已是最后一处", "this is the first hit": "已是第一处",
	"nothing matches; {clear_filter} clears it": "没有匹配；{clear_filter} 清除", "this pane has the whole screen already": "此窗格已占满屏幕", "θ stands there already": "θ 已在该处", "#hit": "%s 处匹配",
	"%s does nothing here; esc closes": "%s 在此无作用；esc 关闭", "No key matches %s. esc shows all.": "没有按键匹配%s。esc 显示全部。", "help · %s · /%s": "帮助 · %s · /%s", "#key": "%s 个按键", "a key, or words of what it does · esc shows all": "按键，或功能中的词 · esc 显示全部", "words of the text · esc clears": "文中的词 · esc 清除",
	"the run is stopping": "运行正在停止", "the run is not paused: {pause} pauses it": "运行没有暂停：按 {pause} 暂停", "nothing to close": "没有可关闭的",
	"later": "稍后", "range": "区段", "all": "全选", "unmark": "取消选取", "browser": "浏览器", "Marks": "选取", "Pages and notices": "网页与公告", "Notices, in the list and the reader": "公告（列表与阅读）", "The page beside a list": "列表旁的网页",
	"mark the row, or no longer: actions go to the marked rows": "选取此行，或取消：命令作用于选取的各行", "mark from here on; {mark_range} again ends the range": "从此行起选取；再按 {mark_range} 结束", "mark every row that the filter shows, or none": "选取筛选显示的所有行，或全部取消", "take all marks away": "取消所有选取", "no row is marked": "没有选取行",
	"open what the cursor is on": "打开光标所在处", "close what was opened": "关闭打开的内容", "open the page in a browser, which fetches it": "在浏览器中打开网页（浏览器会抓取它）", "there is nothing to open in this pane": "此窗格没有可打开的内容", "the list is empty": "列表为空", "nothing is open": "没有打开的内容", "{clear_filter} clears the search first": "{clear_filter} 先清除查找",
	"the rows stand as they came: {sort} sorts them": "各行按到来的次序：按 {sort} 排序", "no page lies at this threshold": "此阈值处没有网页",
	"made samples: %s": "设为样本：%s", "made negative samples: %s": "设为反例：%s",
	"; the help lists the actions with their names": "；帮助里可查各项操作的名称", "; did you mean %s?": "；是否指 %s？",
}
