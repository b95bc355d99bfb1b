Idle [99999] -> Discard;
Idle [4294967296] -> Discard;
