// The same NAPT by FastClick's flow manager: each packet is told its flow once, and the elements behind it keep what they
// know by flow.
//
//   packetmill run examples/nat-flow.click --stats
define($INSIDE examples/traces/nat-inside.pcap, $TO_OUTSIDE /dev/null, $TIMING false);

AddressInfo(public 192.0.2.1 02:00:00:00:00:01, upstream 02:00:00:00:00:fe);

FromDump($INSIDE, TIMING $TIMING, STOP true)
    -> Strip(14) -> CheckIPHeader
    -> FlowIPManager(CAPACITY 65536)
    -> FlowIPNAT(SIP public)
    -> flows :: FlowCounter
    -> EtherEncap(0x0800, public, upstream) -> ToDump($TO_OUTSIDE);
