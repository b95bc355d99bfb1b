// A NAPT by Click's IPRewriter: hosts of 10.0.0.0/8 share one public address; replies find their way back; from outside
// nothing else gets in.
//
//   packetmill run examples/nat.click --stats
define($INSIDE examples/traces/nat-inside.pcap, $OUTSIDE examples/traces/nat-outside.pcap,
       $TO_INSIDE /dev/null, $TO_OUTSIDE /dev/null, $TIMING false);

AddressInfo(public 192.0.2.1 02:00:00:00:00:01, private 10.0.0.1 02:00:00:00:00:02,
            upstream 02:00:00:00:00:fe, host 02:00:00:00:00:0a);

// Input 0: from inside. Input 1: from outside, where only replies to existing mappings pass.
nat :: IPRewriter(pattern public 40000-49999# - - 0 1, drop);

FromDump($INSIDE, TIMING $TIMING, STOP true) -> Strip(14) -> CheckIPHeader -> [0] nat;
FromDump($OUTSIDE, TIMING $TIMING, STOP true) -> Strip(14) -> CheckIPHeader -> [1] nat;
nat[0] -> EtherEncap(0x0800, public, upstream) -> ToDump($TO_OUTSIDE);
nat[1] -> EtherEncap(0x0800, private, host) -> ToDump($TO_INSIDE);

DriverManager(wait_stop, wait_stop, wait 1ms);
