elementclass New { $a | Message($a) || ... }
x :: { Idle -> Discard || ... };
