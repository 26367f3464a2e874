package notices

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// family is a group of words in notices of a topic: labels of one field, or words for one action.
type family struct {
	Name    string // stable; for an own field, its column title
	words   []string
	without []string // phrases that contain one of words with another meaning
}

// tenders holds the families of procurement notices.
var tenders = []family{
	{Name: "number", words: []string{"项目编号", "采购编号", "招标编号", "项目编码", "标段编号", "文件编号", "磋商编号", "谈判编号", "询价编号",
		"比选编号", "竞价编号", "合同编号", "计划编号", "编号:", "编号为", "招标代码", "项目代码", "项目号", "询价单号", "竞价单号", "projectno", "tenderno",
		"referenceno", "bidno"}},
	{Name: "money", words: []string{"预算", "限价", "控制价", "拦标价", "采购金额", "项目金额", "中标金额", "成交金额", "中标价", "成交价", "合同金额",
		"合同价", "投标报价", "总报价", "最终报价", "投资额", "总投资", "万元", "¥", "保证金", "budget", "ceilingprice",
		"contractprice", "estimatedvalue"}},
	{Name: "deadline", words: []string{"投标截止", "提交截止", "递交截止", "响应截止", "报价截止", "送达截止", "竞价截止", "投标文件递交", "投标文件的递交",
		"投标文件提交", "递交投标文件", "提交投标文件", "提交响应文件", "响应文件提交", "响应文件递交", "响应文件的提交", "递交响应文件", "截标时间", "投标时间", "报价时间",
		"递交时间", "截止投标", "截止报价", "获取采购文件", "获取招标文件", "bidclosing", "closingdate", "biddeadline", "submissiondeadline"}},
	{Name: "opening", words: []string{"开标", "开启时间", "响应文件开启", "唱标", "评标", "评审时间", "评审日期", "评审委员会", "谈判时间", "磋商时间",
		"定标日期", "bidopening", "openingofbids", "openingdate"}},
	{Name: "buyer", words: []string{"采购人", "采购单位", "采购方", "招标人", "招标单位", "招标方", "建设单位", "项目业主", "业主单位", "发包人",
		"比选人", "询价人", "遴选单位", "需求单位", "使用单位", "采购部门", "purchaser", "procuringentity", "contractingauthority",
		"employer:"}},
	{Name: "agent", words: []string{"代理机构", "招标代理", "采购代理", "代理公司", "集中采购机构", "受采购人委托", "受招标人委托", "的委托,", "的委托，",
		"procurementagent", "tenderingagent", "biddingagency"}},
	{Name: "winner", words: []string{"中标人", "中标单位", "中标供应商", "中标候选人", "成交供应商", "成交人", "成交单位", "成交候选人", "中选人",
		"中选单位", "中标公告", "成交公告", "中标结果", "成交结果", "拟中标", "拟成交", "successfulbidder", "winningbidder", "awardedto"}},
	{Name: "contact", words: []string{"联系人", "联系电话", "联系方式", "咨询电话", "项目负责人", "经办人", "contactperson", "telephone"}},
	{Name: "supplier", words: []string{"供应商", "投标人", "投标单位", "报价人", "竞标人", "响应单位", "参选单位", "潜在投标", "承包人", "承包商",
		"供货商", "资格要求", "资质要求", "联合体", "营业执照", "bidders", "tenderers", "suppliers", "eligible"}},
	{Name: "action", words: []string{"招标", "投标", "采购", "磋商", "谈判", "询价", "比选", "竞价", "中标", "成交", "中选", "废标",
		"流标", "遴选", "单一来源", "标段", "invitationtobid", "invitationfor", "tender", "procurement", "requestforproposals",
		"requestforquotations"}, without: []string{"采购与招标管理办公室", "招标与采购中心", "采购管理办公室", "招投标办公室", "招标办公室", "采购中心",
		"招标采购中心", "招标投标中心", "招标采购业务", "招投标业务", "采购业务", "招标投标法", "政府采购法"}},
}

