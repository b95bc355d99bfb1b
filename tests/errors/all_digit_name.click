1 :: Idle;
x/2 :: Idle;
elementclass 3 Null;
