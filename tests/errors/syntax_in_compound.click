elementclass A { input -> Null output; => x }
a :: A
b :: { input -> Null -> output ) -> Discard
