x :: { COUNT $c, $a | Message($a $c) } (1, COUNT 2);
y :: { __REST__ $r, $a | Message($a $r) } (1);
z :: { $a, $a | Message($a) } (1, 2);
