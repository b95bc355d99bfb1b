s :: InfiniteSource -> Discard;
s -> Discard;
q :: Queue -> u :: Unqueue -> Discard;
Idle -> q;
Idle -> u;
q -> Unqueue -> Discard;
