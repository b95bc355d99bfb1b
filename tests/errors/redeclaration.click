x :: Idle;
x :: Queue;
a, a :: Idle;
{ input -> output :: Null; } (1)
