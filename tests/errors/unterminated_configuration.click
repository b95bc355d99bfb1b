x :: Idle;
y :: Queue(10;
z :: Nonsense;
