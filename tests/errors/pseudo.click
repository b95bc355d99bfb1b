elementclass A { Idle -> input; output -> Discard; input :: Idle; }
a :: A;
elementclass B { input [0] -> Discard; input [2] -> Discard; }
b :: B;
