x ::	Nonsense;
;
ÿ -> Discard
