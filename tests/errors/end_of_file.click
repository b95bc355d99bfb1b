Idle -> Discard;
Idle ->

