Idle => [0] ( [0] -> [0]; [1] -> Idle ) -> Discard;
Idle => ( [0] -> [0]; [2] -> Idle ) -> Discard;
Idle => [0,1] ( -> ) -> Discard;
Idle -> ( input -> Idle ) -> Discard;
