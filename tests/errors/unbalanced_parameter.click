define($a /) define($b *)
Message($a$b);
