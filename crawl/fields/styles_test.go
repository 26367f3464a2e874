package fields

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// noticeStyle is one style of notices. Fields without an entry are not checked; "" means that the
// notice does not state the field.
type noticeStyle struct {
	name      string
	title     string
	published string
	text      string
	tables    []Table
	files     []string
	want      string // number=X; buyer=Y|Z
}

// noticeStyles are invented after the styles of Chinese procurement notices.
var noticeStyles = []noticeStyle{
	{name: "ccgp award with a summary", title: "东湖大学2026年实验室通风系统改造项目中标公告", published: "2026-08-10", text: `一、项目编号：DHZC-2026-0117（招标文件编号：DHZC-2026-0117）
二、项目名称：东湖大学2026年实验室通风系统改造项目
三、中标（成交）信息
供应商名称：江城恒通机电工程有限公司
供应商地址：江城市洪山区珞喻路88号
中标（成交）金额：318.6500000（万元）
四、主要标的信息
五、评审专家（单一来源采购人员）名单：
王建国、李红、张伟
六、代理服务收费标准及金额：
本项目代理费总金额：3.2100000 万元（人民币）
七、公告期限
自本公告发布之日起1个工作日。
九、凡对本次公告内容提出询问，请按以下方式联系。
1.采购人信息
名 称：东湖大学
地址：江城市东湖路1号
联系方式：赵老师027-67860001
2.采购代理机构信息
名 称：湖北正信工程咨询有限公司
地　址：江城市武昌区中南路12号
联系方式：钱晓 027-87320002
3.项目联系方式
项目联系人：钱晓
电　话：027-87320002`,
		want: "number=DHZC-2026-0117; buyer=东湖大学; agent=湖北正信工程咨询有限公司; winner=江城恒通机电工程有限公司; amount=3186500; kind=中标; contact=钱晓; phone=027-87320002; budget=; deadline="},
	{name: "tender in the form of the ministry", title: "西山县人民医院彩超采购项目公开招标公告", published: "2026-07-01", text: `项目概况
彩超采购项目招标项目的潜在投标人应在西山县公共资源交易平台获取招标文件，并于2026年07月22日 09点30分（北京时间）前递交投标文件。
一、项目基本情况
项目编号：XSZFCG2026-045
项目名称：彩超采购项目
预算金额：280.000000 万元（人民币）
最高限价（如有）：275.500000 万元（人民币）
采购需求：详见附件
合同履行期限：合同签订后60日内
本项目( 不接受  )联合体投标。
三、获取招标文件
时间：2026年07月01日 至 2026年07月08日，每天上午9:00至11:30，下午14:00至17:00。
地点：西山县公共资源交易平台
四、提交投标文件截止时间、开标时间和地点
提交投标文件截止时间：2026年07月22日 09点30分（北京时间）
开标时间：2026年07月22日 09点30分（北京时间）
地点：西山县公共资源交易中心二楼
七、对本次招标提出询问，请按以下方式联系。
1.采购人信息
名称：西山县人民医院
联系方式：孙主任 0733-4221111
2.采购代理机构信息
名称：湖南天衡招标代理有限公司
3.项目联系方式
项目联系人：周敏
电话：0731-88991234`,
		want: "number=XSZFCG2026-045; budget=2800000; ceiling=2755000; deadline=2026-07-22T09:30; opening=2026-07-22T09:30; buyer=西山县人民医院; agent=湖南天衡招标代理有限公司; kind=招标; winner=; amount=; contact=周敏"},
	{name: "correction with before and after in lines", title: "关于南屏学院智慧教室项目的更正公告（一）", published: "2026-06-10", text: `一、项目基本情况
原公告的采购项目编号：NPXY-CG-2026018
原公告的采购项目名称：智慧教室项目
首次公告日期：2026年05月28日
二、更正信息
更正事项：采购文件
更正内容：
原公告内容：提交投标文件截止时间：2026年06月18日09时00分
更正后内容：提交投标文件截止时间：2026年06月25日09时30分
更正日期：2026年06月10日
三、其他补充事宜
四、联系方式
1.采购人信息
名称：南屏学院`,
		want: "number=NPXY-CG-2026018; deadline=2026-06-25T09:30; kind=更正; buyer=南屏学院"},
	{name: "correction in a sentence", title: "北岭市第二中学食堂设备采购更正公告", published: "2026-05-06", text: `各潜在投标人：
北岭市第二中学食堂设备采购（项目编号：BLZC2026-031）于2026年4月20日发布公告，现对有关内容更正如下：
1、投标截止时间由原来的“2026年5月11日上午9:00”变更为“2026年5月18日上午9:30”。
2、开标时间同步调整。
其他内容不变。
采购人：北岭市第二中学
采购代理机构：北岭诚信招标有限公司`,
		want: "number=BLZC2026-031; deadline=2026-05-18T09:30; kind=更正; buyer=北岭市第二中学; agent=北岭诚信招标有限公司"},
	{name: "correction in a table of before and after", title: "白塔区城管局环卫车辆采购变更公告", published: "2026-03-02", text: "项目编号：BTZC-2026-07\n变更内容如下",
		tables: table("序号|更正项|更正前内容|更正后内容", "1|投标截止时间|2026年3月9日14:30|2026年3月16日14:30", "2|预算金额|300万元|320万元"),
		want:   "deadline=2026-03-16T14:30; budget=3200000; number=BTZC-2026-07; kind=更正"},
	{name: "correction 原…现… without a table", title: "延期公告", published: "2026-09-01", text: "原招标文件规定的投标截止时间及开标时间为2026年9月8日9时00分，现延期至2026年9月15日9时00分，地点不变。\n招标人：东泽港务集团有限公司",
		want: "deadline=2026-09-15T09:00; buyer=东泽港务集团有限公司"},
	{name: "stopped", title: "云溪大学图书馆座椅采购项目废标公告", published: "2026-04-11", text: "一、采购项目名称：云溪大学图书馆座椅采购项目\n二、采购项目编号：YXU-2026-FB09\n三、废标原因：有效投标人不足三家\n四、采购单位：云溪大学\n五、代理机构：云溪市公正招标代理有限责任公司",
		want: "number=YXU-2026-FB09; kind=终止; buyer=云溪大学; agent=云溪市公正招标代理有限责任公司; winner=; amount="},
	{name: "award of lots in a table", title: "江渡职业学院实训设备采购项目成交结果公告", published: "2026-08-20", text: "项目编号：JDZY2026-C-12\n采购人：江渡职业学院",
		tables: table("包号|成交供应商|成交金额（元）|地址", "01包|江渡科苑仪器有限公司|456,000.00|江渡市", "02包|苏州明达教学设备有限公司|1,203,500.00|苏州市"),
		want:   "winner=江渡科苑仪器有限公司|苏州明达教学设备有限公司; amount=456000|1203500; kind=中标; buyer=江渡职业学院"},
	{name: "award pairs across", title: "中标结果公示", published: "2026-08-21", text: "现将评标结果公示如下",
		tables: table("工程名称|滨江路道路改造工程|招标编号|BJL-2026-3", "招标人|滨江区住房和城乡建设局|招标代理机构|天元项目管理有限公司", "中标人|中铁某局集团有限公司|中标价|2356.78万元", "工期|180日历天|项目经理|王强"),
		want:   "winner=中铁某局集团有限公司; amount=23567800; buyer=滨江区住房和城乡建设局; agent=天元项目管理有限公司; number=BJL-2026-3; kind=中标"},
	{name: "candidates in order", title: "污水处理厂提标改造工程中标候选人公示", published: "2026-02-14", text: "第一中标候选人：华水环境工程股份有限公司，投标报价：45678900.00元\n第二中标候选人：蓝天环保集团有限公司，投标报价：46123000.00元\n第三中标候选人：碧水建设有限公司，投标报价：46990000.00元\n招标人：某市水务投资有限公司",
		want: "winner=华水环境工程股份有限公司; amount=45678900; buyer=某市水务投资有限公司"},
	{name: "award in sentences", title: "校园安保服务项目成交公告", published: "2026-01-20", text: "受北岭大学委托，华诚招标有限公司就校园安保服务项目（项目编号：HC-2026-002）组织竞争性磋商。经磋商小组评审，确定成交供应商为：平安保安服务有限公司，成交金额为人民币壹佰贰拾万元整（¥1200000.00元）。",
		want: "winner=平安保安服务有限公司; amount=1200000; buyer=北岭大学; agent=华诚招标有限公司; number=HC-2026-002; kind=中标"},
	{name: "inquiry of a school", title: "白塔音乐学院钢琴采购询价公告", published: "2026-10-08", text: "我校拟对钢琴采购进行公开询价，欢迎符合资格条件的供应商参加。\n一、项目编号：BTYY-XJ-2026-22\n二、采购预算：人民币38万元\n三、报价文件递交截止时间：2026年10月15日17:00前\n四、递交地点：白塔音乐学院行政楼305\n联系人：陈老师 电话：0512-66778899",
		want: "number=BTYY-XJ-2026-22; budget=380000; deadline=2026-10-15T17:00; kind=招标; phone=0512-66778899; winner="},
	{name: "single source", title: "东泽海洋大学质谱仪单一来源采购公示", published: "2026-11-02", text: "一、项目信息\n采购人：东泽海洋大学\n项目名称：质谱仪\n拟采购的货物或服务的说明：高分辨质谱仪1台\n拟采购的货物或服务的预算金额：520.0000万元\n二、拟定供应商信息\n名称：赛默飞某某科技有限公司\n地址：上海市\n三、公示期限\n2026年11月2日至2026年11月9日",
		want: "buyer=东泽海洋大学; budget=5200000; deadline=; amount="},
	{name: "contract", title: "北岭大学空调维保合同公告", published: "2026-07-30", text: "一、合同编号：BLU-HT-2026-118\n二、合同名称：空调维保合同\n三、项目编号：BLU2026-077\n四、项目名称：空调维保\n五、合同主体\n采购人（甲方）：北岭大学\n供应商（乙方）：北岭暖通设备有限公司\n六、合同主要信息\n合同金额：23.8万元",
		want: "kind=合同; number=BLU2026-077; buyer=北岭大学; winner=北岭暖通设备有限公司; amount=238000"},
	{name: "intentions", title: "东湖大学2026年9月政府采购意向", published: "2026-08-28", text: "为便于供应商及时了解政府采购信息",
		tables: table("序号|采购项目名称|采购需求概况|预算金额（万元）|预计采购时间|备注", "1|显微镜采购|一批|120|2026年9月|", "2|物业服务|三年|860.5|2026年10月|"),
		want:   "kind=意向; budget=1200000|8605000; winner=; deadline="},
	{name: "construction tender", title: "滨江路道路改造工程施工招标公告", published: "2026-03-20", text: "1.招标条件\n本招标项目滨江路道路改造工程已由滨江区发展和改革局以滨发改〔2026〕12号批准建设，招标人为滨江区住房和城乡建设局，建设资金来自财政资金。\n2.项目概况\n2.1工程地点：滨江区\n2.3总投资：约5600万元\n2.4招标控制价：4980.12万元\n5.投标文件的递交\n5.1投标文件递交的截止时间（投标截止时间，下同）为2026年4月12日9时30分。\n6.联系方式\n招 标 人：滨江区住房和城乡建设局\n招标代理机构：天元项目管理有限公司\n联 系 人：李工\n电    话：0755-26001234",
		want: "buyer=滨江区住房和城乡建设局; agent=天元项目管理有限公司; deadline=2026-04-12T09:30; ceiling=49801200; kind=招标; phone=0755-26001234"},
	{name: "sums that are none", title: "某校设备采购招标公告", published: "2026-03-20", text: "项目编号：QX-2026-1\n预算金额：详见附件\n最高限价：/\n投标保证金：2万元\n招标文件售价：500元/套\n代理服务费：1,2\n联系电话：027-88880000",
		want: "budget=; ceiling=; amount="},
	{name: "a sum of nought", title: "某校图书采购招标公告", published: "2026-03-20", text: "项目编号：QX-2026-2\n预算金额：0元\n采购人：某某师范大学",
		want: "budget=; buyer=某某师范大学"},
	{name: "a deadline before the notice", title: "某校桌椅采购招标公告", published: "2026-03-20", text: "项目编号：QX-2026-3\n投标截止时间：2025年3月28日9时\n采购人：某某师范大学",
		want: "deadline="},
	{name: "registration is no deadline of bids", title: "某校班车租赁竞争性磋商公告", published: "2026-03-20", text: "项目编号：QX-2026-4\n报名截止时间：2026年3月27日17:00\n响应文件递交截止时间：2026年4月2日14:00\n采购单位：某某师范大学",
		want: "deadline=2026-04-02T14:00"},
	{name: "bid opening record", title: "实验楼加固工程开标记录", published: "2026-04-30", text: "项目名称：实验楼加固工程\n招标编号：SYL-2026-08\n开标时间：2026年4月29日9:30\n招标人：南屏医科大学",
		tables: table("序号|投标人名称|投标报价（元）|工期", "1|甲建筑工程有限公司|1200000|60", "2|乙建设集团有限公司|1180000|60"),
		want:   "winner=; amount=; opening=2026-04-29T09:30; buyer=南屏医科大学"},
	{name: "award with an untitled bidder column", title: "教学楼外墙维修中标公告", published: "2026-05-15", text: "项目编号：JXL-2026-15",
		tables: table("中标单位|报价（元）|评审总得分", "宏远建筑装饰工程有限公司|987654.32|92.5"),
		want:   "winner=宏远建筑装饰工程有限公司; amount=987654.32; number=JXL-2026-15"},
	{name: "discount instead of a sum", title: "图书采购项目中标公告", published: "2026-05-15", text: "项目编号：TS-2026-15\n中标供应商：新华书店集团有限公司\n中标金额：折扣率72%\n采购人：云溪大学",
		want: "winner=新华书店集团有限公司; amount="},
	{name: "agency in the signature", title: "食堂食材配送服务招标公告", published: "2026-06-15", text: "云溪职业技术学院的食堂食材配送服务项目，现委托诚达项目管理有限公司进行公开招标，欢迎前来投标。\n一、项目编号：CD-ZB-2026-066\n二、投标截止及开标时间：2026年7月6日上午9:30（北京时间）\n三、预算：年采购额约600万元",
		want: "buyer=云溪职业技术学院; agent=诚达项目管理有限公司; deadline=2026-07-06T09:30; number=CD-ZB-2026-066"},
	{name: "number in the head and the foot alone", title: "东湖大学学生公寓家具采购（DHU-HW-2026-19）竞争性谈判公告", published: "2026-06-15", text: "东湖大学拟采购学生公寓家具一批，预算 86.4 万元。\n谈判响应文件提交截止时间：2026年6月25日14时30分（北京时间），逾期不予受理。",
		want: "number=DHU-HW-2026-19; deadline=2026-06-25T14:30"},
	{name: "deadline with 24 hours and a weekday", title: "某校实验耗材竞价公告", published: "2026-06-15", text: "竞价编号：JJ20260615001\n竞价开始时间：2026-06-16 09:00:00\n竞价截止时间：2026-06-19（星期五）17:30:00\n采购单位：某某农业大学\n预算总额（元）：45800.00",
		want: "deadline=2026-06-19T17:30; budget=45800; buyer=某某农业大学; number=JJ20260615001"},
	{name: "contract award with several suppliers in a line", title: "法律服务入围结果公告", published: "2026-06-15", text: "入围供应商：甲律师事务所、乙律师事务所、丙律师事务所\n采购人：某市财政局\n项目编号：FL-2026-3",
		want: "buyer=某市财政局; number=FL-2026-3"},
	{name: "chongqing result with suppliers in a list", title: "某区医院救护车采购(17C1234)采购结果公告", published: "2017-03-20", text: "一、项目号：17C1234\n采购执行编号：CQCG1712345\n二、项目名称：某区医院救护车采购\n三、中标（成交）信息\n分包号：1\n中标供应商：重庆庆铃汽车销售有限公司\n中标金额（元）：458,000.00\n分包号：2\n中标供应商：重庆长安专用汽车有限公司\n中标金额（元）：1,260,000.00\n六、联系方式\n采购人：某区人民医院\n采购经办人：冉老师\n采购人电话：023-60000001\n代理机构：重庆招标采购(集团)有限责任公司",
		want: "number=17C1234; winner=重庆庆铃汽车销售有限公司|重庆长安专用汽车有限公司; amount=458000|1260000; buyer=某区人民医院; agent=重庆招标采购(集团)有限责任公司; kind=中标"},
	{name: "candidates in a table with ranks across", title: "滨河路改造工程施工中标候选人公示", published: "2017-05-11", text: "公示内容如下",
		tables: table("项目名称|滨河路改造工程||", "招标人|重庆某城市建设投资有限公司|招标代理机构|重庆恒申达工程造价咨询有限公司", "|第一中标候选人|第二中标候选人|第三中标候选人", "名称|甲建设集团有限公司|乙市政工程有限公司|丙路桥有限公司", "投标报价（元）|12345678.90|12400000.00|12500000.00"),
		want:   "buyer=重庆某城市建设投资有限公司; agent=重庆恒申达工程造价咨询有限公司; winner=甲建设集团有限公司; amount=12345678.9"},
	{name: "jiangsu award", title: "某某路雨污分流工程中标结果公告", published: "2026-01-15", text: "标段编号：E3201000001000001001\n标段名称：某某路雨污分流工程\n招标人：南京某区水务局\n招标代理：江苏某某工程咨询有限公司\n中标人：江苏华建市政工程有限公司\n中标价：1356.2781 万元\n中标工期：120日历天\n项目负责人：李四\n公告时间：2026-01-15",
		want: "number=E3201000001000001001; buyer=南京某区水务局; agent=江苏某某工程咨询有限公司; winner=江苏华建市政工程有限公司; amount=13562781; kind=中标"},
	{name: "award with the sum in capitals and figures", title: "校园监控系统升级改造成交结果公告", published: "2026-03-15", text: "项目编号：JK-2026-31\n成交单位名称：安防科技(江城)有限公司\n成交价（人民币）：大写：叁拾陆万捌仟元整　小写：368000.00元\n采购单位：江城市第九中学",
		want: "winner=安防科技(江城)有限公司; amount=368000; buyer=江城市第九中学"},
	{name: "award in capitals alone", title: "档案整理服务成交公告", published: "2026-03-15", text: "项目编号：DA-2026-2\n成交供应商：文枢档案服务有限公司\n成交金额：壹拾伍万陆仟元整",
		want: "winner=文枢档案服务有限公司; amount=156000"},
	{name: "joint winners", title: "污水管网EPC项目中标公告", published: "2026-03-15", text: "招标编号：EPC-2026-9\n中标人：(主)甲市政设计院有限公司、(成)乙建工集团有限公司联合体\n中标金额：8650.5万元",
		want: "amount=86505000; number=EPC-2026-9"},
	{name: "stopped for want of bids, with a winner of none", title: "某校打印机采购项目流标公告", published: "2026-03-15", text: "项目编号：LB-2026-9\n成交供应商：无\n成交金额：0元\n流标原因：响应供应商不足三家\n采购人：某某学院",
		want: "winner=; amount=; kind=终止; buyer=某某学院"},
	{name: "deadline postponed to be told", title: "某校实验台采购延期公告", published: "2026-04-15", text: "项目编号：YQ-2026-9\n原投标截止时间：2026年4月20日9:30\n现延期，具体时间另行通知。\n采购人：某某学院",
		want: "deadline=; kind=更正"},
	{name: "clarification that moves only the opening hall", title: "某大学服务器采购澄清公告", published: "2026-04-15", text: "项目编号：CQ-2026-9\n澄清内容：开标地点由301室变更为502室，投标截止时间2026年4月28日9时30分不变。\n招标人：某大学",
		want: "deadline=2026-04-28T09:30; buyer=某大学"},
	{name: "correction moving deadline in a numbered list", title: "某某职业学院实训基地建设项目补充公告（第2号）", published: "2026-05-10", text: "致各潜在投标人：\n现对某某职业学院实训基地建设项目（招标编号：ZB-2026-0451）作如下补充：\n1. 招标文件第三章参数要求作废，以附件为准。\n2. 提交投标文件截止时间、开标时间：原为2026年5月15日上午9时00分，现修改为2026年5月25日上午9时00分。\n3. 投标保证金到账截止时间顺延至2026年5月24日17时。\n特此公告。",
		want: "deadline=2026-05-25T09:00; number=ZB-2026-0451"},
	{name: "correction with 更正为 after the item", title: "某县农机采购更正公告", published: "2026-05-10", text: "一、项目编号：NJ-2026-3\n二、更正内容：\n招标公告中“六、响应文件提交截止时间：2026年5月12日10点00分”更正为“六、响应文件提交截止时间：2026年5月19日10点00分”。\n三、采购人：某县农业农村局",
		want: "deadline=2026-05-19T10:00; buyer=某县农业农村局"},
	{name: "lots with budgets in lines", title: "某医院医疗设备采购公开招标公告", published: "2026-05-10", text: "项目编号：YL-2026-3\n采购包1：\n采购包预算金额：1,200,000.00元\n采购包最高限价：1,180,000.00元\n采购包2：\n采购包预算金额：560,000.00元\n采购包最高限价：550,000.00元\n采购人：某医院",
		want: "budget=1200000|560000; ceiling=1180000|550000; buyer=某医院"},
	{name: "three budgets and a total", title: "某校家具采购招标公告", published: "2026-05-10", text: "项目编号：JJ-2026-3\n预算总金额：300万元\n采购单位：某某中学",
		tables: table("包号|内容|预算金额（万元）", "1|床|100", "2|柜|120", "3|桌|80"),
		want:   "budget=3000000; buyer=某某中学"},
	{name: "supplier table of a contract", title: "某局信息系统运维政府采购合同公示", published: "2026-05-10", text: "合同基本信息",
		tables: table("合同编号|HT2026-1|合同名称|信息系统运维合同", "采购人名称|某市税务局|供应商名称|数通软件股份有限公司", "合同金额|98.6万元|合同签订日期|2026-05-08"),
		want:   "buyer=某市税务局; winner=数通软件股份有限公司; amount=986000; kind=合同; deadline="},
	{name: "an agent that buys for itself", title: "某市公共资源交易中心办公家具采购公告", published: "2026-05-10", text: "采购人：某市公共资源交易中心\n项目编号：GG-2026-77\n响应文件递交截止时间及地点：2026年5月20日上午10:00，交易中心三楼",
		want: "buyer=某市公共资源交易中心; agent=; deadline=2026-05-20T10:00"},
	{name: "the number stands in the names of documents alone", title: "某学院实训室建设采购公告", published: "2026-05-10", text: "采购人：某某学院\n详见附件。",
		files: []string{"某学院实训室建设（ZB-2026-0917）招标文件.pdf", "报名表.docx", "ZB-2026-0917采购需求.docx"},
		want:  "number=ZB-2026-0917; budget=; buyer=某某学院"},
	{name: "names of documents that disagree", title: "某学院实训室建设采购公告", published: "2026-05-10", text: "采购人：某某学院",
		files: []string{"甲项目（ZB-2026-0917）招标文件.pdf", "乙项目（ZB-2026-0918）招标文件.pdf", "IMG_20260510.jpg"},
		want:  "number="},
	{name: "name and address of each on one line", title: "北湖县政务云运维成交公告", published: "2026-05-10", text: "项目 编号：BH-2026-41\n公告日期：2026年05月10日\n1.采购人信息 名称：北湖县数据局 地址：北湖县一路1号\n2.采购代理机构信息 名称：启明招标代理有限公司 地址：江城市",
		want: "number=BH-2026-41; buyer=北湖县数据局; agent=启明招标代理有限公司"},
	{name: "a heading with a number below a date", title: "北湖县政务云运维更正公告", published: "2026-05-10", text: "更正日期：2026年05月10日\n1.采购人信息\n名称：北湖县数据局\n2.采购代理机构信息\n名称：启明招标代理有限公司",
		want: "buyer=北湖县数据局; agent=启明招标代理有限公司"},
	{name: "a date that markup broke", title: "北湖中学课桌椅招标公告", published: "2026-05-10", text: "投标截止时间：2026年5月\n29日\n9时\n30 分",
		want: "deadline=2026-05-29T09:30"},
	{name: "opening at the deadline", title: "北湖大道工程施工招标公告", published: "2026-05-10", text: "投标文件递交的截止时间（投标截止时间，下同）为2026年6月8日上午9时00分。开标时间同投标截止时间。",
		want: "deadline=2026-06-08T09:00; opening=2026-06-08T09:00"},
	{name: "opened at the same time in public", title: "桥梁检测服务询比采购公告", published: "2026-05-10", text: "响应文件递交的截止时间为2026年6月11日10时00分。\n本项目将于上述响应截止的同一时间在电子平台公开开启。",
		want: "deadline=2026-06-11T10:00; opening=2026-06-11T10:00"},
	{name: "a deadline is no opening unless the text says so", title: "北湖大道工程施工招标公告", published: "2026-05-10", text: "投标文件递交截止时间：2026年6月8日上午9时00分。\n开标地点与投标文件递交地点相同。",
		want: "deadline=2026-06-08T09:00; opening="},
	{name: "bids are taken for half an hour", title: "水库除险加固开标公告", published: "2026-05-10", text: "请各投标人于2026年6月2日9时00分至9时30分递交投标文件，2026年6月2日9时30分在三楼会议室开标。",
		want: "deadline=2026-06-02T09:30; opening=2026-06-02T09:30"},
	{name: "until when bids are taken", title: "水库除险加固招标公告", published: "2026-05-10", text: "投标文件递交时间：2026年6月2日9:00-9:30\n开标时间：2026年6月2日9:30-11:00",
		want: "deadline=2026-06-02T09:30; opening=2026-06-02T09:30"},
	{name: "to be sent before", title: "实验耗材采购询价公告", published: "2026-05-10", text: "请有意者于2026年5月22日17:00前将报价文件密封送至资产处301室。",
		want: "deadline=2026-05-22T17:00"},
	{name: "labels of lots in one line", title: "道路照明改造成交公告", published: "2026-05-10", text: "第一包成交供应商：光明电力工程有限公司，成交价：43.2 万元；第二包成交供应商：大唐电气有限公司，成交价：3万元",
		want: "winner=光明电力工程有限公司|大唐电气有限公司; amount=432000|30000"},
	{name: "scores of the winners of lots", title: "办公设备采购结果公告", published: "2026-05-10", text: "结果如下",
		tables: table("包号|供应商名称|评审总得分|成交金额(元)", "1|联创科技有限公司|95.2|1,200,000.00", "2|万通办公有限公司|93|230,000.00"),
		want:   "winner=联创科技有限公司|万通办公有限公司; amount=1200000|230000"},
	{name: "scores of candidates of one lot", title: "办公设备采购中标候选人公示", published: "2026-05-10", text: "结果如下",
		tables: table("排序|投标单位|投标报价（万元）|综合得分", "1|长城建设集团有限公司|1256.33|92.1", "2|黄河建工有限公司|1260.11|90.3"),
		want:   "winner=长城建设集团有限公司; amount=12563300"},
	{name: "who intends to buy stands in the title", title: "东湖大学2026年6月政府采购意向", published: "2026-05-10", text: "预算金额：320万元",
		want: "buyer=东湖大学; budget=3200000; kind=意向"},
	{name: "english tender", title: "Procurement of laboratory microscopes", published: "2026-05-10", text: "Tender No: LAB/2026/014\nProcuring entity: University of Northfield\nBid deadline: 18 July 2026 09:30\nBid opening: 18 July 2026 10:00",
		want: "number=LAB/2026/014; buyer=University of Northfield; deadline=2026-07-18T09:30; opening=2026-07-18T10:00"},
}

// Extract reads notices of every style. A field that a notice does not state has no value.
func TestNoticeStyles(t *testing.T) {
	set := preset(t, Tenders)
	for _, m := range noticeStyles {
		t.Run(strings.ReplaceAll(m.name, " ", "_"), func(t *testing.T) {
			n := Notice{Title: m.title, Text: m.text, Tables: m.tables, Attachments: m.files}
			n.Published, _ = time.ParseInLocation(time.DateOnly, m.published, PrintedZone)
			v := PlainNotice{set, set.Extract(n)}
			for wanted := range strings.SplitSeq(m.want, "; ") {
				field, want, _ := strings.Cut(wanted, "=")
				var got []string
				for _, x := range v.Plain(set.Named(field)) {
					got = append(got, fmt.Sprint(x))
				}
				right := strings.Split(want, "|")
				if want == "" && len(got) > 0 || want != "" && !slices.Equal(got, right) {
					t.Errorf("%s: %q, want %q", field, got, want)
				}
			}
		})
	}
}
