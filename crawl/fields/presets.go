package fields

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"angler/crawl/htmldoc"
)

// The topics with preset fields.
const (
	Tenders = "tenders"
	Jobs    = "jobs"
	Prices  = "prices"
)

// Topics lists the topics with preset fields.
func Topics() []string { return []string{Tenders, Jobs, Prices} }

var presets = map[string]func() *Set{
	Tenders: sync.OnceValue(func() *Set { return NewSet(tenders) }),
	Jobs:    sync.OnceValue(func() *Set { return NewSet(jobs) }),
	Prices:  sync.OnceValue(func() *Set { return NewSet(prices) }),
}

// Preset returns the fields of a topic. The error lists the topics.
func Preset(topic string) (*Set, error) {
	if set, ok := presets[topic]; ok {
		return set(), nil
	}
	return nil, fmt.Errorf("no topic %q has fields; choose from: %s", topic, strings.Join(Topics(), ", "))
}

// With returns a set with an analyst's fields appended. A field with the name of a built-in one
// replaces it. It keeps the label patterns if its type is the same or empty.
func (s *Set) With(own []Field) *Set {
	fields := slices.Clone(s.fields)
	for _, f := range own {
		i, ok := s.fieldIndex[f.Name]
		if !ok {
			fields = append(fields, f)
			continue
		}
		if f.Type == "" || f.Type == fields[i].Type {
			f.Type, f.form = fields[i].Type, fields[i].form
		}
		if f.Title == "" {
			f.Title, f.English = fields[i].Title, fields[i].English
		}
		fields[i] = f
	}
	return NewSet(fields)
}

// rank returns a pattern of plain labels, which have no spaces.
func rank(r float64, labels string) ranked {
	return ranked{htmldoc.NewPattern(`^(?:` + strings.ReplaceAll(labels, " ", "") + `)$`), r}
}

const (
	buyers   = `采购人|采购单位|采购方|采购执行方|采购机关|采购主体|采购实体|采购组织单位|招标人|招标单位|招标方|建设单位|项目法人|项目业主|业主单位|业主|项目单位|比选人|比选单位|询价人|询价单位|发包人|发包单位|遴选人|遴选单位|竞价单位|需求单位|委托单位|委托人|采购业主|采购部门|procuring entity|purchaser|buyer|contracting authority|employer`
	agents   = `(?:招标|采购|政府采购|比选|项目|招标采购|集中采购)?代理(?:机构|单位|公司|人|方)|(?:招标|采购)代理|招标机构|集中采购(?:代理)?机构|采购代理|procurement agent|agent|agency|tendering agent|bidding agency`
	named    = `(?:单位)?(?:信息)?(?:名称|全称|名)?`
	winners  = `(?:拟|预|推荐)?(?:中标|成交|中选|入围|中标成交|成交中标)(?:供应商|供货商|人|单位|企业|商|方|机构|投标人|公司|社会资本|服务商|供应商单位)` + named + `(?:[、和及与](?:其)?(?:.{0,12})(?:金额|价|价格|报价))?|(?:中标|成交)(?:公司|厂商)|successful (?:bidder|tenderer|supplier)|winner|winning bidder|awarded to|contractor|awarded supplier`
	winPrice = `(?:总|拟|预|推荐)?(?:中标|成交|中选|合同|签约|中标成交|成交总)(?:不?含税)?(?:总)?(?:金额|价|价格|报价|造价|总价|总金额|合同价|合同金额|额|标价|结果金额)(?:总额|总价)?|(?:中标|成交)人?(?:投标)?(?:报价|价)|award(?:ed)? (?:amount|price|value)|contract (?:amount|price|value|sum)|winning (?:price|bid)`
)

var (
	buyerLabel = htmldoc.NewPattern(`^(?:项目)?(?:` + buyers + `)` + named + `$`)
	agentLabel = htmldoc.NewPattern(`^(?:` + agents + `)` + named + `$`)
	nameLabel  = htmldoc.NewPattern(`^(?:单位)?(?:名称|全称)$|^单位$`)
	startLabel = htmldoc.NewPattern(`^(?:开始|开标|开启)?(?:时间|日期)$|^时间和地点$|^时间及地点$`)
	timeLabel  = htmldoc.NewPattern(`^(?:截止)?(?:时间|日期)$|^时间和地点$|^时间及地点$|^截止时间`)
)

