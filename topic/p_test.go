package topic
import ("testing")
func BenchmarkP(b *testing.B){
 n:=1_000_000
 ix:=benchIndex(n)
 m:=Build(benchConfig(), benchSamples(50), benchNames{}, ix.Background())
 ix.Apply(m)
 b.Run("sum",func(b *testing.B){for b.Loop(){ix.rescore(&m.kernel)}})
 v:=make([]float32,n)
 b.Run("fill",func(b *testing.B){for b.Loop(){ix.fill(v,&m.kernel)}})
 b.Run("all",func(b *testing.B){for b.Loop(){v:=make([]float32,n);ix.rescore(&m.kernel);ix.fill(v,&m.kernel)}})
}
