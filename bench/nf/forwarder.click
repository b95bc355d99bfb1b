// Forwarder (paper, appendix A.1): frames come in, get new Ethernet addresses, and leave by the same port.
//
//   packetmill run --dpdk --vdev=net_null0 -- bench/nf/forwarder.click
define($PORT 0)

FromDPDKDevice($PORT, N_QUEUES 1, BURST 32)
    -> EtherRewrite(SRC 98:03:9b:33:fe:e2, DST b8:83:03:6f:43:39)
    -> ToDPDKDevice($PORT, BURST 32);