// tenders are the fields of notices of public procurement.
var tenders = []Field{
	{Name: "kind", Title: "类型", English: "Kind", Type: Choice,
		Choices: []string{Intention, Tender, Correction, Stopped, Candidates, Award, Contract},
		form:    form{preset: true}},
	{Name: "number", Title: "项目编号", English: "Number", form: form{preset: true, code: true, patterns: []ranked{
		rank(1, `(?:原公告的?|原)?(?:政府)?(?:采购|招标|磋商|谈判|询价|比选|招标项目|采购项目|招标采购项目|工程|比选项目|原公告的采购项目)?(?:项目)(?:编号|编码|号|代码)|(?:政府)?采购编号|招标编号|竞价编号|采购计划项目编号|项目招标编号|项目采购编号`),
		rank(.9, `(?:原公告的?|原)?(?:磋商|谈判|询价|比选|交易|竞标|委托|招标采购|遴选|代理|委托代理)(?:项目)?(?:编号|编码|号)|询价单号|竞价单号|project (?:no|number|id)|tender (?:no|number|reference)|reference(?: no| number)?|bid(?:ding)? (?:no|number)`),
		rank(.8, `(?:招标|采购|磋商|谈判|询价|比选|标书)文件(?:编号|号)|标书编号`),
		rank(.75, `标段(?:编号|编码|号)|(?:工程|标段合同)编号|招标公告编号|公告编号`),
	}, exclude: htmldoc.NewPattern(`统一|信用|备案|核准|计划|资格|许可|投资项目|立项|包号|联系|合同编号|身份|注册|序号|分包号|批文|项目号段`)}},
	{Name: "project", Title: "项目名称", English: "Project", form: form{preset: true, patterns: []ranked{
		rank(1, `(?:原公告的?)?(?:采购|招标|招标采购|工程|比选|采购计划)?项目名称|(?:采购|招标)项目|project(?: name| title)?|tender title`),
		rank(.8, `标段名称|工程名称|采购内容|招标名称`)}}},
	{Name: "buyer", Title: "采购人", English: "Buyer", Type: Org, form: form{preset: true, patterns: []ranked{
		rank(1, `(?:项目)?(?:`+buyers+`)`+named),
		rank(.7, `甲方`+named)},
		sections: map[context]*htmldoc.Pattern{inBuyer: nameLabel}}},
	{Name: "agent", Title: "代理机构", English: "Agent", Type: Org, form: form{preset: true, patterns: []ranked{
		rank(1, `(?:`+agents+`)`+named)},
		sections: map[context]*htmldoc.Pattern{inAgent: nameLabel}}},
	{Name: "budget", Title: "预算", English: "Budget", Type: Money,
		form: form{preset: true, perLot: true, patterns: []ranked{
			rank(1, `(?:本)?(?:项目|采购|资金|经费|采购资金|项目资金|采购项目|采购包|合同包|标包|子包|品目|包|分包|标段|标项|年度|总)?(?:总)?预算(?:总)?(?:金额|价|额|总额|资金|经费)?(?:[/及和、与](?:最高(?:投标)?限价|控制价))?|采购(?:预算|项目预算)(?:总)?(?:金额|额|价|总额)?|预算(?:控制)?(?:总)?(?:金额|额度?|价|数)|采购金额预算|.{2,14}的(?:总)?预算(?:总)?(?:金额|价|额)?|budget(?: amount)?|estimated (?:budget|cost|value)`),
			rank(.6, `项目(?:总)?金额|采购(?:总)?金额`)}}},
	{Name: "ceiling", Title: "最高限价", English: "Ceiling", Type: Money,
		form: form{preset: true, perLot: true, patterns: []ranked{
			rank(1, `(?:项目|采购|招标|本项目|设定|总|采购包|合同包|标包|子包|品目|包|分包|标段|磋商|谈判|询价|比选|投标报价|本标段|标项|工程)?(?:总)?(?:最高(?:投标|采购|响应|报价|总)?限价|(?:招标|采购|工程|投标|最高|预算)?控制价|拦标价|最高(?:应答|报价)?限额|投标限价|上限价|限价)(?:总价|金额)?|ceiling(?: price)?|maximum price|price ceiling`)}}},
	{Name: "investment", Title: "投资额", English: "Investment", Type: Money, form: form{preset: true, patterns: []ranked{
		rank(1, `(?:项目|工程|计划|估算|预计)?(?:总)?(?:投资)(?:额|估算|总额|金额|概算|规模)?|投资估算(?:额|价)?|项目总投资|总投资额?`)}}},
	{Name: "deadline", Title: "投标截止", English: "Deadline", Type: Time,
		form: form{preset: true, spanEnd: true, patterns: []ranked{
			rank(1, `(?:.{0,12}(?:投标|递交|提交|送达|响应|上传|首次响应|申请文件|竞价|磋商|谈判|比选|参选|文件接收).{0,14}|报价)截止(?:时间|日期?|期限)?(?:[、和及与/].{0,14})?|投标截止.{0,4}开标时间|开标时间.{0,3}投标截止(?:时间)?`),
			rank(.95, `(?:投标|响应|比选|申请|报价|磋商|谈判)文件的?(?:递交|提交|送达)(?:截止)?(?:时间|日期)?(?:[、和及与/].{0,14})?|(?:递交|提交)(?:投标|响应|比选|申请|报价)文件(?:的)?(?:截止)?(?:时间|日期)(?:[、和及与/].{0,8})?|投标(?:截标)?时间|截标时间|bid(?:ding)? deadline|closing (?:date|time)(?: and time)?|deadline(?: for (?:submission|bids).*)?|submission deadline`),
			rank(.8, `截止时间|截止日期`)},
			sections: map[context]*htmldoc.Pattern{inDeadline: timeLabel},
			exclude:  htmldoc.NewPattern(`获取|领取|发售|购买|下载|保证金|质疑|提问|澄清|公示|公告期|异议|答疑|疑问|报价有效|缴纳|踏勘`)}},
	{Name: "opening", Title: "开标时间", English: "Opening", Type: Time, form: form{preset: true, patterns: []ranked{
		rank(1, `(?:.{0,12})?(?:开标|开启|开评标|启封|唱标|开标会|谈判|磋商|开标开启)(?:会)?(?:的)?(?:时间|日期)(?:[、和及与/].{0,10})?|(?:(?:投标|响应|应答|报价|申请)文件的?)?(?:开标|开启)|opening(?: date| time|(?: of)? bids).*|bid opening.*`)},
		sections: map[context]*htmldoc.Pattern{inOpening: startLabel},
		exclude:  htmldoc.NewPattern(`获取|领取|发售|购买|报名|下载`)}},
	{Name: "documents", Title: "获取文件", English: "Documents", Type: Time,
		form: form{preset: true, span: true, patterns: []ranked{
			rank(1, `(?:获取|领取|购买|发售|下载|报名)?(?:招标|采购|磋商|谈判|询价|比选|资格预审)?文件?的?(?:获取|领取|发售|购买|报名|下载)(?:的)?(?:时间|期限|日期|起止时间)(?:[、和及与/].{0,10})?|报名时间|(?:获取|领取|购买|发售|下载)(?:招标|采购|磋商|谈判|询价|比选)?文件(?:的)?(?:时间|期限)`),
			rank(.9, `(?:网上|现场)?(?:报名|登记)截止(?:时间|日期|期限)?|(?:招标|采购|磋商|谈判|询价|比选|资格预审)?文件的?(?:获取|领取|购买|发售|下载)截止(?:时间|日期|期限)|(?:获取|领取|购买|发售|下载)(?:招标|采购|磋商|谈判|询价|比选|资格预审)?文件的?截止(?:时间|日期|期限)`)},
			sections: map[context]*htmldoc.Pattern{inDocuments: timeLabel}}},
	{Name: "place", Title: "地点", English: "Place", form: form{preset: true, patterns: []ranked{
		rank(1, `(?:开标|开启|投标|谈判|磋商|递交)(?:会)?地点|place of opening`),
		rank(.8, `(?:项目|建设|交货|工程|服务|实施)地点`)}}},
	{Name: "region", Title: "地区", English: "Region", form: form{preset: true, patterns: []ranked{
		rank(1, `行政区域|行政区划|所属(?:地区|区域|行政区域)|项目所在地(?:区)?|所在地区|省份|配送区域`)}}},
	{Name: "winner", Title: "中标人", English: "Winner", Type: Org,
		form: form{preset: true, perLot: true, patterns: []ranked{
			rank(1, winners),
			rank(.9, `(?:中标|成交|中选)候选(?:人|供应商|单位)第[1一]名`),
			rank(.85, `(?:中标|成交|中选|入围)(?:人|供应商|单位|企业)?名单`),
			rank(.75, `第一(?:中标|成交|中选)?候选(?:人|供应商|单位|企业)`+named+`|第一名`),
			rank(.65, `(?:中标|成交|中选)候选(?:人|供应商|单位)`+named+`|投标人`+named+`|投标单位`+named+`|供应商`+named)},
			sections: map[context]*htmldoc.Pattern{inWinner: htmldoc.NewPattern(`^供应商(?:名称)?$|^单位名称$|^名称$`)},
			exclude:  htmldoc.NewPattern(`^(?:供应商|投标人)信息$|地址|未中标`)}},
	{Name: "amount", Title: "中标金额", English: "Amount", Type: Money,
		form: form{preset: true, perLot: true, patterns: []ranked{
			rank(1, winPrice),
			rank(.65, `投标(?:总)?(?:报价|价|金额)|最终报价|(?:总)?报价|金额|(?:合计|总计|共计)(?:总?金额|总?价)?(?:人民币)?|总(?:价|金额|额)`)},
			exclude: htmldoc.NewPattern(`单价|保证金|服务费|代理费|履约`)}},
	{Name: "contact", Title: "联系人", English: "Contact", Type: Person, form: form{preset: true, patterns: []ranked{
		rank(1, `项目联系人(?:姓名)?|(?:采购)?项目负责人联系人`),
		rank(.85, `(?:.{0,8})?联系人(?:姓名|及电话|及联系方式|及联系电话)?|联系人.{0,2}电话|contact(?: person| name)?`),
		rank(.7, `(?:采购人|采购单位|代理机构|招标人)?经办人|联系方式|采购人联系方式`)}}},
	{Name: "phone", Title: "电话", English: "Phone", Type: Phone, form: form{preset: true, patterns: []ranked{
		rank(.9, `(?:.{0,8})?(?:联系电话|联系人电话|联系方式|电话|联系人及电话|手机)(?:号码)?|tel(?:ephone)?|phone(?: number)?`)},
		exclude: htmldoc.NewPattern(`投诉|监督|技术支持|客服|传真|服务热线|主管|咨询(?:热线|电话)|质疑|举报`)}},
}

