// IDS + router + VLAN (paper, appendix A.3): TCP, UDP and ICMP headers are checked but for the checksums, which the NIC
// verifies; then the router of router.click; then a VLAN tag from an annotation.
//
//   packetmill run --dpdk --vdev=net_pcap0,rx_pcap=TRACE,infinite_rx=1 -- bench/nf/ids-router.click
define($PORT 0, $IP 10.0.0.1, $MAC 98:03:9b:33:fe:e2, $NEXT b8:83:03:6f:43:39)

input :: FromDPDKDevice($PORT, N_QUEUES 1, BURST 32);
output :: ToDPDKDevice($PORT, BURST 32);
frames :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
protocols :: IPClassifier(tcp, udp, icmp, -);
routes :: LookupIPRouteMP(0.0.0.0/0 0);
finish :: IPOutputCombo(2, $IP, 1500);
encap :: EtherEncap(0x0800, $MAC, $NEXT);

input -> frames;
frames[0] -> ARPResponder($IP $MAC) -> output;
frames[1] -> Discard;
frames[2] -> Paint(1) -> Strip(14) -> CheckIPHeader(CHECKSUM false) -> protocols;
frames[3] -> Discard;

protocols[0] -> CheckTCPHeader(CHECKSUM false) -> routes;
protocols[1] -> CheckUDPHeader(CHECKSUM false) -> routes;
protocols[2] -> CheckICMPHeader -> routes;
protocols[3] -> routes;

routes -> finish -> encap -> SetVLANAnno(100) -> VLANEncap(ANNO) -> output;
finish[1] -> ICMPError($IP, redirect, host) -> routes;
finish[2] -> ICMPError($IP, parameterproblem) -> routes;
finish[3] -> ICMPError($IP, timeexceeded) -> routes;
finish[4] -> ICMPError($IP, unreachable, needfrag) -> routes;
