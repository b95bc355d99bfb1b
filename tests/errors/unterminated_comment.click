x :: Nonsense;
/* and so on
y :: Idle
