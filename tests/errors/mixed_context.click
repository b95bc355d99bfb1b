InfiniteSource -> n :: Null -> Unqueue -> Discard;
InfiniteSource -> a :: Null -> b :: Counter -> c :: Null -> RoundRobinSched -> Discard;
