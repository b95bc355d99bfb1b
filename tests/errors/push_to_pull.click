InfiniteSource -> Unqueue -> Discard;
Idle -> Queue -> Counter -> Tee -> Discard;
