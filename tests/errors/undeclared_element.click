source :: InfiniteSource;
sorce -> Discard;
source -> FromMars -> Discard;