var jobs = []Field{
	{Name: "position", Title: "岗位", English: "Position", form: form{perLot: true, namesItem: true},
		Labels: []string{"岗位名称", "职位名称", "招聘岗位", "岗位", "职位", "招聘职位", "Position", "Job title", "Job"}},
	{Name: "employer", Title: "招聘单位", English: "Employer", Type: Org,
		Labels: []string{"招聘单位", "用人单位", "招聘单位名称", "单位名称", "用人部门", "公司名称", "招聘部门", "聘用单位", "Employer", "Company",
			"Organization", "Organisation"}},
	{Name: "posts", Title: "人数", English: "Posts", Type: Number, form: form{perLot: true},
		Labels: []string{"招聘人数", "人数", "招聘名额", "招聘数量", "需求人数", "岗位数", "职数", "招聘职数", "名额", "计划数", "招聘计划", "Vacancies",
			"Number of posts", "Positions available"}},
	{Name: "education", Title: "学历", English: "Education", form: form{perLot: true},
		Labels: []string{"学历", "学历要求", "学历学位", "最低学历", "学历层次", "Education", "Qualification", "Qualifications"}},
	{Name: "salary", Title: "薪资", English: "Salary", form: form{perLot: true},
		Labels: []string{"薪资", "薪资待遇", "薪酬", "工资", "月薪", "年薪", "薪资水平", "工资待遇", "薪酬待遇", "Salary", "Pay"}},
	{Name: "place", Title: "工作地点", English: "Place", Labels: []string{"工作地点", "工作地址", "工作城市", "上班地点", "Location",
		"Place of work"}},
	{Name: "deadline", Title: "报名截止", English: "Deadline", Type: Time,
		Labels: []string{"报名截止时间", "截止时间", "截止日期", "报名截止日期", "报名截止", "申请截止日期", "投递截止时间", "招聘截止日期", "Closing date",
			"Application deadline", "Deadline", "Apply by"}},
	{Name: "applications", Title: "报名时间", English: "Applications", Type: Time, form: form{span: true},
		Labels: []string{"报名时间", "报名日期", "网上报名时间", "报名起止时间", "Application period"}},
	{Name: "exam", Title: "考试时间", English: "Exam", Type: Time,
		Labels: []string{"考试时间", "笔试时间", "面试时间", "Interview date", "Exam date"}},
	{Name: "contact", Title: "联系人", English: "Contact", Type: Person,
		Labels: []string{"联系人", "联系人姓名", "Contact", "Contact person"}},
	{Name: "phone", Title: "电话", English: "Phone", Type: Phone,
		Labels: []string{"联系电话", "电话", "咨询电话", "报名电话", "联系方式", "Phone", "Tel", "Telephone"}},
}

