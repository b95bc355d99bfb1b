elementclass A { input -> Null -> output }
a :: A;
Idle -> a -> Discard;
Idle -> [1] a [2] -> Discard;
