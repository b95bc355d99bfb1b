// An element class that does not exist; the nearest one is suggested.
source :: InfinteSource -> Discard;
x :: Nonsense;
