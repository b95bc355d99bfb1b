[1] Idle -> Discard [2];
