# 100 "made-by-m4.click"
x :: Nonsense;
#line 7
y :: Nonsense;
