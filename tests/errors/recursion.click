elementclass A { Nonsense } a :: A; b :: A;
