// The simplest network function: every frame gets new Ethernet addresses and leaves.
//
//   packetmill run examples/forwarder.click --stats
define($IN examples/traces/forwarder.pcap, $OUT /dev/null);

FromDump($IN, STOP true)
    -> EtherRewrite(SRC 02:00:00:00:00:01, DST 02:00:00:00:00:02)
    -> ToDump($OUT);
