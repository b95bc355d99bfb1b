elementclass Two { $a, $b | Message($a $b) }
elementclass Key { COUNT $count | Message($count) }
Two(1);
Two(1, 2, 3);
Key(1);
x :: Key;
