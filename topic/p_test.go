package topic
import ("testing";"fmt";"unsafe")
func TestP(t *testing.T){
 for _,n:=range []int{100_000} {
 before:=heap()
 ix:=benchIndex(n)
 a:=heap()
 m:=Build(benchConfig(), benchSamples(50), benchNames{}, ix.Background())
 ix.Apply(m); ix.Scores()
 fmt.Println(n,"index",float64(a-before)/float64(n),"applied",float64(heap()-before)/float64(n))
 for f:=range numFields { used,capa,lists:=0,0,0
  small:=0
  for i:=range ix.terms[f] { p:=&ix.terms[f][i]; used+=len(p.data); capa+=cap(p.data); if p.n>0{lists++}; if p.n>0&&p.n<8 {small++} }
  fmt.Println(f,"used",used/n,"cap",capa/n,"lists",lists,"small",small,"table len",len(ix.terms[f]),"cap",cap(ix.terms[f])*int(unsafe.Sizeof(postings{}))/n)
 }
 fmt.Println(cap(ix.ids)*8/n,cap(ix.traits)*12/n, cap(ix.words[0])*4/n)
 }
}