var jobs = []family{
	{Name: "position", words: []string{"岗位", "职位", "职务", "招聘职", "position", "vacancy", "vacancies", "jobtitle"}},
	{Name: "employer", words: []string{"招聘单位", "用人单位", "聘用单位", "公司简介", "单位简介", "用人部门", "招聘部门", "employer",
		"aboutus", "aboutthecompany"}},
	{Name: "posts", words: []string{"招聘人数", "人数", "名额", "招聘计划", "若干名", "numberofposts"}},
	{Name: "education", words: []string{"学历", "学位", "本科", "硕士", "博士", "大专", "专业要求", "任职资格", "任职要求", "应聘条件", "招聘条件",
		"报考条件", "qualification", "bachelor", "master'sdegree", "phd", "experience"}},
	{Name: "salary", words: []string{"薪资", "薪酬", "工资", "月薪", "年薪", "待遇", "福利", "五险一金", "salary",
		"benefits", "remuneration"}},
	{Name: "place", words: []string{"工作地点", "工作地址", "工作城市", "上班地点", "location"}},
	{Name: "deadline", words: []string{"报名时间", "报名截止", "截止时间", "截止日期", "招聘截止", "投递截止", "有效期", "closingdate",
		"applyby", "deadline"}},
	{Name: "exam", words: []string{"笔试", "面试", "考核", "考试", "体检", "考察", "资格审查", "拟聘", "interview"}},
	{Name: "contact", words: []string{"联系人", "联系电话", "联系方式", "咨询电话", "邮箱", "contact", "email"}},
	{Name: "action", words: []string{"招聘", "应聘", "招录", "招募", "聘用", "录用", "简历", "求职", "诚聘", "recruit", "hiring",
		"apply", "resume", "curriculumvitae"}},
}

var prices = []family{
	{Name: "product", words: []string{"品名", "品种", "产品名称", "商品", "规格", "型号", "等级", "product", "commodity", "grade"}},
	{Name: "price", words: []string{"价格", "单价", "均价", "报价", "批发价", "零售价", "收购价", "出厂价", "信息价", "市场价", "price"}},
	{Name: "range", words: []string{"最低", "最高", "平均", "中间价", "lowest", "highest", "average"}},
	{Name: "unit", words: []string{"元/", "单位:", "计量单位", "公斤", "千克", "/吨", "元每", "perkg", "perton", "unit"}},
	{Name: "market", words: []string{"市场", "产地", "批发", "地区", "market", "origin"}},
	{Name: "trend", words: []string{"上涨", "下跌", "涨幅", "跌幅", "持平", "涨跌", "同比", "环比", "回落", "走势", "行情",
		"trend", "rose", "fell"}},
	{Name: "date", words: []string{"报价日期", "价格日期", "更新时间", "执行时间", "执行日期", "采集时间", "effectivedate"}},
}

// squeeze returns a text without white space, in lower case and half width. It reads at most maxRead characters.
func squeeze(texts ...string) string {
	var b strings.Builder
	left := maxRead
	for _, t := range texts {
		for i := 0; i < len(t) && left > 0; left-- {
			r, n := utf8.DecodeRuneInString(t[i:])
			i += n
			switch {
			case r < utf8.RuneSelf:
				if r > ' ' {
					if 'A' <= r && r <= 'Z' {
						r += 'a' - 'A'
					}
					b.WriteByte(byte(r))
				}
			case r == '￥':
				b.WriteString("¥")
			case r >= 0xff01 && r <= 0xff5e && r != '，':
				b.WriteRune(unicode.ToLower(r - 0xfee0))
			case unicode.IsSpace(r) || r == utf8.RuneError:
			default:
				b.WriteRune(r)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// maxRead is the maximum number of characters read of a notice.
const maxRead = 64 << 10

// in reports whether a squeezed text contains a word of the family.
func (f *family) in(text string) bool {
	for _, w := range f.words {
		n := strings.Count(text, w)
		if n == 0 {
			continue
		}
		for _, not := range f.without {
			if strings.Contains(not, w) {
				n -= strings.Count(text, not) * strings.Count(not, w)
			}
		}
		if n > 0 {
			return true
		}
	}
	return false
}
