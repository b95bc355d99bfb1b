// A bracket that closes nothing.
Idle -> Discard;
}
x :: Idle -> Discard;
