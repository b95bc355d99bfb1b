x : Idle;
y :: ;
Idle -> -> Discard;
Idle [a] -> Discard;
Idle -> [0 Discard;
z :: Idle ] ;
# not a line directive
"text" -> Discard;
good :: Idle -> Discrad;