var prices = []Field{
	{Name: "product", Title: "品名", English: "Product", form: form{perLot: true, namesItem: true, patterns: []ranked{
		rank(1, `(?:产品|商品|货物|材料|品种|物资|药品|设备|食材|农产品|蔬菜|水果|耗材|标的|采购标的|货品|品目|菜品|原料|原材料|主要材料)(?:名称|名)?|(?:品种|商品|货品|菜)名`)}},
		Labels: []string{"品名", "产品", "产品名称", "商品", "商品名称", "品种", "名称", "材料名称", "品类", "货物名称", "Product", "Item",
			"Commodity"}},
	{Name: "spec", Title: "规格", English: "Specification", form: form{perLot: true},
		Labels: []string{"规格", "型号", "规格型号", "型号规格", "产品规格", "规格及型号", "材质", "等级", "Specification", "Grade"}},
	{Name: "price", Title: "价格", English: "Price", Type: Money, form: form{perLot: true, unitPrice: true, patterns: []ranked{
		rank(1, `(?:综合|含税|投标|中标|成交|采购|供货|销售|结算|平均|参考)?单价|(?:今日|本日|当日|本周|本期|本月|当前|最新|市场|批发|平均)(?:平均|批发|市场|参考)?(?:价格|均价|价)`),
		rank(.95, `(?:批发|收购|出厂|到厂|市场|含税|参考|指导|挂牌|销售|现货|主流|结算|供货|执行|综合|平均|信息|基准)(?:价格|均价|价)|(?:成交|中标)(?:均价|单价)`),
		rank(.9, `(?:零售|除税|不含税|预算)(?:信息)?(?:价格|均价|单价|价)|(?:最终|投标)?报价|(?:成交|中标|中选)(?:价格|价)`)}},
		Labels: []string{"价格", "均价", "Price", "Unit price", "Average price"}},
	{Name: "low", Title: "最低价", English: "Low", Type: Money, form: form{perLot: true, unitPrice: true},
		Labels: []string{"最低价", "最低价格", "低价", "最低", "Low", "Lowest price"}},
	{Name: "high", Title: "最高价", English: "High", Type: Money, form: form{perLot: true, unitPrice: true},
		Labels: []string{"最高价", "最高价格", "高价", "最高", "High", "Highest price"}},
	{Name: "unit", Title: "单位", English: "Unit", form: form{perLot: true},
		Labels: []string{"单位", "计量单位", "计价单位", "价格单位", "Unit"}},
	{Name: "quantity", Title: "数量", English: "Quantity", Type: Number, form: form{perLot: true},
		Labels: []string{"数量", "采购数量", "成交数量", "需求数量", "工程量", "Quantity"}},
	{Name: "market", Title: "市场", English: "Market", form: form{perLot: true},
		Labels: []string{"市场", "批发市场", "市场名称", "产地", "地区", "区域", "集市", "监测点", "Market", "Origin", "Region"}},
	{Name: "date", Title: "日期", English: "Date", Type: Time,
		Labels: []string{"日期", "发布日期", "报价日期", "价格日期", "更新时间", "执行时间", "执行日期", "采价日期", "监测日期", "调价日期", "Date", "Price date",
			"Effective date"}},
}
