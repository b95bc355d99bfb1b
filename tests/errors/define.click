define($a 1, $a 2, b 3, $ 4);
define($c $d, $d $c);
x :: Message($c);
y :: { $p | define($p 1) Message($p) } (2);
