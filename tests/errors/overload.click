elementclass A { input -> Discard || $a | input -> Paint($a) -> output }
Idle -> A(1, 2) -> Discard;
Idle -> x :: A;
y :: A;
