package lang

// zhFields are the values of notices: heads of columns, where values come from, and
// what filters ask of them.
var zhFields = map[string]string{
	"Kind": "类型", "Number": "项目编号", "Project": "项目名称", "Buyer": "采购人", "Agent": "代理机构", "Budget": "预算", "Ceiling": "最高限价", "Deadline": "截止时间",
	"Opening": "开标时间", "Documents": "文件获取", "Place": "地点", "Region": "地区", "Winner": "中标人", "Amount": "中标金额", "Contact": "联系人", "Phone": "电话",
	"Position": "岗位", "Employer": "招聘单位", "Posts": "人数", "Education": "学历", "Salary": "薪资", "Applications": "报名时间", "Exam": "考试时间",
	"Product": "品名", "Price": "价格", "Low": "最低价", "High": "最高价", "Unit": "单位", "Market": "市场", "Date": "日期",

	"field": "字段", "correct": "更正", "go to the next field of the notice: where it stands, and how sure it is": "转到公告的下一字段：出处与把握", "go to the field before": "转到上一字段",
	"correct a field of the notice, for the team: the one that is chosen, else any": "更正公告的字段，全组可见：更正所选字段；未选则先选一个",
	"fields of the notice": "公告的字段", "nothing was read of this notice": "此公告未读出任何字段",
	"the notices of this workspace have no fields; set harvest.fields": "此工作区的公告没有字段；请设置 harvest.fields",
	"%s as it was read": "%s：恢复读出的值", "corrected %s": "已更正 %s", "corrected by %s": "更正：%s", "read was %s": "原读出 %s", "not said": "公告未写",
	"%s · several between ； · empty: the notice does not say it": "%s · 多个用 ； 分隔 · 留空表示公告未写",
	"a sum of money: 92.28万, 902460.50":                          "金额：92.28万、902460.50", "a time: 2026-07-18 09:30, or the day alone": "时间：2026-07-18 09:30，或只写日期",
	"a number": "数字", "one of %s": "以下之一：%s", "the name of an organisation": "单位名称", "the name of a person": "人名", "a telephone number": "电话号码", "a text": "文字",
	"%s yuan": "%s 元", "lot %s": "包 %s", "no. %s": "第 %s 项", "… and %s, which exports have": "……另有%s，见导出",
	"weak evidence": "依据不足", "before the notice's date": "早于公告日期", "the notice is one of the kind %s": "此公告属于%s类",
	"table %d, row %d, column %d": "第 %d 个表格第 %d 行第 %d 列", "a table of the text": "正文中的表格", "a line of the text": "正文中的一行", "a sentence": "正文语句", "the title": "标题", "the document “%s”": "附件“%s”", "the names of places": "地名推断",
	"behind “%s”": "标签“%s”", "certainty %s": "把握 %s", "%s more say the same": "另有%s写法一致",
	"reading fields": "读取字段", "#place": "%s 处", "#value": "%s 个值",

	"Investment": "总投资",
	"what the notice is: intention, tender, correction, stopped, candidates, award, contract": "公告类型：意向、招标、更正、终止、候选、中标、合同",
	"number of the project, as the notice prints it":                                          "公告所写的项目编号",
	"name of the project":                                               "项目名称",
	"who buys":                                                          "采购人",
	"who runs the tender for the buyer":                                 "采购代理机构",
	"the budget in yuan; of several lots the total":                     "预算，单位元；分包时为合计",
	"the highest price that is allowed, in yuan":                        "最高限价，单位元",
	"what the whole project costs, in yuan":                             "总投资，单位元",
	"until when bids are taken; lit when less than three days are left": "投标截止时间；不足三天时高亮",
	"when the bids are opened":                                          "开标时间",
	"until when the documents are given out":                            "招标文件获取的截止时间",
	"where bids are handed in and opened":                               "递交与开标地点",
	"province and city":                                                 "省市",
	"who has won":                                                       "中标人",
	"for how much, in yuan; of several lots the total":                  "中标金额，单位元；分包时为合计",
	"whom to ask":                                                       "联系人",
	"their telephone":                                                   "联系电话",
	"the post that is offered":                                          "招聘岗位",
	"who employs":                                                       "招聘单位",
	"how many are looked for":                                           "招聘人数",
	"the degree that is asked for":                                      "学历要求",
	"the pay, as printed":                                               "薪资，照原文",
	"until when one may apply":                                          "报名的截止时间",
	"when the examination is":                                           "考试时间",
	"what is priced":                                                    "品名",
	"its price in yuan":                                                 "价格，单位元",
	"the lowest price in yuan":                                          "最低价，单位元",
	"the highest price in yuan":                                         "最高价，单位元",
	"for how much of it":                                                "计价单位",
	"where":                                                             "市场或产地",
	"of which day":                                                      "日期",
}

// zhFieldLines are what the log and the engine say of values.
var zhFieldLines = [][2]string{
	{"%s as it was read of %s", "恢复读出的%s：%s"}, {"corrected: no %s in %s", "更正：没有%s：%s"}, {"corrected %s of %s", "更正%s：%s"}, {"%s, in yuan, of all lots together", "%s，单位元，各包合计"}, {"%s, in yuan, of one thing that is listed", "%s，单位元，所列的任何一项"}, {"%s, of one thing that is listed or of all together", "%s，所列的任何一项，或各项合计"}, {"%s, how far off the deadline is", "%s，距截止时间还有多久"}, {"%s, a part of it", "%s，其中一部分即可"}, {"%s, a day, a month or a year", "%s，可写到日、月或年"},
	{"reading fields was cancelled; what is left is read with the next notice, or on a request for all", "已取消读取字段；其余在下一条公告到来或有人查询全部时读取"}, {"reading fields: %s; it is tried again", "读取字段：%s；稍后重试"}, {"fields of some notices are not read: %s", "部分公告的字段尚未读取：%s"},
}
