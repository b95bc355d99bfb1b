// What elements want of each other: known when all are configured, and before anything is opened.
Idle -> FlowIPNAT(192.0.2.1) -> Discard;
Idle -> FlowCounter -> Discard;
Idle -> Switch(2) => Discard, Discard;
Idle -> Queue(100000000) -> Discard;
Idle -> ToDump(x, USE_ENCAP_FROM nobody);
Idle -> ToDump(x, USE_ENCAP_FROM counter);
counter :: Counter;
InfiniteSource(LIMIT 1, END_CALL countr.reset) -> counter -> Discard;
InfiniteSource(LIMIT 1, END_CALL counter.rest) -> Discard;
InfiniteSource(LIMIT 1, END_CALL counter.count) -> Discard;
Idle -> Counter(COUNT_CALL 10 nobody.reset) -> Discard;
DriverManager(wait_stop);
DriverManager(wait_stop);
Error(this is wrong);
// An element that is wrong by itself is not looked at again, but the others are.
Idle -> Switch(many) -> Discard;
// A script may name what does not exist, as long as it does not get there.
Script(TYPE PASSIVE, write countr.reset, read counter.cont, print $(nobody.count), print $(add 1 $(counter.rat)),
       write $name.reset, print '$(nobody.count)', print $(counter.count), read "config", print $(exporter.sum));
exporter :: Script(TYPE PASSIVE, export sum 0);
proxy :: Script(TYPE PROXY, return 1);
Script(TYPE PASSIVE, read proxy.anything);
