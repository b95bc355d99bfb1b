x :: Null;
q :: Queue -> Discard;
Idle -> ARPQuerier -> Discard;
