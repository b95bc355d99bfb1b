InfiniteSource [1] -> [2] Discard;
Idle -> Null -> Discard;
