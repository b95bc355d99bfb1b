// WorkPackage (paper, appendix A.4): N random accesses to S MB of memory and W pseudo-random numbers a packet, and the
// Ethernet addresses exchanged.
//
//   packetmill run --dpdk --vdev=net_null0 -- bench/nf/workpackage.click S=4 N=1 W=4
define($PORT 0, $S 4, $N 1, $W 4)

FromDPDKDevice($PORT, N_QUEUES 1, BURST 32)
    -> WorkPackage(S $S, N $N, W $W)
    -> EtherMirror
    -> ToDPDKDevice($PORT, BURST 32);
