// A pull output cannot be connected to a push input.
Idle -> Queue -> Queue -> Unqueue -> Discard;
