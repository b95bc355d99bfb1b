// A synthetic load: S MB of memory, N random accesses and W pseudo-random numbers for each packet; then the frame goes
// back to its sender.
//
//   packetmill run examples/workpackage.click --stats S=8 N=5 W=20
define($IN examples/traces/forwarder.pcap, $OUT /dev/null, $S 4, $N 1, $W 4);

FromDump($IN, STOP true) -> WorkPackage(S $S, N $N, W $W) -> EtherMirror -> ToDump($OUT);
